package browser

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

const (
	// pollInterval is the pause between two looks at a page. A page may give way to another at any time, so what waits
	// cannot sit in the page itself.
	pollInterval = 20 * time.Millisecond

	// lastWords is how long a page may take to answer when nobody wants to know more of it, or will ask again.
	lastWords = 20 * time.Second
)

// Window is a page that a person looks at: the first one, a popup, or a frame in one of these ([Window.Frame]).
//
// Where a method takes a selector or a text, a string that begins with #, . or [ and a letter is a CSS selector.
// Everything else is text as a person reads it; runs of white space count as one blank.
type Window struct {
	// Patience is how long a method waits for what it needs. Zero means a minute.
	Patience time.Duration

	t      testing.TB
	person *Person
	within *Window         // for a frame: the window around it
	ctx    context.Context // chromedp's handle of the tab, nobody's request
	cancel func()
	open   context.Context // the same, until the window is closed: Chromium does not answer for a closed one
	tab    *chromedp.Target
	ears   sync.WaitGroup
}

//go:embed page.js
var pageJS string

// selector tells CSS from text.
var selector = regexp.MustCompile(`^[#.\[][A-Za-z_-]`)

// Open goes to an address and waits until the page there has loaded.
func (w *Window) Open(address string) {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Navigate(address)); err != nil {
		w.fail("open %s: %v", address, err)
	}
}

// URL returns the address of the page.
func (w *Window) URL() string {
	w.t.Helper()
	return w.wait("the address", "page.address", "").Text
}

// Text returns the visible text of the first element that fits the CSS selector; it waits for one.
func (w *Window) Text(css string) string {
	w.t.Helper()
	return w.wait(css, "page.shows", css, true).Text
}

// WaitFor waits until the page shows an element that fits a selector, or a text.
func (w *Window) WaitFor(selectorOrText string) {
	w.t.Helper()
	w.wait(selectorOrText, "page.shows", selectorOrText, selector.MatchString(selectorOrText))
}

// WaitForURL waits until the page's address begins with prefix and it has loaded, and returns the address.
func (w *Window) WaitForURL(prefix string) string {
	w.t.Helper()
	return w.wait("the address "+prefix+"…", "page.address", prefix, true).Text
}

// Eval evaluates a JavaScript expression in the page, waits for it if it is a promise, and stores its value into, unless
// that is nil. The page's policies do not apply.
func (w *Window) Eval(expression string, into any) {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	if err := w.eval(ctx, expression, into); err != nil {
		w.fail("%s: %v", expression, err)
	}
}

// answer is what a function of page.js says: what it found, or why it found nothing yet.
type answer struct {
	Why    string  `json:"why"`
	Text   string  `json:"text"`
	X, Y   float64 // where to click
	Typed  bool    `json:"typed"`  // the field is ready for typing; otherwise it has its value
	Origin float64 `json:"origin"` // when the page began: no two in a window are the same
}

// wait calls a function of page.js until it finds something. A call that comes between two pages is made again.
func (w *Window) wait(what, function string, args ...any) answer {
	w.t.Helper()
	expression := fmt.Sprintf("%s(...%s)", function, quote(append([]any{}, args...)))
	deadline := time.After(w.patience())
	for {
		found, err := w.look(expression)
		if err == nil && found.Why == "" {
			return found
		}
		var thrown *chromedp.ExceptionError
		if errors.As(err, &thrown) { // a wrong selector, say: it will not get better
			w.fail("%s: %v", what, err)
		}
		select {
		case <-time.After(pollInterval):
		case <-w.open.Done():
			w.fail("waited for %s, but the window was closed", what)
		case <-deadline:
			w.fail("waited for %s in vain: %s", what, cmp.Or(found.Why, fmt.Sprint(err)))
		}
	}
}

func (w *Window) look(expression string) (found answer, err error) {
	ctx, cancel := context.WithTimeout(w.open, lastWords)
	defer cancel()
	err = w.eval(ctx, expression, &found)
	return found, err
}

// eval evaluates with the functions of page.js at hand.
func (w *Window) eval(ctx context.Context, expression string, into any) error {
	yes := true
	result, err := cdp.Call(ctx, w.tab, runtime.Evaluate, runtime.EvaluateParams{
		Expression:    fmt.Sprintf("(() => { const page = %s; return (%s); })()", strings.TrimSpace(pageJS), expression),
		ReturnByValue: &yes, AwaitPromise: &yes,
	})
	if err != nil {
		return err
	}
	if result.ExceptionDetails != nil {
		return &chromedp.ExceptionError{ExceptionDetails: result.ExceptionDetails}
	}
	if into == nil || result.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(result.Result.Value, into)
}

// limit bounds what a method does.
func (w *Window) limit() (context.Context, context.CancelFunc) {
	return context.WithTimeout(w.open, w.patience())
}

func (w *Window) patience() time.Duration { return cmp.Or(w.Patience, time.Minute) }

func quote(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings, numbers and booleans
	}
	return string(text)
}

package browser

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/inspector"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// newWindow opens a tab, or takes over the one that the options name: a popup, or a frame within another window.
func (p *Person) newWindow(t testing.TB, parent context.Context, within *Window, options ...chromedp.ContextOption) *Window {
	t.Helper()
	w := &Window{t: t, person: p, within: within}
	life, end := context.WithCancel(parent)
	tab, cancel := chromedp.NewContext(life, options...)
	w.ctx, w.cancel = tab, func() { cancel(); end() }
	var shut context.CancelFunc
	w.open, shut = context.WithCancel(w.ctx)
	p.windows = append(p.windows, w)

	timer := time.AfterFunc(w.patience(), end) // a context with a limit would limit the window
	err := w.attach(shut)
	if !timer.Stop() {
		err = context.DeadlineExceeded
	}
	if err != nil {
		end()
		t.Fatalf("open a window: %v", err)
	}
	return w
}

// attach connects to the tab, and makes it look the same everywhere.
func (w *Window) attach(shut func()) error {
	detached := chromedp.BrowserEvents(w.ctx, target.DetachedFromTarget)
	err := chromedp.Do(w.ctx)
	w.tab = chromedp.FromContext(w.ctx).Target
	w.ears.Go(func() {
		defer shut()
		for e, err := range detached {
			if err != nil || w.tab == nil || e.SessionID == w.tab.SessionID {
				return
			}
		}
	})
	if err != nil {
		return err
	}
	w.listen(shut)
	// What was said before we listened, by a popup's page, is said again when these are switched on anew.
	for _, domain := range []cdp.Command[cdp.Empty, cdp.Empty]{log.Disable, log.Enable, runtime.Disable, runtime.Enable} {
		if _, err := cdp.Call(w.open, w.tab, domain, cdp.Empty{}); err != nil {
			return err
		}
	}
	tree, err := cdp.Call(w.open, w.tab, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return err
	}
	w.person.problems.shown(tree.FrameTree.Frame.URL)
	if w.within != nil {
		return nil // it looks as the window around it
	}
	return w.emulate(w.open, View{})
}

// listen collects the problems of the window until it is closed. A page that crashed does not answer either.
func (w *Window) listen(shut func()) {
	all := w.person.problems
	hear(w, log.EntryAdded, all.logged)
	hear(w, runtime.ConsoleAPICalled, all.called)
	hear(w, runtime.ExceptionThrown, all.thrown)
	hear(w, inspector.TargetCrashed, func(inspector.EventTargetCrashed) {
		all.add("crash", "the page crashed", "")
		shut()
	})
	hear(w, page.FrameNavigated, func(e page.EventFrameNavigated) {
		if e.Frame.ParentID == "" {
			all.shown(e.Frame.URL)
		}
	})
	hear(w, page.JavascriptDialogOpening, func(e page.EventJavascriptDialogOpening) {
		all.add("dialog", string(e.Type)+": "+e.Message, e.URL)
		_, _ = cdp.Call(w.open, w.tab, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
	})
}

// hear calls do for each event, one after another, and for every one that came before the window was closed: the channel
// is closed when it is empty.
func hear[E any](w *Window, event cdp.Event[E], do func(E)) {
	events, _ := w.tab.Subscribe(event.Method)
	w.ears.Go(func() {
		for raw := range events {
			var e E
			if err := jsonv2.Unmarshal(raw, &e, chromedp.DefaultUnmarshalOptions); err != nil {
				w.person.problems.add("protocol", err.Error(), "")
				continue
			}
			do(e)
		}
	})
}

// close closes the window when everything that its page has said was heard.
func (w *Window) close() {
	if w.tab != nil { // it did open
		ctx, cancel := context.WithTimeout(w.open, lastWords)
		_ = w.eval(ctx, "0", nil) // the answer comes after everything else
		cancel()
	}
	w.cancel()
	w.ears.Wait()
}

// Popup does something that opens another window, and returns that.
func (w *Window) Popup(open func()) *Window {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	id := chromedp.WaitNewTarget(ctx, func(i *target.Info) bool { return i.Type == "page" && i.OpenerID == w.tab.TargetID })
	open()
	select {
	case id, ok := <-id:
		if !ok {
			w.fail("the window is not there")
		}
		popup := w.person.newWindow(w.t, w.ctx, nil, chromedp.WithTargetID(id))
		popup.Patience = w.Patience
		return popup
	case <-ctx.Done():
		w.fail("no window was opened")
		return nil
	}
}

// WaitClosed waits until the window was closed, by its page or by its opener's.
func (w *Window) WaitClosed() {
	w.t.Helper()
	ctx, cancel := w.limit()
	defer cancel()
	<-ctx.Done()
	if w.open.Err() == nil {
		w.fail("the window is still open")
	}
}

// fail ends the test, and shows what the window shows.
func (w *Window) fail(format string, args ...any) {
	w.t.Helper()
	message := fmt.Sprintf(format, args...)
	if w.open.Err() == nil {
		message += w.description()
	}
	w.t.Fatal(message)
}

func (w *Window) description() string {
	ctx, cancel := context.WithTimeout(w.open, lastWords)
	defer cancel()
	var url, text string
	_ = w.eval(ctx, "location.href", &url)
	_ = w.eval(ctx, "document.body?.innerText ?? ''", &text)
	file, err := w.picture(ctx, "failed")
	if err != nil {
		file = err.Error()
	}
	unexpected, _ := w.person.problems.sorted()
	return fmt.Sprintf("\nat %s\nproblems: %q\npicture: %s\n%.4000s", url, unexpected, file, text)
}

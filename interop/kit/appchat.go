package kit

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// AppChat is a conversation in an [AppHost]: what its person sees, and what its model
// is told.
type AppChat struct {
	*browser.Person
	host    *AppHost
	version string
	options AppOptions
	t       *testing.T
}

// AppOptions say how a host behaves. npm/README.md describes them.
type AppOptions struct {
	URL      string `json:"url"`                // of the server, as [AppHost.Reach] returns it
	Apps     string `json:"apps,omitempty"`     // for the apps' session, if that is another
	Token    string `json:"token,omitempty"`    // of the person
	Era      string `json:"era,omitempty"`      // the revision; default 2025-11-25
	Sessions int    `json:"sessions,omitempty"` // 2: the apps have their own
	Mount    string `json:"mount,omitempty"`    // default parallel
	Trusting bool   `json:"trusting,omitempty"` // it lets apps call what is not for apps
	Theme    string `json:"theme,omitempty"`
	Timeout  int    `json:"timeout,omitempty"` // of the model's waiting call, in milliseconds
}

// AppHeard is what came of a call of the model's.
type AppHeard struct {
	Tool      string          `json:"tool"`
	Arguments map[string]any  `json:"arguments"`
	Text      string          `json:"text"`
	IsError   bool            `json:"isError"`
	Meta      json.RawMessage `json:"meta"`
	Failed    string          `json:"failed"` // why there is no result
}

// AppCall is a call that an app made.
type AppCall struct {
	View      int             `json:"view"`
	Tool      string          `json:"tool"`
	Arguments map[string]any  `json:"arguments"`
	Result    json.RawMessage `json:"result"`
	Failed    string          `json:"failed"`
}

// Chat begins a conversation on the bridge of a version.
func (h *AppHost) Chat(t *testing.T, chromium *browser.Browser, version string, options AppOptions) *AppChat {
	t.Helper()
	c := &AppChat{Person: chromium.Person(t), host: h, version: version, options: options, t: t}
	c.Open(h.Page(version))
	c.connect()
	return c
}

func (c *AppChat) connect() {
	c.t.Helper()
	want := c.options.Era
	if want == "" {
		want = "2025-11-25"
	}
	var got string
	if c.Eval("host.connect("+asJSON(c.options)+")", &got); got != want {
		c.t.Fatalf("the session has revision %q, want %s", got, want)
	}
}

// Reopen loads the page anew and has the host draw what it drew before.
func (c *AppChat) Reopen(mount string) {
	c.t.Helper()
	c.Open(c.host.Page(c.version))
	c.options.Mount = mount
	c.connect()
	c.Eval("host.reopen()", nil)
}

// Turn has the model call a tool and do what it is told from there.
func (c *AppChat) Turn(tool string, arguments Fields) (turn int) {
	c.t.Helper()
	c.Eval("host.turn("+asJSON(tool)+", "+asJSON(arguments)+")", &turn)
	return turn
}

// Call has the model make one call.
func (c *AppChat) Call(tool string, arguments Fields) (heard AppHeard) {
	c.t.Helper()
	c.Eval("host.call("+asJSON(tool)+", "+asJSON(arguments)+")", &heard)
	return heard
}

// Heard is all that the model got so far.
func (c *AppChat) Heard() (all []AppHeard) {
	c.t.Helper()
	c.Eval("host.heard", &all)
	return all
}

// Last waits for the end of a turn and returns what the model got last in it.
func (c *AppChat) Last(turn int) AppHeard {
	c.t.Helper()
	var last *AppHeard
	Eventually(c.t, "the model's turn ends", func() bool {
		c.Eval(fmt.Sprintf("host.turns[%d]", turn), &last)
		return last != nil
	})
	return *last
}

// Hears waits until the model gets a text with these words.
func (c *AppChat) Hears(words string) (found AppHeard) {
	c.t.Helper()
	Eventually(c.t, "the model is told "+words, func() bool {
		for _, h := range c.Heard() {
			if strings.Contains(h.Text, words) {
				found = h
				return true
			}
		}
		return false
	})
	return found
}

// Calls are those of all apps so far.
func (c *AppChat) Calls() (all []AppCall) {
	c.t.Helper()
	c.Eval("host.calls", &all)
	return all
}

// Links are the addresses that apps asked the host to open.
func (c *AppChat) Links() (all []string) {
	c.t.Helper()
	c.Eval("host.links", &all)
	return all
}

// App waits for the app that the host drew as its nth, from zero, and returns its page.
func (c *AppChat) App(n int) *browser.Window {
	c.t.Helper()
	Eventually(c.t, fmt.Sprintf("app %d is there", n), func() bool {
		var view struct {
			Mounted bool
			Failed  string
		}
		c.Eval(fmt.Sprintf("(({ mounted, failed } = {}) => ({ mounted, failed }))(host.views[%d])", n), &view)
		if view.Failed != "" {
			c.t.Fatalf("app %d: %s", n, view.Failed)
		}
		return view.Mounted
	})
	return c.Frame(fmt.Sprintf("iframe[title='App %d']", n))
}

// Press presses a button of an app's card once that does something.
func (c *AppChat) Press(card *browser.Window, id string) {
	c.t.Helper()
	card.WaitFor("#" + id)
	card.Eval("document.getElementById("+asJSON(id)+").scrollIntoView({ block: 'center' })", nil) // it must be seen
	card.Click("#" + id + "[aria-disabled=false]")
}

// Cover lays something over an app, or takes it away.
func (c *AppChat) Cover(n int, on bool) {
	c.t.Helper()
	c.Eval(fmt.Sprintf("host.cover(%d, %v)", n, on), nil)
}

func asJSON(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts, numbers and maps of them
	}
	return string(raw)
}

package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// trouble are pages in which something goes wrong, and what is said about it.
var trouble = map[string]struct{ page, policy, want string }{
	"error on the console": {`<script>console.error('a slip', {a: 1})</script>`, "", `console: "a slip" Object`},
	"exception":            {`<script>throw new Error('a fall')</script>`, "", "exception: Uncaught Error: a fall"},
	"rejected promise":     {`<script>Promise.reject(new Error('a no'))</script>`, "", "exception: Uncaught (in promise) Error: a no"},
	"dialog":               {`<script>alert('a shout')</script>`, "", "dialog: alert: a shout"},
	"missing picture":      {`<img src="/nothing.png" alt="">`, "", "404 (Not Found) (http://127.0.0.1"},
	"blocked script":       {`<script>document.title = 'through'</script>`, strict, "security: Executing inline script violates"},
	"blocked style":        {`<p style="color: red">x</p>`, strict, "security: Applying inline style violates"},
	"blocked picture":      {`<img src="/there.png" alt="">`, strict, "/there.png' violates"},
	"unknown directive":    {``, "nonsense-src 'self'", "security: Unrecognized Content-Security-Policy directive 'nonsense-src'"},
	"blocked frame":        {`<iframe src="/strict" title="x"></iframe>`, "", "frame-ancestors 'none'"},
	"another host":         {`<img src="http://pictures.example/a.png" alt="">`, "", "request: GET http://pictures.example/a.png"},
	"another host, TLS":    {`<link rel="stylesheet" href="https://fonts.example/a.css">`, "", "request: CONNECT fonts.example:443"},
	"local network":        {`<img src="http://192.168.7.7/a.png" alt="">`, "", "request: GET http://192.168.7.7/a.png"},
	"link local":           {`<img src="http://169.254.169.254/a.png" alt="">`, "", "request: GET http://169.254.169.254/a.png"},
	"socket elsewhere": {`<script>
		const ready = document.querySelector('p'); // the page has loaded long before a socket is refused
		ready.hidden = true;
		new WebSocket('ws://chat.example/').onerror = () => { ready.hidden = false; };
	</script>`, "", "request: CONNECT chat.example:80"},
}

// troubled serves each page at its name.
func troubled(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /trouble/{name}", func(w http.ResponseWriter, r *http.Request) {
		page := trouble[r.PathValue("name")]
		if page.policy != "" {
			w.Header().Set("Content-Security-Policy", page.policy)
		}
		fmt.Fprint(w, document("Trouble", "<p>Ready.</p>"+page.page))
	})
	mux.HandleFunc("GET /strict", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", strict)
	})
	return serve(t, mux) + "/trouble/"
}

func TestWhatGoesWrongInAPageFailsTheTest(t *testing.T) {
	browser.Start(t) // or skip
	base := troubled(t)
	r := try(t, func(r *recorder) {
		p := browser.Start(r).Person(r)
		for name := range trouble {
			p.Open(base + url.PathEscape(name))
			p.WaitFor("Ready.")
		}
	})
	if r.result != "failed" {
		t.Errorf("it %s", r.result)
	}
	for name, test := range trouble {
		if !strings.Contains(r.message, "unexpected in a page: ") || !strings.Contains(r.message, test.want) {
			t.Errorf("%s: want %q in:\n%s", name, test.want, r.message)
		}
	}
}

func TestWhatIsExpectedToGoWrongDoesNotFailTheTest(t *testing.T) {
	base := troubled(t)
	p := browser.Start(t).Person(t)
	p.Expect("security: Executing inline script")
	p.Open(base + "blocked%20script")
}

func TestADialogIsClosed(t *testing.T) {
	url := site(t, map[string]string{"/": `<script>document.body.append(confirm('Sure?') ? 'yes' : 'it says no')</script>`})
	p := browser.Start(t).Person(t)
	p.Expect("dialog: confirm: Sure?")
	p.Open(url)
	p.WaitFor("it says no")
}

func TestWhatIsExpectedMustGoWrong(t *testing.T) {
	url := site(t, map[string]string{"/": "fine"})
	fails(t, "it did not happen: security", func(r *recorder) {
		p := browser.Start(r).Person(r)
		p.Expect("security")
		p.Open(url)
	})
}

func TestAWaitInVainShowsThePage(t *testing.T) {
	browser.Start(t) // or skip
	t.Setenv("PARLEY_ARTEFACTS", t.TempDir())
	url := site(t, map[string]string{"/": "<p>Only this.</p>"})
	r := try(t, func(r *recorder) {
		p := browser.Start(r).Person(r)
		p.Open(url)
		p.Patience = 1
		p.WaitFor("Something else")
	})
	_, picture, _ := strings.Cut(r.message, "picture: ")
	picture, _, _ = strings.Cut(picture, "\n")
	if info, err := os.Stat(picture); err != nil || info.Size() == 0 {
		t.Errorf("picture: %v", err)
	}
	for _, want := range []string{"Something else", url, "Only this."} {
		if r.result != "failed" || !strings.Contains(r.message, want) {
			t.Errorf("%s with %q, want %q", r.result, r.message, want)
		}
	}
}

func TestAnAddressWithoutAServerFailsTheTest(t *testing.T) {
	server := httptest.NewServer(nil)
	server.Close()
	fails(t, "ERR_CONNECTION_REFUSED", func(r *recorder) {
		browser.Start(r).Person(r).Open(server.URL)
	})
}

func TestAPageThatCrashesFailsTheTest(t *testing.T) {
	fails(t, "crash: the page crashed", func(r *recorder) {
		browser.Start(r).Person(r).Open("chrome://crash")
	})
}

package newcomer_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// host is another site, whose pages use the server.
type host struct {
	*httptest.Server
	page, policy atomic.Value
}

func newHost(t *testing.T) *host {
	h := &host{}
	h.page.Store("")
	h.policy.Store("")
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if policy := h.policy.Load().(string); policy != "" {
			w.Header().Set("Content-Security-Policy", policy)
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(`<!doctype html><html lang="en"><title>Host</title><link rel="icon" href="data:,"><body>` + h.page.Load().(string)))
	}))
	t.Cleanup(h.Close)
	return h
}

// browse opens what a block has in a browser; what goes wrong there fails.
func (d *desk) browse(t *testing.T, b block, shows, policy string) {
	h := newHost(t)
	d.site = ""
	d.needSite(t, h.URL)
	text := b.text
	if b.lang == "js" {
		text = `<script>const url = "https://parley.example/login"</script>
<script type="module" src="https://parley.example/widget.js"></script><parley-chat id="chat" heading="Assistant"></parley-chat>
<script type="module">` + text + `</script><p>All of it ran.</p>`
	}
	if b.lang == "html" {
		d.page = text
	}
	if policy != "" {
		text = d.page
	} else { // a page of another site gives a token, as docs/widget.md says
		text = `<script>customElements.whenDefined("parley-chat").then(() => { for (const c of document.querySelectorAll("parley-chat")) c.token = "` +
			tokenOf("alice") + `"; })</script>` + text
	}
	h.page.Store(d.here(text))
	h.policy.Store(strings.TrimSpace(d.here(policy)))
	person := browser.Start(t).Person(t)
	person.Open(h.URL)
	person.WaitFor("Assistant")
	if shows != "" {
		person.WaitFor(shows)
	}
}

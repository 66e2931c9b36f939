package browser_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestAPageThatKeepsPeopleOutIsNotAccessible(t *testing.T) {
	mux := http.NewServeMux()
	for path, body := range map[string]string{
		"/good": `<main><h1>Form</h1><form><label for="a">Name</label><input id="a"></form></main>`,
		"/bad":  `<main><h1>Form</h1><form><input id="a"></form></main>`,
	} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", strict) // which is no obstacle
			fmt.Fprint(w, document("Form", body))
		})
	}
	mux.HandleFunc("GET /fading", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, document("Form", `<main><h1>Form</h1><div><template shadowrootmode="open">
			<style>@keyframes arrive { from { opacity: 0.1 } } p { animation: arrive 2s }</style><p>Nearly there</p></template></div></main>`))
	})
	url := serve(t, mux)

	p := browser.Start(t).Person(t)
	p.Open(url + "/good")
	p.CheckAccessible()
	p.Open(url + "/fading")
	p.CheckAccessible()
	p.Open(url + "/bad")
	violations := p.Violations()
	if len(violations) != 1 || violations[0].Rule != "label" || len(violations[0].Nodes) != 1 {
		t.Errorf("got %v, want one about the label", violations)
	}
	var left string
	p.Eval("typeof axe", &left)
	if left != "undefined" {
		t.Errorf("the page sees the checker: %s", left)
	}
	fails(t, `<input id="a">`, func(r *recorder) {
		q := browser.Start(r).Person(r)
		q.Open(url + "/bad")
		q.CheckAccessible()
	})
}

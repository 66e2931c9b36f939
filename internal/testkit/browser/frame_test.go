package browser_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestASandboxedFrameIsUsedLikeAWindow(t *testing.T) {
	sandbox := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>Between</title><style>body{margin:0}iframe{border:0;width:100%;height:300px;display:block}</style>
			<iframe sandbox="allow-scripts" title="App" srcdoc="<p id=said>Inner</p><label>Word <input id=w></label>
			<button onclick='said.textContent = w.value'>Say it</button>"></iframe>`)
	}))
	url := site(t, map[string]string{"/": `<p style="height:1200px">Outer</p>
		<iframe id="one" title="One" src="` + sandbox + `" style="height:300px;border:4px solid"></iframe>
		<iframe id="two" title="Two" src="` + sandbox + `" style="height:300px"></iframe>
		<div id="cover" hidden style="position:fixed;inset:0;background:#fff"></div>`})
	p := browser.Start(t).Person(t)
	p.Open(url)
	for id, word := range map[string]string{"#one": "first", "#two": "second"} {
		f := p.Frame(id)
		f.WaitFor("Inner")
		f.Fill("Word", word)
		f.Click("Say it")
		f.WaitFor(word)
	}
	if got := p.Frame("#one").Text("#said"); got != "first" {
		t.Errorf("the other frame says %q", got)
	}
	p.Eval("void (document.querySelector('#cover').hidden = false)", nil)
	fails(t, "the frame is covered by <div", func(r *recorder) {
		q := browser.Start(r).Person(r)
		q.Open(url)
		f := q.Frame("#one")
		f.WaitFor("Inner")
		q.Eval("void (document.querySelector('#cover').hidden = false)", nil)
		q.Patience = 1
		f.Click("Say it")
	})
	fails(t, "no page came into #three", func(r *recorder) {
		q := browser.Start(r).Person(r)
		q.Open(url)
		q.Patience = 1
		q.Frame("#three")
	})
}

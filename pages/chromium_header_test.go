package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	chromium "github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/passkey"
)

// headerLook is how one sees the head of a page.
type headerLook struct {
	Lines   map[string]float64 // how many lines high what it says is, by what it is
	Cut     []string           // what is not wholly drawn
	Name    string             // what a pointer on the account's name says
	Outside []string           // what is beyond the edges of the window; the end of a name is not drawn
	Rows    float64            // how many lines high all of it is
}

const lookAtHeader = `(() => {
	const head = document.querySelector("header");
	const parts = Object.entries({ site: ".site", inbox: ".places a", passkeys: ".places a + a", who: ".who", out: ".account button" })
		.map(([name, css]) => [name, head.querySelector(css)]);
	const tall = (e) => { const s = getComputedStyle(e); return (e.getBoundingClientRect().height - parseFloat(s.paddingTop) - parseFloat(s.paddingBottom)) / parseFloat(s.lineHeight); };
	const box = (e) => e.getBoundingClientRect();
	return {
		Lines: Object.fromEntries(parts.map(([name, e]) => [name, tall(e)])),
		Cut: parts.filter(([, e]) => e.scrollWidth > e.clientWidth && getComputedStyle(e).overflowX !== "visible").map(([name]) => name),
		Outside: [...head.querySelectorAll("*:not(.skip, bdi)")].filter((e) => box(e).width > 1 && (box(e).left < 0 || box(e).right > innerWidth)).map((e) => e.outerHTML.slice(0, 60)),
		Name: head.querySelector(".who").title,
		Rows: tall(head),
	};
})()`

// People are often known by their address.
func TestChromiumShowsTheHeaderInOneLineHoweverLongTheNameIs(t *testing.T) {
	server := listen(t, nil)
	at := strings.Replace(server.URL, "127.0.0.1", "localhost", 1)
	mail, endless := "anna.schmidt@acme.example", "anna-katharina.schmidt-vonderwiese."+strings.Repeat("and-more.", 12)+"@acme.example"
	s := newSite(t, at, func(_ *site, o *pages.Options) {
		var err error
		if o.Passkeys, err = passkey.New(parley.NewMemoryStore(), &passkey.Options{PublicURL: at}); err != nil {
			t.Fatal(err)
		}
	})
	server.Config.Handler = s
	for _, name := range []string{"bo", mail, endless} {
		for range 12 {
			s.open(parley.Request{To: name})
		}
		person := chromium.Start(t).Person(t)
		person.Open(at + "/login")
		person.Eval(fmt.Sprintf(`fetch("/login", { method: "POST", body: new URLSearchParams({ user: %q }) })`, name), nil)
		for _, view := range []chromium.View{{}, {Width: 390}, {Width: 360, Dark: true}, {Width: 320}, {Width: 500}} {
			person.Emulate(view)
			person.Open(at + "/login")
			person.CheckAccessible()
			person.Screenshot(fmt.Sprintf("%.4s %d", name, view.Width))
			var look headerLook
			person.Eval(lookAtHeader, &look)
			for what, lines := range look.Lines {
				if lines < 0.9 || lines > 1.2 {
					t.Errorf("%s, %+v: %s is %.1f lines high", name, view, what, lines)
				}
			}
			for _, what := range look.Cut {
				if what != "who" || name == "bo" {
					t.Errorf("%s, %+v: %s is cut off", name, view, what)
				}
			}
			if look.Rows > 1.6 && view.Width != 320 && view.Width != 500 { // there, the account has a line of its own
				t.Errorf("%s, %+v: the header is %.1f lines high", name, view, look.Rows)
			}
			if look.Name != name {
				t.Errorf("%s, %+v: the whole name is %q", name, view, look.Name)
			}
			if len(look.Outside) > 0 {
				t.Errorf("%s, %+v: outside of the window is %s", name, view, look.Outside)
			}
		}
	}
}

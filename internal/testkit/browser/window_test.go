package browser_test

import (
	"fmt"
	"html"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestAPersonFillsInAFormAndReadsTheAnswer(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", strict)
		fmt.Fprint(w, document("Form", `<main><h1>Order</h1><form method="post" action="/done">
			<label for="n">Your name</label><input id="n" name="who" value="somebody">
			<label>Day <input type="date" name="day"></label>
			<label for="size">Size</label>
			<select id="size" name="size"><option value="s">Small</option><option value="l">Large</option></select>
			<label><input type="checkbox" name="gift"> As a gift</label>
			<textarea name="note" aria-label="Note"></textarea>
			<input name="code">
			<button>Order it</button><button disabled>Save</button></form></main>`))
	})
	mux.HandleFunc("POST /done", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		fmt.Fprint(w, document("Done", fmt.Sprintf("<h1>Thank   you</h1><p id=form>%s</p>", html.EscapeString(r.PostForm.Encode()))))
	})
	url := serve(t, mux)

	p := browser.Start(t).Person(t)
	p.Open(url)
	p.Fill("Your name", "Ada <&> Lovelace")
	p.Fill("Day", "2026-03-01")
	p.Fill("Size", "Large")
	p.Fill("Note", "two\nlines")
	p.Fill("code", "A1")
	p.Click("As a gift")
	if got, want := p.Text("h1"), "Order"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.Follow("Order it")
	p.WaitFor("Thank you")
	if got, want := p.URL(), url+"/done"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	want := "code=A1&day=2026-03-01&gift=on&note=two%0D%0Alines&size=l&who=Ada+%3C%26%3E+Lovelace"
	if got := p.Text("#form"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTwoPersonsShareNoCookies(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /login/{name}", func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{
			Name: "__Host-user", Value: r.PathValue("name"), Path: "/",
			Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
		})
		http.Redirect(w, r, "/", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		cookie, err := r.Cookie("__Host-user")
		if err != nil {
			cookie = &http.Cookie{Value: "nobody"}
		}
		fmt.Fprint(w, document("Home", "<p>You are "+cookie.Value+".</p>"))
	})
	url := serve(t, mux)

	b := browser.Start(t)
	alice, bob := b.Person(t), b.Person(t)
	alice.Open(url + "/login/alice")
	alice.WaitFor("You are alice.")
	bob.Open(url)
	bob.WaitFor("You are nobody.")
	bob.Open(url + "/login/bob")
	bob.WaitFor("You are bob.")
	alice.Open(url)
	alice.WaitFor("You are alice.")

	cookies := alice.Cookies()
	want := []*http.Cookie{{
		Name: "__Host-user", Value: "alice", Domain: "127.0.0.1", Path: "/",
		Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}}
	if diff := cmp.Diff(want, cookies); diff != "" {
		t.Error(diff)
	}
	bob.SetCookie(url, cookies[0])
	bob.Open(url)
	bob.WaitFor("You are alice.")
	if diff := cmp.Diff(want, bob.Cookies()); diff != "" {
		t.Error(diff)
	}
	bob.ForgetCookies()
	bob.Open(url)
	bob.WaitFor("You are nobody.")
}

func TestAPopupIsDrivenLikeAnyWindow(t *testing.T) {
	url := site(t, map[string]string{
		"/": `<button id="b">Connect</button> <a href="/more" target="_blank">More</a><p id="said"></p><script>
			b.onclick = () => window.open('/popup', '_blank', 'popup,width=400,height=300');
			addEventListener('message', (e) => { said.textContent = e.origin + ' says ' + e.data; });</script>`,
		"/more": "<p>Nothing more</p>",
		"/popup": `<script>console.error('a slip')</script><label>Word <input id="w"></label><button id="b">Say it</button><script>
			b.onclick = () => { opener.postMessage(w.value, location.origin); window.close(); };</script>`,
	})
	p := browser.Start(t).Person(t)
	p.Expect("a slip") // before the test sees the popup
	p.Open(url)
	popup := p.Popup(func() { p.Click("Connect") })
	popup.WaitForURL(url + "/popup")
	popup.Fill("Word", "hello")
	popup.Click("Say it")
	popup.WaitClosed()
	p.WaitFor(url + " says hello")

	link := p.Popup(func() { p.Click("More") })
	link.WaitFor("Nothing more")
	fails(t, "no window was opened", func(r *recorder) {
		q := browser.Start(r).Person(r)
		q.Open(url)
		q.Patience = 1
		q.Popup(func() {})
	})
	fails(t, "the window was closed", func(r *recorder) {
		q := browser.Start(r).Person(r)
		q.Open(url)
		popup := q.Popup(func() { q.Click("More") })
		popup.Eval("void setTimeout(() => window.close(), 1000)", nil) // long after that was answered
		popup.WaitFor("Something")
	})
}

func TestAPageIsUsedWithTheKeyboardAlone(t *testing.T) {
	url := site(t, map[string]string{
		"/": `<a href="/other">Elsewhere</a>
			<form action="/search"><label>Word <input name="q"></label><button>Search</button></form>`,
		"/other": "other", "/search": "found",
	})
	p := browser.Start(t).Person(t)
	p.Open(url)
	var order []string
	for range 3 {
		p.Press("Tab")
		order = append(order, p.Focused())
	}
	if diff := cmp.Diff([]string{"Elsewhere", "Word", "Search"}, order); diff != "" {
		t.Error(diff)
	}
	p.Press("Shift+Tab", "h", "i", "Space", "Z", "Enter")
	p.WaitFor("found")
	if got, want := p.URL(), url+"/search?q=hi+Z"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAViewIsDarkAndNarrow(t *testing.T) {
	url := site(t, map[string]string{"/": "<p>Hello</p>"})
	p := browser.Start(t).Person(t)
	p.Open(url)
	looks := func(when, want string) {
		t.Helper()
		var got string
		for deadline := time.Now().Add(30 * time.Second); got != want; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: %s, want %s", when, got, want)
			}
			p.Eval(`['(prefers-color-scheme: dark)', '(prefers-reduced-motion)'].map((m) => matchMedia(m).matches)
				+ ' ' + innerWidth`, &got)
		}
	}
	looks("at first", "false,true 1280")
	p.Emulate(browser.View{Dark: true, Width: 390})
	looks("dark phone", "true,true 390")
	p.Emulate(browser.View{})
	looks("in the end", "false,true 1280")
}

func TestAClickGoesToWhatAPersonSees(t *testing.T) {
	url := site(t, map[string]string{"/": `<p id="hit"></p>
		<button onclick="hit.textContent += ' hidden'" style="display:none">Go</button>
		<button onclick="hit.textContent += ' seen'" style="margin-top:1500px">Go</button>
		<button onclick="hit.textContent += ' long'">Go on</button>
		<button id="off" disabled>Stop</button>
		<div style="position:relative"><button id="under">Under</button>
			<div style="position:absolute;inset:0;background:#fff">Cover</div></div>
		<button>Twin</button><button>Twin</button>`})
	p := browser.Start(t).Person(t)
	p.Open(url)
	p.Click("Go")
	p.Click("Go on")
	if got := p.Text("#hit"); got != "seen long" {
		t.Errorf("got %q", got)
	}
	for target, want := range map[string]string{
		"Stop": "disabled", "#under": "covered by <div", "Twin": "2 elements",
		"Nowhere": "nothing is called that", "#nothing": "no visible element",
	} {
		fails(t, want, func(r *recorder) {
			q := browser.Start(r).Person(r)
			q.Open(url)
			q.Patience = 1
			q.Click(target)
		})
	}
}

func TestAClickWaitsUntilItsTargetRests(t *testing.T) {
	url := site(t, map[string]string{"/": `<button id="b" style="position:absolute">Catch me</button><script>
		let n = 0;
		const timer = setInterval(() => {
			b.style.left = ++n + 'px';
			if (n === 200) clearInterval(timer);
		}, 1);
		b.onclick = () => { b.textContent = 'Caught at ' + n; };</script>`})
	p := browser.Start(t).Person(t)
	p.Open(url)
	p.Click("Catch me")
	p.WaitFor("Caught at 200")
}

func TestEverybodyHasTheFocus(t *testing.T) {
	url := site(t, map[string]string{"/": `<label>Word <input></label>`})
	b := browser.Start(t)
	alice, bob := b.Person(t), b.Person(t)
	for _, p := range []*browser.Person{alice, bob, alice} {
		p.Open(url)
		p.Fill("Word", "x")
	}
	for name, p := range map[string]*browser.Person{"Alice": alice, "Bob": bob} {
		var has bool
		if p.Eval("document.hasFocus()", &has); !has || p.Focused() != "Word" {
			t.Errorf("%s has not: %q", name, p.Focused())
		}
	}
}

func TestAPageThatRefusesIsAPage(t *testing.T) {
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		fmt.Fprint(w, document("No", "<p>Sign in first.</p>"))
	}))
	p := browser.Start(t).Person(t)
	p.Open(url)
	if got := p.Text("body"); !strings.Contains(got, "Sign in first.") {
		t.Errorf("got %q", got)
	}
}

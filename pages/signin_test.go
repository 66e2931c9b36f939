package pages_test

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/pages"
)

func TestDevelopmentSignInIsForLoopbackOnly(t *testing.T) {
	s := devSite(t)
	for public, ok := range map[string]bool{
		"http://127.0.0.1:8420": true, "http://localhost:8420": true, "http://[::1]:8420": true, "https://127.0.0.1": true,
		"https://parley.example": false, "https://localhost.example": false,
	} {
		_, err := pages.New(s.hub, &pages.Options{PublicURL: public, Records: s.store, Keys: s.keys, SignIn: pages.Dev()})
		if (err == nil) != ok {
			t.Errorf("%s: %v", public, err)
		}
		if !ok && !strings.Contains(err.Error(), "loopback") {
			t.Errorf("%s: the error does not say why: %v", public, err)
		}
	}
}

func TestPublicURLMustBeOneThatCookiesAreSafeOn(t *testing.T) {
	s := devSite(t)
	signIn := pages.Verifier(&pages.VerifierOptions{URL: "https://app.example/verify", Key: secret})
	for public, ok := range map[string]bool{
		"https://parley.example": true, "https://parley.example/": true, "http://127.0.0.1:8420": true,
		"": false, "parley.example": false, "http://parley.example": false, "https://parley.example/sub": false,
		"https://parley.example?x=1": false, "https://u@parley.example": false, "ftp://parley.example": false, "https://": false,
	} {
		_, err := pages.New(s.hub, &pages.Options{PublicURL: public, Records: s.store, Keys: s.keys, SignIn: signIn})
		if (err == nil) != ok {
			t.Errorf("%q: %v", public, err)
		}
	}
}

func TestNewNeedsItsParts(t *testing.T) {
	s := devSite(t)
	whole := pages.Options{PublicURL: local, Records: s.store, Keys: s.keys, SignIn: pages.Dev()}
	for name, change := range map[string]func(*pages.Options){
		"records": func(o *pages.Options) { o.Records = nil }, "keyring": func(o *pages.Options) { o.Keys = nil },
		"sign-in":           func(o *pages.Options) { o.SignIn = nil },
		"origin with path":  func(o *pages.Options) { o.Origins = []string{"https://app.example/"} },
		"origin is a star":  func(o *pages.Options) { o.Origins = []string{"*"} },
		"origin is a word":  func(o *pages.Options) { o.Origins = []string{"app.example"} },
		"origin is a file":  func(o *pages.Options) { o.Origins = []string{"file://x"} },
		"origin with blank": func(o *pages.Options) { o.Origins = []string{"https://a.example https://b.example"} },
	} {
		o := whole
		change(&o)
		if _, err := pages.New(s.hub, &o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := pages.New(nil, &whole); err == nil {
		t.Error("hub: no error")
	}
	if _, err := pages.New(s.hub, nil); err == nil {
		t.Error("options: no error")
	}
}

func TestPickerOffersUsersAndTakesAnyName(t *testing.T) {
	s := devSite(t)
	b := s.browser()
	picker := b.get("/login?next=/answer/x").want(http.StatusOK).says("Sign in", "alice", "bob", "development")
	for _, next := range picker.find("input", "name=next") {
		if attr(next, "value") != "/answer/x" {
			t.Errorf("next is %q", attr(next, "value"))
		}
	}
	picker.one("button", "name=user", "value=bob")
	b.post("/login", url.Values{"user": {" carol "}, "next": {"/answer/x"}}).leads("/answer/x")
	if who, err := principal(t, s, b); err != nil || who.User != "carol" {
		t.Errorf("%+v, %v", who, err)
	}
	b.get("/login").want(http.StatusOK).says("You are signed in as carol")
	b.get("/login?next=/answer/y").leads("/answer/y")
	b.get("/login?switch=1").want(http.StatusOK).says("alice")
}

func TestNamesThatAreNobodysCannotSignIn(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{To: "mcp-session:abc", Message: "for a session"})
	for _, user := range []string{"", "  ", "mcp-session:abc", "mcp-call:abc", "a\nb", "a\x00b", strings.Repeat("x", 513), "\xff"} {
		b := s.browser()
		b.post("/login", url.Values{"user": {user}}).want(http.StatusUnprocessableEntity).says("Enter the name of a user.")
		b.get("/answer/" + string(q.ID)).want(http.StatusSeeOther)
	}
	s.as("alice").get("/answer/" + string(q.ID)).want(http.StatusNotFound).lacks("for a session")
}

// evil are places on other sites, or what browsers would take for one.
var evil = []string{
	"//evil.example", "//evil.example/a", "///evil.example", `/\evil.example`, `\\evil.example`, `\/evil.example`,
	"https://evil.example", "http:evil.example", "HTTPS://evil.example", "javascript:alert(1)", "data:text/html,x",
	"/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example", "/%5cevil.example", "/%2f/evil.example",
	"/%2Fevil.example", "evil.example", "?next=//evil.example", "/a\\..\\evil", "//127.0.0.1:8420@evil.example",
	"/" + strings.Repeat("a", 2000),
}

func TestSignInLeadsNowhereElse(t *testing.T) {
	s := devSite(t)
	for _, next := range evil {
		b := s.browser()
		b.post("/login", url.Values{"user": {"alice"}, "next": {next}}).leads("/login")
		b.get("/login?" + url.Values{"next": {next}}.Encode()).want(http.StatusOK).says("You are signed in as alice")
		b.post("/login?"+url.Values{"next": {next}}.Encode(), url.Values{"user": {"alice"}}).leads("/login")
		b.post("/logout", url.Values{"switch": {"1"}, "next": {next}}).forwards("/login?next=%2Flogin&switch=1")
	}
	for next, want := range map[string]string{
		"/answer/1?a=b&c=//d": "/answer/1?a=b&c=//d", "/": "/", "/inbox#x": "/inbox", "/a:b": "/a:b",
	} {
		s.browser().post("/login", url.Values{"user": {"alice"}, "next": {next}}).leads(want)
	}
}

func TestSwitchingAccountsComesBackToTheQuestion(t *testing.T) {
	s := devSite(t)
	q := s.open(parley.Request{Message: "Only for Alice"})
	b := s.as("bob")
	page := b.get("/answer/" + string(q.ID)).want(http.StatusNotFound)
	form := url.Values{}
	for _, input := range page.find("input", "type=hidden") {
		form.Set(attr(input, "name"), attr(input, "value"))
	}
	forward := b.post("/logout", form).forwards("/login?next=" + url.QueryEscape(path(q)) + "&switch=1")
	if _, err := principal(t, s, b); !errors.Is(err, pages.ErrNotSignedIn) {
		t.Errorf("bob is still there: %v", err)
	}
	picker := b.get(strings.TrimPrefix(forward.Header.Get("Refresh"), "0; url=")).want(http.StatusOK)
	next := attr(picker.find("input", "name=next")[0], "value")
	b.follow(b.post("/login", url.Values{"user": {"alice"}, "next": {next}})).want(http.StatusOK).says("Only for Alice")
}

func TestASignInIsLogged(t *testing.T) {
	s := devSite(t)
	b := s.as("alice")
	said := s.log.String()
	for _, one := range []string{`msg="person signed in"`, "user=alice", "tenant=default", "method=dev", "address="} {
		if !strings.Contains(said, one) {
			t.Errorf("said %q, which lacks %s", said, one)
		}
	}
	if key := b.cookie("parley_session"); key == "" || strings.Contains(said, key) {
		t.Error("the log has the key of the session, or there is none")
	}
	b.post("/logout", url.Values{})
	if said := s.log.String(); !strings.Contains(said, `msg="person signed out" tenant=default user=alice address=`) {
		t.Errorf("said %q, and nothing of who has signed out", said)
	}
}

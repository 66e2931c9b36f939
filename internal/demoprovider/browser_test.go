package demoprovider_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/internal/testkit/browser"
)

// TestAPersonSeesAndUsesThePages goes through the pages in Chromium, with a real application to go back to: a content
// security policy that stops that way shows in a browser only.
func TestAPersonSeesAndUsesThePages(t *testing.T) {
	chromium := browser.Start(t)
	application := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/callback" { // an application redirects further, too
			http.Redirect(w, r, "/done?"+r.URL.RawQuery, http.StatusSeeOther)
			return
		}
		_, _ = fmt.Fprintf(w, "Back at the application. Code: %t. Error: %q.", r.FormValue("code") != "", r.FormValue("error"))
	}))
	t.Cleanup(application.Close)
	f := start(t, func(o *demoprovider.Options) {
		o.Issuer += "/acme"
		o.Clients = []demoprovider.Client{{ID: "parley", Name: "Parley", RedirectURIs: []string{application.URL + "/callback"}}}
	})
	config := f.client("read", "write", "openid")
	config.RedirectURL = application.URL + "/callback"
	address := config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier()), oauth2.SetAuthURLParam("resource", tracker))

	for name, view := range map[string]browser.View{"wide": {}, "phone and dark": {Width: 360, Dark: true}} {
		t.Run(name, func(t *testing.T) {
			alice := chromium.Person(t)
			alice.Emulate(view)
			look := func(page string) {
				t.Helper()
				alice.WaitFor("Demo provider - not a real service")
				alice.Screenshot(page)
				alice.CheckAccessible()
				var overflow int
				if alice.Eval("document.documentElement.scrollWidth - window.innerWidth", &overflow); overflow > 0 {
					t.Errorf("%s is %d pixels too wide", page, overflow)
				}
			}
			alice.Open(address)
			look("login")
			alice.Fill("Or type another name", "a b")
			alice.Follow("Sign in")
			alice.WaitFor("A name has 1 to 64 letters")
			look("login with a problem")
			alice.Follow("alice")
			look("consent")
			alice.Follow("Switch user")
			alice.Follow("bob")
			alice.WaitFor("Signed in as bob")
			alice.Follow("Allow")
			alice.WaitFor("Code: true.")
			if !strings.HasPrefix(alice.URL(), application.URL+"/done") {
				t.Errorf("Allow led to %s", alice.URL())
			}
			alice.Open(address)
			alice.Follow("Deny")
			alice.WaitFor(`Error: "access_denied".`)
			alice.Open(f.Issuer() + "/")
			alice.WaitFor("You are signed in as bob")
			look("about")
			alice.Open(strings.Replace(address, "redirect_uri=", "redirect_uri=x", 1))
			look("error")
		})
	}
}

package pages

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// SignIn finds out who a person is. Make one with OIDC, Verifier, Dev or
// NoSignIn.
type SignIn interface {
	method() string // Principal.Method of who signed in this way
	check(public *url.URL) error
}

// NoSignIn returns a sign-in by which nobody can. It is for a site whose people
// answer where they are asked: its pages say that they cannot be used.
func NoSignIn() SignIn { return noSignIn{} }

type noSignIn struct{}

func (noSignIn) method() string         { return "none" }
func (noSignIn) check(_ *url.URL) error { return nil }

var errNoSignIn = &refusal{
	status: http.StatusForbidden, heading: "Nobody can sign in here",
	sentence: "This server has no sign-in for people. Ask who runs it to set one up, or answer where you were asked.",
}

// redirecting is a SignIn that sends the person to another site and takes them
// back.
type redirecting interface {
	SignIn
	path() string // where the browser comes back to

	// begin returns where to send the browser.
	begin(ctx context.Context, public *url.URL, a attempt) (string, error)

	// finish reads what the browser brought back. It calls claim with the state
	// of the attempt as soon as it can tell it, and trusts nothing before.
	finish(ctx context.Context, public *url.URL, query url.Values, claim func(state string) (attempt, error)) (person, error)
}

// person is who a SignIn says somebody is.
type person struct {
	Tenant string // empty: the default
	User   string
	Name   string // shown to the person, if there is one
	Email  string // an address that the provider has verified, if there is one

	// Proved is when the person proved who they are, and not only that they had: zero where
	// nobody says so.
	Proved time.Time
}

const (
	callbackPath = "/login/callback"
	verifiedPath = "/login/verified"
)

// showLogin sends the person to sign in, or where they wanted to go if they
// have.
func (p *Pages) showLogin(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	next, change := localPath(query.Get("next")), query.Get("switch") != ""
	s, err := p.session(r)
	switch {
	case err == nil && !change && next != "":
		http.Redirect(w, r, next, http.StatusSeeOther)
	case err == nil && !change:
		p.render(w, r, page{Heading: "You are signed in", who: &s, Body: signedInView{p.opts.Home}})
	case err != nil && !errors.Is(err, ErrNotSignedIn):
		p.fail(w, r, err)
	default:
		p.beginLogin(w, r, next, change)
	}
}

func (p *Pages) beginLogin(w http.ResponseWriter, r *http.Request, next string, change bool) {
	if _, none := p.opts.SignIn.(noSignIn); none {
		p.fail(w, r, errNoSignIn)
		return
	}
	other, ok := p.opts.SignIn.(redirecting)
	if !ok {
		p.showPicker(w, r, next)
		return
	}
	a := newAttempt(next, change)
	to, err := other.begin(r.Context(), p.public, a)
	if err == nil {
		err = p.remember(w, r, a)
	}
	if err != nil {
		p.failLogin(w, r, err, next)
		return
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// forwardToLogin goes to the sign-in page after a form was sent. That page may
// redirect to another site, which a browser would not let the form do.
func (p *Pages) forwardToLogin(w http.ResponseWriter, r *http.Request, query url.Values) {
	p.renderForward(w, r, nil, forwardView{To: "/login?" + query.Encode(), Name: "the sign-in page"})
}

// finishLogin takes the person back from the other site.
func (p *Pages) finishLogin(w http.ResponseWriter, r *http.Request) {
	other := p.opts.SignIn.(redirecting) // the route is there for no other
	var next string
	who, err := other.finish(r.Context(), p.public, r.URL.Query(), func(state string) (attempt, error) {
		a, err := p.claim(w, r, state)
		next = a.Next
		return a, err
	})
	if err == nil {
		err = p.signIn(w, r, who)
	}
	if err != nil {
		p.failLogin(w, r, err, next)
		return
	}
	// Also takes the code out of the address bar.
	http.Redirect(w, r, cmp.Or(next, "/login"), http.StatusSeeOther)
}

// signIn starts a session for somebody whom a SignIn has identified.
func (p *Pages) signIn(w http.ResponseWriter, r *http.Request, who person) error {
	who.Tenant = cmp.Or(who.Tenant, parley.DefaultTenant)
	if !parley.ValidName(who.User) || !parley.ValidName(who.Tenant) {
		return unusable(errors.New("the name of the person or of their tenant is none"))
	}
	if who.Name = strings.TrimSpace(who.Name); !parley.ValidName(who.Name) {
		who.Name = ""
	}
	s := session{Tenant: who.Tenant, User: who.User, Name: who.Name, Method: p.opts.SignIn.method(), Proved: who.Proved.UTC().Truncate(time.Millisecond)}
	if err := p.opts.Record.Record(r.Context(), s.deed("sign_in")); err != nil {
		return err
	}
	if err := p.start(w, r, s); err != nil {
		return err
	}
	p.opts.Logger.InfoContext(r.Context(), "person signed in", "tenant", s.Tenant, "user", s.User, "method", s.Method, "address", p.opts.Address(r))
	if who.Email != "" && p.opts.SignedIn != nil {
		p.opts.SignedIn(r.Context(), s.principal(), who.Email)
	}
	return nil
}

// unusable refuses somebody of whom the sign-in says something that cannot be.
func unusable(cause error) error {
	return &refusal{
		status: http.StatusForbidden, heading: "That did not sign you in", cause: cause,
		sentence: "This account's name cannot be used here. Sign in with another account.",
	}
}

// localPath returns a place on this site to go to, or nothing: whoever makes a
// link to the sign-in page must not be able to send people elsewhere with it.
func localPath(next string) string {
	const long = 1024
	if len(next) > long || !strings.HasPrefix(next, "/") {
		return ""
	}
	u, err := url.Parse(next) // refuses line breaks and tabs, which browsers drop
	if err != nil || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" {
		return ""
	}
	// Browsers read a backslash as a slash, and two slashes as another host.
	if strings.HasPrefix(u.Path, "//") || strings.Contains(u.Path, `\`) {
		return ""
	}
	return u.RequestURI()
}

// loginFor is the address of the sign-in page that leads back to this one.
func loginFor(r *http.Request) string {
	return "/login?" + url.Values{"next": {r.URL.RequestURI()}}.Encode()
}

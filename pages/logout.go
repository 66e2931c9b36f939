package pages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
)

// showLogout asks before it signs out: a link could be anybody's.
func (p *Pages) showLogout(w http.ResponseWriter, r *http.Request) {
	s, err := p.session(r)
	switch {
	case errors.Is(err, ErrNotSignedIn):
		p.render(w, r, page{Heading: "You are signed out", Body: signedOutView{}})
	case err != nil:
		p.fail(w, r, err)
	default:
		p.render(w, r, page{Heading: "Sign out?", who: &s, Body: logoutView{}})
	}
}

// takeLogout ends the session everywhere. With a next it leads to signing in
// with another account.
func (p *Pages) takeLogout(w http.ResponseWriter, r *http.Request) {
	if err := readForm(w, r); err != nil {
		p.fail(w, r, err)
		return
	}
	s, err := p.session(r)
	known := err == nil
	if known {
		err = p.opts.Record.Record(r.Context(), s.deed("sign_out"))
	}
	if err == nil || errors.Is(err, ErrNotSignedIn) {
		err = p.end(r)
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	if known {
		p.opts.Logger.InfoContext(r.Context(), "person signed out", "tenant", s.Tenant, "user", s.User, "address", p.opts.Address(r))
	}
	p.setCookie(w, sessionKind, "", 0)
	if r.PostForm.Get("switch") == "" {
		http.Redirect(w, r, "/logout", http.StatusSeeOther)
		return
	}
	next := url.Values{"switch": {"1"}, "next": {cmp.Or(localPath(r.PostForm.Get("next")), "/login")}}
	p.forwardToLogin(w, r, next)
}

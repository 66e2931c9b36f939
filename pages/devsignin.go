package pages

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
)

// Dev returns a sign-in that believes everybody: a person picks one of the
// users, or types a name. POST /login with the form field user does the same
// without the page. New refuses it on any but a loopback address.
func Dev(users ...string) SignIn { return devSignIn{users} }

type devSignIn struct{ users []string }

func (devSignIn) method() string { return "dev" }

func (devSignIn) check(public *url.URL) error {
	if !loopback.Host(public.Hostname()) {
		return errors.New("pages: the development sign-in believes everybody, so it is for loopback addresses only: configure OIDC or a verifier")
	}
	return nil
}

func (p *Pages) showPicker(w http.ResponseWriter, r *http.Request, next string) {
	dev, _ := p.opts.SignIn.(devSignIn)
	p.render(w, r, page{Heading: "Sign in", Body: pickerView{Users: dev.users, Next: next}})
}

type pickerView struct {
	Users []string
	Next  string
	Error string
}

// takeLogin signs in with the picker. For every other sign-in it is the same as
// following the link.
func (p *Pages) takeLogin(w http.ResponseWriter, r *http.Request) {
	if err := readForm(w, r); err != nil {
		p.fail(w, r, err)
		return
	}
	next := localPath(r.FormValue("next"))
	dev, ok := p.opts.SignIn.(devSignIn)
	if !ok {
		p.forwardToLogin(w, r, url.Values{"next": {next}})
		return
	}
	user := strings.TrimSpace(r.PostForm.Get("user"))
	if !parley.ValidName(user) {
		p.render(w, r, page{
			status: http.StatusUnprocessableEntity, Heading: "Sign in", Failed: true,
			Body: pickerView{Users: dev.users, Next: next, Error: "Enter the name of a user."},
		})
		return
	}
	if err := p.signIn(w, r, person{User: user, Proved: time.Now()}); err != nil {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, cmp.Or(next, "/login"), http.StatusSeeOther)
}

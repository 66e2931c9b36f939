package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"
	"time"

	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/login"
)

// codeView asks for the code that a program shows.
type codeView struct {
	Code  string
	Error string
}

// wishView is a program that wants to act as the person.
type wishView struct {
	Code    string
	Program string // its own words
	Address string
	Near    bool // whence this browser asks too
	Asked   timeView
	Until   timeView
	OnlyMCP bool
	As      string // whom the page was shown to
}

// decidedView is how it ended.
type decidedView struct {
	Allowed bool
	Program string
}

// showDevice shows what a program wants whose code is given, and else asks for the
// code. A link decides nothing: whoever sent it may be at the other end.
func (p *Pages) showDevice(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	code := r.URL.Query().Get("user_code")
	if code == "" {
		p.render(w, r, page{Heading: "Log in a program", who: &s, Body: codeView{}})
		return
	}
	if p.guesses(w, r, s) {
		return
	}
	wish, err := p.opts.Logins.Look(r.Context(), code)
	if err != nil {
		p.failWish(w, r, s, code, err)
		return
	}
	from := p.opts.Address(r)
	p.render(w, r, page{Heading: "Let this program act as you?", who: &s, Body: wishView{
		Code: login.Shown(code), Program: legible.Line(wish.Program), Address: wish.Address, Near: from != "" && from == wish.Address,
		Asked: viewTime(wish.Created), Until: viewTime(time.Now().Add(wish.Lasts)), OnlyMCP: wish.Scope == login.OnlyMCP, As: boundTo(s),
	}})
}

// shownTo reports whether the page of the form that was sent was shown to who is signed in
// now, and refuses it otherwise. again is where that page is.
func (p *Pages) shownTo(w http.ResponseWriter, r *http.Request, s session, again string) bool {
	if r.PostForm.Get("as") == boundTo(s) {
		return true
	}
	p.fail(w, r, &refusal{
		status: http.StatusConflict, heading: "You are somebody else now", again: localPath(again),
		sentence: "Another account is signed in in this browser than when the page was shown, so nothing was done. Look again, and decide as who you are.",
	})
	return false
}

// takeDevice takes the decision of who is signed in, if the page was shown to them.
func (p *Pages) takeDevice(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	if err := readForm(w, r); err != nil {
		p.fail(w, r, err)
		return
	}
	code, decision := r.PostForm.Get("user_code"), r.PostForm.Get("decision")
	again := DevicePath + "?" + url.Values{"user_code": {code}}.Encode()
	if !p.shownTo(w, r, s, again) {
		return
	}
	if decision != "allow" && decision != "deny" {
		p.fail(w, r, &refusal{
			status: http.StatusBadRequest, heading: "That could not be read", again: localPath(again),
			sentence: "It is not clear what you chose. Look again, and use the buttons of the page.",
		})
		return
	}
	if p.guesses(w, r, s) {
		return
	}
	wish, err := p.opts.Logins.Look(r.Context(), code)
	if err == nil || errors.Is(err, login.ErrDecided) { // the same, twice, is fine
		err = p.opts.Logins.Decide(r.Context(), code, s.principal(), decision == "allow")
	}
	if err != nil {
		p.failWish(w, r, s, code, err)
		return
	}
	p.opts.Logger.InfoContext(r.Context(), "login decided", "tenant", s.Tenant, "user", s.User, "allowed", decision == "allow", "address", wish.Address)
	heading := "Refused"
	if decision == "allow" {
		heading = "The program is logged in"
	}
	p.render(w, r, page{Heading: heading, who: &s, Body: decidedView{Allowed: decision == "allow", Program: legible.Line(wish.Program)}})
}

// guesses counts a code that a person tries, and answers the request where these are
// too many.
func (p *Pages) guesses(w http.ResponseWriter, r *http.Request, s session) (tooMany bool) {
	if _, ok := p.rates.guess.Take(s.Tenant + "\x00" + s.User); ok {
		return false
	}
	p.fail(w, r, &refusal{
		status: http.StatusTooManyRequests, heading: "One moment",
		sentence: "These are too many codes. Wait a minute, then enter the one that your program shows.",
	})
	return true
}

// failWish says why there is nothing to decide.
func (p *Pages) failWish(w http.ResponseWriter, r *http.Request, s session, code string, err error) {
	switch {
	case errors.Is(err, login.ErrUnknown):
		p.render(w, r, page{status: http.StatusNotFound, Heading: "Log in a program", Failed: true, who: &s, Body: codeView{
			Code: legible.Line(code), Error: "No program shows this code, or it has expired. Check it, or start the login again.",
		}})
	case errors.Is(err, login.ErrDecided):
		p.fail(w, r, &refusal{
			status: http.StatusConflict, heading: "This is decided",
			sentence: "Somebody has decided about this code already, and that stands. If it was not you, end your session and tell the administrator.",
		})
	default:
		p.fail(w, r, err)
	}
}

// boundTo names whom a page is shown to, for the form on it.
func boundTo(s session) string {
	sum := sha256.Sum256([]byte(s.Tenant + "\x00" + s.User))
	return hex.EncodeToString(sum[:12])
}

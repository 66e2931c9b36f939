package pages

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/passkey"
)

// passkeysPath is where people add, rename and remove their passkeys.
const passkeysPath = "/inbox/passkeys"

// passkeysView is the passkeys of a person.
type passkeysView struct {
	Keys   []passkeyView
	Next   string // where they come from, and go back to
	Again  string // where they sign in anew, to add the first one, or to rename or remove one
	Fresh  bool   // they have just signed in
	Untold bool   // the sign-in service does not say when the person proved who they are
}

type passkeyView struct {
	ID, Name, Fingerprint string
	Added                 timeView
	Used                  *timeView
}

func (p *Pages) showPasskeys(w http.ResponseWriter, r *http.Request) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	all, err := p.opts.Passkeys.List(r.Context(), s.principal())
	if err != nil {
		p.fail(w, r, err)
		return
	}
	v := passkeysView{Next: localPath(r.URL.Query().Get("next")), Fresh: s.fresh(), Untold: s.Proved.IsZero()}
	v.Again = "/login?" + url.Values{"switch": {"1"}, "next": {r.URL.RequestURI()}}.Encode()
	for _, one := range all {
		shown := passkeyView{ID: one.ID(), Name: one.Name, Fingerprint: one.Fingerprint(), Added: viewTime(one.Added)}
		if !one.Used.IsZero() {
			used := viewTime(one.Used)
			shown.Used = &used
		}
		v.Keys = append(v.Keys, shown)
	}
	p.render(w, r, page{Heading: "Passkeys", who: &s, Sign: p.layout.sign, Body: v})
}

// beginPasskey gives the script what the browser makes a passkey with.
func (p *Pages) beginPasskey(w http.ResponseWriter, r *http.Request) {
	s, err := p.session(r)
	var c passkey.Ceremony
	if err == nil {
		c, err = p.opts.Passkeys.Begin(r.Context(), s.principal(), s.Label(), s.fresh())
	}
	p.answerScript(w, r, c, err)
}

// enrolmentWire is a passkey as the script sends it.
type enrolmentWire struct {
	Ceremony  string          `json:"ceremony"`
	Name      string          `json:"name"`
	Response  json.RawMessage `json:"response"`
	Assertion json.RawMessage `json:"assertion"`
}

func (p *Pages) addPasskey(w http.ResponseWriter, r *http.Request) {
	s, err := p.session(r)
	var sent enrolmentWire
	if err == nil && (!isJSON(r) || json.NewDecoder(http.MaxBytesReader(w, r.Body, longestBody)).Decode(&sent) != nil) {
		err = errUnreadable
	}
	if err == nil {
		_, err = p.opts.Passkeys.Finish(r.Context(), s.principal(), passkey.Enrolment{
			Ceremony: sent.Ceremony, Name: sent.Name, Response: sent.Response, Assertion: sent.Assertion,
		})
	}
	if err == nil {
		p.opts.Logger.InfoContext(r.Context(), "passkey added", "tenant", s.Tenant, "user", s.User)
	}
	p.answerScript(w, r, map[string]bool{"success": true}, err)
}

// answerScript says what became of a request of the page's script.
func (p *Pages) answerScript(w http.ResponseWriter, r *http.Request, v any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err == nil {
		writeJSON(w, http.StatusOK, v)
		return
	}
	for _, one := range []struct {
		is   error
		said refusedAnswer
	}{
		{passkey.ErrNotFresh, refusedAnswer{status: http.StatusForbidden, Text: "Sign in again first: then you have a few minutes to add a passkey."}},
		{passkey.ErrNotSigned, refusedAnswer{status: http.StatusForbidden, Text: "This was not signed by a passkey of yours, so nothing was added."}},
		{passkey.ErrCeremony, refusedAnswer{status: http.StatusConflict, Text: "That took too long, or was done already. Reload the page and try again."}},
		{passkey.ErrTooMany, refusedAnswer{status: http.StatusConflict, Text: "You have as many passkeys as you can have. Remove one first."}},
	} {
		if errors.Is(err, one.is) {
			p.opts.Logger.WarnContext(r.Context(), "passkey refused", "path", r.URL.Path, "err", err)
			writeJSON(w, one.said.status, one.said)
			return
		}
	}
	said := explainSent(err)
	if said.status == http.StatusServiceUnavailable {
		p.opts.Logger.ErrorContext(r.Context(), "passkey failed", "path", r.URL.Path, "err", err)
	}
	writeJSON(w, said.status, said)
}

func (p *Pages) removePasskey(w http.ResponseWriter, r *http.Request) {
	p.changePasskey(w, r, "removed", func(s session) error {
		err := p.opts.Passkeys.Remove(r.Context(), s.principal(), r.PostForm.Get("id"), s.fresh())
		if err == nil {
			p.opts.Logger.InfoContext(r.Context(), "passkey removed", "tenant", s.Tenant, "user", s.User)
		}
		return err
	})
}

func (p *Pages) renamePasskey(w http.ResponseWriter, r *http.Request) {
	p.changePasskey(w, r, "renamed", func(s session) error {
		err := p.opts.Passkeys.Rename(r.Context(), s.principal(), r.PostForm.Get("id"), r.PostForm.Get("name"), s.fresh())
		if err == nil {
			p.opts.Logger.InfoContext(r.Context(), "passkey renamed", "tenant", s.Tenant, "user", s.User)
		}
		return err
	})
}

// changePasskey does something with a passkey of the person's, and shows them all again.
func (p *Pages) changePasskey(w http.ResponseWriter, r *http.Request, done string, change func(session) error) {
	s, ok := p.signedIn(w, r)
	if !ok {
		return
	}
	if err := readForm(w, r); err != nil {
		p.fail(w, r, err)
		return
	}
	err := change(s)
	switch {
	case errors.Is(err, passkey.ErrNotFresh):
		err = &refusal{
			status: http.StatusForbidden, heading: "Sign in again first", again: passkeysPath,
			sentence: "To rename or remove a passkey, sign in again. Nothing was " + done + ".",
		}
	case errors.Is(err, parley.ErrNotFound):
		err = nil // it is gone
	}
	if err != nil {
		p.fail(w, r, err)
		return
	}
	http.Redirect(w, r, passkeysPath, http.StatusSeeOther)
}

package pages

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// attempt is one try to sign in, remembered while the person is at the other
// site. Only the browser that began it can finish it, and only once.
//
// The browser keeps it, sealed, in a cookie of its own: anybody may open the
// sign-in page, as often as they like, and nothing is stored for them. A record
// is made when the person comes back: that the attempt was used.
type attempt struct {
	State    string    `json:"state"`
	Nonce    string    `json:"nonce"`
	Verifier string    `json:"verifier"` // PKCE
	Next     string    `json:"next"`     // where to go afterwards
	Switch   bool      `json:"switch"`   // the person wants another account
	Expires  time.Time `json:"expires"`
}

const (
	attemptKind = "signin"
	attemptTTL  = 10 * time.Minute

	// Several tabs may sign in at once, but a browser that keeps beginning does
	// not send ever longer requests.
	mostAttempts = 5
)

var errAttempt = &refusal{
	status: http.StatusBadRequest, heading: "That did not sign you in",
	sentence: "This sign-in was not started in this browser, took too long, or was used already. Sign in again.",
}

func newAttempt(next string, change bool) attempt {
	return attempt{
		State: rand.Text(), Nonce: rand.Text(), Verifier: rand.Text() + rand.Text(), Next: next, Switch: change,
		Expires: time.Now().Add(attemptTTL).UTC().Truncate(time.Millisecond),
	}
}

// attemptCookie is the kind of the cookie with the attempt of a state.
func attemptCookie(state string) string { return attemptKind + "_" + state[:8] }

// remember gives an attempt to the browser.
func (p *Pages) remember(w http.ResponseWriter, r *http.Request, a attempt) error {
	var data bytes.Buffer
	plain := json.NewEncoder(&data)
	plain.SetEscapeHTML(false) // the place to go to may have many &, and a cookie is short
	if err := plain.Encode(a); err != nil {
		return err
	}
	sealed, err := p.opts.Keys.Seal(data.Bytes(), attemptBinding(a.State))
	if err != nil {
		return fmt.Errorf("sealing the attempt to sign in: %w", err)
	}
	p.forgetAttempts(w, r)
	p.setCookie(w, attemptCookie(a.State), base64.RawURLEncoding.EncodeToString(sealed), attemptTTL)
	return nil
}

// forgetAttempts removes the oldest cookies where there are many. Browsers send
// the oldest first (RFC 6265, section 5.4).
func (p *Pages) forgetAttempts(w http.ResponseWriter, r *http.Request) {
	var kinds []string
	for _, c := range r.Cookies() {
		if state, ok := strings.CutPrefix(c.Name, p.cookieName(attemptKind)+"_"); ok {
			kinds = append(kinds, attemptKind+"_"+state)
		}
	}
	for len(kinds) >= mostAttempts {
		p.setCookie(w, kinds[0], "", 0)
		kinds = kinds[1:]
	}
}

// claim takes an attempt that this browser brings; of several callers one gets
// it.
func (p *Pages) claim(w http.ResponseWriter, r *http.Request, state string) (attempt, error) {
	if !isState(state) {
		return attempt{}, errAttempt
	}
	kind := attemptCookie(state)
	c, err := r.Cookie(p.cookieName(kind))
	if err != nil {
		return attempt{}, errAttempt
	}
	a, err := p.openAttempt(c.Value, state)
	if err != nil {
		return attempt{}, err
	}
	p.setCookie(w, kind, "", 0)
	_, err = p.records.Save(r.Context(), parley.Record{Address: hashed(attemptKind, state), Data: []byte("used"), Expires: a.Expires})
	if errors.Is(err, parley.ErrExists) {
		return attempt{}, errAttempt
	}
	if err != nil {
		return attempt{}, fmt.Errorf("noting that the attempt to sign in is used: %w", err)
	}
	return a, nil
}

// openAttempt reads a cookie. What was sealed for another state, long ago or by
// somebody else is none.
func (p *Pages) openAttempt(value, state string) (a attempt, err error) {
	sealed, err := base64.RawURLEncoding.DecodeString(value)
	if err != nil {
		return attempt{}, errAttempt
	}
	data, err := p.opts.Keys.Open(sealed, attemptBinding(state))
	if err != nil || json.Unmarshal(data, &a) != nil || !time.Now().Before(a.Expires) {
		return attempt{}, errAttempt
	}
	return a, nil
}

// attemptBinding binds an attempt to its state, and keeps it from passing for
// anything else that is sealed.
func attemptBinding(state string) parley.Binding {
	return parley.Binding{Tenant: signInTenant, Purpose: "cookie:" + attemptKind, Key: state}
}

// isState reports whether a state may be one of ours.
func isState(state string) bool {
	return len(state) == keyLength && strings.Trim(state, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

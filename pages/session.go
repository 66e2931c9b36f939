package pages

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

// ErrNotSignedIn says that a request carries no session, or one that is over.
var ErrNotSignedIn = errors.New("not signed in: sign in at /login")

// Records of people do not know their tenant before they are read.
const (
	signInTenant = parley.DefaultTenant
	sessionKind  = "session"
	keyLength    = 26 // of rand.Text, which cookies and states are made of
)

// session is one person in one browser. The browser has the key, the store has
// the record under the key's hash: who reads the store cannot sign in with it.
type session struct {
	Tenant string    `json:"tenant"`
	User   string    `json:"user"`
	Name   string    `json:"name,omitempty"` // how the person is called, where the user is a number
	Method string    `json:"method"`
	Proved time.Time `json:"proved,omitzero"` // when the person proved who they are; zero: nobody knows

	key string
}

// freshFor is how long somebody has just signed in.
const freshFor = 5 * time.Minute

// fresh reports whether the person has just proved who they are. A session that was
// stolen or left open is not enough for what needs it.
func (s session) fresh() bool {
	since := time.Since(s.Proved)
	return !s.Proved.IsZero() && since < freshFor && since > -freshFor
}

func (s session) principal() parley.Principal {
	return parley.Principal{Tenant: s.Tenant, User: s.User, Method: s.Method}
}

// deed is what is recorded of the session.
func (s session) deed(what string) parley.Deed {
	return parley.Deed{Tenant: s.Tenant, What: what, By: s.User, Via: s.Method}
}

// Label is the person as the pages show them, to themselves alone.
func (s session) Label() string {
	if s.Name == "" || s.Name == s.User {
		return s.User
	}
	return s.Name + " (" + s.User + ")"
}

// Principal returns who is signed in, for other surfaces of the same host. The
// error is ErrNotSignedIn, or the store's when it cannot say.
//
// A surface that takes more than GET, HEAD and OPTIONS with this session must
// refuse requests from other sites itself: http.CrossOriginProtection does.
func (p *Pages) Principal(r *http.Request) (parley.Principal, error) {
	s, err := p.session(r)
	return s.principal(), err
}

func (p *Pages) session(r *http.Request) (session, error) {
	key, ok := p.cookie(r, sessionKind)
	if !ok {
		return session{}, ErrNotSignedIn
	}
	at := hashed(sessionKind, key)
	record, err := p.records.Load(r.Context(), at)
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return session{}, ErrNotSignedIn
	case errors.Is(err, seal.ErrUnknownKey), errors.Is(err, seal.ErrTampered), errors.Is(err, seal.ErrMalformed),
		errors.Is(err, parley.ErrNotSealed):
		// After a secret was dropped people sign in again. The rest is somebody
		// else's doing; they get no further.
		p.opts.Logger.WarnContext(r.Context(), "session not opened", "err", err)
		return session{}, ErrNotSignedIn
	case err != nil:
		return session{}, unknownPerson(err)
	}
	s := session{key: key}
	if err := json.Unmarshal(record.Data, &s); err != nil {
		return session{}, fmt.Errorf("reading the session: %w", err)
	}
	return s, nil
}

// unknownPerson says that nobody knows who has a session, because the store does
// not answer: they are signed in all the same.
func unknownPerson(cause error) error {
	return &refusal{
		status: http.StatusServiceUnavailable, heading: "That did not work", cause: fmt.Errorf("reading the session: %w", cause),
		sentence: "It cannot be found out just now who you are: something is wrong on our side. You are still signed in; try again in a minute.",
	}
}

// start makes a session with a key of its own, so that nobody can know it
// before the person has signed in, and ends the one before.
func (p *Pages) start(w http.ResponseWriter, r *http.Request, s session) error {
	if err := p.end(r); err != nil {
		return err
	}
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	key := rand.Text()
	_, err = p.records.Save(r.Context(), parley.Record{
		Address: hashed(sessionKind, key),
		Owner:   s.User,
		Data:    data,
		Expires: time.Now().Add(p.opts.SessionTTL).UTC().Truncate(time.Millisecond),
	})
	if err != nil {
		return fmt.Errorf("saving the session: %w", err)
	}
	p.setCookie(w, sessionKind, key, p.opts.SessionTTL)
	return nil
}

// end deletes the session of the request, if there is one: its cookie is then
// dead wherever it was copied to.
func (p *Pages) end(r *http.Request) error {
	key, ok := p.cookie(r, sessionKind)
	if !ok {
		return nil
	}
	return p.forget(r.Context(), hashed(sessionKind, key))
}

func (p *Pages) forget(ctx context.Context, at parley.Address) error {
	err := p.records.Delete(ctx, at, 0)
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return fmt.Errorf("deleting the %s: %w", at.Kind, err)
	}
	return nil
}

// hashed is the address of a record whose key only a browser has.
func hashed(kind, key string) parley.Address {
	sum := sha256.Sum256([]byte(key))
	return parley.Address{Tenant: signInTenant, Kind: kind, Key: hex.EncodeToString(sum[:])}
}

// cookieName has the prefix that makes browsers refuse the cookie from anybody
// but this host over https.
func (p *Pages) cookieName(kind string) string {
	if p.public.Scheme == "https" {
		return "__Host-parley_" + kind
	}
	return "parley_" + kind
}

// cookie returns the value of a cookie of ours, if it looks like one.
func (p *Pages) cookie(r *http.Request, kind string) (string, bool) {
	c, err := r.Cookie(p.cookieName(kind))
	if err != nil || len(c.Value) != keyLength {
		return "", false
	}
	return c.Value, true
}

// setCookie sets a cookie of ours; with an empty value it removes it. It is
// lax, not strict, because people come from other sites: from the chat with a
// question, from the provider with an answer.
func (p *Pages) setCookie(w http.ResponseWriter, kind, value string, age time.Duration) {
	c := &http.Cookie{
		Name: p.cookieName(kind), Value: value, Path: "/", MaxAge: int(age / time.Second),
		Secure: p.public.Scheme == "https", HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

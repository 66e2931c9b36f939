package login

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
)

// Login is a program that may act as a person.
type Login struct {
	ID      string    `json:"id"` // the person's own name for it, in lists
	Program string    `json:"program"`
	Address string    `json:"address"` // whence it asked
	Scope   Scope     `json:"scope,omitempty"`
	Tenant  string    `json:"tenant"`
	User    string    `json:"user"`
	Created time.Time `json:"created"`
	Expires time.Time `json:"expires"`
}

// Principal is the person that the program acts as.
func (l Login) Principal() parley.Principal {
	return parley.Principal{Tenant: l.Tenant, User: l.User, Method: "login"}
}

// deed is what is recorded of a login: not what the program calls itself.
func (l Login) deed(what, reason string) parley.Deed {
	return parley.Deed{Tenant: l.Tenant, What: what, Reason: reason, By: l.User, Via: "login", Target: l.ID}
}

// kept is a login as it is stored.
type kept struct {
	Login
	Secret string `json:"secret"` // its digest
}

// Prefix begins every token, so that people and scanners know one when they see it.
const Prefix = "parley_login_"

// A token is the prefix, whose it is, its id and its secret, in letters of fixed
// number.
const (
	ownerLength  = 16
	idLength     = 13
	secretLength = 26 // of rand.Text
)

// ownerKey begins the keys of a person's logins, so that they are listed together.
func ownerKey(tenant, user string) string {
	sum := sha256.Sum256([]byte(tenant + "\x00" + user))
	return base32.StdEncoding.EncodeToString(sum[:])[:ownerLength]
}

func loginAt(key string) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: loginKind, Key: key}
}

// Exchange gives the program its token, once, after the person allowed it. ErrPending,
// ErrDenied, ErrUnknown, ErrVerifier, or ErrUsed: a code that comes a second time is in
// two hands, so the login that it led to ends (RFC 6749, section 4.1.2).
func (l *Logins) Exchange(ctx context.Context, deviceCode, verifier string) (token string, made Login, err error) {
	_, code, _ := strings.Cut(deviceCode, ".")
	w, r, err := l.find(ctx, readCode(code))
	switch {
	case err != nil:
		return "", made, err
	case !same(w.Device, digest(deviceCode)):
		return "", made, ErrUnknown
	case !verifies(w.Challenge, verifier):
		return "", made, ErrVerifier
	case w.State == waiting:
		return "", made, ErrPending
	case w.State == refused:
		return "", made, ErrDenied
	case w.State != allowed:
		return "", made, l.reused(ctx, w.Login)
	}
	made = Login{
		ID: rand.Text()[:idLength], Program: w.Program, Address: w.Address, Scope: w.Scope, Tenant: w.Tenant, User: w.User,
		Created: in(0), Expires: in(l.opts.TTL),
	}
	owner, secret := ownerKey(w.Tenant, w.User), rand.Text()
	// First the code is used up, then there is a token: who dies in between has given
	// out nothing.
	w.State, w.Login = used, owner+made.ID
	if err := l.keep(ctx, r, w); parley.Overtaken(err) {
		return l.Exchange(ctx, deviceCode, verifier) // it was used just now
	} else if err != nil {
		return "", made, err
	}
	data, err := json.Marshal(kept{Login: made, Secret: digest(secret)})
	if err == nil {
		err = l.opts.Record.Record(ctx, made.deed("login.made", ""))
	}
	if err != nil {
		return "", made, err
	}
	_, err = l.records.Save(ctx, parley.Record{Address: loginAt(w.Login), Owner: made.User, Data: data, Expires: made.Expires})
	if errors.Is(err, parley.ErrExists) { // the code has come a second time: see reused
		if err = l.opts.Record.Record(ctx, made.deed("login.ended", "code_reused")); err == nil {
			err = ErrUsed
		}
	}
	if err != nil {
		return "", made, err
	}
	return Prefix + w.Login + secret, made, nil
}

// reused ends the login of a code that has come a second time, and returns ErrUsed. Where
// whoever came first is still making it, it takes its place, and there will be none.
func (l *Logins) reused(ctx context.Context, key string) error {
	_, err := l.records.Save(ctx, parley.Record{Address: loginAt(key), Data: []byte("{}"), Expires: in(CodeTTL)})
	if err == nil {
		return ErrUsed
	}
	if !errors.Is(err, parley.ErrExists) {
		return err
	}
	known, err := l.load(ctx, key)
	if errors.Is(err, parley.ErrNotFound) { // its place is taken already
		return ErrUsed
	}
	if err == nil {
		err = l.opts.Record.Record(ctx, known.deed("login.ended", "code_reused"))
	}
	if err == nil {
		err = l.records.Delete(ctx, loginAt(key), 0)
	}
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	return ErrUsed
}

// Verify says whose a token is. ErrRefused, or the store's error when it cannot say.
func (l *Logins) Verify(ctx context.Context, token string) (Login, error) {
	rest, ok := strings.CutPrefix(token, Prefix)
	if !ok || len(rest) != ownerLength+idLength+secretLength {
		return Login{}, ErrRefused
	}
	key, secret := rest[:ownerLength+idLength], rest[ownerLength+idLength:]
	found, err := l.load(ctx, key)
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return Login{}, ErrRefused
	case err != nil:
		return Login{}, err
	case !same(found.Secret, digest(secret)), !time.Now().Before(found.Expires):
		return Login{}, ErrRefused
	}
	return found.Login, nil
}

// load reads a login: parley.ErrNotFound where there is none that can be believed.
func (l *Logins) load(ctx context.Context, key string) (found kept, err error) {
	r, err := l.records.Load(ctx, loginAt(key))
	if lost(err) {
		return found, parley.ErrNotFound
	}
	if err != nil {
		return found, err
	}
	found, ok := decode(r)
	if !ok {
		return kept{}, parley.ErrNotFound
	}
	return found, nil
}

// decode reads a record. It is false for what is not at its person's own address: a
// copy of somebody's login is nobody's.
func decode(r parley.Record) (found kept, ok bool) {
	ok = json.Unmarshal(r.Data, &found) == nil && ownerKey(found.Tenant, found.User)+found.ID == r.Key
	return found, ok
}

// lost reports whether a record is not there, or is not one of ours: after a secret
// was dropped people log in again.
func lost(err error) bool {
	for _, is := range []error{parley.ErrNotFound, seal.ErrUnknownKey, seal.ErrTampered, seal.ErrMalformed, parley.ErrNotSealed} {
		if errors.Is(err, is) {
			return true
		}
	}
	return false
}

// List returns the logins of a person, in no order that means anything.
func (l *Logins) List(ctx context.Context, tenant, user string) ([]Login, error) {
	tenant = cmp.Or(tenant, parley.DefaultTenant)
	var all []Login
	for r, err := range parley.Each(ctx, l.records, loginAt(ownerKey(tenant, user)), "") {
		if err != nil {
			return nil, err
		}
		if one, ok := decode(r); ok {
			all = append(all, one.Login)
		}
	}
	return all, nil
}

// Revoke ends a login of a person: its token is refused from the next request on.
// parley.ErrNotFound where they have none with this id.
func (l *Logins) Revoke(ctx context.Context, tenant, user, id string) error {
	tenant = cmp.Or(tenant, parley.DefaultTenant)
	if len(id) != idLength {
		return parley.ErrNotFound
	}
	if err := l.records.Delete(ctx, loginAt(ownerKey(tenant, user)+id), 0); err != nil {
		return err
	}
	l.opts.Logger.InfoContext(ctx, "login revoked", "tenant", tenant, "user", user, "login", id)
	return nil
}

// End ends the login that a token is of. Of one that is none it says nothing: it is not
// in use (RFC 7009, section 2.2).
func (l *Logins) End(ctx context.Context, token string) error {
	known, err := l.Verify(ctx, token)
	if errors.Is(err, ErrRefused) {
		return nil
	}
	if err == nil {
		err = l.opts.Record.Record(ctx, known.deed("login.ended", "by_program"))
	}
	if err == nil {
		err = l.Revoke(ctx, known.Tenant, known.User, known.ID)
	}
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	return err
}

func tenantOf(p parley.Principal) string { return cmp.Or(p.Tenant, parley.DefaultTenant) }

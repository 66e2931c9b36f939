package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
)

// ErrUnauthenticated is what Options.Caller returns, or wraps, when a request
// carries no valid credential.
var ErrUnauthenticated = errors.New("not signed in: send a valid token, or sign in first")

// Caller is who sends a request, as established by a verified token, key or
// cookie.
type Caller struct {
	parley.Principal
	// Admin lets them manage their tenant. One without a User is a program.
	Admin bool

	// MayAsk is whom a program may ask, as of asking.Asker, and WebhookSecret what
	// signs the calls that tell it of answers.
	MayAsk        []string
	WebhookSecret parley.Secret

	host  string                 // by which they reached us
	path  string                 // of the request
	again func() (Caller, error) // says once more who sends the request
}

// still returns ErrUnauthenticated, or why it cannot say, where who sent a request that has
// lasted for a while would be somebody else now, or nobody.
func (c Caller) still() error {
	now, err := c.again()
	if err == nil && (now.Owner() != c.Owner() || now.tenant() != c.tenant() || now.Admin != c.Admin) {
		err = ErrUnauthenticated
	}
	return err
}

// check refuses a caller who is not what they say: their name would be somebody
// else's.
func (c Caller) check() error {
	if err := c.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrUnauthenticated, err)
	}
	return nil
}

func (c Caller) tenant() string { return cmp.Or(c.Tenant, parley.DefaultTenant) }

// person returns whose things the caller means: those of the person asked for,
// or their own.
func (c Caller) person(asked string) (string, error) {
	if asked == "" || asked == c.User {
		return c.User, nil
	}
	if !c.Admin {
		return "", problem(http.StatusForbidden, "You see what is your own. That of others is for administrators.")
	}
	return asked, nil
}

type callerKey struct{}

// withCaller hands the caller to the operation, past the mux.
func withCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

func callerOf(ctx context.Context) Caller {
	c, _ := ctx.Value(callerKey{}).(Caller)
	return c
}

// right says who may do something.
type right int

const (
	// everybody: each caller with what is their own, administrators with what is
	// their tenant's.
	everybody right = iota
	administrators
	// askers: everybody, and programs with what they asked.
	askers
	// programs, and nobody else.
	programs
	// people: known persons, each with what is their own.
	people
)

func (r right) check(c Caller) error {
	program := c.Kind == parley.KindProgram && c.Key != ""
	switch {
	case r == programs && !program:
		return problem(http.StatusForbidden, "Programs ask here, with a key of auth.api_keys that has a name. People are asked.")
	case (r == programs || r == askers) && program:
		return nil
	case c.Admin && r != people:
		return nil
	case r == administrators:
		return problem(http.StatusForbidden, "This is for administrators. Use a key or a token that may manage this tenant.")
	case !c.IsPerson():
		return problem(http.StatusForbidden, "This credential is a program's, and has nothing of its own here. Use a person's or an administrator's.")
	}
	return nil
}

// bearer reports whether a request carries a token. No browser adds one by
// itself, so it was meant, wherever the page came from.
func bearer(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && token != ""
}

// originOf returns scheme, host and port of a URL.
func originOf(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%.200q is not an absolute URL", raw)
	}
	return u.Scheme + "://" + strings.ToLower(u.Host), nil
}

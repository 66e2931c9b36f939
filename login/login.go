// Package login lets programs of a person act as them: `parley chat`, `parley inbox`
// and `parley mcp` on their machine, without a token that is copied by hand.
//
// Its nouns: a [Wish] is a program that asks for it, with a code that it shows and a
// secret that it keeps. The person finds the wish by that code on a page where they
// are signed in, and allows or refuses it. A [Login] is what comes of a yes: the
// program has a token, of which the hash of the secret is stored here, until it
// expires or the person takes it back.
//
//	logins := login.New(records, nil)
//	begun, err := logins.Begin(ctx, login.Wish{Program: "parley on laptop"})
//	…                                                          // the program shows begun.UserCode
//	err = logins.Decide(ctx, begun.UserCode, who, true)        // the page, for who is signed in there
//	token, made, err := logins.Exchange(ctx, begun.DeviceCode, "") // the program, again and again until then
//	known, err := logins.Verify(ctx, token)                    // whoever serves a request with it
//
// Nothing is kept in memory: any process may serve the next step, and one that dies
// loses none that was confirmed. Of many who exchange the same code at once one gets
// a token. Everything here is safe for concurrent use.
package login

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"github.com/parley-hq/parley"
)

// What becomes of codes and tokens.
var (
	// ErrUnknown: there is no such code, or it has expired.
	ErrUnknown = errors.New("login: there is no such code, or it has expired")
	// ErrDecided: somebody has decided about this code.
	ErrDecided = errors.New("login: it is decided already")
	// ErrPending: nobody has decided yet.
	ErrPending = errors.New("login: nobody has decided yet")
	// ErrDenied: the person refused.
	ErrDenied = errors.New("login: the person refused")
	// ErrUsed: the code was exchanged before.
	ErrUsed = errors.New("login: the code was used already")
	// ErrVerifier: whoever exchanges the code is not who began (RFC 7636).
	ErrVerifier = errors.New("login: the code verifier is another")
	// ErrRefused: the token is not of this server, has expired or was taken back.
	ErrRefused = errors.New("login: the token is not of this server, has expired or was revoked")
	// ErrWish: what a program says of itself cannot be taken.
	ErrWish = errors.New("login: the request cannot be taken")
)

// Scope is what a login is good for.
type Scope string

const (
	// Everything that the person may do with a token.
	Everything Scope = ""
	// OnlyMCP is the gateway and agents over MCP: for assistants, who then can
	// answer no question elsewhere.
	OnlyMCP Scope = "mcp"
)

// Options configures Logins. Nil and zero fields mean the defaults.
type Options struct {
	TTL    time.Duration // how long a login lasts; default 30 days
	Logger *slog.Logger  // default slog.Default()

	// Record is told of logins that are made, and that their programs end. What it
	// cannot be told of is not done. Default: nobody is told.
	Record parley.Recorder
}

const (
	// Lasts is how long a login lasts by default.
	Lasts = 30 * 24 * time.Hour
	// CodeTTL is how long a person has to decide.
	CodeTTL = 10 * time.Minute
	// Interval is how long a program waits before it asks again.
	Interval = 2 * time.Second

	// fetchTTL is how long a program has at least to fetch what was decided.
	fetchTTL = time.Minute
)

// Records of wishes and logins do not know their tenant before they are read.
const (
	anyTenant = parley.DefaultTenant
	wishKind  = "login_wish"
	loginKind = "login"
)

// Logins are the logins of everybody. Make it with New.
type Logins struct {
	records parley.Records
	opts    Options
}

// New returns the logins in these records; give it sealed ones (seal.Records).
func New(records parley.Records, opts *Options) *Logins {
	l := &Logins{records: records}
	if opts != nil {
		l.opts = *opts
	}
	l.opts.TTL = cmp.Or(l.opts.TTL, Lasts)
	if l.opts.Logger == nil {
		l.opts.Logger = slog.Default()
	}
	return l
}

// digest is what is stored of a secret.
func digest(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }

// in is when a time from now is over, as stores keep times.
func in(d time.Duration) time.Time { return time.Now().Add(d).UTC().Truncate(time.Millisecond) }

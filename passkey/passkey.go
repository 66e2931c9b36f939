// Package passkey has people approve with a device of their own: a WebAuthn assertion
// whose challenge is the digest of what they approve. Whoever has the assertion and the
// public key can check it, without the server that took it.
//
// Its nouns:
//
//   - Passkey: a credential of one person of one tenant, by its public key.
//   - Statement: what somebody approves. Its Challenge is what the device signs.
//   - Keys: the passkeys of everybody, in the store.
//   - Ceremony: a passkey that is about to be added.
//
// An example:
//
//	keys, err := passkey.New(records, &passkey.Options{PublicURL: "https://parley.example"})
//	signed, err := keys.Verify(ctx, who, statement.Challenge(), assertion) // as the browser sent it
//	signer, err := passkey.Check(signed, statement.Challenge())            // anywhere, later
//
// Keys may be used by any number of goroutines and processes over the same records.
package passkey

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
)

// Errors of this package. After each of them nothing is approved, added or removed.
var (
	// ErrNoHost is for sites that browsers have no passkeys for.
	ErrNoHost = errors.New("passkeys need a site with a name")
	// ErrNotSigned is for an assertion that does not hold: of another statement, site,
	// person or passkey, or made without asking for the person.
	ErrNotSigned = errors.New("this is not signed by a passkey of the person")
	// ErrNotFresh is for passkeys that are added or removed by somebody who has not just
	// signed in: a session may be somebody else's by now.
	ErrNotFresh = errors.New("sign in again first")
	// ErrCeremony is for a passkey whose adding has not begun here, was completed, or took
	// too long.
	ErrCeremony = errors.New("this was not begun here, or is over: begin again")
	// ErrTooMany is for more passkeys than a person may have.
	ErrTooMany = errors.New("that are too many passkeys: remove one first")
)

// Options configures Keys.
type Options struct {
	PublicURL string // where people reach the site: https with a name, or http on localhost
	Title     string // how devices call the site; default "Parley"

	// Begin is told of passkeys before they are added and removed, and whether they were.
	// Default: nobody is.
	Begin parley.Beginner
}

// Keys is the passkeys of everybody.
type Keys struct {
	records parley.Records
	begin   parley.Beginner
	origin  string
	host    string // the relying party's id
	title   string
}

// New returns the passkeys in records, which the caller has seal what they keep. It
// returns ErrNoHost.
func New(records parley.Records, opts *Options) (*Keys, error) {
	host, err := Host(opts.PublicURL)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(opts.PublicURL)
	if err != nil {
		return nil, err
	}
	return &Keys{
		records: records, begin: opts.Begin, host: host, origin: strings.ToLower(u.Scheme + "://" + u.Host), title: cmp.Or(opts.Title, "Parley"),
	}, nil
}

// Host is the name that passkeys of a site belong to (the relying party's id): that of its
// host. It is ErrNoHost for addresses, which browsers have no passkeys for, and for sites
// without https that are not localhost.
func Host(public string) (string, error) {
	u, err := url.Parse(public)
	if err != nil || u.Hostname() == "" {
		return "", fmt.Errorf("%w, and %.200q has none", ErrNoHost, public)
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil {
		return "", fmt.Errorf("%w: browsers have none for the address %s; give the site a name (on this machine: localhost)", ErrNoHost, host)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !loopback.Host(host)) {
		return "", fmt.Errorf("%w and https: browsers have none for %.200s", ErrNoHost, public)
	}
	return host, nil
}

// Package jwks verifies tokens with the keys that their issuer publishes at a
// URL (RFC 7517).
//
// Its only noun is the [Set]. It fetches the keys when it first needs them, and
// again when a token names one that it does not know, or when they have become
// old. Nobody who sends tokens decides how often the issuer is asked:
//
//   - A signature that does not hold under a key that is known is only refused.
//   - After the first fetch there is at most one an interval, whatever came of the
//     one before.
//   - Callers that need the same fetch wait for one, and not for long. Those whose
//     key is known wait for none.
//
// A Set is an oidc.KeySet, and safe for concurrent use.
package jwks

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
)

var (
	// ErrSignature says that no published key has signed a token.
	ErrSignature = errors.New("the token's signature does not hold")
	// ErrUnavailable says that the key of a token is not known and that the
	// issuer could not be asked for it. Whether the token is good is not known.
	ErrUnavailable = errors.New("the issuer's keys cannot be had")
)

// Algorithms are those that a key of a Set verifies: of public keys only. What is
// signed with none, or with a public key as if it were a secret, is refused
// before a key is looked for.
var Algorithms = []jose.SignatureAlgorithm{
	jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA,
}

// Options configures a Set. Nil and zero fields mean the defaults.
type Options struct {
	Client *http.Client // default http.DefaultClient
	Logger *slog.Logger // default slog.Default()
}

const (
	interval = time.Minute     // at most one fetch in this, after the first
	timeout  = 5 * time.Second // of a fetch
	maxAge   = time.Hour       // keys older than this are fetched again while they are used
)

// Set is the keys at a URL. Make it with New.
type Set struct {
	url  string
	opts Options

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	made    time.Time     // when keys were fetched
	fetched bool          // a fetch has begun, ever
	next    time.Time     // no fetch begins before this
	flight  chan struct{} // closed when the fetch that is under way is over; nil: none is
	err     error         // of the last fetch
}

// New returns the set of keys at a URL. It contacts nobody.
func New(url string, opts *Options) *Set {
	s := &Set{url: url}
	if opts != nil {
		s.opts = *opts
	}
	if s.opts.Client == nil {
		s.opts.Client = http.DefaultClient
	}
	if s.opts.Logger == nil {
		s.opts.Logger = slog.Default()
	}
	return s
}

// VerifySignature returns what a token says, if one of the keys has signed it.
// ErrSignature, ErrUnavailable, or the context's error.
func (s *Set) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	if len(token) > maxToken {
		return nil, ErrSignature
	}
	signed, err := jose.ParseSignedCompact(token, Algorithms)
	if err != nil || len(signed.Signatures) != 1 {
		return nil, ErrSignature
	}
	name := signed.Signatures[0].Header.KeyID
	payload, known := verify(signed, s.known(), name)
	if payload != nil {
		return payload, nil
	}
	if known && name != "" {
		return nil, ErrSignature // another fetch would bring the same key
	}
	keys, err := s.fetch(ctx)
	if err != nil {
		return nil, err
	}
	if payload, _ = verify(signed, keys, name); payload == nil {
		return nil, ErrSignature
	}
	return payload, nil
}

// maxToken is longer than any header of a request.
const maxToken = 64 << 10

// verify returns what is signed, or nil, and whether there is a key of that name.
// A token without a name may be any key's.
func verify(signed *jose.JSONWebSignature, keys []jose.JSONWebKey, name string) (payload []byte, known bool) {
	for _, key := range keys {
		if name != "" && key.KeyID != name {
			continue
		}
		known = true
		if key.Algorithm != "" && key.Algorithm != signed.Signatures[0].Header.Algorithm {
			continue
		}
		if payload, err := signed.Verify(key); err == nil {
			return append([]byte{}, payload...), true // never nil
		}
	}
	return nil, known
}

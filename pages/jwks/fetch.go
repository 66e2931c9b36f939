package jwks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/go-jose/go-jose/v4"
)

const (
	maxDocument = 256 << 10
	maxKeys     = 64 // a token without a key's name is tried with each
)

// known are the keys, as far as they are here. Old ones are fetched again, but
// nobody waits for that.
func (s *Set) known() []jose.JSONWebKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fetched && time.Since(s.made) > maxAge {
		s.begin()
	}
	return s.keys
}

// fetch returns the keys as they are at the issuer, as far as it may be asked
// now.
func (s *Set) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	s.mu.Lock()
	flight := s.begin()
	s.mu.Unlock()
	if flight != nil {
		select {
		case <-flight:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.keys, s.err
}

// begin returns the fetch that is under way. If there is none it begins one, or
// returns nil where it is not time yet. mu is held.
func (s *Set) begin() chan struct{} {
	if s.flight != nil || time.Now().Before(s.next) {
		return s.flight
	}
	if s.fetched { // the first is not a refetch
		s.next = time.Now().Add(interval)
	}
	s.fetched = true
	flight := make(chan struct{})
	s.flight = flight
	go func() {
		defer close(flight)
		// Of no caller: one that leaves takes nothing away from the others.
		ctx, cancel := context.WithTimeout(context.Background(), timeout)
		defer cancel()
		keys, err := s.read(ctx)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.flight = nil
		if err != nil {
			s.opts.Logger.Warn("key set not fetched", "url", s.url, "err", err)
			s.err = fmt.Errorf("%w: %w", ErrUnavailable, err)
			return
		}
		s.keys, s.made, s.err = keys, time.Now(), nil
	}()
	return flight
}

// read asks the issuer.
func (s *Set) read(ctx context.Context) ([]jose.JSONWebKey, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/jwk-set+json, application/json")
	answer, err := s.opts.Client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("status %d", answer.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxDocument+1))
	switch {
	case err != nil:
		return nil, err
	case len(body) > maxDocument:
		return nil, fmt.Errorf("more than %d bytes", maxDocument)
	}
	return parse(body)
}

// parse reads a document. Keys that are not understood, or that sign nothing
// here, are left out (RFC 7517, section 5).
func parse(body []byte) ([]jose.JSONWebKey, error) {
	var document struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &document); err != nil {
		return nil, errors.New("no JSON Web Key Set")
	}
	var keys []jose.JSONWebKey
	for _, raw := range document.Keys {
		var key jose.JSONWebKey
		if json.Unmarshal(raw, &key) != nil || !usable(key) {
			continue
		}
		if keys = append(keys, key); len(keys) > maxKeys {
			return nil, fmt.Errorf("more than %d keys", maxKeys)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("no key that can be used")
	}
	return keys, nil
}

// usable reports whether a key may verify tokens. A secret that somebody
// published may not.
func usable(key jose.JSONWebKey) bool {
	return key.Valid() && key.IsPublic() && (key.Use == "" || key.Use == "sig") &&
		(key.Algorithm == "" || slices.Contains(Algorithms, jose.SignatureAlgorithm(key.Algorithm)))
}

package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/outbound"
)

// Trial is what came of trying something that a configuration names.
type Trial struct {
	What     string // its key, such as servers.tracker
	Says     string // what was found out, if it is there
	Err      error  // why it cannot be used; nil: it can. It has no secrets
	Warnings []string
}

// tryTime is how long each may take.
const tryTime = 20 * time.Second

// errAnswer is in the error of somebody who answers, and not as they should.
var errAnswer = errors.New("it answers, but not as it should")

// Try finds out whether everybody is there whom a configuration names: the store,
// issuers, providers, models, servers, channels, Nango and agents elsewhere. It changes nothing with
// them, and tells of each as soon as it is known. The error says that there is
// nothing to try: Check has it too.
func Try(ctx context.Context, cfg *config.Config, tell func(Trial)) error {
	copied := *cfg
	copied.Store = "memory:"
	s, err := New(ctx, &copied, &Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	try := func(what string, do func(ctx context.Context) (string, error)) {
		ctx, stop := context.WithTimeout(ctx, tryTime)
		defer stop()
		says, err := do(ctx)
		if err != nil {
			says = ""
		}
		tell(Trial{What: what, Says: says, Err: nameless(err)})
	}
	try("store", func(ctx context.Context) (string, error) { return s.tryStore(ctx, cfg.Store) })
	s.tryIssuers(try)
	for _, name := range config.Keys(cfg.Providers) {
		p := cfg.Providers[name]
		try("providers."+name+".auth_url", func(ctx context.Context) (string, error) { return s.answers(ctx, p.AuthURL) })
		try("providers."+name+".token_url", func(ctx context.Context) (string, error) { return s.answers(ctx, p.TokenURL) })
	}
	for _, name := range config.Keys(cfg.Models) {
		tell(s.tryModel(ctx, name))
	}
	if s.traces != nil {
		try("telemetry.otlp", func(ctx context.Context) (string, error) { return "the collector takes spans", s.traces.Reach(ctx) })
	}
	s.tryServers(ctx, cfg.Store, tell)
	s.tryChannels(try)
	for _, there := range s.remotes {
		try("agents."+there.Agent().Name, func(ctx context.Context) (string, error) { return "it has a card", there.Reach(ctx) })
	}
	s.trySlack(try)
	return s.Close()
}

// nameless is an error without the address that it is about: what follows a path may
// be a secret.
func nameless(err error) error {
	var where *url.Error
	if errors.As(err, &where) {
		return where.Err
	}
	return err
}

// tryIssuers tries who says who people are.
func (s *Server) tryIssuers(try func(string, func(context.Context) (string, error))) {
	if c := s.cfg.Auth.OIDC; c != nil {
		try("auth.oidc", func(ctx context.Context) (string, error) {
			var said struct{ Issuer string }
			if err := s.fetch(ctx, strings.TrimSuffix(c.Issuer, "/")+"/.well-known/openid-configuration", &said); err != nil {
				return "", err
			}
			if said.Issuer != c.Issuer {
				return "", fmt.Errorf("%w: it calls itself %.200q", errAnswer, said.Issuer)
			}
			return "people can sign in there", nil
		})
	}
	if c := s.cfg.Auth.JWT; c != nil && c.JWKSURL != "" {
		try("auth.jwt.jwks_url", func(ctx context.Context) (string, error) {
			var said struct{ Keys []json.RawMessage }
			if err := s.fetch(ctx, c.JWKSURL, &said); err != nil {
				return "", err
			}
			if len(said.Keys) == 0 {
				return "", fmt.Errorf("%w: it has no keys", errAnswer)
			}
			return fmt.Sprintf("it has %d keys", len(said.Keys)), nil
		})
	}
	if c := s.cfg.Auth.Verifier; c != nil {
		try("auth.verifier", func(ctx context.Context) (string, error) { return s.answers(ctx, c.URL) })
	}
}

// get asks for something, with headers in pairs. The answer is the caller's to close.
func (s *Server) get(ctx context.Context, where string, headers ...string) (*http.Response, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, where, nil)
	if err != nil {
		return nil, errors.New("it is no URL")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	client := *s.client.For(outbound.Operator)
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return client.Do(r)
}

// answers finds out whether anything answers there that is not ill: a page that wants
// more than it was asked with is there.
func (s *Server) answers(ctx context.Context, where string) (string, error) {
	answer, err := s.get(ctx, where)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 500 || answer.StatusCode == http.StatusNotFound {
		return "", fmt.Errorf("%w: status %s", errAnswer, answer.Status)
	}
	return "it answers", nil
}

func (s *Server) fetch(ctx context.Context, where string, into any) error {
	answer, err := s.get(ctx, where, "Accept", "application/json")
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: status %s", errAnswer, answer.Status)
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, 1<<20)).Decode(into); err != nil {
		return fmt.Errorf("%w: no JSON", errAnswer)
	}
	return nil
}

// tryStore looks whether the store is there, and, where it can be opened without a change,
// whether it has something that no secret of the configuration opens.
func (s *Server) tryStore(ctx context.Context, url string) (says string, err error) {
	if says, err = backend.Reach(ctx, url); err != nil {
		return "", err
	}
	store, err := backend.OpenMade(ctx, url, &backend.Options{Logger: s.opts.Logger})
	switch {
	case errors.Is(err, backend.ErrNotMade):
		return says, nil
	case err != nil:
		return "", err
	}
	return says, errors.Join(s.keys.Check(ctx, store), store.Close())
}

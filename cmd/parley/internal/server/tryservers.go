package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

// tryServers connects to each MCP server: with the site's credential or an agent's, where
// there is one, and else as nobody in particular. One that wants a person's is there. Of those
// that list their tools, rules that fit none are told; of the others, that nobody looked.
func (s *Server) tryServers(ctx context.Context, store string, tell func(Trial)) {
	calls := mcpcall.New(&mcpcall.Options{Logger: s.opts.Logger})
	defer calls.Close()
	lookUp, done := s.storedCredentials(ctx, store)
	defer done()
	for _, name := range config.Keys(s.cfg.Servers) {
		c := s.cfg.Servers[name]
		t := Trial{What: "servers." + name}
		server := mcpcall.Server{Name: name, URL: c.URL, Command: c.Command, Env: c.Env, Client: s.stream.For(outbound.Operator)}
		guarded, missing := c.Auth.Type != "" && c.Auth.Type != vault.None, error(nil)
		if guarded {
			var cred vault.Credential
			if cred, missing = lookUp(ctx, name); missing == nil {
				server.Client = carrying(cred, server.Client)
			}
		}
		tools, err := s.listOf(ctx, calls, server)
		var status *mcpclient.StatusError
		wants := errors.As(err, &status) && (status.Code == http.StatusUnauthorized || status.Code == http.StatusForbidden)
		switch {
		case wants && missing != nil:
			t.Says = "it answers, and wants the credential that it is configured with"
			t.Warnings = s.cfg.UnseenRules(name, missing.Error())
		case wants && guarded:
			t.Err = fmt.Errorf("it refuses its credential (status %d)", status.Code)
		case wants:
			t.Err = fmt.Errorf("it wants a credential (status %d), and servers.%s.auth has none", status.Code, name)
		case err != nil:
			t.Err = nameless(err)
		default:
			t.Says = fmt.Sprintf("it lists %d tools", len(tools))
			t.Warnings = s.cfg.UselessRules(name, tools)
		}
		if t.Err != nil {
			t.Warnings = s.cfg.UnseenRules(name, "its tools were not listed")
		}
		tell(t)
	}
}

func (s *Server) listOf(ctx context.Context, calls *mcpcall.Calls, server mcpcall.Server) (names []string, err error) {
	ctx, stop := context.WithTimeout(ctx, tryTime)
	defer stop()
	conn, err := mcpclient.Connect(ctx, calls.Dial(mcpcall.Person{}, server, nil))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	tools, err := mcpcall.ListTools(ctx, conn, mcpclient.MaxTool, &mcpcall.Faults{})
	for _, one := range tools {
		names = append(names, one.Name)
	}
	return names, err
}

// storedCredentials returns how the credential of a server is looked up, among what is
// stored and in the configuration, and what to do in the end. It is the default tenant's,
// and never a person's. Nothing is changed: a token that has to be refreshed is none.
func (s *Server) storedCredentials(ctx context.Context, url string) (lookUp func(context.Context, string) (vault.Credential, error), done func()) {
	records, done := parley.Records(s.store), func() {}
	ctx, stop := context.WithTimeout(ctx, tryTime)
	defer stop()
	store, unread := backend.OpenMade(ctx, url, &backend.Options{Logger: s.opts.Logger})
	if unread == nil {
		records, done = store, func() { _ = store.Close() } // it was only read
	}
	var credentials *vault.Vault
	opts, unusable := s.vaultOptions()
	if unusable == nil {
		credentials, unusable = vault.New(s.Hub, unchanged{records}, s.keys, opts)
	}
	return func(ctx context.Context, name string) (cred vault.Credential, err error) {
		if unusable != nil {
			return cred, unusable // New has refused it
		}
		ctx, stop := context.WithTimeout(ctx, tryTime)
		defer stop()
		server, err := credentials.Server(ctx, "", name)
		if err != nil {
			return cred, err
		}
		agents := []string{""}
		switch server.Auth.Scope {
		case vault.User:
			return cred, errors.New("each person has their own credential for it")
		case vault.Mentor:
			agents = config.Keys(s.cfg.Agents)
			err = errors.New("no agent has a credential for it")
		}
		for _, agent := range agents {
			if cred, err = credentials.Credential(ctx, vault.Need{Server: name, Agent: agent}); err == nil {
				return cred, nil
			}
		}
		if unread != nil && errors.Is(err, vault.ErrRequired) {
			err = fmt.Errorf("its credential cannot be read from the store: %w", nameless(unread))
		}
		return cred, err
	}, done
}

// errUnchanged says that a check was about to write.
var errUnchanged = errors.New("its credential has to be refreshed, which a check does not do")

// unchanged are records that are read and never written.
type unchanged struct{ parley.Records }

func (unchanged) Save(context.Context, parley.Record) (int64, error)  { return 0, errUnchanged }
func (unchanged) Delete(context.Context, parley.Address, int64) error { return errUnchanged }

// carrying is a client whose requests carry a credential, to its own server only.
func carrying(cred vault.Credential, client *http.Client) *http.Client {
	with := *client
	with.Transport = carrier{cred, client.Transport}
	return &with
}

type carrier struct {
	cred vault.Credential
	base http.RoundTripper
}

func (c carrier) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	if err := c.cred.Apply(r); err != nil {
		return nil, err
	}
	return c.base.RoundTrip(r)
}

package mcpcall

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"sync"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// Dial says how to reach a server on somebody's behalf.
func (g *Calls) Dial(who Person, s Server, heard func(mcpclient.Message)) *mcpclient.Options {
	opts := &mcpclient.Options{Name: "parley", Version: "1", Capabilities: who.Able.Capabilities(), Notify: heard, Logger: g.opts.Logger.With("server", s.Name)}
	if len(s.Command) > 0 {
		opts.Command = s.Command
		for _, name := range []string{"PATH", "HOME"} {
			if value, ok := os.LookupEnv(name); ok && s.Env[name] == "" {
				opts.Env = append(opts.Env, name+"="+value)
			}
		}
		for name, value := range s.Env {
			opts.Env = append(opts.Env, name+"="+value)
		}
		return opts
	}
	client := s.Client
	if client == nil {
		client = g.opts.Client
	}
	if client == nil {
		client = http.DefaultClient
	}
	opts.URL, opts.Client = s.URL, client
	if s.Guarded {
		base := client.Transport
		if base == nil {
			base = http.DefaultTransport
		}
		opts.Client = &http.Client{
			Transport:     &vault.Transport{Vault: g.opts.Vault, Need: need(who, s), Base: base, Check: SameAccount()},
			CheckRedirect: client.CheckRedirect,
		}
	}
	return opts
}

func need(who Person, s Server) vault.Need {
	n := vault.Need{Tenant: who.Tenant, Server: s.Name, Agent: who.Agent}
	if s.Personal && who.IsPerson() {
		n.User = who.User // nobody can connect an account for a session
	}
	return n
}

// Credential returns nil when there is what the server wants, or none is wanted.
func (g *Calls) Credential(ctx context.Context, who Person, s Server) error {
	if !s.Guarded {
		return nil
	}
	if g.opts.Vault == nil {
		return vault.ErrSource
	}
	_, err := g.opts.Vault.Credential(ctx, need(who, s))
	return err
}

// SameAccount refuses to send anything on a connection with another account than
// it began with: what a server keeps for a session is that account's. Who has
// connected another one gets another connection.
func SameAccount() func(vault.Credential) error {
	var mu sync.Mutex
	var began *string
	return func(c vault.Credential) error {
		grant := c.Grant()
		mu.Lock()
		defer mu.Unlock()
		if began == nil {
			began = &grant
		}
		if *began != grant {
			return fmt.Errorf("%w: its account was changed", mcpclient.ErrSessionGone)
		}
		return nil
	}
}

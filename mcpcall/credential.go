package mcpcall

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
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

// The keys of the questions for a credential: the first, and the one after the
// server stopped taking it.
const (
	connectFirst = "connect"
	connectAgain = "connect-again"
)

// EnsureCredential makes sure that there is the credential that the server wants: the person
// is asked for it before anything is sent.
func (c *Call) EnsureCredential(ctx context.Context) error {
	err := c.calls.Credential(ctx, c.Who, c.Target.Server)
	var required *vault.RequiredError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &required):
		key, again := connectFirst, false
		if _, err := c.Recall(connectAgain, &again); err != nil {
			return err
		}
		if again {
			key = connectAgain // they were asked in this call, and are asked once
		}
		return c.connect(ctx, required, key)
	}
	return c.unconnected(ctx, err)
}

// connect asks the person to connect their account. It returns nil when they
// have.
func (c *Call) connect(ctx context.Context, required *vault.RequiredError, key string) error {
	if !required.Askable() {
		return c.unconnected(ctx, required)
	}
	build := func(id parley.ID) parley.Request {
		q := c.calls.opts.Vault.Question(required, c.Who.Principal, c.Who.Session)
		q.URL = strings.Replace(q.URL, string(q.ID), string(id), 1)
		return q
	}
	given, err := c.askOne(ctx, parley.URL, build, &mcptool.URLOptions{ElicitOptions: mcptool.ElicitOptions{Key: key}})
	var late *mcptool.TimeoutError
	switch {
	case errors.As(err, &late):
		given.Action = parley.Expire
	case err != nil:
		return err
	}
	outcome := parley.Outcome{Action: given.Action}
	if given.Action != parley.Accept {
		return c.unconnected(ctx, &vault.NotConnectedError{Server: required.Server, Outcome: outcome})
	}
	_, err = c.calls.opts.Vault.Arrived(ctx, need(c.Who, c.Target.Server), outcome)
	if errors.Is(err, vault.ErrNotConnected) && key == connectFirst {
		// Lists are made with a new credential at once: the server may have refused
		// it before this call could use it.
		var refused *vault.RequiredError
		if errors.As(c.calls.Credential(ctx, c.Who, c.Target.Server), &refused) && refused.Reason == vault.Rejected {
			return c.reconnect(ctx, refused)
		}
	}
	switch {
	case err == nil:
		c.calls.connected() // its tools can be listed now
		return nil
	case ctx.Err() != nil:
		return err
	}
	return c.unconnected(ctx, err)
}

// reconnect asks for a credential in the place of one that the server refused,
// once in a call. What was approved was not made: it is approved anew when this
// runs again.
func (c *Call) reconnect(ctx context.Context, required *vault.RequiredError) error {
	c.Past.Undo(sentName)
	var again bool
	if _, err := c.Recall(connectAgain, &again); err != nil {
		return err
	}
	if again {
		return c.unaccepted()
	}
	var p permitted
	if known, err := c.Recall("call", &p); err != nil {
		return err
	} else if known {
		if err := c.Remember(ctx, "call", permitted{ID: rand.Text(), Session: c.Who.Session}); err != nil {
			return err
		}
	}
	if err := c.Remember(ctx, connectAgain, true); err != nil {
		return err
	}
	return c.connect(ctx, required, connectAgain)
}

// unaccepted is for a server that refuses whatever credential it is given.
func (c *Call) unaccepted() error {
	return Failed("%s does not accept the user's credential.", c.Target.Server.Label())
}

// unconnected says to whoever calls why there is no credential.
func (c *Call) unconnected(ctx context.Context, why error) error {
	g, server := c.calls, c.Target.Server
	if unavailable(why) {
		return g.NotSent(ctx, why, server.Label())
	}
	if g.opts.Unconnected != nil {
		return g.opts.Unconnected(ctx, c.Who, server, why)
	}
	var left *vault.NotConnectedError
	var required *vault.RequiredError
	var provider *vault.ProviderError
	text := fmt.Sprintf("The credential for %s cannot be had just now.", server.Label())
	switch {
	case errors.As(why, &left) && left.Outcome.Action == parley.Expire:
		return notAccepted(parley.Expire, server.Label()+" is not connected: nobody answered in time.")
	case left != nil && left.Outcome.Action != parley.Accept:
		return notAccepted(left.Outcome.Action, server.Label()+" is not connected: the user did not connect their account.")
	case left != nil:
		text = server.Label() + " is still not connected."
	case errors.As(why, &required) && required.Reason == vault.Rejected:
		text = server.Label() + " refuses the credential that it is given here, and you cannot give another: ask who runs " + g.here() + "."
	case errors.Is(why, vault.ErrRequired):
		text = server.Label() + " is not connected, and you cannot connect it: ask who runs " + g.here() + "."
	case errors.Is(why, vault.ErrNoPerson) && c.Who.OfProgram():
		text = "This server needs a person's own credential, and a program makes the call: it has none."
	case errors.Is(why, vault.ErrNoPerson):
		text = strings.Replace(vault.ErrNoPerson.Error(), "sign in", cmp.Or(g.opts.SignIn, "sign in"), 1)
	case errors.As(why, &provider):
		text = provider.Error()
	default:
		g.opts.Logger.WarnContext(ctx, "credential not available", "server", server.Name, "err", why)
	}
	return &Failure{Text: text, Cause: why}
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

package toolbox

import (
	"context"
	"errors"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/vault"
)

// Vault is the access to a server with the credentials of a vault.
type Vault struct {
	Vault  *vault.Vault
	Server string
	Base   http.RoundTripper // the way there; default http.DefaultTransport
	// Unready is the error of a server that is not set up, and Unprovided that of
	// one whose credential nobody has given, for surfaces that have to tell them
	// from others. Default: what the vault says.
	Unready, Unprovided func(server string, cause error) *agent.PublicError
}

func (a *Vault) need(who agent.Caller) vault.Need {
	return vault.Need{Tenant: who.Tenant, Server: a.Server, Agent: who.Agent, User: who.User}
}

// The keys of the questions for a credential: the first, and the one after a
// server stopped taking it.
var credentialKeys = []string{"credential", "credential-again"}

// Pass implements Access.
func (a *Vault) Pass(ctx context.Context, who agent.Caller, answers map[string]parley.Request) error {
	var err error
	answered := false
	for _, key := range credentialKeys {
		q, ok := answers[key]
		if !ok {
			continue
		}
		if q.Outcome.Action != parley.Accept {
			return public(&vault.NotConnectedError{Server: a.label(ctx, who), Outcome: *q.Outcome})
		}
		answered = true
		_, err = a.Vault.Arrived(ctx, a.need(who), *q.Outcome)
	}
	if answered {
		if errors.Is(err, vault.ErrNotConnected) {
			return a.unprovided(a.label(ctx, who).Label(), err)
		}
		return public(err)
	}
	_, err = a.Vault.Credential(ctx, a.need(who))
	return a.missing(ctx, who, err)
}

// missing is what follows where there is no credential: a question, or an error.
func (a *Vault) missing(ctx context.Context, who agent.Caller, err error) error {
	if errors.Is(err, vault.ErrNoPerson) {
		// Nobody will be asked: the model finds out when it uses one of the tools.
		return &agent.Pause{Questions: map[string]parley.Request{"credential": {
			From: a.Server, Message: a.label(ctx, who).Label() + " takes a person's own account.", Trigger: parley.TriggerCredential,
		}}}
	}
	var required *vault.RequiredError
	if errors.As(err, &required) && required.Askable() {
		return &agent.Pause{Questions: map[string]parley.Request{"credential": a.Vault.Question(required, who.Principal, who.Conversation)}}
	}
	switch server := a.label(ctx, who); {
	case errors.Is(err, vault.ErrUnknown), errors.Is(err, vault.ErrSource), errors.Is(err, vault.ErrNotOpen):
		if a.Unready != nil {
			return a.Unready(server.Label(), err)
		}
	case required != nil && server.Auth.Type == vault.OAuth2: // of the platform or the agent, and nobody has provided it
		return a.unprovided(server.Label(), err)
	}
	return public(err)
}

func (a *Vault) unprovided(server string, err error) error {
	if a.Unprovided != nil {
		return a.Unprovided(server, err)
	}
	return public(err)
}

func (a *Vault) label(ctx context.Context, who agent.Caller) vault.Server {
	server, err := a.Vault.Server(ctx, who.Tenant, a.Server)
	if err != nil {
		return vault.Server{Name: a.Server}
	}
	return server
}

// Enter asks for what a server wants of the caller of a call: it is nil when there is
// that, and otherwise an *agent.Pause with the questions, or an error. again says that
// the server, which people know by the label, refused what there was: the person is
// asked once more, and once.
func Enter(ctx context.Context, a Access, label string, c *agent.Invocation, again bool) error {
	answers := c.Answers
	if again {
		answers = nil // what was answered before is what the server refused
	}
	err := a.Pass(ctx, c.Caller, answers)
	var pause *agent.Pause
	if !errors.As(err, &pause) {
		return err
	}
	asked := &agent.Pause{Questions: map[string]parley.Request{}}
	for key, q := range pause.Questions {
		if again {
			key += "-again"
		}
		if _, before := c.Answers[key]; before {
			return &agent.PublicError{Text: label + " does not accept the user's credential."}
		}
		asked.Questions[key] = q
	}
	return asked
}

// public marks the errors whose texts are made for people.
func public(err error) error {
	var provider *vault.ProviderError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNotConnected), errors.Is(err, vault.ErrNoPerson), errors.As(err, &provider):
		return &agent.PublicError{Text: err.Error(), Cause: err}
	}
	return err
}

// Transport implements Access. A connection keeps the account that it began with.
func (a *Vault) Transport(who agent.Caller) http.RoundTripper {
	base := a.Base
	if base == nil {
		base = http.DefaultTransport
	}
	return &vault.Transport{Vault: a.Vault, Need: a.need(who), Base: base, Check: mcpcall.SameAccount()}
}

// Open is the access to a server that takes no credential.
type Open struct {
	Base http.RoundTripper // the way there
}

// Pass implements Access.
func (Open) Pass(context.Context, agent.Caller, map[string]parley.Request) error { return nil }

// Transport implements Access.
func (o Open) Transport(agent.Caller) http.RoundTripper { return o.Base }

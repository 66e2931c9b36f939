package server

import (
	"context"
	"errors"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/vault"
)

// access gets agents past a server's door with the credentials of the vault.
type access struct {
	vault  *vault.Vault
	server string
	base   http.RoundTripper
}

func (a *access) need(who agent.Caller) vault.Need {
	return vault.Need{Tenant: who.Tenant, Server: a.server, Agent: who.Agent, User: who.User}
}

// The keys of the questions for a credential: the first, and the one after a
// server stopped taking it.
var credentialKeys = []string{"credential", "credential-again"}

// Pass implements toolbox.Access.
func (a *access) Pass(ctx context.Context, who agent.Caller, answers map[string]parley.Request) error {
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
		_, err = a.vault.Arrived(ctx, a.need(who), *q.Outcome)
	}
	if answered {
		if errors.Is(err, vault.ErrNotConnected) {
			return chat.NoConnectedService(a.label(ctx, who).Label(), err)
		}
		return public(err)
	}
	_, err = a.vault.Credential(ctx, a.need(who))
	if errors.Is(err, vault.ErrNoPerson) {
		// Nobody will be asked: the model finds out when it uses one of the tools.
		return &agent.Pause{Questions: map[string]parley.Request{"credential": {
			From: a.server, Message: a.label(ctx, who).Label() + " takes a person's own account.", Trigger: parley.TriggerCredential,
		}}}
	}
	var required *vault.RequiredError
	if errors.As(err, &required) && required.Askable() {
		return &agent.Pause{Questions: map[string]parley.Request{"credential": a.vault.Question(required, who.Principal, who.Conversation)}}
	}
	switch server := a.label(ctx, who); {
	case errors.Is(err, vault.ErrUnknown), errors.Is(err, vault.ErrSource), errors.Is(err, vault.ErrNotOpen):
		return chat.NoOAuthURL(server.Label(), err)
	case required != nil && server.Auth.Type == vault.OAuth2: // of the platform or the agent, and nobody has provided it
		return chat.NoConnectedService(server.Label(), err)
	}
	return public(err)
}

func (a *access) label(ctx context.Context, who agent.Caller) vault.Server {
	server, err := a.vault.Server(ctx, who.Tenant, a.server)
	if err != nil {
		return vault.Server{Name: a.server}
	}
	return server
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

// Transport implements toolbox.Access.
func (a *access) Transport(who agent.Caller) http.RoundTripper {
	return &vault.Transport{Vault: a.vault, Need: a.need(who), Base: a.base}
}

package toolbox

import (
	"context"
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/vault"
)

// credentialKey is the key of the question for the credential that a list needs.
const credentialKey = "credential"

// missing is nil when there is the credential that the server wants, an
// *agent.Pause when the person has to be asked for it first, and otherwise an error.
func (b *Box) missing(ctx context.Context, who agent.Caller) error {
	err := b.calls.Credential(ctx, personOf(who), b.server)
	var required *vault.RequiredError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &required) && required.Askable():
		return &agent.Pause{Questions: map[string]parley.Request{credentialKey: b.opts.Vault.Question(required, who.Principal, who.Conversation)}}
	}
	return b.unconnected(ctx, personOf(who), b.server, err)
}

// unconnected is the error of a call or a list for which there is no credential.
func (b *Box) unconnected(_ context.Context, _ mcpcall.Person, s mcpcall.Server, why error) error {
	var required *vault.RequiredError
	var left *vault.NotConnectedError
	var provider *vault.ProviderError
	switch {
	case errors.Is(why, vault.ErrNoPerson):
		// Nobody will be asked: the model finds out when it uses one of the tools.
		return &agent.Pause{Questions: map[string]parley.Request{credentialKey: {
			From: s.Name, Message: s.Label() + " takes a person's own account.", Trigger: parley.TriggerCredential,
		}}}
	case b.opts.Unready != nil && (errors.Is(why, vault.ErrUnknown) || errors.Is(why, vault.ErrSource) || errors.Is(why, vault.ErrNotOpen)):
		return b.opts.Unready(s.Label(), why)
	case b.opts.Unprovided != nil && (errors.As(why, &required) && required.Server.Auth.Type == vault.OAuth2 || // of the platform or the agent
		errors.As(why, &left) && left.Outcome.Action == parley.Accept):
		return b.opts.Unprovided(s.Label(), why)
	case errors.Is(why, vault.ErrRequired), errors.Is(why, vault.ErrNotConnected), errors.As(why, &provider):
		return &agent.PublicError{Text: why.Error(), Cause: why} // these texts are made for people
	}
	return why
}

// declined is the error of a call whose person was asked for an account and did not
// connect one. One that came another way since does not make up for it.
func (b *Box) declined(ctx context.Context, s mcpcall.Server, c *agent.Invocation) error {
	for _, q := range c.Answers {
		if q.Trigger == parley.TriggerCredential && q.Outcome.Action != parley.Accept {
			return b.unconnected(ctx, personOf(c.Caller), s, &vault.NotConnectedError{Server: vault.Server{Name: s.Name, Title: s.Title}, Outcome: *q.Outcome})
		}
	}
	return nil
}

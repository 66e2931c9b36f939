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

// credentialKey is the key of the question for the credential that a list, or an
// agent elsewhere, needs.
const credentialKey = "credential"

// Account is the credential that a server takes of an agent's callers, for toolboxes
// of other protocols. A Box has one of its own.
type Account struct {
	Name  string // of the server
	Title string
	Vault *vault.Vault
	Base  http.RoundTripper // the way there
	// Unready and Unprovided are as in Options.
	Unready, Unprovided func(server string, cause error) *agent.PublicError
}

func (a *Account) server() mcpcall.Server { return mcpcall.Server{Name: a.Name, Title: a.Title} }

func (a *Account) need(who agent.Caller) vault.Need {
	n := vault.Need{Tenant: who.Tenant, Server: a.Name, Agent: who.Agent}
	if who.IsPerson() {
		n.User = who.User
	}
	return n
}

// Enter is nil when there is what the server wants of the caller of c. Otherwise it is
// an *agent.Pause with the question for it, or an error. again says that the server
// refused what there was: the person is asked once more, and once.
func (a *Account) Enter(ctx context.Context, c *agent.Invocation, again bool) error {
	if err := a.declined(c); err != nil {
		return err
	}
	key := credentialKey
	if again {
		key += "-again"
	}
	q, asked := c.Answers[key]
	_, err := a.Vault.Credential(ctx, a.need(c.Caller))
	if asked && !again && err != nil {
		_, err = a.Vault.Arrived(ctx, a.need(c.Caller), *q.Outcome)
	}
	var required *vault.RequiredError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &required) && required.Askable() && asked:
		return &agent.PublicError{Text: a.server().Label() + " does not accept the user's credential."}
	case errors.As(err, &required) && required.Askable():
		return &agent.Pause{Questions: map[string]parley.Request{key: a.Vault.Question(required, c.Caller.Principal, c.Caller.Conversation)}}
	}
	return a.unconnected(err)
}

// Transport is the way to the server with the caller's credential. A connection keeps
// the account that it began with.
func (a *Account) Transport(who agent.Caller) http.RoundTripper {
	return &vault.Transport{Vault: a.Vault, Need: a.need(who), Base: a.Base, Check: mcpcall.SameAccount()}
}

// unconnected is the error of a call or a list for which there is no credential.
func (a *Account) unconnected(why error) error {
	label := a.server().Label()
	var required *vault.RequiredError
	var left *vault.NotConnectedError
	var provider *vault.ProviderError
	switch {
	case errors.Is(why, vault.ErrNoPerson):
		// Nobody will be asked: the model finds out when it uses one of the tools.
		return &agent.Pause{Questions: map[string]parley.Request{credentialKey: {
			From: a.Name, Message: label + " takes a person's own account.", Trigger: parley.TriggerCredential,
		}}}
	case a.Unready != nil && (errors.Is(why, vault.ErrUnknown) || errors.Is(why, vault.ErrSource) || errors.Is(why, vault.ErrNotOpen)):
		return a.Unready(label, why)
	case a.Unprovided != nil && (errors.As(why, &required) && required.Server.Auth.Type == vault.OAuth2 || // of the platform or the agent
		errors.As(why, &left) && left.Outcome.Action == parley.Accept):
		return a.Unprovided(label, why)
	case errors.Is(why, vault.ErrRequired), errors.Is(why, vault.ErrNotConnected), errors.As(why, &provider):
		return &agent.PublicError{Text: why.Error(), Cause: why} // these texts are made for people
	}
	return why
}

// declined is the error of a call whose person was asked for an account and did not
// connect one. One that came another way since does not make up for it.
func (a *Account) declined(c *agent.Invocation) error {
	for _, q := range c.Answers {
		if q.Trigger == parley.TriggerCredential && q.Outcome.Action != parley.Accept {
			return a.unconnected(&vault.NotConnectedError{Server: vault.Server{Name: a.Name, Title: a.Title}, Outcome: *q.Outcome})
		}
	}
	return nil
}

// account is that of the box's server, as whoever asks has it.
func (b *Box) account(s mcpcall.Server) *Account {
	return &Account{Name: s.Name, Title: s.Title, Unready: b.opts.Unready, Unprovided: b.opts.Unprovided}
}

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
	return b.account(b.server).unconnected(err)
}

func (b *Box) unconnected(_ context.Context, _ mcpcall.Person, s mcpcall.Server, why error) error {
	return b.account(s).unconnected(why)
}

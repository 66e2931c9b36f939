package vault

import (
	"context"
	"fmt"

	"github.com/parley-hq/parley"
)

// Connected settles a question for a person's own credential after a source
// was told that the account is connected, and every other question that waits
// for the same one. It looks for the credential first, with the patience that
// late ones need: being told is not having it.
//
// The caller has verified that the word came from the source. Whose question
// it may be follows from key, never from what was sent along. An agent's or
// the platform's credential does not say who was asked for it: such a question
// is settled when its page is next looked at.
//
// Errors: ErrNotConnecting when the question asks for another credential than
// key, or not for a person's own; parley.ErrNotFound when that person has no
// such question; *NotConnectedError when the credential does not come; those of
// Credential. Then nothing was settled. A question that was settled before is
// no error.
func (v *Vault) Connected(ctx context.Context, key Key, question parley.ID) error {
	key.Tenant = tenantOf(key.Tenant)
	if key.Scope != User {
		return fmt.Errorf("request %s: %w of a person's own: open its page", question, ErrNotConnecting)
	}
	p := parley.Principal{Tenant: key.Tenant, User: key.Owner, Method: "webhook"}
	q, err := v.hub.Get(ctx, p, question)
	if err != nil {
		return err
	}
	wanted, _, err := v.wanted(ctx, q)
	if err != nil {
		return err
	}
	if wanted != key {
		return fmt.Errorf("request %s: %w that was connected", question, ErrNotConnecting)
	}
	need := Need{Tenant: key.Tenant, Server: key.Server, User: key.Owner}
	if _, err := v.Arrived(ctx, need, parley.Outcome{Action: parley.Accept}); err != nil {
		return err
	}
	v.logConnected(ctx, key, "told", "source")
	return v.settle(ctx, p, key, question)
}

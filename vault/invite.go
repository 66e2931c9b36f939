package vault

import (
	"context"
	"errors"
	"fmt"

	"github.com/parley-hq/parley"
)

// Invite returns a question that asks p to connect their account at a server now:
// the one that waits for it, if there is one, or a new one. It is for links that
// lead to a server and not to a question, and therefore last. It is empty where
// the account is connected.
//
// Errors: ErrUnknown; ErrRequired, where the credential is not p's to provide;
// ErrNoPerson; those of Credential and of Open.
func (v *Vault) Invite(ctx context.Context, p parley.Principal, server string) (parley.ID, Server, error) {
	if !p.IsPerson() || p.Validate() != nil {
		return "", Server{}, ErrNoPerson
	}
	found, err := v.Server(ctx, p.Tenant, server)
	if err != nil {
		return "", found, err
	}
	if found.Auth.Type == None || found.Auth.Scope != User {
		return "", found, fmt.Errorf("server %s: %w, and not by this person", server, ErrRequired)
	}
	_, err = v.Credential(ctx, Need{Tenant: tenantOf(p.Tenant), Server: server, User: p.User})
	var required *RequiredError
	switch {
	case err == nil:
		return "", found, nil
	case !errors.As(err, &required):
		return "", found, err
	}
	if open, err := v.waiting(ctx, p, required.Key); err != nil || open != "" {
		return open, found, err
	}
	q := v.Question(required, p, "")
	q.Labels[LabelInvited] = "true"
	q, err = v.hub.OpenFor(ctx, p, q)
	return q.ID, found, err
}

// waiting is the newest question of p's that waits for a credential.
func (v *Vault) waiting(ctx context.Context, p parley.Principal, key Key) (newest parley.ID, err error) {
	for after := parley.ID(""); ; {
		list, err := v.hub.List(ctx, p, parley.Query{Pending: true, After: after, Limit: parley.MaxLimit})
		if err != nil {
			return "", err
		}
		for _, q := range list {
			after = q.ID
			if other, _, err := v.wanted(ctx, q); err == nil && other == key && v.now().Before(q.Expires) {
				newest = q.ID
			}
		}
		if len(list) < parley.MaxLimit {
			return newest, nil
		}
	}
}

package vault

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// The labels of a question for a credential. They say what is stored when it
// is answered; no client can set them.
const (
	LabelServer = "server"
	LabelScope  = "scope"
	LabelOwner  = "owner"
	LabelReason = "reason"
	LabelOrigin = "origin" // of the server as it was: where the credential may go
	LabelScopes = "scopes" // what the server asked for beyond the usual, with spaces between

	// LabelInvited marks a question that a link to a server opened: nobody but the
	// link asked for it, and any site can send a person there. It leans on no other
	// connection.
	LabelInvited = "invited"
)

// Via is the surface that answers of the vault's own come through.
const Via = "page"

// Question is the request that asks to for the credential: a link to the
// hosted page, where only to may follow it. to provides it for whom the key
// names: themself, or, as an administrator, an agent or the platform. The
// caller opens it.
func (v *Vault) Question(e *RequiredError, to parley.Principal, session string) parley.Request {
	id := parley.NewID()
	labels := map[string]string{
		LabelServer: e.Key.Server, LabelScope: string(e.Key.Scope), LabelReason: string(e.Reason),
	}
	if e.Key.Owner != "" {
		labels[LabelOwner] = e.Key.Owner
	}
	if e.Server.Title != "" {
		labels[parley.LabelTitle] = e.Server.Title
	}
	if at := origin(e.Server.URL); at != "" {
		labels[LabelOrigin] = at
	}
	if e.Reason == Insufficient {
		labels[LabelScopes] = strings.Join(e.Scopes, " ")
	}
	return parley.Request{
		ID: id, Tenant: tenantOf(to.Tenant), To: to.User, From: e.Server.Name, Session: session,
		Mode: parley.URL, URL: v.opts.PublicURL + "/auth/connect?elicitation_id=" + string(id),
		Message: message(e), Trigger: parley.TriggerCredential, Labels: labels,
	}
}

func message(e *RequiredError) string {
	name := e.Server.Label()
	switch e.Reason {
	case Expired:
		return "The connection to " + name + " has expired. Connect your account again to continue."
	case Revoked, Rejected:
		return name + " no longer accepts the connection. Connect your account again to continue."
	case Insufficient:
		return name + " needs further permissions. Connect your account again to continue."
	}
	return name + " requires authentication. Connect your account to continue."
}

// ObtainOptions says how Obtain asks. Nil and zero fields mean the defaults.
type ObtainOptions struct {
	Session string        // the conversation it belongs to
	TTL     time.Duration // how long the question stays open; default the hub's

	// Opened is told of the question before the wait begins.
	Opened func(parley.Request)
}

// Obtain returns the credential that a call needs, and asks the person for it
// if it is not there: it opens a question, waits for its outcome and looks
// again, with patience for sources that are late. It returns as soon as the
// credential is there, whichever way it came.
//
// Errors: those of Credential; *NotConnectedError when the person declined,
// cancelled or did not answer; *RequiredError when the person cannot provide
// it. ErrNoPerson when p is nobody.
func (v *Vault) Obtain(ctx context.Context, p parley.Principal, need Need, opts *ObtainOptions) (Credential, error) {
	if opts == nil {
		opts = &ObtainOptions{}
	}
	need.Tenant, need.User = tenantOf(p.Tenant), p.User
	cred, err := v.Credential(ctx, need)
	var required *RequiredError
	if !errors.As(err, &required) || !required.Askable() {
		return cred, err
	}
	q := v.Question(required, p, opts.Session)
	if opts.TTL > 0 {
		q.Expires = time.Now().Add(opts.TTL)
	}
	q, err = v.hub.OpenFor(ctx, p, q)
	if err != nil {
		return Credential{}, fmt.Errorf("asking for the credential of %s: %w", required.Server.Name, err)
	}
	if opts.Opened != nil {
		opts.Opened(q)
	}
	return v.await(ctx, p, q, need, required)
}

// await waits for the outcome of q, or for the credential if it comes first.
func (v *Vault) await(ctx context.Context, p parley.Principal, q parley.Request, need Need, asked *RequiredError) (Credential, error) {
	for {
		waiting, stop := context.WithTimeout(ctx, v.opts.Look)
		outcome, err := v.hub.Wait(waiting, q.ID)
		stop()
		switch {
		case ctx.Err() != nil:
			return Credential{}, ctx.Err()
		case err == nil && outcome.Action == parley.Accept:
			return v.Arrived(ctx, need, outcome)
		case err == nil:
			return Credential{}, &NotConnectedError{Server: asked.Server, Outcome: outcome}
		case !errors.Is(err, context.DeadlineExceeded):
			return Credential{}, err
		}
		there, err := v.connected(ctx, p, asked.Key, asked.Server, q)
		if err != nil {
			v.opts.Logger.WarnContext(ctx, "open question for a credential not looked after", "id", q.ID, "server", asked.Key.Server, "err", err)
		}
		if there {
			if cred, err := v.Credential(ctx, need); err == nil {
				return cred, nil
			}
		}
	}
}

// Arrived returns the credential after the question for it was accepted. A
// source may learn of it later than we did, so it is looked for more than once.
// *NotConnectedError when it does not come.
func (v *Vault) Arrived(ctx context.Context, need Need, outcome parley.Outcome) (Credential, error) {
	cred, err := v.Credential(ctx, need)
	for _, pause := range v.opts.RetryAfter {
		var required *RequiredError
		if !errors.As(err, &required) {
			return cred, err
		}
		if !patience.Sleep(ctx, pause) {
			return Credential{}, ctx.Err()
		}
		cred, err = v.Credential(ctx, need)
	}
	var required *RequiredError
	if errors.As(err, &required) {
		return Credential{}, &NotConnectedError{Server: required.Server, Outcome: outcome}
	}
	return cred, err
}

// wanted reads back what a question asks for.
func (v *Vault) wanted(ctx context.Context, q parley.Request) (Key, Server, error) {
	if q.Trigger != parley.TriggerCredential || q.Labels[LabelServer] == "" {
		return Key{}, Server{}, fmt.Errorf("request %s: %w", q.ID, ErrNotConnecting)
	}
	server, err := v.Server(ctx, q.Tenant, q.Labels[LabelServer])
	if err != nil {
		return Key{}, Server{}, err
	}
	key := Key{Tenant: q.Tenant, Server: server.Name, Scope: Scope(q.Labels[LabelScope]), Owner: q.Labels[LabelOwner]}
	if q.Labels[LabelOrigin] != origin(server.URL) || key.Scope != server.Auth.Scope || key.Scope == User && key.Owner != q.To {
		return Key{}, Server{}, fmt.Errorf("request %s: %w: the server's settings have changed since", q.ID, ErrNotConnecting)
	}
	return key, server, nil
}

// settle tells everybody who waits for this credential of p's that it is
// there. The connection is stored by now: what fails here is found by looking.
func (v *Vault) settle(ctx context.Context, p parley.Principal, key Key, first parley.ID) error {
	err := v.accept(ctx, p, first)
	v.confirm(ctx, key)
	for after := parley.ID(""); ; {
		found, last, listErr := v.hub.WaitingFor(ctx, p, parley.TriggerCredential, after)
		if listErr != nil {
			v.opts.Logger.WarnContext(ctx, "other questions for the same credential stay open", "server", key.Server, "err", listErr)
			return err
		}
		for _, q := range found {
			if other, _, wantErr := v.wanted(ctx, q); wantErr == nil && other == key && q.ID != first {
				if otherErr := v.accept(ctx, p, q.ID); otherErr != nil {
					v.opts.Logger.WarnContext(ctx, "question for the same credential stays open", "id", q.ID, "err", otherErr)
				}
			}
		}
		if after = last; last == "" {
			return err
		}
	}
}

// accept answers a question whose credential is there. One that was settled or
// expired in the meantime needs no answer.
func (v *Vault) accept(ctx context.Context, p parley.Principal, id parley.ID) error {
	err := v.hub.Answer(ctx, p, id, parley.Answer{Action: parley.Accept, Via: Via})
	if errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrExpired) {
		return nil
	}
	return err
}

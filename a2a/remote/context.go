package remote

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
)

// What is said to an agent in one conversation of a person's is one conversation at the
// other side too: its tasks share a context, so that the agent knows what was said
// before. Nobody else's tasks, and none of another conversation, are ever in it.
const (
	contextKind = "a2a_context"
	contextKept = 30 * 24 * time.Hour // since the last task
)

// shared is a context at the other side, and what it is bound to.
type shared struct {
	Tenant  string `json:"tenant"`
	User    string `json:"user"` // parley.Principal.Owner
	Talk    string `json:"conversation"`
	URL     string `json:"url"`
	Context string `json:"context"`
}

// sharing is the bond of the call, without a context.
func (t *talk) sharing() shared {
	return shared{Tenant: t.call.Tenant, User: t.call.Owner(), Talk: t.call.Conversation, URL: t.state.URL}
}

func (t *talk) contextAddress() parley.Address {
	b := t.sharing()
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", b.User, b.Talk, b.URL))
	return parley.Address{Tenant: b.Tenant, Kind: contextKind, Key: t.opts.Name + "/" + base64.RawURLEncoding.EncodeToString(sum[:])}
}

// lastContext is the context of the conversation's last task; empty: this one is the
// first, or it is not known any more, and the agent makes a new one.
func (t *talk) lastContext(ctx context.Context) string {
	record, err := t.opts.Records.Load(ctx, t.contextAddress())
	if err != nil {
		if !errors.Is(err, parley.ErrNotFound) {
			t.opts.Logger.WarnContext(ctx, "context of a remote agent not read", "agent", t.opts.Name, "call", t.call.ID, "err", err)
		}
		return ""
	}
	var last shared
	bond := t.sharing()
	if json.Unmarshal(record.Data, &last) != nil {
		return ""
	}
	if bond.Context = last.Context; bond != last {
		return ""
	}
	return last.Context
}

// rememberContext writes down the context of a task that was begun. Without it the next
// task has a context of its own, and nothing else is lost.
func (t *talk) rememberContext(ctx context.Context, id string) {
	if id == "" || t.call.Conversation == "" {
		return
	}
	at := t.contextAddress()
	bond := t.sharing()
	bond.Context = id
	data, err := json.Marshal(bond)
	record := parley.Record{Address: at, Owner: bond.User, Data: data, Expires: time.Now().Add(contextKept).UTC().Truncate(time.Millisecond)}
	if err == nil {
		var before parley.Record
		if before, err = t.opts.Records.Load(ctx, at); err == nil {
			record.Version = before.Version
		}
		if err == nil || errors.Is(err, parley.ErrNotFound) {
			_, err = t.opts.Records.Save(ctx, record)
		}
	}
	if err != nil && !parley.Overtaken(err) { // by another task of the same conversation
		t.opts.Logger.WarnContext(ctx, "context of a remote agent not kept", "agent", t.opts.Name, "call", t.call.ID, "err", err)
	}
}

// forgotten reports whether an agent refused a message, and it may be since it does not
// know the context any more.
func forgotten(err error) bool {
	for _, one := range []error{a2a.ErrInvalidParams, a2a.ErrInvalidRequest, a2a.ErrTaskNotFound, a2a.ErrUnsupportedOperation, a2a.ErrInternalError} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}

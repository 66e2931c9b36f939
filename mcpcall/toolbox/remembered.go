package toolbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
)

// A server that wants an account lists nothing to who has connected none. What it
// listed last is remembered, so that a model can call its tools all the same: the
// call waits for the person's consent and then runs, with the arguments that it
// was made with. A person's own list is theirs. What was listed alike to two
// people of a tenant is the server's and no account's: others of the tenant have
// that.

// listKind is the kind of the records of remembered lists.
const listKind = "tool_list"

// Limits of remembered lists.
const (
	rememberedFor   = 90 * 24 * time.Hour
	rememberedBytes = 512 << 10 // a longer one is not remembered
)

// rememberedTool is a tool of a tenant's list.
type rememberedTool struct {
	Tool   agent.Tool
	By     string // a digest of to whom it was listed first
	Shared bool   // it was listed to somebody else as well
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.RawURLEncoding.EncodeToString(sum[:12])
}

// listAddress is where a list is remembered: a person's own, or the tenant's
// where owner is empty. A server at another place is another one.
func (b *Box) listAddress(who parley.Principal, owner string) parley.Address {
	key := b.opts.Name + "/" + digestOf(b.server.Place())
	if owner != "" {
		key += "/" + digestOf(owner)
	}
	return parley.Address{Tenant: cmp.Or(who.Tenant, parley.DefaultTenant), Kind: listKind, Key: key}
}

// remember keeps what a server has listed to somebody. That it cannot be kept
// spoils nothing.
func (b *Box) remember(ctx context.Context, who mcpcall.Person, tools []agent.Tool) {
	if b.opts.Records == nil || !b.server.Guarded || !who.IsPerson() {
		return
	}
	own, err := json.Marshal(tools)
	if err == nil && len(own) <= rememberedBytes {
		err = b.put(ctx, b.listAddress(who.Principal, who.Owner()), who.Owner(), func([]byte) ([]byte, error) { return own, nil })
	}
	if err == nil {
		err = b.put(ctx, b.listAddress(who.Principal, ""), "", func(before []byte) ([]byte, error) { return merged(before, digestOf(who.Owner()), tools) })
	}
	if err != nil && ctx.Err() == nil {
		b.opts.Logger.WarnContext(ctx, "tools not remembered", "server", b.opts.Name, "err", err)
	}
}

// merged is a tenant's list after somebody was listed tools. What they are not
// listed any more goes if it was theirs alone.
func merged(before []byte, by string, tools []agent.Tool) ([]byte, error) {
	var known []rememberedTool
	if len(before) > 0 && json.Unmarshal(before, &known) != nil {
		known = nil
	}
	known = slices.DeleteFunc(known, func(k rememberedTool) bool { return !k.Shared && k.By == by })
	for _, t := range tools {
		i := slices.IndexFunc(known, func(k rememberedTool) bool { return k.Tool.Name == t.Name })
		switch {
		case i < 0:
			known = append(known, rememberedTool{Tool: t, By: by})
		case same(known[i].Tool, t):
			known[i].Shared = known[i].Shared || known[i].By != by
		default:
			known[i] = rememberedTool{Tool: t, By: by} // it has changed
		}
	}
	data, err := json.Marshal(known)
	if len(data) > rememberedBytes {
		return before, nil
	}
	return data, err
}

func same(a, b agent.Tool) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// put changes a record, unless it is so already, and will be for a while.
func (b *Box) put(ctx context.Context, at parley.Address, owner string, change func([]byte) ([]byte, error)) error {
	_, err := parley.Update(ctx, b.opts.Records, at, func(r *parley.Record) (bool, error) {
		data, err := change(r.Data)
		if err != nil || string(data) == string(r.Data) && time.Until(r.Expires) > rememberedFor/2 {
			return false, err
		}
		r.Owner, r.Data, r.Expires = owner, data, time.Now().Add(rememberedFor)
		return true, nil
	})
	return err
}

// remembered are the tools that the server listed last to somebody, or alike to
// others of their tenant; none: that is not known.
func (b *Box) remembered(ctx context.Context, who agent.Caller) (tools []agent.Tool) {
	if b.opts.Records == nil || !who.IsPerson() || !who.CanAsk {
		return nil
	}
	record, err := b.opts.Records.Load(ctx, b.listAddress(who.Principal, who.Owner()))
	if err == nil && json.Unmarshal(record.Data, &tools) == nil && len(tools) > 0 {
		return tools
	}
	if err == nil || errors.Is(err, parley.ErrNotFound) {
		record, err = b.opts.Records.Load(ctx, b.listAddress(who.Principal, ""))
	}
	if err != nil {
		if !errors.Is(err, parley.ErrNotFound) {
			b.opts.Logger.WarnContext(ctx, "remembered tools not read", "server", b.opts.Name, "err", err)
		}
		return nil
	}
	var known []rememberedTool
	if json.Unmarshal(record.Data, &known) != nil {
		return nil
	}
	tools = nil
	for _, k := range known {
		if k.Shared {
			tools = append(tools, k.Tool)
		}
	}
	return tools
}

// identify finds out what a tool is that was called by a remembered list: the
// rules go by what the server says of it to this person.
func (b *Box) identify(ctx context.Context, who mcpcall.Person, t mcpcall.Target) (mcpcall.Target, error) {
	tools, err := b.list(ctx, callerOf(who), (*mcpcall.ToolList[*toolList]).ForCall)
	var public *agent.PublicError
	var pause *agent.Pause
	switch {
	case errors.As(err, &pause):
		return t, nil // the server refused the credential: another is asked for
	case errors.As(err, &public):
		return t, err
	case err != nil:
		return t, b.calls.NotSent(ctx, err, b.server.Label())
	}
	for _, one := range tools {
		if one.Name == t.Name {
			t.Tool = toolOf(one)
			return t, nil
		}
	}
	return t, mcpcall.Failed("%s does not offer %s to this account; the call was not sent.", b.server.Label(), t.Name)
}

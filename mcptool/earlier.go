package mcptool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// Earlier reports whether the same call of a tool by the same person may have been
// begun before, and not be over. It is for a Shortcut, which leaves such a call to
// the SDK: TakeUp goes on with it. The arguments are in their canonical form.
func (a *Asker) Earlier(ctx context.Context, who parley.Principal, tool string, arguments json.RawMessage) (bool, error) {
	if who.User == "" {
		return false, nil
	}
	_, digest, err := target{Method: "tools/call", Name: tool, Arguments: arguments}.read()
	if err != nil {
		return false, err
	}
	prefix := callPrefix(who, digest)
	if a.owed.has(prefix) || len(a.atWork.leaving(prefix)) > 0 {
		return true, nil
	}
	if !who.IsPerson() {
		return a.left.has(prefix), nil
	}
	found, err := a.records.Scan(ctx, parley.Address{Tenant: who.Tenant, Kind: callKind, Key: prefix}, "", 1)
	return len(found) > 0, err
}

// takeUp looks for a call of the same person for the same thing that was given
// up, or whose node has died, and claims it. It returns nil when there is none.
// One that somebody still works on though its client has gone is waited for.
func (a *Asker) takeUp(ctx context.Context, who parley.Principal, digest string) (*page, error) {
	prefix := callPrefix(who, digest)
	if err := a.atWork.await(ctx, prefix); err != nil {
		return nil, err
	}
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		p, busy, err := a.claimFree(ctx, who, prefix)
		if p != nil || err != nil || !busy {
			return p, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
		}
	}
}

// takeUpMost bounds how many calls of one person for one thing are looked at.
const takeUpMost = 50

// claimFree claims one of the calls whose journals have keys that begin so. busy
// says that there is one without its client which its node still works on.
func (a *Asker) claimFree(ctx context.Context, who parley.Principal, prefix string) (claimed *page, busy bool, err error) {
	if p := a.owed.take(prefix); p != nil {
		return p, false, a.claimOwed(ctx, p)
	}
	if !who.IsPerson() && !a.left.has(prefix) {
		return nil, false, nil // a session lives on this node, which knows what it gave up
	}
	found, err := a.records.Scan(ctx, parley.Address{Tenant: who.Tenant, Kind: callKind, Key: prefix}, "", takeUpMost)
	if err != nil {
		return nil, false, fmt.Errorf("looking for an earlier call: %w", err)
	}
	for _, r := range found {
		p, err := parsePage(r)
		if err != nil {
			return nil, false, err
		}
		if p.Task != nil || a.owed.over(r.Key) {
			continue
		}
		free, err := a.free(ctx, p)
		if err != nil {
			return nil, false, err
		}
		if !free {
			busy = busy || p.Left
			continue
		}
		if err := a.unfold(ctx, p); errors.Is(err, parley.ErrNotFound) {
			continue // it is over
		} else if err != nil {
			return nil, false, err
		}
		if err := a.claim(ctx, p); err == nil {
			return p, false, a.dropExpired(ctx, p)
		} else if !errors.Is(err, parley.ErrConflict) {
			return nil, false, err
		}
	}
	return nil, busy, nil
}

// claimOwed goes on with a journal that could not be written. A result in it needs
// no store.
func (a *Asker) claimOwed(ctx context.Context, p *page) error {
	if len(p.Result) > 0 {
		return nil
	}
	err := a.claim(ctx, p)
	if err == nil {
		err = a.dropExpired(ctx, p)
	}
	if err != nil {
		p.Abandoned, p.Node = true, ""
		a.owed.add(p, false)
	}
	return err
}

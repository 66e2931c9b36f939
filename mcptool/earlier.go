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

// noticeTime is how long the same call waits for one of another session before it
// counts as another one: that the other's client has gone, or its node, may be
// noticed a moment after the new session's first request, on another connection or
// node.
const noticeTime = 250 * time.Millisecond

// takeUp looks for a call of the same person for the same thing that was given
// up, whose client has gone, or whose node has died, and claims it for a client. It
// returns nil when there is none. One that somebody still works on though its client
// has gone is waited for.
func (a *Asker) takeUp(ctx context.Context, who parley.Principal, digest string, by client) (*page, error) {
	prefix := callPrefix(who, digest)
	if err := a.atWork.await(ctx, prefix); err != nil {
		return nil, err
	}
	until, seen := time.Now().Add(noticeTime), a.node.Witness()
	for pause := 50 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		p, others, err := a.claimFree(ctx, who, prefix, by, seen)
		if p != nil || err != nil || !others.busy && !others.unsure && (!others.asked || time.Now().After(until)) {
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

// others are calls for the same that cannot be taken up.
type others struct {
	busy   bool // one without its client, which its node still works on
	asked  bool // one whose person is asked in another session
	unsure bool // one whose node may have died
}

// claimFree claims one of the calls whose journals have keys that begin so, for a
// client.
func (a *Asker) claimFree(ctx context.Context, who parley.Principal, prefix string, by client, seen *parley.Witness) (claimed *page, there others, err error) {
	if p := a.owed.take(prefix); p != nil {
		p.At = p.At.with(by.endpoint)
		return p, there, a.claimOwed(ctx, p)
	}
	if !who.IsPerson() && !a.left.has(prefix) {
		return nil, there, nil // a session lives on this node, which knows what it gave up
	}
	found, err := a.records.Scan(ctx, parley.Address{Tenant: who.Tenant, Kind: callKind, Key: prefix}, "", takeUpMost)
	if err != nil {
		return nil, there, fmt.Errorf("looking for an earlier call: %w", err)
	}
	for _, r := range found {
		p, err := parsePage(r)
		if err != nil {
			return nil, there, err
		}
		if p.Task != nil || a.owed.over(r.Key) {
			continue
		}
		free, err := a.free(ctx, p, by.session)
		if err != nil {
			return nil, there, err
		}
		if !free {
			unsure, err := seen.Doubts(ctx, p.Node, true)
			if err != nil {
				return nil, there, err
			}
			there.unsure = there.unsure || unsure
			there.busy = there.busy || p.Left
			there.asked = there.asked || p.Node != "" && p.Session != "" && p.Session != by.session && len(p.Asked) > 0
			continue
		}
		if err := a.unfold(ctx, p); errors.Is(err, parley.ErrNotFound) {
			continue // it is over
		} else if err != nil {
			return nil, there, err
		}
		p.Session, p.At = by.session, p.At.with(by.endpoint)
		if err := a.claim(ctx, p); err == nil {
			return p, there, a.renew(ctx, p)
		} else if !errors.Is(err, parley.ErrConflict) {
			return nil, there, err
		}
	}
	return nil, there, nil
}

// claimOwed goes on with a journal that could not be written. A result in it needs
// no store.
func (a *Asker) claimOwed(ctx context.Context, p *page) error {
	if len(p.Result) > 0 {
		return nil
	}
	if err := a.claim(ctx, p); err != nil {
		return err
	}
	return a.renew(ctx, p)
}

// renew readies a journal that was claimed for its call, or gives it back.
func (a *Asker) renew(ctx context.Context, p *page) error {
	err := a.dropExpired(ctx, p)
	if err != nil {
		a.giveBack(p)
	}
	return err
}

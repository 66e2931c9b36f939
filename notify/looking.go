package notify

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"time"

	"github.com/parley-hq/parley"
)

// lookingKind is the kind of the records that say who looks at their questions
// just now. They expire by themselves.
const lookingKind = "notify_looking"

// lookTime is for how long somebody who was seen looking is taken to look.
const lookTime = 30 * time.Second

func lookingAt(tenant, user, session string) parley.Address {
	key := url.PathEscape(user) + "/"
	if session != "" {
		key += url.PathEscape(session)
	}
	return parley.Address{Tenant: cmp.Or(tenant, parley.DefaultTenant), Kind: lookingKind, Key: key}
}

// Looking says that a person sees their questions for the next 30 s: all of them,
// as in an inbox, or with a session those of that conversation. Nobody is told of
// them so long. A surface calls it when it shows them and every 15 s from then on;
// of those that show the same, one writes.
func (o *Outbox) Looking(ctx context.Context, p parley.Principal, session string) error {
	if !p.IsPerson() {
		return nil
	}
	at := lookingAt(p.Tenant, p.User, session)
	until := now().Add(lookTime)
	_, err := parley.Update(ctx, o.records, at, func(r *parley.Record) (bool, error) {
		if r.Version != 0 && r.Expires.After(until.Add(-lookTime/3)) {
			return false, nil
		}
		r.Owner, r.Data, r.Expires = p.User, []byte("{}"), until
		return true, nil
	})
	o.seen.forget(at)
	return err
}

// lookEvery is how often KeepLooking says so.
const lookEvery = lookTime / 2

// KeepLooking calls Looking until ctx ends.
func (o *Outbox) KeepLooking(ctx context.Context, p parley.Principal, session string) {
	for {
		if err := o.Looking(ctx, p, session); err != nil && ctx.Err() == nil {
			o.opts.Logger.WarnContext(ctx, "presence not recorded", "err", err)
		}
		if !sleep(ctx, lookEvery) {
			return
		}
	}
}

// lookedAt returns until when somebody is known to see a question; zero: nobody does.
func (o *Outbox) lookedAt(ctx context.Context, r parley.Request) (time.Time, error) {
	until, err := o.looking(ctx, lookingAt(r.Tenant, r.To, ""))
	if err != nil || r.Session == "" {
		return until, err
	}
	there, err := o.looking(ctx, lookingAt(r.Tenant, r.To, r.Session))
	if there.After(until) {
		until = there
	}
	return until, err
}

func (o *Outbox) looking(ctx context.Context, at parley.Address) (time.Time, error) {
	return o.seen.get(at, func() (time.Time, error) {
		record, err := o.records.Load(ctx, at)
		if errors.Is(err, parley.ErrNotFound) {
			return time.Time{}, nil
		}
		return record.Expires, err
	})
}

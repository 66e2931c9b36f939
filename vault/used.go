package vault

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// When a connection was last used has a record of its own: the connection's would
// get in the way of whoever refreshes it. Requests only remember it; Run writes it
// down, once a minute at most. A process that is killed forgets that minute.
const usedKind = "connection_use"

const (
	usedEvery = time.Minute
	mostUsed  = 10_000          // connections that wait to be written down; more are left out
	lastWrite = 2 * time.Second // for what is left when Run ends
)

func (k Key) usedAddress() parley.Address {
	at := k.address()
	at.Kind = usedKind
	return at
}

// used is the record.
type used struct {
	At time.Time `json:"at"`
}

// uses are those of this process that are not written down yet.
type uses struct {
	mu      sync.Mutex
	waiting map[Key]time.Time
	written time.Time // when some last were
}

func (u *uses) note(key Key, at time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.waiting == nil {
		u.waiting = map[Key]time.Time{}
	}
	if _, known := u.waiting[key]; known || len(u.waiting) < mostUsed {
		u.waiting[key] = at
	}
}

// due takes what waits, if it is time for it.
func (u *uses) due(now time.Time) map[Key]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	if len(u.waiting) == 0 || now.Sub(u.written) < usedEvery {
		return nil
	}
	some := u.waiting
	u.waiting, u.written = nil, now
	return some
}

// all takes what waits.
func (u *uses) all() map[Key]time.Time {
	u.mu.Lock()
	defer u.mu.Unlock()
	some := u.waiting
	u.waiting = nil
	return some
}

// writeUses writes down when connections were used. What cannot be written is left
// out: the next use says it again.
func (v *Vault) writeUses(ctx context.Context, some map[Key]time.Time) {
	for key, at := range some {
		if ctx.Err() != nil {
			return
		}
		_, err := parley.Update(ctx, v.records, key.usedAddress(), func(r *parley.Record) (bool, error) {
			var before used
			if r.Version != 0 {
				if err := json.Unmarshal(r.Data, &before); err != nil {
					return false, err
				}
			}
			if !at.After(before.At) {
				return false, nil // another process used it later
			}
			var err error
			r.Owner = key.Owner
			r.Data, err = json.Marshal(used{at})
			return true, err
		})
		if err != nil && ctx.Err() == nil {
			v.opts.Logger.WarnContext(ctx, "last use of a connection not written down", "server", key.Server, "err", err)
		}
	}
}

// lastUses are when the connections of a list were used, by the keys of their records.
func (v *Vault) lastUses(ctx context.Context, from parley.Address) (map[string]time.Time, error) {
	from.Kind = usedKind
	all := map[string]time.Time{}
	for r, err := range parley.Each(ctx, v.records, from, "") {
		if err != nil {
			return nil, err
		}
		var one used
		if err := json.Unmarshal(r.Data, &one); err != nil {
			return nil, err
		}
		all[r.Key] = one.At
	}
	return all, nil
}

// forgetUse is for a connection that is no more.
func (v *Vault) forgetUse(ctx context.Context, key Key) error {
	err := v.records.Delete(ctx, key.usedAddress(), 0)
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	return err
}

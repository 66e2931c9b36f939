package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// A message with an id has a record that names its run. Whoever sends it again,
// to whichever process, is led to that run: only one is ever stored by the name.
const messageKind = "run_message"

func messageAddress(ref Ref, message string) parley.Address {
	digest := sha256.Sum256([]byte(message))
	return parley.Address{Tenant: ref.Tenant, Kind: messageKind, Key: ref.prefix() + hex.EncodeToString(digest[:])}
}

// claim returns the run of a message: the given one if the message is new, else
// the one that it was given before. started says that this run is stored: the
// process that gave the name may have died before it came to that.
func (rt *Runtime) claim(ctx context.Context, ref Ref, m Message) (_ Ref, started bool, err error) {
	name, err := json.Marshal(ref.Run)
	if err != nil {
		return ref, false, err
	}
	at := messageAddress(ref, m.ID)
	record := parley.Record{Address: at, Owner: ref.User, Data: name}
	if rt.opts.Keep > 0 { // as long as the run, if nobody lets it wait
		record.Expires = time.Now().Add(rt.opts.Keep + rt.ttl(m)).UTC().Truncate(time.Millisecond)
	}
	_, err = rt.records.Save(ctx, record)
	if !errors.Is(err, parley.ErrExists) {
		return ref, false, err
	}
	return rt.named(ctx, ref, m.ID)
}

// named returns the run of a message that was claimed before, or
// parley.ErrNotFound.
func (rt *Runtime) named(ctx context.Context, ref Ref, message string) (_ Ref, started bool, err error) {
	at := messageAddress(ref, message)
	record, err := rt.records.Load(ctx, at)
	if err != nil {
		return ref, false, err
	}
	if err := json.Unmarshal(record.Data, &ref.Run); err != nil {
		return ref, false, fmt.Errorf("message %s: %w", at.Key, err)
	}
	r, err := rt.load(ctx, ref)
	if errors.Is(err, parley.ErrNotFound) {
		return ref, false, nil
	}
	if err == nil && r.Status == Working {
		rt.enqueue(ctx, ref) // nothing happens if somebody drives it
	}
	return ref, err == nil, err
}

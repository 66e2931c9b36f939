package parley

import (
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

// Each returns the records of from's tenant and kind whose key begins with
// from.Key and comes after after, in the order of their keys. They are read page
// by page: what is stored, changed or deleted meanwhile may be missed, or not. An
// error is the last that is returned.
func Each(ctx context.Context, records Records, from Address, after string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for {
			page, err := records.Scan(ctx, from, after, MaxLimit)
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, r := range page {
				if after = r.Key; !yield(r, nil) {
					return
				}
			}
			if len(page) < MaxLimit {
				return
			}
		}
	}
}

// Update changes the record at an address. change gets what is there, with
// Version 0 if that is nothing, and reports whether it is to be stored; it is
// called again when somebody else was faster. Address and version are not its to
// choose. Update returns the record as change left it, with its new version.
//
// Errors: those of change, of Load and of Save, but neither ErrConflict nor
// ErrExists.
func Update(ctx context.Context, records Records, at Address, change func(*Record) (bool, error)) (Record, error) {
	for {
		r, err := records.Load(ctx, at)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return r, err
		}
		r.Address = at
		version := r.Version
		changed, err := change(&r)
		r.Address, r.Version = at, version
		if err != nil || !changed {
			return r, err
		}
		saved, err := records.Save(ctx, r)
		if err == nil {
			r.Version = saved
			return r, nil
		}
		if !Overtaken(err) {
			return r, err
		}
		if err := ctx.Err(); err != nil {
			return r, err
		}
	}
}

// Put stores r in place of whatever is at its address.
func Put(ctx context.Context, records Records, r Record) (version int64, err error) {
	next, err := Update(ctx, records, r.Address, func(old *Record) (bool, error) {
		*old = r
		return true, nil
	})
	return next.Version, err
}

// Overtaken reports whether a Save failed because somebody else was faster.
func Overtaken(err error) bool {
	return errors.Is(err, ErrConflict) || errors.Is(err, ErrExists)
}

// Lease calls do while nobody else, in whatever process, has a lease of the same
// address. It waits for its turn. A process that dies keeps it for ttl at most,
// and do should be well done by then: whoever takes longer is not alone any more,
// which Lease does not tell. Errors: do's, those of Save and Delete, and the cause
// of ctx's end.
func Lease(ctx context.Context, records Records, at Address, ttl time.Duration, do func() error) error {
	version, err := takeLease(ctx, records, at, ttl)
	if err != nil {
		return err
	}
	err = do()
	over := records.Delete(context.WithoutCancel(ctx), at, version)
	if err == nil && over != nil && !errors.Is(over, ErrNotFound) && !errors.Is(over, ErrConflict) {
		return over
	}
	return err
}

func takeLease(ctx context.Context, records Records, at Address, ttl time.Duration) (version int64, err error) {
	const pause = 10 * time.Millisecond
	for {
		ends := time.Now().UTC().Truncate(time.Millisecond).Add(ttl)
		version, err = records.Save(ctx, Record{Address: at, Data: []byte("{}"), Expires: ends})
		if !errors.Is(err, ErrExists) {
			return version, err
		}
		if !patience.Sleep(ctx, pause/2+rand.N(pause)) {
			return 0, context.Cause(ctx)
		}
	}
}

package parley

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"time"

	"github.com/parley-hq/parley/internal/patience"
)

// Each returns the records of from's tenant and kind whose key begins with
// from.Key and comes after after, in the order of their keys. They are read page
// by page: what is stored, changed or deleted meanwhile may be missed, or not.
//
// A record that does not open is an *UnopenedError, after which the others follow: who
// works on all of them passes over it, and who may leave none out fails. Another error
// is the last that is returned.
func Each(ctx context.Context, records Records, from Address, after string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		limit := MaxLimit
		for {
			page, err := records.Scan(ctx, from, after, limit)
			var unopened *UnopenedError
			if errors.As(err, &unopened) && unopened.Key > after {
				if limit > 1 { // those before it open: they are read one by one
					limit = 1
					continue
				}
				if after, limit = unopened.Key, MaxLimit; !yield(Record{}, err) {
					return
				}
				continue
			}
			if err != nil {
				yield(Record{}, err)
				return
			}
			for _, r := range page {
				if after = r.Key; !yield(r, nil) {
					return
				}
			}
			if len(page) < limit {
				return
			}
		}
	}
}

// UnopenedError says that a record does not open: it was sealed with a secret that is
// not here, was stored in plain, or was damaged. Others may open.
type UnopenedError struct {
	Address
	Err error
}

func (e *UnopenedError) Error() string {
	return fmt.Sprintf("record %q of kind %q, tenant %q: %v", e.Key, e.Kind, e.Tenant, e.Err)
}

// Unwrap returns why.
func (e *UnopenedError) Unwrap() error { return e.Err }

// Unopened reports whether an error is about one record, which does not open.
func Unopened(err error) bool {
	var e *UnopenedError
	return errors.As(err, &e)
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

package seal

import (
	"context"

	"github.com/parley-hq/parley"
)

// RecordsOptions tune Records.
type RecordsOptions struct {
	// AcceptPlain lets records that were stored in plain be read; they are
	// sealed when they are next saved. It is for the time in which an existing
	// installation moves to encryption, and no longer: while it is set, whoever
	// can write to the database can put a record of their own there. It counts
	// on plain data being text. Default: false, a plain record is
	// parley.ErrNotSealed.
	AcceptPlain bool
}

// Records returns a parley.Records that seals Data on its way into inner and
// opens them on their way out; opts may be nil. Address, owner and expiry stay
// readable, and a record whose data were moved to another address or whose
// owner was changed does not open.
//
// Load and Scan return the errors of Keyring.Open and parley.ErrNotSealed in a
// *parley.UnopenedError, which has the address. Scan fails as a whole on the first record that does not open: a
// list that leaves something out in silence is worse than none.
//
// When inner is a parley.Sweeper, the result is one as well.
func Records(inner parley.Records, k *Keyring, opts *RecordsOptions) parley.Records {
	if opts == nil {
		opts = &RecordsOptions{}
	}
	r := &records{Records: inner, keys: k, acceptPlain: opts.AcceptPlain}
	if s, ok := inner.(parley.Sweeper); ok {
		return &sweepingRecords{records: r, Sweeper: s}
	}
	return r
}

// RecordBinding is what Records binds the data of a record to: rotation jobs
// pass it to Keyring.Rewrap.
func RecordBinding(at parley.Address, owner string) parley.Binding {
	return parley.Binding{Tenant: at.Tenant, Purpose: "record:" + at.Kind, Owner: owner, Key: at.Key}
}

// records leaves Delete to the records it wraps.
type records struct {
	parley.Records
	keys        *Keyring
	acceptPlain bool
}

type sweepingRecords struct {
	*records
	parley.Sweeper
}

var (
	_ parley.Records = (*records)(nil)
	_ parley.Sweeper = (*sweepingRecords)(nil)
)

func (r *records) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	rec, err := r.Records.Load(ctx, at)
	if err != nil {
		return parley.Record{}, err
	}
	return r.open(at, rec)
}

func (r *records) Save(ctx context.Context, rec parley.Record) (int64, error) {
	sealed, err := r.keys.Seal(rec.Data, RecordBinding(rec.Address, rec.Owner))
	if err != nil {
		return 0, failed(rec.Address, err)
	}
	rec.Data = sealed
	return r.Records.Save(ctx, rec)
}

func (r *records) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	found, err := r.Records.Scan(ctx, from, after, limit)
	if err != nil {
		return nil, err
	}
	for i, rec := range found {
		at := parley.Address{Tenant: from.Tenant, Kind: from.Kind, Key: rec.Key}
		if found[i], err = r.open(at, rec); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// open takes the address that was asked for, not the one that rec claims.
func (r *records) open(at parley.Address, rec parley.Record) (parley.Record, error) {
	if !Sealed(rec.Data) {
		if r.acceptPlain {
			return rec, nil
		}
		return parley.Record{}, failed(at, parley.ErrNotSealed)
	}
	plain, err := r.keys.Open(rec.Data, RecordBinding(at, rec.Owner))
	if err != nil {
		return parley.Record{}, failed(at, err)
	}
	rec.Data = plain
	return rec, nil
}

func failed(at parley.Address, err error) error {
	return &parley.UnopenedError{Address: at, Err: err}
}

package parley

import (
	"context"
	"slices"
	"time"
)

// Address names a record.
type Address struct {
	Tenant string
	Kind   string // what it is: "connection", "grant", "call"
	Key    string
}

// Record is a document with a version.
type Record struct {
	Address
	Owner   string // the person it belongs to, if any; bound to the data when it is sealed
	Data    []byte
	Version int64     // set by the store; never used twice for one address
	Expires time.Time // zero: never. An expired record is as good as deleted
}

// Clone returns a copy that shares no memory with r.
func (r Record) Clone() Record {
	r.Data = slices.Clone(r.Data)
	return r
}

// Records remembers everything that is not a request: versioned documents by
// kind and key. Times and copies are as in Store.
type Records interface {
	// Load returns the record or ErrNotFound.
	Load(ctx context.Context, at Address) (Record, error)

	// Save stores r and returns its new version. With Version 0 it creates the
	// record, or returns ErrExists. Otherwise it replaces exactly that version:
	// ErrConflict when the stored version is another or the record is gone.
	Save(ctx context.Context, r Record) (version int64, err error)

	// Delete removes the record at that version, or at any when it is 0.
	// ErrNotFound, or ErrConflict when the version is another.
	Delete(ctx context.Context, at Address, version int64) error

	// Scan lists the records of from's tenant and kind whose key begins with
	// from.Key and comes after after, in the byte order of their keys; limit as
	// in Query.
	Scan(ctx context.Context, from Address, after string, limit int) ([]Record, error)
}

// ScanLimit returns limit within its bounds.
func ScanLimit(limit int) int { return boundedLimit(limit) }

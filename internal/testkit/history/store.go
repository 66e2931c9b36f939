package history

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
)

// entry is a line of a file: the beginning of an operation, or its end.
type entry struct {
	N  int64 // of the operation; the process counts
	At int64
	Op *Op `json:",omitempty"` // nil: it ends

	End      string `json:",omitempty"`
	Got      int64  `json:",omitempty"`
	GotClaim string `json:",omitempty"`
}

// Record returns a store that does what inner does, with its abilities, and writes
// it down. clock is the time in nanoseconds that all processes share; each line is
// one write, which a process that is killed after it has made.
func Record(inner backend.Store, to io.Writer, clock func() int64) backend.Store {
	s := &recorded{Store: inner, to: to, clock: clock}
	if a, ok := inner.(parley.Attendance); ok {
		return &attending{recorded: s, Attendance: a}
	}
	return s
}

type recorded struct {
	backend.Store
	clock func() int64

	mu sync.Mutex
	to io.Writer
	n  int64
}

type attending struct {
	*recorded
	parley.Attendance
}

// begin writes down that an operation begins. What the result is called with is
// how it ended.
func (s *recorded) begin(o Op) (end func(err error, got int64, claim string)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
	n := s.n
	s.write(entry{N: n, At: s.clock(), Op: &o})
	return func(err error, got int64, claim string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.write(entry{N: n, At: s.clock(), End: endOf(err), Got: got, GotClaim: claim})
	}
}

// write has mu. What cannot be written is missing: the check says so by what it
// cannot explain.
func (s *recorded) write(e entry) {
	if line, err := json.Marshal(e); err == nil {
		_, _ = s.to.Write(append(line, '\n'))
	}
}

func (s *recorded) Put(ctx context.Context, r parley.Request, maxPending int) error {
	end := s.begin(Op{Do: "put", ID: r.ID})
	err := s.Store.Put(ctx, r, maxPending)
	end(err, 0, "")
	return err
}

func (s *recorded) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	end := s.begin(Op{Do: "get", ID: id})
	r, err := s.Store.Get(ctx, id)
	claim := ""
	if r.Outcome != nil {
		claim = r.Outcome.Claim
	}
	end(err, 0, claim)
	return r, err
}

func (s *recorded) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	end := s.begin(Op{Do: "settle", ID: id, Claim: o.Claim})
	err := s.Store.Settle(ctx, id, o)
	end(err, 0, "")
	return err
}

func (s *recorded) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	end := s.begin(Op{Do: "load", At: at})
	r, err := s.Store.Load(ctx, at)
	end(err, r.Version, "")
	return r, err
}

func (s *recorded) Save(ctx context.Context, r parley.Record) (int64, error) {
	o := Op{Do: "save", At: r.Address, Owner: r.Owner, Version: r.Version}
	if !r.Expires.IsZero() {
		o.Expires = r.Expires.UnixMilli()
	}
	if r.Kind == leaseKind {
		o.Data = r.Data
	}
	end := s.begin(o)
	version, err := s.Store.Save(ctx, r)
	end(err, version, "")
	return version, err
}

func (s *recorded) Delete(ctx context.Context, at parley.Address, version int64) error {
	end := s.begin(Op{Do: "delete", At: at, Version: version})
	err := s.Store.Delete(ctx, at, version)
	end(err, 0, "")
	return err
}

// Sweep passes the ability on: a store that forgets by itself has nothing to do.
func (s *recorded) Sweep(ctx context.Context, now time.Time) error {
	if inner, ok := s.Store.(parley.Sweeper); ok {
		return inner.Sweep(ctx, now)
	}
	return nil
}

// CountPending passes the ability on; errors.ErrUnsupported where there is none.
func (s *recorded) CountPending(ctx context.Context) (int, error) {
	if inner, ok := s.Store.(parley.Counter); ok {
		return inner.CountPending(ctx)
	}
	return 0, errors.ErrUnsupported
}

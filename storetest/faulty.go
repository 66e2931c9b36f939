package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// ErrInjected is what a faulty backend fails with.
var ErrInjected = errors.New("injected fault")

// Fault is how often a method fails, from 0 to 1.
type Fault struct {
	Before float64 // nothing is done, and the caller sees an error
	After  float64 // everything is done, and the caller sees a time-out
}

// Faults says what fails, method by method. The zero value fails never.
type Faults struct {
	Put, Get, Settle, List   Fault
	Load, Save, Delete, Scan Fault
	LoseHint, RepeatHint     float64 // of the ids that Watch reports
	BreakWatch               float64 // chance, at each hint, that Watch breaks off
	Seed                     uint64
}

// Everything returns faults at one rate in every method.
func Everything(rate float64, seed uint64) Faults {
	f := Fault{Before: rate / 2, After: rate / 2}
	return Faults{
		Put: f, Get: f, Settle: f, List: f, Load: f, Save: f, Delete: f, Scan: f,
		LoseHint: rate, RepeatHint: rate, BreakWatch: rate, Seed: seed,
	}
}

// Faulty returns a backend that does what inner does, and fails as told. It
// never lies about success: what it reports as done is done.
func Faulty(inner Backend, faults Faults) Backend {
	return &faulty{inner: inner, faults: faults, rand: rand.New(rand.NewPCG(faults.Seed, faults.Seed))}
}

type faulty struct {
	inner  Backend
	faults Faults

	mu   sync.Mutex
	rand *rand.Rand
}

func (f *faulty) happens(rate float64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.rand.Float64() < rate
}

// fail calls op between the two chances to fail.
func (f *faulty) fail(method string, fault Fault, op func() error) error {
	if f.happens(fault.Before) {
		return fmt.Errorf("%s: %w", method, ErrInjected)
	}
	err := op()
	if f.happens(fault.After) {
		return fmt.Errorf("%s: %w: %w", method, ErrInjected, context.DeadlineExceeded)
	}
	return err
}

func (f *faulty) Put(ctx context.Context, r parley.Request, maxPending int) error {
	return f.fail("Put", f.faults.Put, func() error { return f.inner.Put(ctx, r, maxPending) })
}

func (f *faulty) Get(ctx context.Context, id parley.ID) (r parley.Request, err error) {
	err = f.fail("Get", f.faults.Get, func() (err error) {
		r, err = f.inner.Get(ctx, id)
		return err
	})
	return r, err
}

func (f *faulty) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	return f.fail("Settle", f.faults.Settle, func() error { return f.inner.Settle(ctx, id, o) })
}

func (f *faulty) List(ctx context.Context, q parley.Query) (list []parley.Request, err error) {
	err = f.fail("List", f.faults.List, func() (err error) {
		list, err = f.inner.List(ctx, q)
		return err
	})
	return list, err
}

// Watch loses and repeats hints, and breaks off.
func (f *faulty) Watch(ctx context.Context, settled func(parley.ID)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	err := f.inner.Watch(ctx, func(id parley.ID) {
		switch {
		case id == "":
			settled(id)
		case f.happens(f.faults.BreakWatch):
			cancel(fmt.Errorf("Watch: %w", ErrInjected))
		case f.happens(f.faults.LoseHint):
		case f.happens(f.faults.RepeatHint):
			settled(id)
			settled(id)
		default:
			settled(id)
		}
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func (f *faulty) Load(ctx context.Context, at parley.Address) (r parley.Record, err error) {
	err = f.fail("Load", f.faults.Load, func() (err error) {
		r, err = f.inner.Load(ctx, at)
		return err
	})
	return r, err
}

func (f *faulty) Save(ctx context.Context, r parley.Record) (version int64, err error) {
	err = f.fail("Save", f.faults.Save, func() (err error) {
		version, err = f.inner.Save(ctx, r)
		return err
	})
	return version, err
}

func (f *faulty) Delete(ctx context.Context, at parley.Address, version int64) error {
	return f.fail("Delete", f.faults.Delete, func() error { return f.inner.Delete(ctx, at, version) })
}

func (f *faulty) Scan(ctx context.Context, from parley.Address, after string, limit int) (list []parley.Record, err error) {
	err = f.fail("Scan", f.faults.Scan, func() (err error) {
		list, err = f.inner.Scan(ctx, from, after, limit)
		return err
	})
	return list, err
}

// CountPending passes the ability on.
func (f *faulty) CountPending(ctx context.Context) (int, error) {
	return f.inner.(parley.Counter).CountPending(ctx)
}

// Sweep passes the ability on.
func (f *faulty) Sweep(ctx context.Context, now time.Time) error {
	if s, ok := f.inner.(parley.Sweeper); ok {
		return s.Sweep(ctx, now)
	}
	return nil
}

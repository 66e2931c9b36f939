package mcpcall

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// A parked call is written down for other nodes, and for who comes when nobody waits any
// more. Most are answered and over before either could be: whoever waits here has what
// the server says without it.
const (
	recordAfter = 50 * time.Millisecond // the server asked
	stepAfter   = 50 * time.Millisecond // it said something to who waits here for it
)

// keep writes the call's record, and its steps as they come, until it is over. A store
// that is away is tried again: what the server said is in memory until it is stored.
func (p *parkedCall) keep(ctx context.Context) {
	due := time.NewTimer(recordAfter)
	defer due.Stop()
	for {
		select {
		case <-ctx.Done():
			p.close(ctx)
			return
		case <-due.C:
		case <-p.dirty:
			p.handOver(ctx)
		}
		for pause := 50 * time.Millisecond; ctx.Err() == nil; pause = min(2*pause, 2*time.Second) {
			err := p.flush(ctx)
			if err == nil || ctx.Err() != nil {
				break
			}
			p.all.calls.opts.Logger.Error("parked call's result not written; trying again", "server", p.request.Target.Server.Name, "err", err)
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	}
}

// handOver gives whoever waits here for a step the time to take it, and the call to be
// over by that.
func (p *parkedCall) handOver(ctx context.Context) {
	p.mu.Lock()
	awaited := p.awaited
	p.mu.Unlock()
	if awaited == 0 {
		return
	}
	timer := time.NewTimer(stepAfter)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// close leaves the records as they are to be: gone, or with all that was said.
func (p *parkedCall) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	p.mu.Lock()
	forgotten, said := p.forgotten, len(p.steps)
	p.mu.Unlock()
	if !forgotten {
		if said > 0 {
			_ = p.flush(ctx)
		}
		return
	}
	ctx = parley.FlushLater(ctx) // what a power cut brings back is of a call that is over, and expires
	for step := range p.tried {
		err := p.all.calls.opts.Parked.Records.Delete(ctx, stepAddress(p.address(), step), 0)
		if err != nil && !errors.Is(err, parley.ErrNotFound) {
			p.all.calls.opts.Logger.Warn("parked call's record not deleted", "err", err)
		}
	}
}

// flush writes the steps that are not stored yet, and then how many there are.
func (p *parkedCall) flush(ctx context.Context) error {
	p.mu.Lock()
	steps, from, ended := slices.Clone(p.steps), p.written, p.ended
	p.mu.Unlock()
	if from == len(steps) && p.version != 0 {
		return nil
	}
	p.tried = 1 + len(steps)
	for i := from; i < len(steps); i++ {
		// One that exists was written by an attempt whose reply was lost. The disk has it
		// with the record.
		if _, err := p.write(parley.FlushLater(ctx), stepAddress(p.address(), i+1), 0, steps[i]); err != nil && !errors.Is(err, parley.ErrExists) {
			return err
		}
	}
	p.record.Said, p.record.Ended = len(steps), ended
	if len(steps) == 0 { // a power cut that takes it takes the connection as well
		ctx = parley.FlushLater(ctx)
	}
	if err := p.save(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.written = len(steps)
	p.slim()
	return nil
}

// slim lets go of what is stored and large, unless somebody waits for it. mu is
// held.
func (p *parkedCall) slim() {
	if p.awaited > 0 {
		return
	}
	for i, r := range p.steps[:p.written] {
		if r != nil && len(r.Result) > heldBytes {
			p.steps[i] = nil
		}
	}
}

// save writes the record. Only this node does, so what is there is its own.
func (p *parkedCall) save(ctx context.Context) error {
	version, err := p.write(ctx, p.address(), p.version, p.record)
	if parley.Overtaken(err) {
		there, loadErr := p.all.calls.opts.Parked.Records.Load(ctx, p.address())
		if loadErr != nil {
			return loadErr
		}
		version, err = p.write(ctx, p.address(), there.Version, p.record)
	}
	p.version = version
	return err
}

// write stores a value. When it cannot be, the version is what it was.
func (p *parkedCall) write(ctx context.Context, at parley.Address, version int64, value any) (int64, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return version, err
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	next, err := p.all.calls.opts.Parked.Records.Save(ctx, parley.Record{
		Address: at, Owner: p.request.Who.User, Data: data, Version: version,
		Expires: time.Now().Add(p.all.calls.opts.TTL + parkedFor),
	})
	if err != nil {
		return version, err
	}
	return next, nil
}

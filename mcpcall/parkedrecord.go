package mcpcall

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// keep writes the call's steps as they come, until it is over. A store that is
// away is tried again: what the server said is in memory until it is stored.
func (p *parkedCall) keep(ctx context.Context) {
	g := p.all.calls
	for {
		select {
		case <-ctx.Done():
			p.close(ctx)
			return
		case <-p.dirty:
		}
		for pause := 50 * time.Millisecond; ; pause = min(2*pause, 2*time.Second) {
			err := p.flush(ctx)
			if err == nil || ctx.Err() != nil {
				break
			}
			g.opts.Logger.Error("parked call's result not written; trying again", "server", p.request.Target.Server.Name, "err", err)
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
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
		_ = p.flush(ctx)
		return
	}
	ctx = parley.FlushLater(ctx) // what a power cut brings back is of a call that is over, and expires
	for step := range said + 1 {
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
	if from == len(steps) {
		return nil
	}
	for i := from; i < len(steps); i++ {
		// One that exists was written by an attempt whose reply was lost. The disk has it
		// with the record.
		if _, err := p.write(parley.FlushLater(ctx), stepAddress(p.address(), i+1), 0, steps[i]); err != nil && !errors.Is(err, parley.ErrExists) {
			return err
		}
	}
	p.record.Said, p.record.Ended = len(steps), ended
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

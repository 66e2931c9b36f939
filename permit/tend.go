package permit

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

// What waits for approvers is listed for all tenants at once: every process looks
// after all.
const (
	everybody   = "-approvals"
	waitingKind = "permission_waiting"
)

func listing(o owner, round string) parley.Address {
	return parley.Address{Tenant: everybody, Kind: waitingKind, Key: url.PathEscape(o.tenant) + "/" + url.PathEscape(o.user) + "/" + round}
}

// enlist lists a quorum before anybody is asked, so that whoever looks finds it.
func (p *Permits) enlist(ctx context.Context, o owner, e entry) error {
	_, err := p.table.records.Save(ctx, parley.Record{Address: listing(o, e.round()), Data: []byte("{}")})
	if errors.Is(err, parley.ErrExists) {
		return nil
	}
	return err
}

func (p *Permits) delist(ctx context.Context, o owner, round string) error {
	return p.table.persist(ctx, func() error {
		err := p.table.records.Delete(ctx, listing(o, round), 0)
		if errors.Is(err, parley.ErrNotFound) {
			return nil
		}
		return err
	})
}

// Settled is a hook for the hub, after publish: whoever's answer decides about a call
// settles what waits for it, and withdraws the questions to the other approvers. It
// also logs what each person said.
func (p *Permits) Settled(ctx context.Context, a *parley.Answering) error {
	p.logSaid(ctx, a)
	o, round, ok := quorumOf(a.Request)
	byProgram := a.Outcome.By == "" && a.Outcome.Action != parley.Expire
	if !ok || byProgram && !(a.Request.OnlyTells() && a.Outcome.Action == parley.Cancel) {
		return nil // it is what this hook does
	}
	return p.tend(context.WithoutCancel(ctx), o, round)
}

// Opened is a hook for the hub, after store: a decision that came before the
// question which waits for it was open settles it.
func (p *Permits) Opened(ctx context.Context, a *parley.Opening) error {
	o, round, ok := quorumOf(a.Request)
	if !ok || !a.Request.OnlyTells() {
		return nil
	}
	if err := p.tend(context.WithoutCancel(ctx), o, round); err != nil { // Run does it
		p.opts.Logger.WarnContext(ctx, "call that waits for approvers not looked after", "err", err)
	}
	return nil
}

// quorumOf reads from the labels of a question what it belongs to. They are believed
// so far that somebody looks there.
func quorumOf(q parley.Request) (o owner, round string, ok bool) {
	round = q.Labels[LabelQuorum]
	o = owner{q.Tenant, q.Labels[LabelAsker]}
	if q.OnlyTells() {
		o.user = q.To
	}
	return o, round, round != "" && o.user != ""
}

// tend hears what was said to a quorum, and ends what is to end when it is decided.
// It asks nobody: that is for whoever has the call.
func (p *Permits) tend(ctx context.Context, o owner, round string) error {
	id, _, _ := strings.Cut(round, ".")
	var e *entry
	err := p.table.persist(ctx, func() (err error) {
		e, err = p.table.load(ctx, o, permissionKind, id)
		return err
	})
	switch {
	case err != nil:
		return err
	case e == nil || e.Quorum == nil || e.round() != round:
		return p.delist(ctx, o, round)
	}
	current := *e
	if current.undecided() {
		news, err := p.round(current.Quorum, parley.Request{Tenant: o.tenant}).Read(ctx, current.Quorum.Asked)
		if err != nil {
			return err
		}
		gone, err := p.ended(ctx, o, current.Quorum)
		if err != nil {
			return err
		}
		if current, err = p.takeDown(ctx, o, current, news, gone); err != nil {
			return err
		}
	}
	if current.undecided() && current.round() == round {
		_, err := p.closeOvertaken(ctx, current.Quorum.Asked, nil)
		return err
	}
	if current.round() != round {
		return nil
	}
	_, err = p.finish(ctx, o, current)
	return err
}

// finish ends what is still open of a quorum that is decided, and returns it as it is
// then: where everybody took their call back before they were told, there is nothing
// to use. It stays listed while there may be a question that waits for it and is not
// open yet.
func (p *Permits) finish(ctx context.Context, o owner, e entry) (entry, error) {
	unopened, err := p.tell(ctx, e, e.action(), e.verdict())
	if err != nil {
		return e, err
	}
	if e, err = p.heed(ctx, o, e); err != nil {
		return e, err
	}
	if err := e.Quorum.Asked.Dismiss(ctx, p.hub, e.verdict()); err != nil || len(unopened) > 0 {
		return e, err
	}
	return e, p.delist(ctx, o, e.round())
}

// Run looks after the calls that wait for approvers until ctx ends: what a process
// left undone that died between an answer and what follows from it is done here. It
// returns ctx's error.
func (p *Permits) Run(ctx context.Context) error {
	var trouble quietlog.Trouble
	for {
		trouble.Note(ctx, p.opts.Logger, "calls that wait for approvers not looked after", p.sweep(ctx))
		if !patience.Sleep(ctx, p.opts.SweepEvery) {
			return ctx.Err()
		}
	}
}

// sweep looks after all, and returns the last error.
func (p *Permits) sweep(ctx context.Context) (failed error) {
	for record, err := range parley.Each(ctx, p.table.records, parley.Address{Tenant: everybody, Kind: waitingKind}, "") {
		if err == nil {
			err = p.tendListed(ctx, record.Key)
		}
		if err != nil {
			failed = err
		}
		if err != nil && !parley.Unopened(err) && !errors.Is(err, errDamaged) {
			return err // it is tried again
		}
	}
	return failed
}

func (p *Permits) tendListed(ctx context.Context, key string) error {
	parts := strings.SplitN(key, "/", 3)
	if len(parts) != 3 {
		return fmt.Errorf("listed as %.80q: %w", key, errDamaged)
	}
	tenant, err := url.PathUnescape(parts[0])
	if err != nil {
		return err
	}
	user, err := url.PathUnescape(parts[1])
	if err != nil {
		return err
	}
	return p.tend(ctx, owner{tenant, user}, parts[2])
}

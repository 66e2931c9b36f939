package permit

import (
	"context"
	"errors"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/quorum"
)

// An approver and their deputy have one voice: who of them says something first has
// said it for both, and the other is not asked any more.

// withDeputies are the people of a panel and who is asked in their place besides them.
// One stands in for one.
func (p *Permits) withDeputies(ctx context.Context, s subject, panel []string) quorum.Panel {
	all := quorum.New(panel)
	if p.opts.Deputy == nil {
		return all
	}
	for _, approver := range panel {
		name, err := p.opts.Deputy(ctx, s.Tenant, approver)
		if err != nil {
			p.opts.Logger.WarnContext(ctx, "deputy of an approver not found", "err", err)
		}
		if _, known := all[name]; err == nil && !known && name != s.User && checkApprover(name) == nil && len(all) < maxApprovers {
			all[name] = quorum.Asked{ID: parley.NewID(), For: approver}
		}
	}
	return all
}

// closeOvertaken withdraws the questions to those whose voice has spoken, and returns
// which of open are left.
func (p *Permits) closeOvertaken(ctx context.Context, asked quorum.Panel, open []parley.ID) ([]parley.ID, error) {
	for name, by := range asked.Overtaken() {
		err := p.hub.Cancel(ctx, asked[name].ID, label(by, "")+" answered, which counts for both")
		if err != nil && !errors.Is(err, parley.ErrSettled) && !errors.Is(err, parley.ErrNotFound) {
			return nil, err
		}
		open = slices.DeleteFunc(open, func(id parley.ID) bool { return id == asked[name].ID })
	}
	return open, nil
}

// isBack is why a deputy is not asked any more.
const isBack = "who was away is there again"

// Deputize asks the deputy of an approver the same as the approver's question that is
// still open; without a deputy it withdraws what one was asked and has not answered:
// the approver is there again. Both have one voice. It may be called again and again
// like Extend.
//
// The caller answers for the name: whoever is named can approve.
func (p *Permits) Deputize(ctx context.Context, r parley.Request, deputy string) error {
	e, err := p.quorumFor(ctx, r)
	if err != nil || e == nil || !e.undecided() || e.Quorum.Asked[r.To].ID != r.ID {
		return err
	}
	back := false
	for name, a := range e.Quorum.Asked {
		if name == deputy || a.For != r.To || !a.Said.IsZero() {
			continue
		}
		err := p.hub.Cancel(ctx, a.ID, isBack)
		if err != nil && !errors.Is(err, parley.ErrSettled) && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
		back = true
	}
	if back { // who is not asked any more can be asked again, also in their own right
		o, round, _ := quorumOf(r)
		if err := p.tend(ctx, o, round); err != nil {
			return err
		}
	}
	if deputy == "" {
		return nil
	}
	return p.extend(ctx, r, r.To, deputy)
}

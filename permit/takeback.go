package permit

import (
	"context"
)

// A call that waits is taken back by its question, and so is the decision told by it:
// of both the hub takes one. So whoever took their call back has it in the question,
// and what approvers allowed is good only for calls whose question does not say so.
// That is written into the quorum before anything is used or forgotten.

// heeded is an entry that grants with what became of the questions that wait for it.
func (p *Permits) heeded(ctx context.Context, o owner, e *entry) (*entry, error) {
	if e == nil || e.Quorum == nil || e.Effect != Allow || e.used() {
		return e, nil
	}
	gone, err := p.ended(ctx, o, e.Quorum)
	if err != nil {
		return nil, err
	}
	e.leave(gone)
	return e, nil
}

// leave notes calls that do not wait any more for what was allowed, and reports
// whether that is new. When all are taken back there is nothing left to use.
func (e *entry) leave(gone map[string]wait) (changed bool) {
	if changed = e.Quorum.leave(gone); changed && e.Effect == Allow && e.Quorum.allLeft() {
		e.Effect, e.Quorum.Left = "", now()
	}
	return changed
}

// heed stores what heeded finds, and returns the entry as it is stored.
func (p *Permits) heed(ctx context.Context, o owner, e entry) (current entry, err error) {
	current = e
	if e.Effect != Allow || e.used() {
		return current, nil
	}
	gone, err := p.ended(ctx, o, e.Quorum)
	if err != nil || len(gone) == 0 {
		return current, err
	}
	err = p.table.persist(ctx, func() error {
		stored, err := p.table.load(ctx, o, permissionKind, e.id)
		if err != nil || stored == nil || stored.Quorum == nil || stored.Quorum.Round != e.Quorum.Round {
			return err // another one has taken its place
		}
		current = *stored
		if current.used() || !current.leave(gone) {
			return nil
		}
		return p.table.save(ctx, o, permissionKind, current)
	})
	return current, err
}

// takenBack reports whether the person took this very call back.
func (e *entry) takenBack(s subject) bool { return e.Quorum.Waits[s.ID].Back }

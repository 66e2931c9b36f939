package permit

import (
	"context"
	"errors"
	"strings"

	"github.com/parley-hq/parley"
)

// LabelRule is the label of a question to an approver that names the rule.
const LabelRule = "rule"

// Extend asks others the same as an approver is asked by a question that is still
// open: whom a rule names next. Their word counts like an approver's; a deputy's does
// not, see Deputize.
// Who is asked already, and the person whose call it is, are left out. With of it is
// done only where these are the approvers of the call. It may be called again and
// again, by any process, and each may die anywhere; where there is nothing to extend
// it does nothing.
//
// The caller answers for the names: whoever is named can approve.
func (p *Permits) Extend(ctx context.Context, r parley.Request, of *Approvers, to ...string) error {
	o, round, ok := quorumOf(r)
	if !ok || r.OnlyTells() {
		return nil
	}
	if of != nil {
		id, _, _ := strings.Cut(round, ".")
		e, err := p.table.load(ctx, o, permissionKind, id)
		if err != nil || e == nil || e.Quorum == nil || !of.distinct().equal(e.Quorum.Approvers.distinct()) {
			return err
		}
	}
	return p.extend(ctx, r, "", to...)
}

// extend asks others the same as an open question, in somebody's place or their own.
func (p *Permits) extend(ctx context.Context, r parley.Request, place string, to ...string) error {
	q, err := p.hub.Get(ctx, parley.OwnerOf(r.Tenant, r.To), r.ID)
	if errors.Is(err, parley.ErrNotFound) || err == nil && !q.Pending() {
		return nil
	}
	if err != nil {
		return err
	}
	for _, name := range to {
		if name == r.Labels[LabelAsker] || checkApprover(name) != nil {
			continue
		}
		err := p.askAlso(ctx, q, name, place)
		switch {
		case errors.Is(err, parley.ErrNotFound), errors.Is(err, parley.ErrSettled):
			return nil
		case err != nil && !errors.Is(err, parley.ErrTooManyPending): // of these, next time
			return err
		}
	}
	return nil
}

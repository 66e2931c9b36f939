package permit

import (
	"context"
	"crypto/rand"
	"fmt"
)

// Consume lets a call through: it is called right before the tool is, and the
// tool is called only when it returns nil. For one Call.ID it does so at most
// once, in whatever process. An allow_once, or what approvers allowed, is used up
// by compare-and-swap; a standing permission is looked up again, so that one revoked or expired since
// Check does not count. A call that needs no approval by its rule passes without
// a trace. Of a call that was allowed with other arguments (Decision.Changed) it lets
// through the one with these, as Call.Changed, and not the call as it was.
//
// Errors: *NotPermittedError; ErrConsumed when the call was let through before,
// which after a crash means that it was started and its result is not known;
// ErrRule, ErrCall, ErrArguments. After any other error the call may have been
// used up, and must not be made either.
func (p *Permits) Consume(ctx context.Context, rule Rule, c Call) error {
	r, err := p.judge(ctx, rule, c)
	if err != nil {
		return err
	}
	switch d, settled := r.settles(); {
	case settled && d.Status == Granted && c.Changed == nil:
		return nil
	case settled && d.Status != Granted:
		return &NotPermittedError{d}
	}
	s, err := newSubject(c)
	if err != nil {
		return err
	}
	claim := rand.Text() // tells this attempt from every other, also when its reply is lost
	return p.table.persist(ctx, func() error { return p.consume(ctx, s, r, claim) })
}

// consume marks the permission as used, which proves that nobody has revoked it
// meanwhile, and then the call, which only one can. A crash in between costs a
// standing permission a wrong count. Any other is lost by it: the call
// counts as started, as it does after a crash behind Consume.
func (p *Permits) consume(ctx context.Context, s subject, r ruling, claim string) error {
	f, err := p.find(ctx, s, r)
	switch {
	case err != nil:
		return err
	case f.used != nil && f.used.Claim != claim:
		return fmt.Errorf("call %s: %w", s.ID, ErrConsumed)
	case f.done:
		return nil // an earlier attempt of this one, whose reply was lost
	case f.used == nil && f.grant == nil:
		return &NotPermittedError{f.Decision}
	case f.used == nil && f.digest != s.changed:
		return &NotPermittedError{Decision{Status: Denied, Grant: f.Grant, Reason: "These are not the arguments that were allowed."}}
	case f.used == nil && f.grant.Claim != claim:
		if f.grant.Quorum != nil { // from here on nobody takes it back
			e, err := p.finish(ctx, s.owner(), *f.grant)
			if err != nil {
				return err
			}
			if e.Effect != Allow || e.takenBack(s) {
				return &NotPermittedError{Decision{Status: Denied, Reason: "The person took this call back while it waited for its approvers."}}
			}
		}
		if err := p.table.markUsed(ctx, s, *f.grant, claim); err != nil {
			return err
		}
	}
	use := entry{
		Effect: Allow, Server: s.Server, Place: s.Place, Tool: s.Tool, Session: s.Session, Digest: s.digest, Call: s.ID,
		Used: now(), Claim: claim, Uses: 1, id: callID(s),
	}
	if s.changed != "" {
		use.Digest, use.From = s.changed, s.digest
	}
	return p.table.save(ctx, s.owner(), useKind, use)
}

// markUsed uses up a permission for one call, and counts the use of any other.
func (t *table) markUsed(ctx context.Context, s subject, grant entry, claim string) error {
	grant.Claim, grant.Uses = claim, grant.Uses+1
	if grant.Call != "" || grant.Quorum != nil {
		grant.Call, grant.Used = s.ID, now()
	}
	return t.save(ctx, s.owner(), permissionKind, grant)
}

package permit

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// Status is how a call stands.
type Status string

// The statuses.
const (
	Granted  Status = "granted"  // it may be made
	Denied   Status = "denied"   // it may not
	Required Status = "required" // the person must be asked
	Expired  Status = "expired"  // there was a permission, and its time is over: the person must be asked
)

// Decision is what is known about a call.
type Decision struct {
	Status Status
	Grant  string // the permission that grants or denies it, if one does
	Reason string // a sentence for the model and the person

	// Approvers are set where not the person but others must allow the call: use
	// Gather instead of Question. Have is how many of them are known to have
	// allowed it.
	Approvers *Approvers
	Have      int
	TTL       time.Duration // how long whoever is asked may take, if a condition or their server says so
	Choices   []Choice      // what the person may say, if a condition says so: give them to the Call

	Page bool // it is decided on its page only, if a condition says so: give it to the Call

	// Sign is the rule that has it signed with a passkey, if a condition says so: give it
	// to the Call.
	Sign string

	// Own is set where what grants or denies it was said about this very call.
	Own bool

	// Changed is set where whoever allowed the call changed its arguments: it may be
	// made with those, and not as it was.
	Changed *Change
}

// Ask reports whether somebody must be asked: the person, or Approvers.
func (d Decision) Ask() bool { return d.Status == Required || d.Status == Expired }

// Check says how a call stands by the conditions, and by rule where none of them
// fits. It asks nobody and changes nothing. Granted is not yet leave to make the
// call: Consume is.
//
// Errors: ErrRule, ErrCall, ErrArguments; ErrConsumed when the call was let
// through before; the store's.
func (p *Permits) Check(ctx context.Context, rule Rule, c Call) (Decision, error) {
	r, err := p.judge(ctx, rule, c)
	if err != nil {
		return Decision{}, err
	}
	if d, settled := r.settles(); settled && (c.Changed == nil || d.Status == Denied) {
		return d, nil
	}
	s, err := newSubject(c)
	if err != nil {
		return Decision{}, err
	}
	return p.decide(ctx, s, r)
}

// Ruled is how a call stands by the rules alone, and whether that is all there is to it: where
// it reports false somebody has to allow the call, or has, which Check knows. It reads nothing
// that anybody has said, and is for whoever wants to know first whether that matters.
//
// Errors: ErrRule, ErrCall, ErrArguments; the store's.
func (p *Permits) Ruled(ctx context.Context, rule Rule, c Call) (d Decision, settled bool, err error) {
	r, err := p.judge(ctx, rule, c)
	if err != nil {
		return Decision{}, false, err
	}
	if d, settled = r.settles(); !settled {
		_, err = newSubject(c)
	}
	return d, settled, err
}

// decide looks a call up that needs an approval.
func (p *Permits) decide(ctx context.Context, s subject, r ruling) (Decision, error) {
	var f finding
	err := p.table.persist(ctx, func() (err error) {
		f, err = p.find(ctx, s, r)
		return err
	})
	switch {
	case err != nil:
		return Decision{}, err
	case f.used != nil:
		return Decision{}, fmt.Errorf("call %s: %w", s.ID, ErrConsumed)
	}
	return f.Decision, nil
}

// finding is what the table says about a call.
type finding struct {
	Decision
	grant *entry // what grants it
	used  *entry // somebody has used the call up; then nothing else is set
	done  bool   // and was let through, as far as the table can tell

	digest string // of the changed call that it grants; empty: the call as it is
}

// find reads what there is about a call that needs what r says.
func (p *Permits) find(ctx context.Context, s subject, r ruling) (finding, error) {
	use, err := p.table.load(ctx, s.owner(), useKind, callID(s))
	if err != nil || use != nil {
		return finding{used: use, done: true}, err
	}
	if r.need == byApprovers && s.Asked != AskedPerson {
		return p.findGathered(ctx, s, r)
	}
	own, err := p.table.load(ctx, s.owner(), permissionKind, callID(s))
	if err != nil {
		return finding{}, err
	}
	if r.need == byApprovers { // and its person has been asked before
		if own != nil && own.Effect == Deny && own.about() == s.digest {
			return found(Denied, own, own.Reason), nil
		}
		return p.findGathered(ctx, s, r)
	}
	return p.findOwn(ctx, s, r, own)
}

// findOwn is find for a call of which nobody has used up anything, and for which the person
// is asked. own is what was said about this very call; nil: nothing.
func (p *Permits) findOwn(ctx context.Context, s subject, r ruling, own *entry) (finding, error) {
	f, err := p.table.findOwn(ctx, s, own)
	if err != nil || f.used != nil {
		return f, err
	}
	if r.sign != "" && f.grant != nil && !f.grant.Signed { // of before the rule, or for more than one call
		f = finding{Decision: Decision{Status: Required, Reason: "The person must allow this call with their passkey before it is made."}}
	}
	f.TTL, f.Choices, f.Page, f.Sign = cmp.Or(r.ttl, p.opts.ServerTTL[s.Server]), r.choices, r.page, r.sign
	if r.failed && f.Status == Required {
		f.Reason = r.because("The person must be asked before this call is made")
	}
	return p.changed(ctx, s, r, f)
}

// findOwn looks for the person's own words: what was said about this very call
// comes first, then the latest about its like.
func (t *table) findOwn(ctx context.Context, s subject, own *entry) (finding, error) {
	lapsed := false
	switch {
	case own == nil:
	case own.used():
		return finding{used: own}, nil
	case own.Session != s.Session || own.about() != s.digest:
		// It was said about another call: this one was edited, or moved.
	case own.revoked():
		return found(Denied, own, "The permission for this call was revoked."), nil
	case own.Effect == Deny:
		return found(Denied, own, own.Reason), nil
	case !own.lapsed():
		return found(Granted, own, "The person allowed this call."), nil
	default:
		lapsed = true
	}
	return t.findStanding(ctx, s, lapsed)
}

// findStanding looks for what holds for more than one call.
func (t *table) findStanding(ctx context.Context, s subject, lapsed bool) (finding, error) {
	var allowed *entry
	for _, id := range []string{exactID(s), toolID(s), serverID(s)} {
		e, err := t.load(ctx, s.owner(), permissionKind, id)
		switch {
		case err != nil:
			return finding{}, err
		case e == nil || e.revoked():
		case e.lapsed():
			lapsed = true
		case allowed == nil || e.Said.After(allowed.Said):
			allowed = e
		}
	}
	for _, id := range denialIDs(s) {
		refused, err := t.load(ctx, s.owner(), permissionKind, id)
		if err != nil {
			return finding{}, err
		}
		if refused != nil && refused.inForce() && (allowed == nil || !allowed.Said.After(refused.Said)) {
			return found(Denied, refused, "The person refused the same call and is not asked again. They can take that back among their permissions."), nil
		}
	}
	switch {
	case allowed != nil && allowed.Digest != "":
		return found(Granted, allowed, "The person always allows this call with exactly these arguments."), nil
	case allowed != nil && allowed.Tool == "":
		return found(Granted, allowed, "The person always allows this service."), nil
	case allowed != nil:
		return found(Granted, allowed, "The person always allows this tool."), nil
	case lapsed:
		return finding{Decision: Decision{Status: Expired, Reason: "The permission for this call has expired: the person must be asked again."}}, nil
	}
	return finding{Decision: Decision{Status: Required, Reason: "The person must be asked before this call is made."}}, nil
}

func found(status Status, e *entry, reason string) finding {
	f := finding{Decision: Decision{Status: status, Grant: e.id, Own: e.Call != "" && e.Quorum == nil, Reason: reason}}
	if status == Granted {
		f.grant = e
	}
	return f
}

package permit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/quorum"
)

// Record takes down what the person said to the question about c, and returns
// how the call stands now. It reads the question from the hub: what the caller
// was told of its outcome does not count. Recording again changes nothing; in
// particular it does not bring back what was revoked since.
//
// Only an answer by the question's owner, on a channel that no model writes,
// can allow. Everything else denies the call: a question that expired, was
// declined, dismissed, withdrawn or answered otherwise.
//
// Errors: ErrPending; ErrMismatch when the question was about something else;
// ErrConsumed when the call was let through before; parley.ErrNotFound when
// there is no such question of this person; those of Question and the store's.
func (p *Permits) Record(ctx context.Context, c Call, question parley.ID) (Decision, error) {
	s, err := newSubject(c)
	if err != nil {
		return Decision{}, err
	}
	// Whoever asked knew that an approval is needed. That it is the person's
	// own must still be so: where approvers are needed, this answer is not one.
	r, err := p.judge(ctx, Always, c)
	if err != nil {
		return Decision{}, err
	}
	s.Choices = r.choices // as the rules are now, whatever the caller says
	s.Sign = cmp.Or(s.Sign, r.sign)
	own, err := p.recorded(ctx, s)
	if err != nil {
		return Decision{}, err
	}
	var kept *entry
	if own == nil || own.Question != question {
		q, err := p.settled(ctx, parley.OwnerOf(s.Tenant, s.User), question)
		if err != nil {
			return Decision{}, err
		}
		if err := p.fits(q, s); err != nil {
			return Decision{}, err
		}
		if kept, err = p.keep(ctx, s, q, own); err != nil {
			return Decision{}, err
		}
	}
	if d, settled := r.settles(); settled && d.Status == Denied {
		return d, nil
	}
	if kept == nil || r.need == byApprovers {
		return p.decide(ctx, s, r)
	}
	// What was written just now, over what was read before it, need not be read again: Consume
	// does, whatever is said here.
	var f finding
	err = p.table.persist(ctx, func() (err error) {
		f, err = p.findOwn(ctx, s, r, kept)
		return err
	})
	return f.Decision, err
}

// recorded is what was said about the call; nil: nothing was. If that is its answer to a
// question, the hub may have forgotten the question since.
func (p *Permits) recorded(ctx context.Context, s subject) (own *entry, err error) {
	err = p.table.persist(ctx, func() (err error) {
		own, err = p.table.load(ctx, s.owner(), permissionKind, callID(s))
		return err
	})
	return own, err
}

// settled returns the question with its outcome, if it is for who.
func (p *Permits) settled(ctx context.Context, who parley.Principal, id parley.ID) (parley.Request, error) {
	q, err := quorum.Look(ctx, p.hub, who, id)
	if err == nil && q.Pending() {
		err = fmt.Errorf("question %s: %w", id, ErrPending)
	}
	return q, err
}

// keep stores what an outcome means. own is what was said about this very call before; nil:
// nothing was. It returns what is said about it now, unless that is to be looked up.
func (p *Permits) keep(ctx context.Context, s subject, q parley.Request, own *entry) (kept *entry, err error) {
	said := p.hear(q)
	next := entry{
		Effect: Allow, Server: s.Server, Place: s.Place, Tool: s.Tool, Question: q.ID, Said: q.Outcome.At.UTC(),
	}
	if said.choice == AlwaysAllow {
		return nil, p.keepAlways(ctx, s, said, next)
	}
	next.Session, next.Digest, next.Signed = s.Session, s.digest, q.Labels[parley.LabelSign] != "" // hear has looked
	if said.choice == Changed {
		changed, err := s.edited(said.edit)
		if err == nil {
			next.From, next.Digest, next.Args = s.digest, changed.digest, appendCanonical(nil, changed.args)
		} else {
			said = word{choice: Refuse, silent: true, reason: "The changed arguments cannot be used, so the call is denied."}
		}
	}
	if said.choice == Refuse {
		next.Effect, next.Silent = Deny, said.silent
		if err := p.keepRefusal(ctx, s, next); err != nil {
			return nil, err
		}
	} else {
		next.Until = next.Said.Add(p.opts.OnceTTL)
	}
	// The call comes last: once it knows its question, all is recorded. One that
	// was made on another permission meanwhile needs none.
	made, err := p.made(ctx, s)
	if err != nil || made {
		return nil, err
	}
	next.id, next.Call, next.Reason = callID(s), s.ID, said.reason
	stored, err := p.table.putOver(ctx, s.owner(), own, next)
	if !stored || err != nil {
		return nil, err
	}
	return &next, nil
}

func (p *Permits) made(ctx context.Context, s subject) (made bool, err error) {
	err = p.table.persist(ctx, func() error {
		use, err := p.table.load(ctx, s.owner(), useKind, callID(s))
		made = use != nil
		return err
	})
	return made, err
}

// keepAlways stores a standing permission, as narrow as the person made it.
func (p *Permits) keepAlways(ctx context.Context, s subject, said word, next entry) error {
	switch said.scope {
	case scopeServer:
		next.id, next.Tool = serverID(s), ""
	case scopeArguments:
		next.id, next.Digest, next.Args = exactID(s), s.digest, appendCanonical(nil, s.args)
	default:
		next.id = toolID(s)
	}
	if said.lasts > 0 {
		next.Until = next.Said.Add(said.lasts)
	}
	return p.table.put(ctx, s.owner(), next)
}

// keepRefusal remembers a person's no for a while, for calls that are the same
// but for their id.
func (p *Permits) keepRefusal(ctx context.Context, s subject, next entry) error {
	next.id, next.Until, next.Args = denialID(s), next.Said.Add(p.opts.Quiet), appendCanonical(nil, s.args)
	if next.Silent || next.lapsed() {
		return nil
	}
	return p.table.put(ctx, s.owner(), next)
}

// word is what an outcome means.
type word struct {
	choice Choice
	silent bool   // the person did not say it
	reason string // of a refusal
	said   string // the person's own words about it

	edit object // of changed: the arguments that were, with their values

	scope scope         // of an always_allow
	lasts time.Duration // and for how long; 0: until it is revoked
}

// hear reads an outcome. What is not clearly a yes is a no.
func (p *Permits) hear(q parley.Request) word {
	silence := func(reason string) word { return word{choice: Refuse, silent: true, reason: reason} }
	o := q.Outcome
	switch {
	case o.Action == parley.Expire:
		return silence("Nobody answered in time, so the call is denied.")
	case o.By == "":
		return silence("The question was closed without an answer of the person, so the call is denied.")
	case o.By != q.To:
		return silence("Somebody else than the person who was asked answered, so the call is denied.")
	case modelWrites(o.Via, p.opts.ModelChannels):
		return silence("The answer came through a channel that a model can write, so the call is denied.")
	case o.Action == parley.Accept && !shownWhole(q, o.Via):
		return silence("The answer came from where the call was not shown whole, so the call is denied.")
	case o.Action == parley.Cancel:
		return word{choice: Refuse, reason: "The person dismissed the question, so the call is denied."}
	case o.Action != parley.Accept:
		return word{choice: Refuse, reason: "The person declined, so the call is denied."}
	}
	var a answer
	if err := json.Unmarshal(o.Content, &a); err != nil {
		return silence("The answer cannot be read, so the call is denied.")
	}
	changed, wrong := edits(q.Schema, o.Content)
	if (a.Decision == AllowOnce || a.Decision == AlwaysAllow) && len(changed) > 0 || a.Decision == Changed && len(wrong) > 0 {
		return silence("The answer does not say for sure with which arguments the call is allowed, so it is denied.")
	}
	if q.Labels[parley.LabelSign] != "" && a.Decision != Refuse && a.Decision != AskBack && (a.Decision == AlwaysAllow || checkSigned(q) != nil) {
		return silence("The answer is not signed with a passkey of the person who was asked, so the call is denied.")
	}
	switch a.Decision {
	case Changed:
		if len(changed) > 0 {
			return word{choice: Changed, edit: changed}
		}
		return word{choice: AllowOnce}
	case AllowOnce:
		return word{choice: AllowOnce}
	case AlwaysAllow: // the hub has checked that it was offered
		if said, ok := a.narrowed(p.opts); ok {
			return said
		}
	case Refuse:
		return word{choice: Refuse, reason: a.because("The person denied this call"), said: a.Reason}
	case AskBack:
		// No refusal to remember: the model may answer, and ask again.
		return word{choice: Refuse, silent: true, reason: a.because("The person did not decide and asks back, so the call is not made")}
	}
	return silence("The answer is none of those that were offered, so the call is denied.")
}

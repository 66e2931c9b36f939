package permit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// Weigh is a hook for the hub, after validate: where somebody changes a call into one
// about which they have no say by the rules of now, their answer is refused with a
// *form.ContentError that says so, and the question stays open. Without it, and where
// a rule changes after the answer, the call is denied.
//
// A question to the person does not tell the annotations of its tool: an answer is
// refused where it would be whatever they are.
func (p *Permits) Weigh(ctx context.Context, a *parley.Answering) error {
	q := a.Request
	var said answer
	if a.Answer.Action != parley.Accept || q.Trigger != parley.TriggerApproval || json.Unmarshal(a.Answer.Content, &said) != nil || said.Decision != Changed {
		return nil
	}
	changed, wrong := edits(q.Schema, a.Answer.Content)
	before, ok := shown(q)
	if len(changed) == 0 || len(wrong) > 0 || !ok {
		return nil
	}
	after, err := before.edited(changed)
	if err != nil {
		return nil // Record says so
	}
	refused, err := p.weigh(ctx, q, before, after)
	if refused == "" || err != nil {
		return err
	}
	return fmt.Errorf("request %s: %w", a.ID, &form.ContentError{Violations: []form.Violation{
		{Path: ArgumentPrefix + changed[0].Name, Rule: "rules", Message: refused},
	}})
}

// weigh says why whoever a question is for cannot make one call of another; empty: they
// can, or nobody knows.
func (p *Permits) weigh(ctx context.Context, q parley.Request, before, after subject) (refused string, err error) {
	own, err := p.rules.of(ctx, tenantOf(q.Tenant))
	if err != nil {
		return "", err
	}
	base, tools := Always, readings()
	g, err := p.quorumFor(ctx, q)
	if err != nil {
		return "", err
	}
	if g != nil && g.Quorum.Tool != nil {
		base, tools = g.Quorum.Base, []reading{*g.Quorum.Tool}
	}
	for _, tool := range tools {
		was, err := p.judgeBy(ctx, own, base, tool.of(before.Call))
		if err != nil {
			return "", nil
		}
		now, err := p.judgeBy(ctx, own, base, tool.of(after.Call))
		if err != nil {
			return "", nil
		}
		why := was.notBy(now)
		if why == allowed {
			refused = ""
			break
		}
		if refused == "" {
			refused = now.because(why.toThePerson())
		}
	}
	if refused != "" || g == nil {
		return refused, nil
	}
	c := after.Call
	c.Place = g.Place
	if after, err = newSubject(c); err != nil {
		return "", nil
	}
	if no, err := p.table.refused(ctx, after); err != nil || !no {
		return "", err
	}
	return thePersons.toThePerson() + ".", nil
}

// quorumFor returns the entry of the quorum that asks an approver's question; nil: there
// is none.
func (p *Permits) quorumFor(ctx context.Context, q parley.Request) (e *entry, err error) {
	o, round, ok := quorumOf(q)
	if !ok || q.OnlyTells() {
		return nil, nil
	}
	id, _, _ := strings.Cut(round, ".")
	err = p.table.persist(ctx, func() error {
		e, err = p.table.load(ctx, o, permissionKind, id)
		return err
	})
	if err != nil || e == nil || e.Quorum == nil || e.round() != round {
		return nil, err
	}
	return e, nil
}

// shown is the call that a question shows, as far as it says: what it is about is in
// its labels, and the arguments are the end of its message.
func shown(q parley.Request) (subject, bool) {
	_, args, ok := strings.Cut(q.Message, "\nArguments:\n")
	c := Call{
		Tenant: q.Tenant, User: q.To, Server: q.Labels[LabelServer], Tool: q.Labels[LabelTool], ID: string(q.ID), Args: json.RawMessage(args),
	}
	if asker := q.Labels[LabelAsker]; asker != "" {
		c.User = asker
	}
	s, err := newSubject(c)
	return s, ok && err == nil && bytes.HasPrefix(c.Args, []byte("{"))
}

// reading is what the annotations of a tool may be: read-only, destructive,
// idempotent and open to the world.
type reading [4]bool

// readings are all there are, first that of a tool without annotations.
func readings() (all []reading) {
	for i := range 16 {
		all = append(all, reading{i&1 != 0, i&2 == 0, i&4 != 0, i&8 == 0})
	}
	return all
}

func (r reading) of(c Call) Call {
	c.ReadOnly, c.Destructive, c.Idempotent, c.OpenWorld = &r[0], &r[1], &r[2], &r[3]
	return c
}

func readingOf(c Call) *reading {
	has := c.annotations()
	return &reading{has["read_only"], has["destructive"], has["idempotent"], has["open_world"]}
}

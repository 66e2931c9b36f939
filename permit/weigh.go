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
// A question does not tell the annotations of its tool: an answer is refused where it
// would be whatever they are.
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
	own, err := p.rules.of(ctx, tenantOf(q.Tenant))
	if err != nil {
		return err
	}
	var refused string
	for _, tool := range readings() {
		was, err := p.judgeBy(ctx, own, Always, tool.of(before.Call))
		if err != nil {
			return nil
		}
		now, err := p.judgeBy(ctx, own, Always, tool.of(after.Call))
		if err != nil {
			return nil
		}
		why := was.notBy(now)
		if why == allowed {
			return nil
		}
		if refused == "" {
			refused = now.because(why.toThePerson())
		}
	}
	return fmt.Errorf("request %s: %w", a.ID, &form.ContentError{Violations: []form.Violation{
		{Path: ArgumentPrefix + changed[0].Name, Rule: "rules", Message: refused},
	}})
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

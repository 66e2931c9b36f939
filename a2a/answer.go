package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/permit"
)

// answer takes a message to a task that there is: answers to what it asks.
func (o *offer) answer(ctx context.Context, who parley.Principal, m *a2a.Message) (*following, error) {
	run, p, err := o.find(ctx, who, m.TaskID)
	if err != nil {
		return nil, err
	}
	if m.ContextID != "" && m.ContextID != p.context {
		return nil, invalid("the contextId is not that of the task")
	}
	answers, err := elicitation.Answers(m)
	if err != nil {
		return nil, invalid(err.Error())
	}
	before, err := o.recall(ctx, run.Ref, m)
	if err != nil && !isNotFound(err) {
		return nil, err
	}
	t := &taking{message: m, again: err == nil}
	if t.following, err = o.follow(ctx, who, run); err != nil {
		return nil, err
	}
	switch {
	case began(run.Message, m):
	case t.again && (before.Wrong != "" || t.ended()): // it was taken
	case t.ended():
		err = t.repeated(ctx, answers)
	case len(answers) == 0:
		err = t.plain(ctx)
	default:
		err = t.structured(ctx, answers)
	}
	if err != nil {
		t.close()
		return nil, err
	}
	return t.following, nil
}

// taking is a message to a task while it is taken.
type taking struct {
	*following
	message *a2a.Message
	again   bool // it was sent before
}

// given is an answer, and the question that it answers.
type given struct {
	question parley.Request
	answer   parley.Answer
	wrong    string // what does not fit; empty: it does
}

// structured takes answers that came as data: all of them, or none.
func (t *taking) structured(ctx context.Context, answers []elicitation.Answer) error {
	var all []given
	for _, a := range answers {
		q, err := t.asked(ctx, a.ID)
		if err != nil {
			return err
		}
		if err := t.refusal(q, a); err != nil {
			return err
		}
		all = append(all, fitting(given{question: q, answer: answerOf(a)}))
	}
	return t.give(ctx, all)
}

func answerOf(a elicitation.Answer) parley.Answer {
	return parley.Answer{Action: parley.Action(a.Action), Content: a.Content, Via: Via}
}

// repeated takes answers to a task that has ended: those that were given before, and no
// others. Whoever did not hear that it ended sends them again. A text is one where the task
// had one question.
func (t *taking) repeated(ctx context.Context, answers []elicitation.Answer) error {
	if len(answers) == 0 {
		asked := t.tale.Reply().Questions
		if len(asked) != 1 {
			return errEnded
		}
		q, err := t.asked(ctx, string(asked[0].ID))
		if err != nil {
			return err
		}
		if g, ok := t.worded(q); !ok || q.Pending() || t.settle(ctx, g) != nil {
			return errEnded
		}
		return nil
	}
	for _, a := range answers {
		q, err := t.asked(ctx, a.ID)
		switch {
		case err != nil:
			return err
		case q.Pending(), q.Outcome.By == "" && q.Outcome.Action != parley.Expire: // it was withdrawn with the task
			return errEnded
		}
		if err := t.refusal(q, a); err != nil {
			return err
		}
		if err := t.settle(ctx, given{question: q, answer: answerOf(a)}); err != nil {
			return err
		}
	}
	return nil
}

// asked is a question that the task asked, of this person.
func (t *taking) asked(ctx context.Context, id string) (parley.Request, error) {
	for _, q := range t.tale.Reply().Questions {
		if string(q.ID) != id {
			continue
		}
		now, err := t.hub.Get(ctx, t.who, q.ID)
		if isNotFound(err) {
			return q, errLate // so long ago that it is forgotten
		}
		return now, err
	}
	return parley.Request{}, invalid(fmt.Sprintf("the task asked nothing by the id %.50q", id))
}

// refusal says in words why an answer to a question is not taken by message.
func (t *taking) refusal(q parley.Request, a elicitation.Answer) error {
	s := t.shown(q)
	switch {
	case q.Trigger == parley.TriggerApproval, q.OnlyTells(), q.Labels[parley.LabelPerson] != "", q.Trigger == parley.TriggerA2A && s.SettledBy == elicitation.SettledByPage:
		return t.onlyByThePerson(q)
	case s.SettledBy == elicitation.SettledByPage && a.Action == elicitation.Accept:
		return a2a.NewError(a2a.ErrUnsupportedOperation, "this is settled by the person for whom you act, at "+s.URL+": a message can only decline it")
	case s.Mode == elicitation.URL && len(a.Content) > 0:
		return invalid(fmt.Sprintf("there is content for %.50q, which has no form", a.ID))
	}
	return nil
}

// onlyByThePerson is the answer to those who would decide for somebody.
func (t *taking) onlyByThePerson(q parley.Request) error {
	page := t.opts.PublicURL + "/answer/" + string(q.ID)
	if s := t.shown(q); s.SettledBy == elicitation.SettledByPage && s.URL != "" {
		page = s.URL // which may be a page of an agent elsewhere
	}
	return a2a.NewError(a2a.ErrUnsupportedOperation, "this is decided by the person for whom you act, signed in, at "+page+
		": a message neither approves nor refuses it. Wait, or cancel the task")
}

// fitting looks whether an accepted form fits. What the form does not have does not: who
// sends it has mistaken a name, and what they meant would be left out.
func fitting(g given) given {
	if g.answer.Action != parley.Accept || g.question.Mode == parley.URL || !g.question.Pending() {
		return g
	}
	schema, err := form.Parse(orEmpty(g.question.Schema), nil)
	if err != nil {
		return g // for the hub to say
	}
	content := orEmptyObject(g.answer.Content)
	surplus := schema.Surplus(content)
	if _, err := schema.Check(content); err != nil || len(surplus) > 0 {
		g.wrong = complaint(err, surplus...)
	}
	return g
}

func orEmpty(schema json.RawMessage) []byte {
	if len(schema) == 0 {
		return []byte(`{"type":"object"}`)
	}
	return schema
}

func orEmptyObject(content json.RawMessage) []byte {
	if len(content) == 0 {
		return []byte(`{}`)
	}
	return content
}

// complaint is what is wrong with an answer, in sentences.
func complaint(err error, further ...form.Violation) string {
	wrong := &form.ContentError{}
	if err != nil && !errors.As(err, &wrong) {
		return "The answer does not fit the form."
	}
	var all []string
	for _, v := range slices.Concat(wrong.Violations, further) {
		all = append(all, legible.Prose(v.Message))
	}
	return strings.Join(all, " ")
}

// give settles what the message answers. If one of the answers does not fit, none is given,
// and everything is asked again.
func (t *taking) give(ctx context.Context, all []given) error {
	kept := said{Message: t.message}
	var wrong []string
	for _, g := range all {
		kept.Questions = append(kept.Questions, g.question.ID)
		if g.wrong != "" {
			wrong = append(wrong, g.wrong)
		}
	}
	if kept.Wrong = strings.Join(wrong, " "); kept.Wrong != "" {
		return t.keep(ctx, t.run.Ref, kept)
	}
	// Whoever comes too late is told so, and leaves nothing in the history.
	for _, g := range all {
		if !g.question.Pending() && !t.again {
			if err := t.settle(ctx, g); err != nil {
				return err
			}
		}
	}
	if err := t.keep(ctx, t.run.Ref, kept); err != nil {
		return err
	}
	for _, g := range all {
		if err := t.settle(ctx, g); err != nil {
			return errors.Join(err, t.forget(ctx))
		}
	}
	return nil
}

// forget takes a message out of the history that came too late.
func (t *taking) forget(ctx context.Context) error {
	if t.again {
		return nil
	}
	err := t.records.Delete(ctx, saidAt(t.run.Ref, t.message), 0)
	if err != nil && !isNotFound(err) {
		t.opts.Logger.WarnContext(ctx, "message not forgotten", "err", err)
	}
	return nil
}

// repeats takes the same answer again if it was given by a message. What a person answered
// elsewhere is not a client's to know, and cannot be found out by repeating what it may be.
func (t *taking) repeats(ctx context.Context, g given) error {
	now, err := t.hub.Get(ctx, t.who, g.question.ID)
	if err == nil && (now.Outcome == nil || now.Outcome.Via != Via) {
		err = errLate
	}
	return err
}

// settle gives one answer. The same answer again is one.
func (t *taking) settle(ctx context.Context, g given) error {
	err := t.hub.Answer(ctx, t.who, g.question.ID, g.answer)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, parley.ErrRepeated):
		return t.repeats(ctx, g)
	case errors.Is(err, parley.ErrExpired):
		return errOver
	case errors.Is(err, parley.ErrSettled), isNotFound(err):
		return t.late(ctx, g.question)
	case errors.Is(err, permit.ErrModel), errors.Is(err, permit.ErrNotYours), errors.Is(err, permit.ErrNotShown):
		return t.onlyByThePerson(g.question) // whatever was thought of it before
	case errors.Is(err, parley.ErrQueued):
		return a2a.NewError(a2a.ErrUnsupportedOperation, "an earlier question is still open: answer that one first")
	case errors.Is(err, form.ErrContent):
		return invalid(complaint(err))
	}
	return err
}

// late says why a question takes no more answers. One that nobody answered was withdrawn, and
// another may have taken its place: a call that is made again asks again.
func (t *taking) late(ctx context.Context, q parley.Request) error {
	if q.Outcome == nil || q.Outcome.By != "" {
		return errLate
	}
	open, err := t.open(ctx)
	if err != nil || len(open) == 0 {
		return errWithdrawn
	}
	return errReplaced
}

// plain takes a message without data: what a text says to the one question that the task
// waits for. Anything else is asked again.
func (t *taking) plain(ctx context.Context) error {
	open, err := t.open(ctx)
	if err != nil {
		return err
	}
	if len(open) == 0 {
		if t.again {
			return nil
		}
		return errBusy
	}
	if len(open) == 1 {
		if g, ok := t.worded(open[0]); ok {
			return t.give(ctx, []given{g})
		}
	}
	kept := said{Message: t.message, Wrong: t.hint(open)}
	for _, q := range open {
		kept.Questions = append(kept.Questions, q.ID)
	}
	return t.keep(ctx, t.run.Ref, kept)
}

package parley

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley/form"
)

// Answering is what flows through the stages of Answer. Hooks may change it.
// Questions that nobody answers pass through publish and finish only, with an
// empty Principal and Answer.
type Answering struct {
	Principal Principal
	ID        ID
	Answer    Answer
	Request   Request // from lookup on
	Outcome   Outcome // from build on

	checked   []byte // the content that validate accepted
	validated bool
	published bool
}

// The stages of answering, in their order.
const (
	AnsweringParse    Stage[Answering] = "parse"    // the action is known, the size is right
	AnsweringLookup   Stage[Answering] = "lookup"   // the request is there, the principal's, and pending
	AnsweringValidate Stage[Answering] = "validate" // the content fits the schema; defaults are filled in
	AnsweringBuild    Stage[Answering] = "build"    // make the outcome
	AnsweringPublish  Stage[Answering] = "publish"  // settle it and wake who waits
	AnsweringFinish   Stage[Answering] = "finish"
)

// Answer gives a person's answer. The first one counts; only the request's
// owner may. Accepted forms are checked against the schema first.
//
// A hook that changes the content after it was checked has it checked again.
// What a hook does once the answer is settled can no longer refuse it: such
// errors are logged.
//
// Errors: ErrNotFound (unknown, or somebody else's), ErrSettled (ErrRepeated when
// the same person had given the same answer), ErrExpired,
// ErrQueued, ErrAction, ErrTooLarge, form.ErrContent (a *form.ContentError that
// lists every violation). None of them changes anything.
func (h *Hub) Answer(ctx context.Context, p Principal, id ID, a Answer) error {
	a.Content = slices.Clone(a.Content)
	return h.runAnswering(ctx, &Answering{Principal: p, ID: id, Answer: a})
}

func (h *Hub) runAnswering(ctx context.Context, s *Answering, only ...Stage[Answering]) error {
	err := h.answering.run(ctx, s, only...)
	if err != nil && s.published {
		h.opts.Logger.ErrorContext(ctx, "hook failed after settlement", "id", s.ID, "err", err)
		return nil
	}
	return err
}

func (h *Hub) answeringStages() []stage[Answering] {
	return []stage[Answering]{
		{AnsweringParse, h.parseAnswering},
		{AnsweringLookup, h.lookupAnswering},
		{AnsweringValidate, h.validateAnswering},
		{AnsweringBuild, h.buildAnswering},
		{AnsweringPublish, h.publishAnswering},
		{AnsweringFinish, h.finishAnswering},
	}
}

func (h *Hub) parseAnswering(_ context.Context, s *Answering) error {
	switch s.Answer.Action {
	case Accept:
	case Decline, Cancel:
		s.Answer.Content = nil
	default:
		return fmt.Errorf("%w, not %.20q", ErrAction, string(s.Answer.Action))
	}
	if n, most := len(s.Answer.Content), h.opts.Limits.AnswerBytes; n > most {
		return &SizeError{What: "the answer", Size: n, Most: most}
	}
	return nil
}

func (h *Hub) lookupAnswering(ctx context.Context, s *Answering) error {
	r, err := h.Asked(ctx, s.Principal, s.ID) // who settles it learns whether somebody else has
	if err != nil {
		return err
	}
	s.Request = r
	if !r.Pending() {
		return h.settledError(r, s)
	}
	if !now().Before(r.Expires) {
		err := h.expire(ctx, r)
		expired := fmt.Errorf("request %s: %w", r.ID, ErrExpired)
		switch {
		case err == nil:
			return expired
		case errors.Is(err, ErrSettled):
			return h.unlessSettled(ctx, s, expired)
		}
		return err
	}
	if h.opts.PerSession == Queue && r.Session != "" {
		first, err := h.ahead(ctx, r)
		if err != nil {
			return err
		}
		if first != nil {
			return fmt.Errorf("request %s: %w", r.ID, ErrQueued)
		}
	}
	return nil
}

func (h *Hub) validateAnswering(ctx context.Context, s *Answering) error {
	s.validated = true
	if s.Answer.Action != Accept || s.Request.Mode != Form {
		// A URL is answered by going there; whatever came along is not asked for.
		s.Answer.Content = nil
		return nil
	}
	schema, err := h.schema(s.Request.Schema)
	if err != nil {
		return fmt.Errorf("request %s: its stored schema: %w", s.ID, err)
	}
	content, err := schema.Check(s.Answer.Content)
	if err != nil {
		return h.unlessSettled(ctx, s, fmt.Errorf("request %s: %w", s.ID, err))
	}
	s.Answer.Content, s.checked = content, content
	return nil
}

func (h *Hub) buildAnswering(ctx context.Context, s *Answering) error {
	if s.validated && !bytes.Equal(s.Answer.Content, s.checked) {
		if err := h.validateAnswering(ctx, s); err != nil {
			return fmt.Errorf("content as changed by a hook: %w", err)
		}
	}
	s.Outcome = Outcome{
		Action:  s.Answer.Action,
		Content: s.Answer.Content,
		By:      s.Principal.User,
		Via:     s.Answer.Via,
		At:      now(),
		Claim:   newClaim(),
	}
	return nil
}

func (h *Hub) publishAnswering(ctx context.Context, s *Answering) error {
	err := h.settle(ctx, s.Request, s.Outcome)
	if err == nil {
		s.published = true
		return nil
	}
	if s.Outcome.By != "" && errors.Is(err, ErrSettled) {
		return h.unlessSettled(ctx, s, err)
	}
	return err
}

// unlessSettled is err, or how the question was settled meanwhile: what lookup found may
// be out of date.
func (h *Hub) unlessSettled(ctx context.Context, s *Answering, err error) error {
	if r, loadErr := h.load(ctx, s.ID); loadErr == nil && !r.Pending() {
		return h.settledError(r, s)
	}
	return err
}

func (h *Hub) finishAnswering(ctx context.Context, s *Answering) error {
	h.logSettled(ctx, s.Request, s.Outcome)
	return nil
}

// expire settles r because its time is over.
func (h *Hub) expire(ctx context.Context, r Request) error {
	return h.conclude(ctx, r, Outcome{Action: Expire, Reason: "expired"})
}

// settledError says how r was settled: too late is not the same as twice, and
// saying the same again is neither.
func (h *Hub) settledError(r Request, s *Answering) error {
	switch {
	case r.Outcome.Action == Expire:
		return fmt.Errorf("request %s: %w", r.ID, ErrExpired)
	case h.repeats(r, s):
		return fmt.Errorf("request %s: %w", r.ID, ErrRepeated)
	}
	return fmt.Errorf("request %s: %w", r.ID, ErrSettled)
}

// repeats reports whether an answer is the one that r was settled with, by the
// person who gave it.
func (h *Hub) repeats(r Request, s *Answering) bool {
	o := r.Outcome
	if o.By == "" || o.By != s.Principal.User || o.Action != s.Answer.Action {
		return false
	}
	if o.Action != Accept || r.Mode != Form {
		return true
	}
	if r.Labels[LabelBrief] != "" && len(s.Answer.Content) == 0 {
		return true // most surfaces show it as a page to go to
	}
	schema, err := h.schema(r.Schema)
	if err != nil {
		return false
	}
	content, err := schema.Check(s.Answer.Content) // as it would be kept
	return err == nil && bytes.Equal(content, o.Content)
}

func newClaim() string { return rand.Text()[:16] }

// schema parses a form schema. An empty one is a form without fields.
func (h *Hub) schema(raw []byte) (*form.Schema, error) {
	limits := h.opts.Limits
	return h.schemas.parse(raw, &form.Limits{
		Bytes: limits.SchemaBytes, Fields: limits.Fields, Depth: limits.Depth, Options: limits.Options,
	})
}

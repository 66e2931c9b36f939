package asking

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// Standing is how a question stands, as its asker sees it.
type Standing struct {
	parley.Request                   // as people see it; To is empty for a group. Outcome has how it ended
	Group          string            // who is asked, if that is not To
	Need           int               // how many of them
	Tags           map[string]string // the asker's labels
	Decision       permit.Choice     // of an approval that was answered: Refuse if one of those that count denied it
	Answers        []Answer          // of a group: those that count, in their order
	People         []string          // who is asked
	By             parley.Principal  // who asks
	Asked          map[string]Asking // by person
}

// Asking is a question to one of those who are asked.
type Asking struct {
	ID   parley.ID
	Said bool
}

// Answer is what one of a group said.
type Answer struct {
	parley.Outcome
	Decision permit.Choice
}

// Get returns how a question of the asker's stands. parley.ErrNotFound also when it
// is somebody else's.
func (s *Questions) Get(ctx context.Context, by parley.Principal, id parley.ID) (Standing, error) {
	a, err := s.find(ctx, by, id)
	if err != nil {
		return Standing{}, err
	}
	a, err = s.look(ctx, a.at)
	var some *unheard
	if err != nil && a.Decided == nil && !errors.Is(err, parley.ErrTooManyPending) && !errors.As(err, &some) {
		return Standing{}, err
	}
	return s.standing(ctx, a) // Run goes on with what failed
}

// Asker returns who asked a question, if that was asked here.
func (s *Questions) Asker(ctx context.Context, tenant string, id parley.ID) (parley.Principal, error) {
	if !id.Valid() {
		return parley.Principal{}, fmt.Errorf("question %.64q: %w", string(id), parley.ErrNotFound)
	}
	a, err := s.load(ctx, addressOf(tenant, id))
	return a.Asker, err
}

// AskID is the id that the asker of a question knows it by; empty: it was not asked
// here.
func AskID(r parley.Request) parley.ID { return parley.ID(r.Labels[labelAsk]) }

func (s *Questions) find(ctx context.Context, by parley.Principal, id parley.ID) (ask, error) {
	missing := fmt.Errorf("question %.64q: %w", string(id), parley.ErrNotFound)
	if !id.Valid() || by.Owner() == "" {
		return ask{}, missing
	}
	a, err := s.load(ctx, addressOf(by.Tenant, id))
	if err == nil && (a.Asker.Owner() != by.Owner() || a.Asker.Kind != by.Kind) {
		return ask{}, missing
	}
	return a, err
}

// Wait returns how a question stands once it is settled, or when ctx ends. Leaving
// withdraws nothing.
func (s *Questions) Wait(ctx context.Context, by parley.Principal, id parley.ID) (Standing, error) {
	for {
		st, err := s.Get(context.WithoutCancel(ctx), by, id)
		if err != nil || !st.Pending() || ctx.Err() != nil {
			return st, err
		}
		if _, err := s.hub.Wait(ctx, id); err != nil && ctx.Err() == nil {
			return st, err
		}
	}
}

// withdrawn begins the reason of a question that nobody answered.
const withdrawn = "withdrawn: "

// Cancel withdraws a question, for a reason that those who were asked are told.
// parley.ErrSettled when it is settled already.
func (s *Questions) Cancel(ctx context.Context, by parley.Principal, id parley.ID, reason string) (Standing, error) {
	st, err := s.Get(ctx, by, id)
	if err != nil {
		return st, err
	}
	if !st.Pending() {
		return st, fmt.Errorf("question %s: %w", id, parley.ErrSettled)
	}
	at := addressOf(by.Tenant, id)
	if st.Group == "" { // the question itself says who was first
		if err := s.hub.Cancel(ctx, id, reason); err != nil {
			return st, err
		}
		return s.Get(ctx, by, id)
	}
	a, err := s.update(ctx, at, func(a *ask) (bool, error) {
		if a.Decided != nil {
			return false, fmt.Errorf("question %s: %w", id, parley.ErrSettled)
		}
		a.Decided = &decision{Action: parley.Cancel, Reason: withdrawn + reason, At: time.Now().UTC().Truncate(time.Millisecond)}
		return true, nil
	})
	if err == nil {
		a, err = s.close(ctx, a)
	}
	if err != nil {
		return st, err
	}
	return s.standing(ctx, a)
}

// standing is an ask as its asker sees it.
func (s *Questions) standing(ctx context.Context, a ask) (Standing, error) {
	st := Standing{Request: a.question(), Group: a.Group, Tags: a.Labels, People: a.Panel.Names(), By: a.Asker, Asked: map[string]Asking{}}
	st.ID, st.Created, st.Need = a.id(), a.Created, a.Need
	if st.Mode == "" {
		st.Mode = parley.Form
	}
	for name, one := range a.Panel {
		st.Asked[name] = Asking{one.ID, !one.Said.IsZero()}
	}
	if a.Group == "" {
		st.To = st.People[0]
	}
	d := a.Decided
	if d == nil {
		return st, nil
	}
	st.Outcome = &parley.Outcome{Action: d.Action, By: strings.Join(d.By, ", "), Via: d.Via, Reason: d.Reason, At: d.At}
	if d.Action != parley.Accept {
		return st, nil
	}
	for _, name := range d.By {
		answer, err := s.answer(ctx, a, name)
		if err != nil {
			return st, err
		}
		if st.Decision == "" || answer.Decision == permit.Refuse {
			st.Decision = answer.Decision
		}
		st.Answers = append(st.Answers, answer)
	}
	if a.Need == 1 {
		*st.Outcome = st.Answers[0].Outcome
	}
	return st, nil
}

// answer is what one person said. What the store has forgotten is left out.
func (s *Questions) answer(ctx context.Context, a ask, name string) (Answer, error) {
	q, err := s.hub.Get(ctx, parley.OwnerOf(a.at.Tenant, name), a.Panel[name].ID)
	if errors.Is(err, parley.ErrNotFound) || err == nil && q.Pending() {
		return Answer{Outcome: parley.Outcome{Action: parley.Accept, By: name, At: a.Panel[name].Said}}, nil
	}
	if err != nil {
		return Answer{}, err
	}
	choice, _ := permit.Decided(q)
	return Answer{Outcome: *q.Outcome, Decision: choice}, nil
}

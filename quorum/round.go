package quorum

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/parley-hq/parley"
)

// Round opens the questions of a panel that are not open yet and reads those that
// are.
type Round struct {
	Hub *parley.Hub
	// For is on whose behalf it is asked. Zero: whoever is asked.
	For parley.Principal
	// Ask is what everybody is asked; its ID and To are each one's own.
	Ask parley.Request
	// Judge says what was said to a settled question.
	Judge func(settled parley.Request) Word
}

// News is what a round finds.
type News struct {
	Asked Panel       // as they stand now, without those that had been heard before
	Open  []parley.ID // who has said nothing yet
	Full  error       // somebody could not be asked: too many questions wait for them
}

// Run looks at every question of a panel that nothing was heard of. Errors: those
// of Hub.Open but parley.ErrTooManyPending, and of Hub.Get.
func (r Round) Run(ctx context.Context, p Panel) (News, error) {
	found := News{Asked: Panel{}}
	for _, name := range p.Names() {
		a := p[name]
		if !a.Said.IsZero() {
			continue
		}
		next, err := r.one(ctx, name, a)
		switch {
		case errors.Is(err, parley.ErrTooManyPending):
			found.Full = err // the others may be enough; who it is, is not the asker's to know
			continue
		case err != nil:
			return News{}, err
		}
		found.Asked[name] = next
		if next.Said.IsZero() {
			found.Open = append(found.Open, next.ID)
		}
	}
	return found, nil
}

// Read looks at the same questions and opens none.
func (r Round) Read(ctx context.Context, p Panel) (Panel, error) {
	found := Panel{}
	for name, a := range p {
		if !a.Said.IsZero() {
			continue
		}
		next, err := r.read(ctx, name, a)
		if errors.Is(err, parley.ErrNotFound) {
			continue // not opened yet
		}
		if err != nil {
			return nil, err
		}
		found[name] = next
	}
	return found, nil
}

func (r Round) one(ctx context.Context, name string, a Asked) (Asked, error) {
	next, err := r.read(ctx, name, a)
	if !errors.Is(err, parley.ErrNotFound) {
		return next, err
	}
	ask := r.Ask.Clone()
	ask.ID, ask.To = a.ID, name
	behalf := r.For
	if behalf == (parley.Principal{}) {
		behalf = r.owner(name)
	}
	if _, err := r.Hub.OpenFor(ctx, behalf, ask); err != nil && !errors.Is(err, parley.ErrExists) { // another process has
		return a, err
	}
	return r.read(ctx, name, a)
}

// read returns how a question stands; parley.ErrNotFound: it was not opened yet.
func (r Round) read(ctx context.Context, name string, a Asked) (Asked, error) {
	q, err := Look(ctx, r.Hub, r.owner(name), a.ID)
	if errors.Is(err, parley.ErrNotFound) && !a.Expires.IsZero() {
		// It was open once: what was said is not known any more, which is no yes.
		a.Said = time.Now().UTC().Truncate(time.Millisecond)
		return a, nil
	}
	if err != nil {
		return a, err
	}
	a.Expires, a.Created = q.Expires, q.Created
	if q.Pending() {
		return a, nil
	}
	a.Said, a.By = q.Outcome.At.UTC(), q.Outcome.By
	word := r.Judge(q)
	a.Yes, a.Why, a.Edit = word.Yes, word.Why, word.Edit
	if q.Outcome.Action == parley.Cancel && q.Outcome.By == "" {
		a.Withdrawn = cmp.Or(strings.TrimPrefix(q.Outcome.Reason, "withdrawn: "), "no reason given")
	}
	return a, nil
}

func (r Round) owner(name string) parley.Principal {
	return parley.OwnerOf(cmp.Or(r.Ask.Tenant, parley.DefaultTenant), name)
}

// Look reads a question as it stands. One that is overdue is settled first.
func Look(ctx context.Context, hub *parley.Hub, who parley.Principal, id parley.ID) (parley.Request, error) {
	q, err := hub.Get(ctx, who, id)
	if err != nil || !q.Pending() || time.Now().UTC().Truncate(time.Millisecond).Before(q.Expires) {
		return q, err
	}
	if _, err := hub.Wait(ctx, id); err != nil { // returns at once: it settles what is overdue
		return q, err
	}
	return hub.Get(ctx, who, id)
}

package permit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/quorum"
)

// Panel is whom a call waits for.
type Panel struct {
	Need   int // how many must allow it
	People []Approver
}

// Approver is one who is asked about a call.
type Approver struct {
	Name     string
	Question parley.ID // that they were asked
	Said     Choice    // AllowOnce, Changed or Refuse; empty: nothing so far
	At       time.Time // when they said it, or their time was over, or their question was withdrawn

	For       string // whose voice they share: whose deputy they are; empty: nobody's
	Withdrawn string // why their question was withdrawn before they answered; empty: it was not
}

// Panel returns whom a question waits for, and what they said so far; of a question to an
// approver, who else is asked the same. It is empty for any other question, and once that
// is forgotten. The caller has verified whose question it is.
func (p *Permits) Panel(ctx context.Context, q parley.Request) (Panel, error) {
	o, round, ok := quorumOf(q)
	if !ok {
		return Panel{}, nil
	}
	id, _, _ := strings.Cut(round, ".")
	e, err := p.table.load(ctx, o, permissionKind, id)
	if err != nil || e == nil || e.Quorum == nil || e.round() != round {
		return Panel{}, err
	}
	g := e.Quorum
	if !q.OnlyTells() && g.Asked[q.To].ID != q.ID {
		return Panel{}, nil // it only says that it is one of them
	}
	news, err := p.round(g, parley.Request{Tenant: o.tenant}).Read(ctx, g.Asked)
	if err != nil {
		return Panel{}, err
	}
	g.Asked.Hear(news)
	panel := Panel{Need: g.Approvers.Need}
	for _, name := range g.Asked.Names() {
		a := g.Asked[name]
		one := Approver{Name: name, Question: a.ID, At: a.Said, For: a.For, Withdrawn: a.Withdrawn}
		switch {
		case a.Yes && len(a.Edit) > 0:
			one.Said = Changed
		case a.Yes:
			one.Said = AllowOnce
		case a.By != "":
			one.Said = Refuse
		}
		panel.People = append(panel.People, one)
	}
	return panel, nil
}

// Open returns the questions to which nothing was said yet.
func (p Panel) Open() (open []parley.ID) {
	for _, one := range p.People {
		if one.At.IsZero() {
			open = append(open, one.Question)
		}
	}
	return open
}

// AskAlso asks one more person about a call, to whom an approver's question goes, for
// example because that approver is away. How many must allow it stays as it is, and
// so do the words. The caller has found out that a rule names that person. Who is
// asked already is not asked twice, and nobody about a call of their own.
//
// Errors: parley.ErrSettled when nothing can be said any more; parley.ErrNotFound
// for a question to no approver; what the hub says to opening.
func (p *Permits) AskAlso(ctx context.Context, q parley.Request, person string) error {
	return p.askAlso(ctx, q, person, "")
}

// askAlso is AskAlso, in whose place they have one voice with, if in any.
func (p *Permits) askAlso(ctx context.Context, q parley.Request, person, place string) error {
	o, round, ok := quorumOf(q)
	if !ok || q.OnlyTells() || person == "" || person == o.user {
		return fmt.Errorf("question %s to one more approver: %w", q.ID, parley.ErrNotFound)
	}
	id, _, _ := strings.Cut(round, ".")
	var current quorum.Asked
	err := p.table.persist(ctx, func() error {
		e, err := p.table.load(ctx, o, permissionKind, id)
		switch {
		case err != nil:
			return err
		case e == nil || e.Quorum == nil || e.round() != round || e.Quorum.Asked[q.To].ID != q.ID || words(q) != e.Quorum.Words:
			return fmt.Errorf("question %s: %w", q.ID, parley.ErrNotFound)
		case !e.undecided():
			return fmt.Errorf("question %s: %w", q.ID, parley.ErrSettled)
		}
		known := false
		if current, known = e.Quorum.Asked[person]; known && current.Withdrawn != isBack {
			return nil
		}
		if !known && len(e.Quorum.Asked) >= maxApprovers {
			return fmt.Errorf("question %s: %d people are asked: %w", q.ID, maxApprovers, parley.ErrTooManyPending)
		}
		current = quorum.Asked{ID: parley.NewID(), For: cmp.Or(e.Quorum.Asked[place].For, place)} // who stands in for a deputy has the voice of both
		e.Quorum.Asked[person] = current
		return p.table.save(ctx, o, permissionKind, *e)
	})
	if err != nil || !current.Said.IsZero() {
		return err
	}
	next := q.Clone()
	next.ID, next.To, next.Outcome = current.ID, person, nil
	next.Expires = time.Now().Add(q.Expires.Sub(q.Created))
	if _, err = p.hub.Open(ctx, next); errors.Is(err, parley.ErrExists) {
		err = nil
	}
	return err
}

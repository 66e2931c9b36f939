package asking

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/quorum"
)

// look goes on with an ask: it opens what is not open yet, hears what was said,
// decides, and closes what is open after that. It does what another process may
// have left undone. Once the time is over it asks nobody, and decides.
// parley.ErrTooManyPending: those who can be asked are too few. *unheard: what failed
// is about some of a group.
func (s *Questions) look(ctx context.Context, at parley.Address) (ask, error) {
	a, err := s.load(ctx, at)
	if err != nil || a.Closed {
		return a, err
	}
	if a.Decided == nil {
		over, created := a.over(0), time.Time{}
		if !over {
			if created, err = s.announce(ctx, a); err != nil {
				return a, err
			}
		}
		news, failed := s.hear(ctx, a, over)
		if failed != nil {
			// They may have answered in time: who waits for a group hears no later than its grace.
			over = a.Group != "" && a.over(grace)
		}
		if a.Group == "" {
			created = news.Asked[a.Panel.Names()[0]].Created
		}
		heard, err := s.takeDown(ctx, at, news.Asked, created, over)
		if err != nil {
			return a, err
		}
		if a = heard; a.Decided == nil {
			yes, no := a.Panel.Words()
			if failed == nil && len(news.Open) < a.Need && len(yes)+len(no) == 0 {
				failed = news.Full
			}
			return a, failed // a group of whom somebody said anything was asked
		}
	}
	return s.close(ctx, a)
}

// unheard is what failed for some of a group: the group stands as its record says.
type unheard struct{ error }

func (u *unheard) Unwrap() error { return u.error }

// hear reads what was said, and asks who was not asked yet unless the time is over:
// each by themselves, so that what fails for one keeps no other.
func (s *Questions) hear(ctx context.Context, a ask, over bool) (all quorum.News, failed error) {
	round := quorum.Round{Hub: s.hub, For: a.Asker, Ask: a.question(), Judge: func(q parley.Request) quorum.Word {
		return quorum.Word{Yes: q.Outcome.Action == parley.Accept}
	}}
	all.Asked = quorum.Panel{}
	for _, name := range a.Panel.Names() {
		one := quorum.Panel{name: a.Panel[name]}
		var news quorum.News
		var err error
		if over {
			news.Asked, err = round.Read(ctx, one)
		} else {
			news, err = round.Run(ctx, one)
		}
		failed = errors.Join(failed, err)
		maps.Copy(all.Asked, news.Asked)
		all.Open = append(all.Open, news.Open...)
		all.Full = cmp.Or(news.Full, all.Full)
	}
	if failed != nil && a.Group != "" {
		failed = &unheard{failed}
	}
	return all, failed
}

// announce has who is to be called expect that, and opens the question of a group,
// for which its asker waits. It returns when that was opened; zero: not now.
func (s *Questions) announce(ctx context.Context, a ask) (created time.Time, err error) {
	if !a.Panel.Lasts().IsZero() {
		return created, nil // that was before the first was opened
	}
	if a.Callback != "" && s.opts.Callbacks != nil {
		err := s.opts.Callbacks.Expect(ctx, Callback{Question: a.id(), Owner: a.Asker.Owner(), URL: a.Callback, Secret: parley.Secret(a.Secret)})
		if err != nil {
			return created, err
		}
	}
	if a.Group == "" {
		return created, nil
	}
	q, err := s.hub.OpenFor(ctx, a.Asker, a.ofGroup())
	if errors.Is(err, parley.ErrExists) {
		q, err = s.hub.Get(ctx, parley.GroupPrincipal(a.at.Tenant, a.Group), a.id())
	}
	return q.Created, err
}

// takeDown keeps what is new and decides. What another process has decided stands.
// The time at which the question was opened is that of the stored one, where it is known.
func (s *Questions) takeDown(ctx context.Context, at parley.Address, news quorum.Panel, created time.Time, over bool) (ask, error) {
	return s.update(ctx, at, func(a *ask) (bool, error) {
		if a.Decided != nil || !a.Panel.Hear(news) && !over {
			return false, nil
		}
		if !created.IsZero() {
			a.Created = created
		}
		var err error
		a.Decided, err = s.decide(ctx, *a, over)
		a.Closed = a.Decided != nil && a.Group == ""
		return true, err
	})
}

// decide says how an ask ended, or nil. The first answers count, as many as are
// needed; who declines, or does not answer, leaves it to the others. Once it is over,
// who said nothing until then did not answer, whether they were asked or not.
func (s *Questions) decide(ctx context.Context, a ask, over bool) (*decision, error) {
	yes, no := a.Panel.Words()
	switch {
	case len(yes) >= a.Need:
		first := a.Panel.Agreed()
		slices.SortStableFunc(first, func(x, y string) int { return a.Panel[x].Said.Compare(a.Panel[y].Said) })
		return &decision{Action: parley.Accept, By: first[:a.Need], At: yes[a.Need-1]}, nil
	case len(no) <= len(a.Panel)-a.Need && !over:
		return nil, nil
	}
	d := &decision{Action: parley.Expire, At: a.Expires, Reason: "expired"}
	if most := len(a.Panel) - a.Need; len(no) > most {
		d.At = no[most]
	}
	for _, name := range a.Panel.Names() {
		one := a.Panel[name]
		if one.Said.IsZero() || one.Yes {
			continue
		}
		q, err := s.hub.Get(ctx, parley.OwnerOf(a.at.Tenant, name), one.ID)
		if errors.Is(err, parley.ErrNotFound) || err == nil && q.Pending() {
			continue
		}
		switch {
		case err != nil && a.Group != "" && a.over(grace):
			continue // nobody waits for longer than that
		case err != nil && a.Group != "":
			return nil, &unheard{err}
		case err != nil:
			return nil, err
		}
		d.outweigh(name, *q.Outcome)
	}
	return d, nil
}

// outweigh takes over how one of the questions ended, if that says more: a no of a
// person more than a withdrawal, and that more than that nobody answered.
func (d *decision) outweigh(name string, o parley.Outcome) {
	rank := func(action parley.Action) int {
		return slices.Index([]parley.Action{parley.Expire, parley.Cancel, parley.Decline}, action)
	}
	if rank(o.Action) < rank(d.Action) || o.Action == parley.Expire {
		return
	}
	if o.Action != d.Action {
		d.By, d.Via = nil, ""
	}
	d.Action, d.Reason = o.Action, o.Reason
	if o.By == "" {
		return
	}
	switch {
	case len(d.By) == 0:
		d.Via = o.Via
	case d.Via != o.Via:
		d.Via = ""
	}
	d.By = append(d.By, name)
}

// close ends what is open of an ask that is decided.
func (s *Questions) close(ctx context.Context, a ask) (ask, error) {
	if a.Closed {
		return a, nil
	}
	reason := cmp.Or(strings.TrimPrefix(a.Decided.Reason, withdrawn), "it is decided")
	if a.Decided.Action == parley.Accept {
		reason = "answered by " + strings.Join(a.Decided.By, " and ")
	}
	if err := errors.Join(a.Panel.Dismiss(ctx, s.hub, reason), s.settleGroup(ctx, a, reason)); err != nil {
		return a, err
	}
	a, err := s.update(ctx, a.at, func(a *ask) (bool, error) {
		a.Closed = true
		return true, nil
	})
	if err == nil {
		if gone := s.records.Delete(ctx, a.openAddress(), 0); gone != nil && !errors.Is(gone, parley.ErrNotFound) {
			err = gone
		}
	}
	return a, err
}

// settleGroup tells who waits for the group.
func (s *Questions) settleGroup(ctx context.Context, a ask, reason string) error {
	group := parley.GroupPrincipal(a.at.Tenant, a.Group)
	var err error
	switch a.Decided.Action {
	case parley.Accept, parley.Decline:
		err = s.hub.Answer(ctx, group, a.id(), parley.Answer{Action: a.Decided.Action, Via: "group"})
	default:
		err = s.hub.Cancel(ctx, a.id(), reason)
	}
	for _, over := range []error{parley.ErrSettled, parley.ErrExpired, parley.ErrNotFound} {
		if errors.Is(err, over) {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("group question %s: %w", a.id(), err)
	}
	return nil
}

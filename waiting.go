package parley

import "context"

// waitingPage is how many questions are read at a time to find those of a trigger:
// stores select by none, and each question is read whole.
const waitingPage = 200

// Waiting returns open questions of all people that have the trigger, oldest first,
// for a program that looks whether they are still needed. It looks at one page of
// the store's list, behind after; last is where the next page begins, empty when
// there is none. Questions that do not open are left out: somebody else's secret
// sealed them.
func (h *Hub) Waiting(ctx context.Context, trigger string, after ID) (found []Request, last ID, err error) {
	return h.waiting(ctx, trigger, Query{After: after})
}

// WaitingFor is Waiting for the questions of one person, newest first.
func (h *Hub) WaitingFor(ctx context.Context, p Principal, trigger string, after ID) (found []Request, last ID, err error) {
	if p.User == "" {
		return nil, "", ErrNoOwner
	}
	if err := p.Validate(); err != nil {
		return nil, "", err
	}
	return h.waiting(ctx, trigger, Query{Tenant: p.tenant(), To: p.User, After: after, Newest: true})
}

func (h *Hub) waiting(ctx context.Context, trigger string, q Query) (found []Request, last ID, err error) {
	q.Pending, q.Limit = true, waitingPage
	var page []Request
	err = h.retry(ctx, func() (err error) {
		page, err = h.store.List(ctx, q)
		return err
	})
	if err != nil {
		return nil, "", err
	}
	present := now()
	for _, r := range page {
		if r.Trigger != trigger || !present.Before(r.Expires) {
			continue
		}
		if r, err := h.unseal(r); err == nil {
			found = append(found, r)
		}
	}
	if len(page) == waitingPage {
		last = page[len(page)-1].ID
	}
	return found, last, nil
}

package parley

import "context"

// Waiting returns open questions of all people that have the trigger, oldest first,
// for a program that looks whether they are still needed. It looks at one page of
// the store's list, behind after; last is where the next page begins, empty when
// there is none. Questions that do not open are left out: somebody else's secret
// sealed them.
func (h *Hub) Waiting(ctx context.Context, trigger string, after ID) (found []Request, last ID, err error) {
	var page []Request
	err = h.retry(ctx, func() (err error) {
		page, err = h.store.List(ctx, Query{Pending: true, After: after, Limit: MaxLimit})
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
	if len(page) == MaxLimit {
		last = page[len(page)-1].ID
	}
	return found, last, nil
}

package parley

import (
	"context"
	"errors"
	"fmt"
)

// supersede cancels every pending question of the session but the newest. Of
// several that open at once each sees the others or is seen by them, so the
// newest survives whoever comes first.
func (h *Hub) supersede(ctx context.Context, r Request) error {
	pending, err := h.sessionPending(ctx, r, MaxLimit)
	if err != nil {
		return err
	}
	for i, older := range pending {
		if i == len(pending)-1 {
			break
		}
		err := h.conclude(ctx, older, Outcome{Action: Cancel, Reason: superseded})
		if err != nil && !errors.Is(err, ErrSettled) {
			return fmt.Errorf("superseding %s: %w", older.ID, err)
		}
	}
	return nil
}

// awaitTurn returns when no older question of the session is pending, or when r
// itself has expired.
func (h *Hub) awaitTurn(ctx context.Context, r Request) error {
	untilExpiry, cancel := context.WithDeadline(ctx, r.Expires)
	defer cancel()
	for {
		first, err := h.ahead(ctx, r)
		if err != nil || first == nil {
			return err
		}
		_, err = h.Wait(untilExpiry, first.ID)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case untilExpiry.Err() != nil:
			return nil
		case err != nil && !errors.Is(err, ErrNotFound):
			return err
		}
	}
}

// ahead returns the question of r's session whose turn it is, or nil when it is
// r's.
func (h *Hub) ahead(ctx context.Context, r Request) (*Request, error) {
	pending, err := h.sessionPending(ctx, r, 1)
	if err != nil || len(pending) == 0 || pending[0].ID >= r.ID {
		return nil, err
	}
	return &pending[0], nil
}

// sessionPending returns the pending questions of r's session, oldest first.
func (h *Hub) sessionPending(ctx context.Context, r Request, limit int) ([]Request, error) {
	var list []Request
	err := h.retry(ctx, func() (err error) {
		list, err = h.store.List(ctx, Query{Tenant: r.Tenant, Session: r.Session, Pending: true, Limit: limit})
		return err
	})
	return list, err
}

package pgstore

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
)

// Put implements parley.Store. Under concurrency it may overshoot the limit by
// the number of concurrent calls for one person.
func (s *Store) Put(ctx context.Context, r parley.Request, maxPending int) error {
	var labels any // a nil map would be stored as JSON's null
	if len(r.Labels) > 0 {
		labels = r.Labels
	}
	args := []any{
		string(r.ID), r.Tenant, r.To, r.From, string(r.Mode), r.Message, orNil(r.Schema), r.URL, r.Trigger, r.Session, labels,
		r.Created.UnixMilli(), r.Expires.UnixMilli(),
	}
	query := s.sql.put
	if maxPending > 0 {
		query = s.sql.putLimited
		args = append(args, maxPending-1)
	}
	tag, err := s.pool.Exec(ctx, query, args...)
	switch {
	case unstorable(err):
		return fmt.Errorf("request %q: a text is not UTF-8 or holds a NUL: %w", r.ID, parley.ErrInvalid)
	case err != nil:
		return explained(fmt.Sprintf("put request %s", r.ID), err)
	case tag.RowsAffected() == 1:
		return nil
	case maxPending <= 0:
		return fmt.Errorf("request %s: %w", r.ID, parley.ErrExists)
	}
	return s.whyNotPut(ctx, r.ID)
}

// whyNotPut tells a taken id from a person with too many questions. The id comes
// first: a caller whose first reply was lost must learn that its request is there.
func (s *Store) whyNotPut(ctx context.Context, id parley.ID) error {
	taken, err := s.exists(ctx, id)
	switch {
	case err != nil:
		return explained(fmt.Sprintf("put request %s", id), err)
	case taken:
		return fmt.Errorf("request %s: %w", id, parley.ErrExists)
	}
	return fmt.Errorf("request %s: %w", id, parley.ErrTooManyPending)
}

func (s *Store) exists(ctx context.Context, id parley.ID) (there bool, err error) {
	err = s.pool.QueryRow(ctx, s.sql.exists, string(id)).Scan(&there)
	return there, err
}

// Get implements parley.Store.
func (s *Store) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	r, err := scanRequest(s.pool.QueryRow(ctx, s.sql.get, string(id)))
	switch {
	case nothing(err):
		return parley.Request{}, fmt.Errorf("request %q: %w", id, parley.ErrNotFound)
	case err != nil:
		return parley.Request{}, explained(fmt.Sprintf("get request %s", id), err)
	}
	return r, nil
}

// Settle implements parley.Store.
func (s *Store) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	tag, err := s.pool.Exec(ctx, s.sql.settle, string(id),
		string(o.Action), orNil(o.Content), o.By, o.Via, o.Reason, o.At.UnixMilli(), o.Claim)
	switch {
	case unstorable(err):
		return s.whyNotSettled(ctx, id, fmt.Errorf("a text is not UTF-8 or holds a NUL: %w", parley.ErrInvalid))
	case err != nil:
		s.herald.tell(id) // the commit may have happened
		return explained(fmt.Sprintf("settle request %s", id), err)
	case tag.RowsAffected() == 1:
		s.herald.tell(id)
		return nil
	}
	return s.whyNotSettled(ctx, id, parley.ErrSettled)
}

// whyNotSettled returns reason for a request that exists.
func (s *Store) whyNotSettled(ctx context.Context, id parley.ID, reason error) error {
	there, err := s.exists(ctx, id)
	switch {
	case unstorable(err), err == nil && !there:
		return fmt.Errorf("request %q: %w", id, parley.ErrNotFound)
	case err != nil:
		return explained(fmt.Sprintf("settle request %s", id), err)
	}
	return fmt.Errorf("request %s: %w", id, reason)
}

// scanRequest reads requestColumns.
func scanRequest(row pgx.Row) (parley.Request, error) {
	var (
		r                parley.Request
		o                parley.Outcome
		action           *string
		settledAt        *int64
		schema, content  []byte
		created, expires int64
	)
	err := row.Scan(&r.ID, &r.Tenant, &r.To, &r.From, &r.Mode, &r.Message, &schema, &r.URL, &r.Trigger, &r.Session, &r.Labels,
		&created, &expires, &action, &content, &o.By, &o.Via, &o.Reason, &settledAt, &o.Claim)
	if err != nil {
		return parley.Request{}, err
	}
	r.Schema, r.Created, r.Expires = orNil(schema), fromMillis(created), fromMillis(expires)
	if action != nil {
		o.Action, o.Content, o.At = parley.Action(*action), orNil(content), fromMillis(*settledAt)
		r.Outcome = &o
	}
	return r, nil
}

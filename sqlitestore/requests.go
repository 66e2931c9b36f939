package sqlitestore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

const columns = `id, tenant, recipient, sender, mode, message, schema, url, trigger, session, labels,
	created, expires, action, content, settled_by, via, reason, settled_at, claim`

// The limit is checked by looking for the row that would be one too many, at
// most ?14 steps into the index of what the person has pending.
const putRequest = `
INSERT INTO requests (id, tenant, recipient, sender, mode, message, schema, url, trigger, session, labels, created, expires)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13
WHERE ?14 <= 0 OR (
	SELECT 1 FROM requests INDEXED BY requests_pending_person
	WHERE tenant = ?2 AND recipient = ?3 AND action IS NULL
	LIMIT 1 OFFSET ?14 - 1
) IS NULL
ON CONFLICT (id) DO NOTHING
RETURNING 1`

const settleRequest = `
UPDATE requests SET action = ?2, content = ?3, settled_by = ?4, via = ?5, reason = ?6, settled_at = ?7, claim = ?8,
	settled_seq = (SELECT last + 1 FROM counter)
WHERE id = ?1 AND action IS NULL
RETURNING settled_seq`

const (
	getRequest     = `SELECT ` + columns + ` FROM requests WHERE id = ?1`
	requestSettled = `SELECT action IS NOT NULL FROM requests WHERE id = ?1`
)

// Put stores a new, pending request.
func (s *Store) Put(ctx context.Context, r parley.Request, maxPending int) error {
	if err := s.put(ctx, r, maxPending); err != nil {
		return s.failed(fmt.Sprintf("put request %s", r.ID), err)
	}
	return nil
}

func (s *Store) put(ctx context.Context, r parley.Request, maxPending int) error {
	var labels sql.NullString
	if len(r.Labels) > 0 {
		text, err := json.Marshal(r.Labels)
		if err != nil {
			return err
		}
		labels = sql.NullString{String: string(text), Valid: true}
	}
	stored, err := s.write.do(ctx, putRequest,
		string(r.ID), r.Tenant, r.To, r.From, string(r.Mode), r.Message, slices.Clone([]byte(r.Schema)), r.URL, r.Trigger, r.Session,
		labels, millis(r.Created), millis(r.Expires), maxPending)
	if err != nil || len(stored) > 0 {
		return err
	}
	// A caller that repeats a Put whose reply it lost must learn that the id
	// is taken, even if that very request filled the quota.
	there, err := collect(ctx, s.read, number, requestSettled, string(r.ID))
	switch {
	case err != nil:
		return err
	case len(there) > 0:
		return parley.ErrExists
	}
	return parley.ErrTooManyPending
}

// Get returns the request.
func (s *Store) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	found, err := collect(ctx, s.read, scanRequest, getRequest, string(id))
	if err == nil && len(found) == 0 {
		err = parley.ErrNotFound
	}
	if err != nil {
		return parley.Request{}, s.failed(fmt.Sprintf("get request %s", id), err)
	}
	return found[0], nil
}

// Settle gives a pending request its outcome.
func (s *Store) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	if err := s.settle(ctx, id, o); err != nil {
		return s.failed(fmt.Sprintf("settle request %s", id), err)
	}
	s.ring()
	return nil
}

func (s *Store) settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	settled, err := s.write.do(ctx, settleRequest,
		string(id), string(o.Action), slices.Clone([]byte(o.Content)), o.By, o.Via, o.Reason, millis(o.At), o.Claim)
	if err != nil || len(settled) > 0 {
		return err
	}
	before, err := collect(ctx, s.read, number, requestSettled, string(id))
	switch {
	case err != nil:
		return err
	case len(before) > 0 && before[0] == 1:
		return parley.ErrSettled
	}
	return parley.ErrNotFound // or put there since, which comes to the same
}

func scanRequest(rows *sql.Rows) (parley.Request, error) {
	var (
		r                              parley.Request
		schema, content                []byte
		labels                         sql.NullString
		created, expires               int64
		action, by, via, reason, claim sql.NullString
		at                             sql.NullInt64
	)
	err := rows.Scan(&r.ID, &r.Tenant, &r.To, &r.From, &r.Mode, &r.Message, &schema, &r.URL, &r.Trigger, &r.Session, &labels,
		&created, &expires, &action, &content, &by, &via, &reason, &at, &claim)
	if err != nil {
		return r, err
	}
	r.Schema, r.Created, r.Expires = schema, moment(created), moment(expires)
	if labels.Valid {
		if err := json.Unmarshal([]byte(labels.String), &r.Labels); err != nil {
			return r, fmt.Errorf("labels of request %s: %w", r.ID, err)
		}
	}
	if action.Valid {
		r.Outcome = &parley.Outcome{
			Action: parley.Action(action.String), Content: content, By: by.String, Via: via.String,
			Reason: reason.String, At: moment(at.Int64), Claim: claim.String,
		}
	}
	return r, nil
}

// sweepBatch bounds how long a sweep keeps other writers waiting.
const sweepBatch = 200

const (
	sweepRequests = `DELETE FROM requests WHERE rowid IN (
	SELECT rowid FROM requests INDEXED BY requests_settled_at WHERE settled_at < ?1 ORDER BY settled_at LIMIT ?2)
RETURNING 1`
	sweepRecords = `DELETE FROM records WHERE rowid IN (
	SELECT rowid FROM records INDEXED BY records_expires WHERE expires <= ?1 ORDER BY expires LIMIT ?2)
RETURNING 1`
)

// Sweep forgets requests that were settled longer ago than the retention time,
// and expired records. It stops at the first error; the next sweep goes on.
func (s *Store) Sweep(ctx context.Context, now time.Time) error {
	err := errors.Join(
		s.sweep(ctx, sweepRequests, now.Add(-s.retention)),
		s.sweep(ctx, sweepRecords, now),
	)
	if err != nil {
		return s.failed("sweep", err)
	}
	return nil
}

func (s *Store) sweep(ctx context.Context, text string, until time.Time) error {
	for {
		gone, err := s.write.do(ctx, text, millis(until), sweepBatch)
		if err != nil || len(gone) < sweepBatch {
			return err
		}
	}
}

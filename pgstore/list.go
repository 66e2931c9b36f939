package pgstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
)

// List implements parley.Store. There is an index for what a person or a session
// has pending, for what is due and for a person's history. Everything else
// (a session's history, a whole tenant) reads more than it returns.
func (s *Store) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	q, err := q.Normal()
	if err != nil {
		return nil, err
	}
	text, args := s.sql.listFor(q)
	// Planned anew for these values and the present size of the table: which
	// index is best depends on both, unlike with the other statements.
	rows, err := s.pool.Query(ctx, text, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
	if err != nil {
		return nil, explained("list requests", err)
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (parley.Request, error) { return scanRequest(row) })
	switch {
	case unstorable(err):
		return nil, fmt.Errorf("a text is not UTF-8 or holds a NUL: %w", parley.ErrQuery)
	case err != nil:
		return nil, explained("list requests", err)
	}
	return list, nil
}

var _ parley.Counter = (*Store)(nil) // else its test would be left out

// CountPending implements parley.Counter.
func (s *Store) CountPending(ctx context.Context) (n int, err error) {
	if err := s.pool.QueryRow(ctx, s.sql.countPending).Scan(&n); err != nil {
		return 0, explained("count requests", err)
	}
	return n, nil
}

// listFor returns the statement for the conditions that are set.
func (s statements) listFor(q parley.Query) (text string, args []any) {
	conditions := []string{"true"}
	where := func(condition string, value any) {
		args = append(args, value)
		conditions = append(conditions, fmt.Sprintf("%s $%d", condition, len(args)))
	}
	if q.Tenant != "" {
		where("tenant =", q.Tenant)
	}
	if q.To != "" {
		where("recipient =", q.To)
	}
	if q.Session != "" {
		where("session =", q.Session)
	}
	if q.Pending {
		conditions = append(conditions, "action IS NULL")
	}
	if !q.ExpiresBefore.IsZero() {
		where("expires <=", q.ExpiresBefore.UnixMilli())
	}
	direction, behind := "ASC", "id >"
	if q.Newest {
		direction, behind = "DESC", "id <"
	}
	if q.After != "" {
		where(behind, string(q.After))
	}
	args = append(args, q.Limit)
	switch {
	case q.Soonest:
		text = s.listSoonest
	case !q.Pending && q.To != "":
		text = s.listBoth
	case q.Pending && q.To == "" && q.Session == "" && !q.ExpiresBefore.IsZero():
		text = s.listDue
	default:
		text = s.list
	}
	return strings.NewReplacer(
		"{conditions}", strings.Join(conditions, " AND "),
		"{direction}", direction,
		"{limit}", fmt.Sprintf("LIMIT $%d", len(args)),
	).Replace(text), args
}

package sqlitestore

import (
	"context"
	"strings"

	"github.com/parley-hq/parley"
)

// List implements parley.Store.
func (s *Store) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	q, err := q.Normal()
	if err != nil {
		return nil, err
	}
	text, args := listRequests(q)
	found, err := collect(ctx, s.read, scanRequest, text, args...)
	if err != nil {
		return nil, s.failed("list requests", err)
	}
	return found, nil
}

const countPending = "SELECT count(*) FROM requests INDEXED BY requests_pending_expires WHERE action IS NULL"

var _ parley.Counter = (*Store)(nil) // else its test would be left out

// CountPending implements parley.Counter.
func (s *Store) CountPending(ctx context.Context) (int, error) {
	found, err := collect(ctx, s.read, number, countPending)
	if err != nil {
		return 0, s.failed("count requests", err)
	}
	return int(found[0]), nil
}

// listRequests returns one of a few dozen statements, which the pool keeps
// prepared, and its arguments.
func listRequests(q parley.Query) (text string, args []any) {
	var where []string
	when := func(set bool, condition string, values ...any) {
		if set {
			where = append(where, condition)
			args = append(args, values...)
		}
	}
	behind, order := "id > ?", "id"
	if q.Newest {
		behind, order = "id < ?", "id DESC"
	}
	if q.Soonest {
		order = "expires, id"
	}
	when(q.Tenant != "", "tenant = ?", q.Tenant)
	when(q.To != "", "recipient = ?", q.To)
	when(q.Session != "", "session = ? AND session <> ''", q.Session) // the latter admits the indexes of sessions
	when(q.Pending, "action IS NULL")
	when(!q.ExpiresBefore.IsZero(), "expires <= ?", millis(q.ExpiresBefore))
	when(q.After != "", behind, string(q.After))

	text = "SELECT " + columns + " FROM requests" + through(q)
	if len(where) > 0 {
		text += " WHERE " + strings.Join(where, " AND ")
	}
	return text + " ORDER BY " + order + " LIMIT ? + 0", append(args, q.Limit)
}

// through names the index for q. Left alone, SQLite does not know how few of
// all requests are pending and may walk through all of them. Lists of a person,
// a session or a tenant come out in the order of ids and stop at the limit;
// those of whatever is pending or due are sorted, but by expiry they come out as
// they are.
func through(q parley.Query) string {
	switch {
	case q.Session != "" && q.Pending:
		return " INDEXED BY requests_pending_session"
	case q.Session != "":
		return " INDEXED BY requests_session"
	case q.To != "" && q.Pending:
		return " INDEXED BY requests_pending_person"
	case q.To != "":
		return " INDEXED BY requests_person"
	case q.Pending && !q.ExpiresBefore.IsZero():
		return " INDEXED BY requests_pending_expires"
	case q.Pending && q.Tenant != "":
		return " INDEXED BY requests_pending_person"
	case q.Pending:
		return " INDEXED BY requests_pending_expires"
	case q.Tenant != "":
		return " INDEXED BY requests_tenant"
	}
	return "" // the primary key
}

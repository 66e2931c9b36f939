package parley

import (
	"context"
	"fmt"
	"time"
)

// Store remembers requests. Every backend passes the suite of package
// storetest; the promises below are its tests.
//
// All times are UTC with millisecond precision. Values go in and come out as
// copies. A method that returns an error other than the named ones may or may
// not have done its work; it is safe to call it again.
type Store interface {
	// Put stores a new, pending request. It returns ErrExists when the id is
	// taken, and ErrTooManyPending when its owner has maxPending or more
	// requests pending (0: no limit). A backend without a lock for it may
	// overshoot the limit by the number of concurrent calls.
	Put(ctx context.Context, r Request, maxPending int) error

	// Get returns the request, settled or not, or ErrNotFound.
	Get(ctx context.Context, id ID) (Request, error)

	// Settle gives a pending request its outcome. Of all concurrent callers in
	// all processes exactly one succeeds; the others get ErrSettled. ErrNotFound
	// when there is no such request.
	Settle(ctx context.Context, id ID, o Outcome) error

	// List returns the requests that match, in the order of their ids, or of their
	// expiry where the query says so.
	List(ctx context.Context, q Query) ([]Request, error)

	// Watch calls settled for requests that this or another process settled
	// after Watch subscribed, until ctx ends or the subscription breaks; it
	// returns the reason. It is a hint that may be late, repeated or lost. An
	// empty id means that hints may have been missed: it comes first, as soon
	// as the subscription stands. settled does not block.
	Watch(ctx context.Context, settled func(ID)) error
}

// Sweeper is an ability of stores that do not forget by themselves. Hub.Run
// calls it now and then; it removes requests whose outcome is older than the
// store's retention time, and expired records.
type Sweeper interface {
	Sweep(ctx context.Context, now time.Time) error
}

// Counter is an ability of stores that can tell how many requests are pending, of
// everybody, without reading them.
type Counter interface {
	CountPending(ctx context.Context) (int, error)
}

// Query selects requests. Every condition that is set must hold.
type Query struct {
	Tenant        string
	To            string    // needs Tenant
	Session       string    // needs Tenant
	Pending       bool      // only those without an outcome
	ExpiresBefore time.Time // only those that expire at this time or before
	After         ID        // only those behind this id in the list's order
	Newest        bool      // newest first
	Soonest       bool      // by expiry, then by id; with Pending and ExpiresBefore, and for everybody or a tenant as a whole
	Limit         int       // 0: 100; at most 1000
}

// Bounds of Query.Limit and of the limit of Records.Scan.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

// Normal returns q with its limit in bounds, or ErrQuery.
func (q Query) Normal() (Query, error) {
	if q.Tenant == "" && (q.To != "" || q.Session != "") {
		return q, fmt.Errorf("%w: a user or a session is looked up within a tenant; name it", ErrQuery)
	}
	if q.Soonest && (!q.Pending || q.ExpiresBefore.IsZero() || q.To != "" || q.Session != "" || q.After != "" || q.Newest) {
		return q, fmt.Errorf("%w: the order of expiry is for what is pending and due, from its beginning, and not for one person or session", ErrQuery)
	}
	q.Limit = boundedLimit(q.Limit)
	return q, nil
}

// Matches reports whether r meets every condition of q but After and Limit.
func (q Query) Matches(r Request) bool {
	return (q.Tenant == "" || q.Tenant == r.Tenant) &&
		(q.To == "" || q.To == r.To) &&
		(q.Session == "" || q.Session == r.Session) &&
		(!q.Pending || r.Pending()) &&
		(q.ExpiresBefore.IsZero() || !r.Expires.After(q.ExpiresBefore))
}

func boundedLimit(n int) int {
	if n <= 0 {
		return DefaultLimit
	}
	return min(n, MaxLimit)
}

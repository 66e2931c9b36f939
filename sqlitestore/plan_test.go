package sqlitestore_test

import (
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/sqlitestore"
)

// plan returns how SQLite would run a statement.
func plan(t *testing.T, db *sql.DB, text string) string {
	t.Helper()
	rows, err := db.Query("EXPLAIN QUERY PLAN "+text, make([]any, 20)...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var steps []string
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return strings.Join(steps, "\n")
}

func TestNoStatementWalksThroughATable(t *testing.T) {
	path := fresh(t)
	open(t, path, nil)
	db := raw(t, path)
	for name, text := range sqlitestore.Statements {
		got := plan(t, db, text)
		t.Logf("%s:\n%s", name, got)
		for _, bad := range []string{"SCAN requests", "SCAN records", "TEMP B-TREE FOR ORDER BY"} {
			if strings.Contains(got, bad) {
				t.Errorf("%s: %s", name, bad)
			}
		}
	}
}

func TestNoListOfAPersonASessionOrWhatIsDueWalksThroughTheTable(t *testing.T) {
	path := fresh(t)
	open(t, path, nil)
	db := raw(t, path)
	tests := []struct {
		query  parley.Query
		index  string
		sorted bool
	}{
		{parley.Query{Tenant: "a", To: "b", Pending: true}, "requests_pending_person", false},
		{parley.Query{Tenant: "a", Session: "s", Pending: true}, "requests_pending_session", false},
		{parley.Query{Tenant: "a", Session: "s", To: "b", Pending: true, After: "x"}, "requests_pending_session", false},
		{parley.Query{Pending: true, ExpiresBefore: time.Now()}, "requests_pending_expires", true},
		{parley.Query{Pending: true, ExpiresBefore: time.Now(), Soonest: true}, "requests_pending_expires", false},
		{parley.Query{Tenant: "a", To: "b", Newest: true}, "requests_person", false},
		{parley.Query{Tenant: "a", To: "b", Newest: true, After: "x"}, "requests_person", false},
		{parley.Query{Tenant: "a", Session: "s"}, "requests_session", false},
		{parley.Query{Tenant: "a", Newest: true}, "requests_tenant", false},
	}
	for _, test := range tests {
		text, _ := sqlitestore.ListRequests(test.query)
		got := plan(t, db, text)
		if !strings.Contains(got, "SEARCH requests USING INDEX "+test.index+" (") {
			t.Errorf("%+v does not search %s:\n%s", test.query, test.index, got)
		}
		if sorted := strings.Contains(got, "TEMP B-TREE"); sorted != test.sorted {
			t.Errorf("%+v: sorted %t, want %t:\n%s", test.query, sorted, test.sorted, got)
		}
	}
}

func TestEveryQueryFindsWhatMatchesIt(t *testing.T) {
	s := open(t, fresh(t), nil)
	now := time.Now().UTC().Truncate(time.Millisecond)
	var all []parley.Request
	for i := range 48 {
		r := question([]string{"ann", "bob"}[i%2])
		r.Tenant = []string{"acme", "other"}[i/2%2]
		r.Session = []string{"", "s", "z"}[i%3]
		r.Expires = now.Add(time.Duration(i%5-2) * time.Minute)
		put(t, s, r)
		if i%4 == 3 {
			o := yes("ann")
			o.At = now
			r.Outcome = &o
			if err := s.Settle(t.Context(), r.ID, o); err != nil {
				t.Fatal(err)
			}
		}
		all = append(all, r)
	}
	slices.SortFunc(all, func(a, b parley.Request) int { return strings.Compare(string(a.ID), string(b.ID)) })
	for bits := range 1 << 7 {
		set := func(bit int) bool { return bits>>bit&1 == 1 }
		q := parley.Query{Pending: set(0), Newest: set(1), Limit: 7}
		if set(2) {
			q.ExpiresBefore = now
		}
		if set(3) {
			q.After = all[20].ID
		}
		if set(4) {
			q.Tenant = "acme"
			if set(5) {
				q.To = "bob"
			}
			if set(6) {
				q.Session = "s"
			}
		}
		got, err := s.List(t.Context(), q)
		if err != nil {
			t.Fatalf("%+v: %v", q, err)
		}
		if diff := cmp.Diff(matching(all, q), got); diff != "" {
			t.Fatal(fmt.Sprintf("%+v: ", q), diff)
		}
	}
}

// matching is List, done the slow way.
func matching(all []parley.Request, q parley.Query) (found []parley.Request) {
	if q.Newest {
		all = slices.Clone(all)
		slices.Reverse(all)
	}
	for _, r := range all {
		behind := q.After == "" || r.ID > q.After != q.Newest && r.ID != q.After
		if len(found) < q.Limit && behind && q.Matches(r) {
			found = append(found, r)
		}
	}
	return found
}

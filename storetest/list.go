package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

func runList(t *testing.T, open Opener) {
	runAll(t, open, []subtest{
		{"every condition must hold", listConditions},
		{"pages follow each other without gap or repetition", listPages},
		{"the limit has a default and a maximum", listLimits},
		{"what expires is found", listExpiring},
		{"what expires first comes first", listSoonest},
		{"a user without a tenant is refused", listWithoutTenant},
	})
}

// listed returns the ids that a query gives.
func listed(t *testing.T, s Backend, q parley.Query) []parley.ID {
	t.Helper()
	list, err := s.List(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	var ids []parley.ID
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	return ids
}

func listConditions(t *testing.T, a, b Backend) {
	var all []parley.Request
	for _, tenant := range []string{"acme", "other"} {
		for _, user := range []string{"alice", "bob"} {
			for _, session := range []string{"s1", "s2", ""} {
				for _, settled := range []bool{false, true} {
					r := question(user)
					r.Tenant, r.Session = tenant, session
					put(t, a, r)
					if settled {
						o := accepted("x")
						if err := a.Settle(t.Context(), r.ID, o); err != nil {
							t.Fatal(err)
						}
						r.Outcome = &o
					}
					all = append(all, r)
				}
			}
		}
	}
	for _, tenant := range []string{"", "acme", "nobody"} {
		for _, user := range []string{"", "alice", "carol"} {
			for _, session := range []string{"", "s1"} {
				for _, pending := range []bool{false, true} {
					q := parley.Query{Tenant: tenant, To: user, Session: session, Pending: pending}
					if tenant == "" && (user != "" || session != "") {
						continue
					}
					var want []parley.ID
					for _, r := range all {
						if q.Matches(r) {
							want = append(want, r.ID)
						}
					}
					slices.Sort(want)
					same(t, listed(t, b, q), want)
					slices.Reverse(want)
					q.Newest = true
					same(t, listed(t, b, q), want)
				}
			}
		}
	}
	whole, err := b.List(t.Context(), parley.Query{Tenant: "acme", To: "alice", Session: "s1", Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	same(t, whole, []parley.Request{all[0]})
}

func listPages(t *testing.T, a, b Backend) {
	var want []parley.ID
	for i := range 60 {
		r := question("alice")
		r.Session = fmt.Sprint("s", i%3)
		put(t, a, r)
		want = append(want, r.ID)
	}
	slices.Sort(want)
	for _, q := range []parley.Query{
		{}, {Tenant: "acme"}, {Tenant: "acme", To: "alice"}, {Tenant: "acme", To: "alice", Pending: true},
		{Tenant: "acme", To: "alice", Newest: true}, {Tenant: "acme", Pending: true, Newest: true},
	} {
		var got []parley.ID
		for q.Limit = 7; ; {
			page := listed(t, b, q)
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
			q.After = page[len(page)-1]
		}
		if q.Newest {
			slices.Reverse(got)
		}
		same(t, got, want)
	}
}

func listLimits(t *testing.T, a, b Backend) {
	for range parley.MaxLimit + 5 {
		put(t, a, question("alice"))
	}
	q := parley.Query{Tenant: "acme", To: "alice"}
	for limit, want := range map[int]int{0: parley.DefaultLimit, 3: 3, parley.MaxLimit: parley.MaxLimit, parley.MaxLimit * 2: parley.MaxLimit} {
		q.Limit = limit
		if got := len(listed(t, b, q)); got != want {
			t.Errorf("limit %d gives %d requests, want %d", limit, got, want)
		}
	}
}

func listExpiring(t *testing.T, a, b Backend) {
	base := now()
	var ids []parley.ID
	for i := range 5 {
		r := question("alice")
		r.Expires = base.Add(time.Duration(i) * time.Second)
		put(t, a, r)
		ids = append(ids, r.ID)
	}
	if err := a.Settle(t.Context(), ids[1], accepted("x")); err != nil {
		t.Fatal(err)
	}
	at := base.Add(2 * time.Second)
	pending := []parley.ID{ids[0], ids[2]}
	slices.Sort(pending)
	same(t, listed(t, b, parley.Query{Pending: true, ExpiresBefore: at}), pending)
	same(t, listed(t, b, parley.Query{Tenant: "acme", To: "alice", Pending: true, ExpiresBefore: at}), pending)
	same(t, listed(t, b, parley.Query{Tenant: "other", Pending: true, ExpiresBefore: at}), []parley.ID(nil))
	every := slices.Clone(ids[:3])
	slices.Sort(every)
	same(t, listed(t, b, parley.Query{ExpiresBefore: at}), every)
	same(t, listed(t, b, parley.Query{Pending: true, ExpiresBefore: base.Add(-time.Second)}), []parley.ID(nil))
}

func listSoonest(t *testing.T, a, b Backend) {
	base := now()
	var ids []parley.ID
	for i := range 6 {
		r := question("alice")
		r.Expires = base.Add(time.Duration((i*5)%6) * time.Second) // 0, 5, 4, 3, 2, 1
		put(t, a, r)
		ids = append(ids, r.ID)
	}
	if err := a.Settle(t.Context(), ids[4], accepted("x")); err != nil {
		t.Fatal(err)
	}
	q := parley.Query{Pending: true, ExpiresBefore: base.Add(4 * time.Second), Soonest: true}
	same(t, listed(t, b, q), []parley.ID{ids[0], ids[5], ids[3], ids[2]})
	q.Tenant, q.Limit = "acme", 2
	same(t, listed(t, b, q), []parley.ID{ids[0], ids[5]})
	q.Tenant = "other"
	same(t, listed(t, b, q), []parley.ID(nil))
	for _, q := range []parley.Query{
		{Pending: true, Soonest: true},
		{ExpiresBefore: base, Soonest: true},
		{Pending: true, ExpiresBefore: base, Soonest: true, Newest: true},
		{Pending: true, ExpiresBefore: base, Soonest: true, After: ids[0]},
		{Pending: true, ExpiresBefore: base, Soonest: true, Tenant: "acme", To: "alice"},
	} {
		_, err := a.List(t.Context(), q)
		wantError(t, err, parley.ErrQuery)
	}
}

func listWithoutTenant(t *testing.T, a, _ Backend) {
	for _, q := range []parley.Query{{To: "alice"}, {Session: "s1"}} {
		_, err := a.List(t.Context(), q)
		wantError(t, err, parley.ErrQuery)
	}
}

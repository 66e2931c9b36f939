package pgstore_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
)

// fill makes rows requests, every third of them pending, and as many records.
func fill(t testing.TB, url, schema string, rows int) {
	t.Helper()
	exec(t, url, fmt.Sprintf(`
INSERT INTO %[1]s.requests (id, tenant, recipient, service, mode, message, url, trigger, session, created, expires, action, settled_at)
SELECT to_char(i, 'FM000000000000') || md5(i::text), 'tenant-' || i %% 5, 'user-' || i %% 997, 'tracker', 'form',
	repeat('Delete account 7? ', 10), '', 'tool', 'session-' || i %% 1009, i, %[2]d + i,
	CASE WHEN i %% 3 > 0 THEN 'accept' END, CASE WHEN i %% 3 > 0 THEN i END
FROM generate_series(1, %[3]d) i;
INSERT INTO %[1]s.records (tenant, kind, key, owner, data, version, expires)
SELECT 'tenant-' || i %% 5, 'grant', 'user-' || i %% 997 || '/' || i, 'o', 'data', i, CASE WHEN i %% 3 = 0 THEN %[2]d + i END
FROM generate_series(1, %[3]d) i;
ANALYZE %[1]s.requests, %[1]s.records`, schema, time.Now().UnixMilli(), rows))
}

// A prepared statement may keep the plan that it got while its table was empty,
// so the plan must be right from the start.
func TestEveryStatementUsesItsIndexWhateverTheSizeOfTheTable(t *testing.T) {
	url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)}
	s := open(t, url, opts)
	plans := preparedPlans(s)
	checkPlans(t, s, "empty", "force_generic_plan", plans)
	fill(t, url, opts.Schema, 3)
	exec(t, url, "VACUUM ANALYZE "+opts.Schema+".requests")
	exec(t, url, "VACUUM ANALYZE "+opts.Schema+".records")
	for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
		checkPlans(t, s, "tiny", mode, plans)
	}
	exec(t, url, "TRUNCATE "+opts.Schema+".requests, "+opts.Schema+".records")
	fill(t, url, opts.Schema, 30000)
	for _, mode := range []string{"force_generic_plan", "force_custom_plan"} {
		checkPlans(t, s, "large", mode, plans)
	}
	var lists []planned
	for name, q := range map[string]parley.Query{
		"pending_recipient": {Tenant: "tenant-1", To: "user-1", Pending: true, After: "000000000001"},
		"pending_session":   {Tenant: "tenant-1", Session: "session-1", Pending: true, After: "000000000001"},
		"pending_expires":   {Pending: true, ExpiresBefore: time.Now()},
		"history":           {Tenant: "tenant-1", To: "user-1", Newest: true, After: "000000029999"},
		"pkey":              {Newest: true},
	} {
		text, args := s.ListStatement(q)
		lists = append(lists, planned{"list " + name, text, args, []string{"requests_" + name}})
	}
	text, args := s.ListStatement(parley.Query{Pending: true, ExpiresBefore: time.Now(), Soonest: true})
	lists = append(lists, planned{"list soonest", text, args, []string{"Index Scan using requests_pending_expires"}})
	checkPlans(t, s, "large", "force_custom_plan", lists)
}

// planned is a statement with what its plan must mention.
type planned struct {
	name, text string
	args       []any
	mentions   []string
}

func preparedPlans(s *pgstore.Store) []planned {
	sql, now := s.Statements(), time.Now().UnixMilli()
	at := []any{"tenant-1", "grant", "user-1/", now}
	request := []any{"new", "tenant-1", "user-1", "", "", "", nil, "", "", "", nil, 1, 2}
	byKey := []string{"using records_pkey", "Index Cond: ((tenant = ", " AND (key "}
	byID := []string{"using requests_pkey", "Index Cond: (id = "}
	plans := []planned{
		{"settle", sql["settle"], []any{"x", "accept", nil, "", "", "", 1, ""}, byID},
		{"put", sql["putLimited"], append(request, 99), []string{"requests_pending_recipient", "(recipient = "}},
		{"replace", sql["replace"], append(slices.Clone(at), "", nil, nil, 1), byKey},
		{"remove version", sql["removeVersion"], append(slices.Clone(at), 1), byKey},
		{"scan", sql["scan"], append(slices.Clone(at), "", 100), append(byKey, "(key >= ")},
		{"scan below", sql["scanBelow"], append(slices.Clone(at), "", 100, "user-10"), append(byKey, "(key >= ", "(key < ")},
		{"sweep requests", sql["sweepRequests"], []any{2000, 1000}, []string{"requests_settled", "requests_pkey"}},
		{"sweep records", sql["sweepRecords"], []any{now, 1000}, []string{"records_expires", "Tid Scan"}},
	}
	for _, name := range []string{"get", "exists"} {
		plans = append(plans, planned{name, sql[name], []any{"x"}, byID})
	}
	for _, name := range []string{"load", "alive", "remove"} {
		plans = append(plans, planned{name, sql[name], at, byKey})
	}
	return plans
}

func checkPlans(t *testing.T, s *pgstore.Store, size, mode string, plans []planned) {
	t.Helper()
	acquired, err := s.Pool().Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	conn := acquired.Hijack() // its settings will be changed
	defer conn.Close(context.Background())
	for _, p := range plans {
		plan := explain(t, conn, mode, p.text, p.args)
		for _, want := range p.mentions {
			if !strings.Contains(plan, want) || strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "JIT") {
				t.Errorf("%s, %s, %s: want %q in\n%s", p.name, size, mode, want, plan)
			}
		}
	}
}

// explain returns the plan that a prepared statement gets: generic after some
// executions, custom before.
func explain(t *testing.T, conn *pgx.Conn, mode, text string, args []any) string {
	t.Helper()
	holders := make([]string, len(args))
	for i := range args {
		holders[i] = fmt.Sprintf("$%d", i+1)
	}
	if _, err := conn.Exec(t.Context(), "DEALLOCATE ALL; SET plan_cache_mode = "+mode+"; PREPARE p AS "+text, pgx.QueryExecModeSimpleProtocol); err != nil {
		t.Fatal(err)
	}
	rows, err := conn.Query(t.Context(), "EXPLAIN EXECUTE p("+strings.Join(holders, ", ")+")",
		append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func TestASweepRemovesMoreThanABatchAndNothingElse(t *testing.T) {
	url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t), Retention: time.Hour}
	s := open(t, url, opts)
	fill(t, url, opts.Schema, 7500)
	fresh := mustPut(t, s)
	if err := s.Settle(t.Context(), fresh.ID, accepted()); err != nil {
		t.Fatal(err)
	}
	if err := s.Sweep(t.Context(), time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	var requests, settled, records, expiring int
	err := connect(t, url).QueryRow(t.Context(), fmt.Sprintf(`
SELECT (SELECT count(*) FROM %[1]s.requests), (SELECT count(*) FROM %[1]s.requests WHERE action IS NOT NULL),
	(SELECT count(*) FROM %[1]s.records), (SELECT count(*) FROM %[1]s.records WHERE expires IS NOT NULL)`, opts.Schema)).
		Scan(&requests, &settled, &records, &expiring)
	if err != nil {
		t.Fatal(err)
	}
	if requests != 2501 || settled != 1 || records != 5000 || expiring != 0 {
		t.Errorf("%d requests, %d of them settled; %d records, %d of them expiring; want 2501, 1, 5000, 0", requests, settled, records, expiring)
	}
}

func TestSuccessorIsTheEndOfAPrefix(t *testing.T) {
	for prefix, want := range map[string]string{
		"": "", "a": "b", "a/": "a0", "az": "a{", "\x7f": "\u0080", "ä": "å", "\u07ff": "\u0800", "\ud7ff": "\ue000", "\uffff": "\U00010000",
		"\U0010ffff": "", "a\U0010ffff": "b", "a\U0010ffff\U0010ffff": "b", "日": "\u65e6",
	} {
		if got, ok := pgstore.Successor(prefix); got != want || ok != (want != "") {
			t.Errorf("Successor(%q) = %q, %v; want %q", prefix, got, ok, want)
		}
	}
}

package pgstore_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
)

// roleOf makes a role that may do nothing, and returns its name and its URL.
func roleOf(t *testing.T, url, schema string) (role, theirs string) {
	t.Helper()
	role = schema + "_role"
	exec(t, url, "CREATE ROLE "+role+" LOGIN PASSWORD 'x'")
	t.Cleanup(func() { exec(t, url, "DROP OWNED BY "+role+" CASCADE; DROP ROLE "+role) })
	config := connect(t, url).Config()
	return role, "postgres://" + role + ":x@" + hostPort(config) + "/" + config.Database + "?sslmode=disable"
}

// wantRefused expects the same words of a rehearsal and of Open, and the remedy in them.
func wantRefused(t *testing.T, url, schema, why string) {
	t.Helper()
	opts := &pgstore.Options{Schema: schema}
	rehearsed := pgstore.Rehearse(t.Context(), url, opts)
	if rehearsed == nil || !strings.Contains(rehearsed.Error(), why) || !strings.Contains(rehearsed.Error(), "GRANT USAGE, CREATE ON SCHEMA "+schema+" TO ") {
		t.Errorf("Rehearse = %v, want %q", rehearsed, why)
	}
	if _, err := pgstore.Open(t.Context(), url, opts); fmt.Sprint(err) != fmt.Sprint(rehearsed) {
		t.Errorf("Open = %v\nRehearse = %v", err, rehearsed)
	}
}

func TestARoleThatMayNotMakeTheTablesIsToldBeforeTheFirstStart(t *testing.T) {
	url, schema := servers.Postgres(t), freshSchema(t)
	opts := &pgstore.Options{Schema: schema}
	role, theirs := roleOf(t, url, schema)
	wantRefused(t, theirs, schema, "permission denied for database")
	exec(t, url, "CREATE SCHEMA "+schema+"; GRANT USAGE ON SCHEMA "+schema+" TO "+role)
	wantRefused(t, theirs, schema, "permission denied for schema")

	exec(t, url, `CREATE SCHEMA IF NOT EXISTS `+schema+`; GRANT USAGE, CREATE ON SCHEMA `+schema+` TO "`+role+`"`)
	if err := pgstore.Rehearse(t.Context(), theirs, opts); err != nil {
		t.Error(err)
	}
	mustPut(t, open(t, theirs, opts))
	if err := pgstore.Rehearse(t.Context(), theirs, opts); err != nil {
		t.Error(err)
	}
}

func TestARehearsalLeavesNothingBehind(t *testing.T) {
	url, schema := servers.Postgres(t), freshSchema(t)
	if err := pgstore.Rehearse(t.Context(), url, &pgstore.Options{Schema: schema}); err != nil {
		t.Fatal(err)
	}
	var made bool
	if err := connect(t, url).QueryRow(t.Context(), "SELECT EXISTS (SELECT 1 FROM pg_namespace WHERE nspname = $1)", schema).Scan(&made); err != nil || made {
		t.Errorf("the schema was made: %v, %v", made, err)
	}
}

func TestWhatIsInTheWayOfTheTablesIsToldBeforeTheFirstStart(t *testing.T) {
	url, schema := servers.Postgres(t), freshSchema(t)
	exec(t, url, "CREATE SCHEMA "+schema+"; CREATE TABLE "+schema+".records (i int)")
	if err := pgstore.Rehearse(t.Context(), url, &pgstore.Options{Schema: schema}); err == nil || !strings.Contains(err.Error(), schema) || !strings.Contains(err.Error(), `"records" already exists`) {
		t.Error(err)
	}
}

func TestWhatARoleMayNotDoWithTheTablesIsTold(t *testing.T) {
	url, schema := servers.Postgres(t), freshSchema(t)
	opts := &pgstore.Options{Schema: schema}
	open(t, url, opts)
	role, theirs := roleOf(t, url, schema)
	exec(t, url, "GRANT USAGE ON SCHEMA "+schema+" TO "+role+"; GRANT SELECT ON ALL TABLES IN SCHEMA "+schema+" TO "+role+"; GRANT INSERT ON "+schema+".records TO "+role)
	want := fmt.Sprintf("pgstore: the role %s lacks in schema %s: USAGE on %[2]s.record_versions; DELETE, UPDATE on %[2]s.records; DELETE, INSERT, UPDATE on %[2]s.requests", role, schema)
	if err := pgstore.Rehearse(t.Context(), theirs, opts); fmt.Sprint(err) != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	exec(t, url, "GRANT ALL ON ALL TABLES IN SCHEMA "+schema+" TO "+role+"; GRANT ALL ON ALL SEQUENCES IN SCHEMA "+schema+" TO "+role)
	if err := pgstore.Rehearse(t.Context(), theirs, opts); err != nil {
		t.Error(err)
	}
	mustPut(t, open(t, theirs, opts))
	if err := pgstore.Lacks(t.Context(), connect(t, theirs), schema, true); err == nil || !strings.Contains(err.Error(), "OWN on "+schema+".requests") {
		t.Errorf("tables of others, which are to be brought up to date: %v", err)
	}
	exec(t, url, "DROP TABLE "+schema+".requests")
	if err := pgstore.Rehearse(t.Context(), theirs, opts); err == nil || !strings.Contains(err.Error(), schema+".requests is not there") {
		t.Errorf("a table that is not there: %v", err)
	}
}

func TestADatabaseThatTakesNoWritesIsTold(t *testing.T) {
	url, schema := servers.Postgres(t), freshSchema(t)
	opts := &pgstore.Options{Schema: schema}
	role, theirs := roleOf(t, url, schema)
	exec(t, url, "CREATE SCHEMA "+schema+" AUTHORIZATION "+role+"; ALTER ROLE "+role+" SET default_transaction_read_only = on")
	for range 2 { // before the tables are made, and after that
		if err := pgstore.Rehearse(t.Context(), theirs, opts); err == nil || !strings.Contains(err.Error(), "takes no writes") {
			t.Error(err)
		}
		open(t, url, opts)
		exec(t, url, "GRANT SELECT ON "+schema+".migrations TO "+role)
	}
}

package pgstore_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
)

func TestManyNodesMayOpenAFreshSchemaAtOnce(t *testing.T) {
	url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t), MaxConns: 1}
	var wg sync.WaitGroup
	stores, errs := make([]*pgstore.Store, 20), make([]error, 20)
	barrier := make(chan struct{})
	for i := range stores {
		wg.Go(func() {
			<-barrier
			stores[i], errs[i] = pgstore.Open(t.Context(), url, opts)
		})
	}
	close(barrier)
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for _, s := range stores {
		defer s.Close()
	}
	mustPut(t, stores[7])
	var rows int
	if err := connect(t, url).QueryRow(t.Context(), "SELECT count(*) FROM "+opts.Schema+".migrations WHERE version_id > 0").Scan(&rows); err != nil || rows != 1 {
		t.Errorf("%d migrations were applied, %v; want 1", rows, err)
	}
}

func TestOpeningAgainIsCheap(t *testing.T) {
	url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)}
	began := time.Now()
	open(t, url, opts)
	first := time.Since(began)
	best := time.Hour
	for range 5 {
		began = time.Now()
		open(t, url, opts)
		best = min(best, time.Since(began))
	}
	t.Logf("a fresh schema %v, one that is up to date %v", first, best)
}

func TestANewerSchemaIsRefused(t *testing.T) {
	url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)}
	open(t, url, opts)
	exec(t, url, "INSERT INTO "+opts.Schema+".migrations (version_id, is_applied) VALUES (99, true)")
	_, err := pgstore.Open(t.Context(), url, opts)
	if err == nil || !strings.Contains(err.Error(), "version 99") {
		t.Errorf("Open = %v, want that version 99 is too new", err)
	}
}

func TestAFailedMigrationIsToldAndCanBeRepeated(t *testing.T) {
	url, opts := servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t)}
	exec(t, url, "CREATE SCHEMA "+opts.Schema+"; CREATE TABLE "+opts.Schema+".records (i int)")
	if _, err := pgstore.Open(t.Context(), url, opts); err == nil || !strings.Contains(err.Error(), opts.Schema) {
		t.Fatalf("Open = %v, want an error that names the schema", err)
	}
	exec(t, url, "DROP TABLE "+opts.Schema+".records")
	mustPut(t, open(t, url, opts))
}

func TestAnAccountWithoutTheRightToCreateASchemaMayUseOne(t *testing.T) {
	url, schema := servers.Postgres(t), freshSchema(t)
	role := schema + "_role"
	exec(t, url, "CREATE ROLE "+role+" LOGIN PASSWORD 'x'; CREATE SCHEMA "+schema+" AUTHORIZATION "+role)
	t.Cleanup(func() { exec(t, url, "DROP OWNED BY "+role+" CASCADE; DROP ROLE "+role) })
	config := connect(t, url).Config()
	mustPut(t, open(t, "postgres://"+role+":x@"+hostPort(config)+"/"+config.Database+"?sslmode=disable", &pgstore.Options{Schema: schema}))
}

func TestADatabaseThatCannotHoldEveryTextIsRefused(t *testing.T) {
	url := servers.Postgres(t)
	name := freshSchema(t) + "_latin"
	exec(t, url, "CREATE DATABASE "+name+" ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
	t.Cleanup(func() { exec(t, url, "DROP DATABASE "+name) })
	config := connect(t, url).Config()
	latin := fmt.Sprintf("postgres://%s:%s@%s/%s?sslmode=disable", config.User, config.Password, hostPort(config), name)
	if _, err := pgstore.Open(t.Context(), latin, nil); err == nil || !strings.Contains(err.Error(), "LATIN1") {
		t.Errorf("Open = %v, want that the encoding is wrong", err)
	}
}

func TestThePoolIsAsLargeAsTold(t *testing.T) {
	url, schema := servers.Postgres(t), freshSchema(t)
	more := "?"
	if strings.Contains(url, "?") {
		more = "&"
	}
	for _, c := range []struct {
		url      string
		maxConns int
		want     int32
	}{{url, 0, 16}, {url, 3, 3}, {url + more + "pool_max_conns=5", 0, 5}, {url + more + "pool_max_conns=5", 3, 3}} {
		s := open(t, c.url, &pgstore.Options{Schema: schema, MaxConns: c.maxConns})
		if got := s.Pool().Config().MaxConns; got != c.want {
			t.Errorf("%d connections with %q and option %d, want %d", got, c.url, c.maxConns, c.want)
		}
	}
}

func TestWatchersTakeNoConnectionFromThePool(t *testing.T) {
	s := open(t, servers.Postgres(t), &pgstore.Options{Schema: freshSchema(t), MaxConns: 1})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	defer wg.Wait()
	defer cancel()
	for range 3 {
		stands := make(chan struct{})
		wg.Go(func() { _ = s.Watch(ctx, func(parley.ID) { close(stands) }) })
		<-stands
	}
	mustPut(t, s)
}

func TestAWrongURLIsToldInASentenceWithoutThePassword(t *testing.T) {
	const password = "s3cr3t%21"
	for name, url := range map[string]string{
		"not a URL":          "postgres://alice:" + password + "@[::1/db",
		"wrong port":         "postgres://alice:" + password + "@127.0.0.1:port/db",
		"unescaped password": "postgres://alice:" + password + "%zz@127.0.0.1/db",
		"slash in it":        "postgres://alice:pw/" + password + "@127.0.0.1/db",
		"wrong sslmode":      "postgres://alice:" + password + "@127.0.0.1/db?sslmode=perhaps",
		"wrong pool":         "postgres://alice:" + password + "@127.0.0.1/db?pool_max_conns=" + password,
		"keywords":           "host=127.0.0.1 password=" + password + " port=x",
		"open quote":         "host=127.0.0.1 password='" + password,
		"nobody there":       "postgres://alice:" + password + "@127.0.0.1:1/db",
		"unknown host":       "postgres://alice:" + password + "@nowhere.invalid/db",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := pgstore.Open(t.Context(), url, nil)
			if err == nil {
				t.Fatal("Open succeeded")
			}
			t.Log(err)
			if text := err.Error(); strings.Contains(text, "s3cr3t") || strings.Contains(text, "\n") || !strings.HasPrefix(text, "pgstore: ") {
				t.Errorf("error %q: want one line that begins with the package and keeps the password", text)
			}
		})
	}
}

func TestAServerThatDoesNotAnswerIsGivenUp(t *testing.T) {
	silent := newProxy(t, "127.0.0.1:1")
	silent.freeze()
	url := "postgres://alice:s3cr3t@" + silent.addr() + "/db?sslmode=disable"
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err := pgstore.Open(ctx, url, nil)
	wantError(t, err, context.DeadlineExceeded)
	if strings.Contains(err.Error(), "s3cr3t") {
		t.Errorf("the password is in %q", err)
	}
}

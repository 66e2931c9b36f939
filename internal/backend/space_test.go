package backend_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/storetest"
)

func TestMain(m *testing.M) { os.Exit(servers.Main(m)) }

// inSpace is the URL of a store with a space.
func inSpace(url, space string) string {
	if strings.Contains(url, "?") {
		return url + "&space=" + space
	}
	return url + "?space=" + space
}

// shared are the stores that several installations may use.
func shared(t *testing.T) map[string]string {
	return map[string]string{"postgres": servers.Postgres(t), "redis": servers.Redis(t)}
}

func opened(t *testing.T, url string, opts *backend.Options) backend.Store {
	t.Helper()
	store, err := backend.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// The suite of all stores holds in a space.
func TestASpaceIsAStore(t *testing.T) {
	for name, url := range shared(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
				space := "suite_" + strings.ToLower(string(parley.NewID()))[:20]
				open := func() storetest.Backend {
					return opened(t, inSpace(url, strings.ReplaceAll(space, "-", "_")), &backend.Options{Retention: retention})
				}
				return open(), open
			})
		})
	}
}

// Two installations on one database see nothing of each other: no question, no record,
// no hint, no node. One without a space is a third.
func TestTwoSpacesNeverSeeEachOther(t *testing.T) {
	for name, url := range shared(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, b, none := opened(t, inSpace(url, "a"), nil), opened(t, inSpace(url, "b"), nil), opened(t, url, nil)
			hints := make(chan parley.ID, 100)
			standing := make(chan struct{})
			watching, stop := context.WithCancel(t.Context())
			defer stop()
			for _, other := range []backend.Store{b, none} {
				begun := false
				go func() {
					_ = other.Watch(watching, func(id parley.ID) {
						if id == "" && !begun {
							begun = true
							standing <- struct{}{}
							return
						}
						hints <- id
					})
				}()
				<-standing
			}
			at := parley.Address{Tenant: "default", Kind: "space test", Key: "k"}
			now := time.Now().UTC().Truncate(time.Millisecond)
			ask := func(id parley.ID) parley.Request {
				return parley.Request{ID: id, Tenant: "default", To: "alice", Mode: parley.Form, Message: "in a", Created: now, Expires: now.Add(time.Hour)}
			}
			id, last := parley.NewID(), parley.NewID()
			if err := a.Put(t.Context(), ask(id), 0); err != nil {
				t.Fatal(err)
			}
			if _, err := a.Save(t.Context(), parley.Record{Address: at, Data: []byte("of a"), Expires: now.Add(time.Hour)}); err != nil {
				t.Fatal(err)
			}
			for where, other := range map[string]backend.Store{"another space": b, "no space": none} {
				if _, err := other.Get(t.Context(), id); !errors.Is(err, parley.ErrNotFound) {
					t.Errorf("%s: the question: %v", where, err)
				}
				if _, err := other.Load(t.Context(), at); !errors.Is(err, parley.ErrNotFound) {
					t.Errorf("%s: the record: %v", where, err)
				}
				if err := other.Settle(t.Context(), id, parley.Outcome{Action: parley.Accept, At: now}); !errors.Is(err, parley.ErrNotFound) {
					t.Errorf("%s: it is settled: %v", where, err)
				}
				if all, err := other.List(t.Context(), parley.Query{Tenant: "default", To: "alice"}); err != nil || len(all) > 0 {
					t.Errorf("%s: the list: %v, %v", where, all, err)
				}
			}
			// What is settled in a, and then in the others: the latter is the only hint there.
			if err := a.Settle(t.Context(), id, parley.Outcome{Action: parley.Accept, At: now}); err != nil {
				t.Fatal(err)
			}
			for _, other := range []backend.Store{b, none} {
				if err := other.Put(t.Context(), ask(last), 0); err != nil {
					t.Fatal(err)
				}
				if err := other.Settle(t.Context(), last, parley.Outcome{Action: parley.Accept, At: now}); err != nil {
					t.Fatal(err)
				}
				for got := range hints {
					if got == id {
						t.Error("another space hears of the answer")
					}
					if got == last {
						break
					}
				}
			}
			attends(t, a, b)
		})
	}
}

// attends: a node that attends in one space is not there in another.
func attends(t *testing.T, a, b backend.Store) {
	t.Helper()
	ctx, leave := context.WithCancel(t.Context())
	there := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_ = a.(parley.Attendance).Attend(ctx, "a-node-of-a", func() { close(there) })
	}()
	<-there
	if absent, err := a.(parley.Attendance).Absent(t.Context(), "a-node-of-a"); absent || err != nil {
		t.Errorf("in its own space: absent %v, %v", absent, err)
	}
	for {
		absent, err := b.(parley.Attendance).Absent(t.Context(), "a-node-of-a")
		if errors.Is(err, parley.ErrUnsure) { // the server has just started
			time.Sleep(time.Second)
			continue
		}
		if !absent || err != nil {
			t.Errorf("in another space: absent %v, %v", absent, err)
		}
		break
	}
	leave()
	<-gone
}

func TestWhatIsNoSpaceIsRefusedInWords(t *testing.T) {
	for url, want := range map[string]string{
		"postgres://u:hunter2@db/x?space=":                          "1 to 40",
		"postgres://u:hunter2@db/x?space=Staging":                   "1 to 40",
		"postgres://u:hunter2@db/x?space=a&space=b":                 "named once",
		"redis://:hunter2@db?space=a%7Bb":                           "1 to 40",
		"redis://:hunter2@db?space=" + strings.Repeat("a", 41):      "1 to 40",
		"sqlite:" + filepath.Join(t.TempDir(), "x.db") + "?space=a": "name another file",
		"memory:?space=a": "name another file",
	} {
		for how, err := range map[string]error{
			"check": backend.Check(url),
			"open":  func() error { _, err := backend.Open(t.Context(), url, nil); return err }(),
			"reach": func() error { _, err := backend.Reach(t.Context(), url); return err }(),
		} {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s %s: %v", how, url, err)
			}
		}
	}
}

// Who mistypes a parameter would share another's data without a word.
func TestWhatNobodyReadsInAURLIsRefusedByItsName(t *testing.T) {
	file := "sqlite:" + filepath.Join(t.TempDir(), "x.db")
	for url, want := range map[string]string{
		"redis://:hunter2@127.0.0.1:1/0?spase=staging":           `"spase": there is no such parameter; did you mean space?`,
		"redis://:hunter2@127.0.0.1:1/0?Space=staging":           `"Space": there is no such parameter; did you mean space?`,
		"redis://:hunter2@127.0.0.1:1/0?foo=hunter2":             `"foo": there is no such parameter of a URL; there are addr, `,
		"redis://:hunter2@127.0.0.1:1/0?space=a&foo=hunter2":     `"foo": there is no such`,
		"redis://:hunter2@127.0.0.1:1/0#space=hunter2":           "behind a #",
		"redis://:hunter2@127.0.0.1:1/0?db=0;space=hunter2":      "cannot be read",
		"postgres://u:hunter2@127.0.0.1:1/x?spase=staging":       `"spase": there is no such parameter; did you mean space?`,
		"postgres://u:hunter2@127.0.0.1:1/x?spaces=staging":      `"spaces": there is no such`,
		"postgres://u:hunter2@127.0.0.1:1/x?sapce=staging":       `"sapce": there is no such`,
		"postgresql://u:hunter2@127.0.0.1:1/x?pace=staging":      `"pace": there is no such`,
		"postgres://u:hunter2@127.0.0.1:1/x?a=b&S%50ACE=staging": `"SPACE": there is no such`,
		"postgres://u:hunter2@127.0.0.1:1/x#space=hunter2":       "behind a #",
		"memory:foo":            "write memory:",
		"memory:?foo=bar":       "write memory:",
		file + "?mode=ro":       `"mode": sqlite: has the path of a file, without a ?, and no parameters`,
		file + "?spase=staging": `"spase": sqlite:`,
	} {
		for how, err := range map[string]error{
			"check": backend.Check(url),
			"open":  func() error { _, err := backend.Open(t.Context(), url, nil); return err }(),
			"reach": func() error { _, err := backend.Reach(t.Context(), url); return err }(),
		} {
			if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hunter2") {
				t.Errorf("%s %s: %v", how, url, err)
			}
		}
	}
	for _, url := range []string{
		"memory:", file, "redis://:a@127.0.0.1:1/0?dial_timeout=1s&space=a&db=2", "redis://127.0.0.1", "redis://127.0.0.1?",
		"postgres://u:a@127.0.0.1:1/x?sslmode=disable&space=a&pool_max_conns=3&search_path=x&application_name=y",
	} {
		if err := backend.Check(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

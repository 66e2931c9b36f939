package gateway_test

import (
	"encoding/json"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
	"github.com/parley-hq/parley/redisstore"
	"github.com/parley-hq/parley/sqlitestore"
)

// stopping is a store with a way to stop it.
type stopping struct {
	store everything
	stop  func() error
}

var stores = map[string]func(t *testing.T) stopping{
	"SQLite": func(t *testing.T) stopping { // has no server: its file is closed
		s, err := sqlitestore.Open(t.Context(), filepath.Join(t.TempDir(), "parley.db"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return stopping{s, s.Close}
	},
	"Redis": func(t *testing.T) stopping {
		server := servers.OwnRedis(t, nil)
		s, err := redisstore.Open(t.Context(), server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return stopping{s, server.Kill}
	},
	"PostgreSQL": func(t *testing.T) stopping {
		server := servers.OwnPostgres(t, nil)
		s, err := pgstore.Open(t.Context(), server.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		return stopping{s, server.Kill}
	},
}

func TestAResultInHandIsGivenThoughAStoreWasStopped(t *testing.T) {
	t.Parallel()
	for name, open := range stores {
		t.Run(name, func(t *testing.T) {
			eachEra(t, func(t *testing.T, client, server string) {
				store := open(t)
				s := &bank{era: server, asks: true, end: func(w http.ResponseWriter, id json.RawMessage) {
					if err := store.stop(); err != nil {
						t.Error(err)
					}
					tell(w, id, paid)
				}}
				h := newNodeOn(t, store.store, catalogue{shopAt(serve(t, s))}, nil, nil)
				text, err := visit(t, h.url, "alice", client, agreeing).call(t, "shop__pay", map[string]any{})
				if text != "paid" || s.done.Load() != 1 {
					t.Errorf("%q, %v; carried out %d times", text, err, s.done.Load())
				}
			})
		})
	}
}

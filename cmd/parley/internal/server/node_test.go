package server_test

import (
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/pgstore"
)

// The gateway, the agents and the agents' tools are found, and missed, together: the
// process has one lease and one connection for it.
func TestAProcessIsOneNode(t *testing.T) {
	postgres := servers.OwnPostgres(t, nil)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(gatewayHead(listener.Addr().String()), `"memory:"`, `"`+postgres.URL+`"`, 1)
	base := servedAt(t, listener, text+"gateway: {}\nmodels: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\n")
	for {
		if code, _ := sent(t, http.MethodGet, base+"/readyz", "", ""); code == http.StatusOK {
			break
		}
	}
	store, err := pgstore.Open(t.Context(), postgres.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	conn, err := pgx.Connect(t.Context(), postgres.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	leases, attending := 0, 0
	for range 20 { // whoever is late is noticed
		var now int
		if err := conn.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted`).Scan(&now); err != nil {
			t.Fatal(err)
		}
		attending = max(attending, now)
		nodes, err := store.Scan(t.Context(), parley.Address{Kind: "mcp.node"}, "", 10)
		if err != nil {
			t.Fatal(err)
		}
		leases = max(leases, len(nodes))
		time.Sleep(50 * time.Millisecond)
	}
	if leases != 1 || attending != 1 {
		t.Errorf("%d leases, %d connections that say so", leases, attending)
	}
}

package serve_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// The full campaign is go run ./interop/chatkill: 60 rounds on each store.
func TestNoTurnIsLostStuckOrDoneTwiceWhenItsNodeIsKilled(t *testing.T) {
	program := withParley(t)
	campaign := kit.Build(t, "./chatkill")
	for _, store := range []string{"sqlite", "postgres"} {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			args := []string{"-rounds", "2", "-seed", "3", "-stores", store, "-parley", program, "-wait", "2m"}
			if store == "postgres" {
				args = append(args, "-postgres", servers.OwnPostgres(t, nil).URL)
			}
			out, err := exec.CommandContext(t.Context(), campaign, args...).CombinedOutput()
			t.Logf("%s", out)
			if err != nil || strings.Count(string(out), "\n"+store+" ") < 5 {
				t.Errorf("the campaign: %v", err)
			}
		})
	}
}

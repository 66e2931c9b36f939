package main_test

import (
	"os/exec"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/shared"
)

// program builds a program of this tree, or takes it from another test.
func program(t *testing.T, source string) string {
	t.Helper()
	file, err := shared.Program(t.Context(), t.TempDir(), source)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// A short campaign: every fault once with each store, which `make test` installs; with
// -short SQLite alone. `go run ./interop/campaign`
// has more rounds, and other seeds.
func TestNoCallIsStuckOrCarriedOutTwiceOrToldWhatIsNotTrue(t *testing.T) {
	t.Parallel()
	race := []string{}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		race = append(race, "-race")
	}
	campaign, parley := program(t, "interop/campaign"), program(t, "cmd/parley")
	stores := []string{"sqlite"}
	if !testing.Short() {
		stores = append(stores, "postgres", "redis")
	}
	for _, store := range stores {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"-parley", parley, "-stores", store, "-rounds", "12", "-calls", "4", "-seed", "7"}, race...)
			out, err := exec.CommandContext(t.Context(), campaign, args...).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
				return
			}
			t.Logf("%s", out)
		})
	}
}

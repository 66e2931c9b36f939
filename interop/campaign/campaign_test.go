package main_test

import (
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"
)

// A short campaign: every fault once with each store, which `make test` installs; with
// -short SQLite alone. `go run ./interop/campaign`
// has more rounds, and other seeds.
func TestNoCallIsStuckOrCarriedOutTwiceOrToldWhatIsNotTrue(t *testing.T) {
	t.Parallel()
	race := []string{}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		race = append(race, "-race")
	}
	program := filepath.Join(t.TempDir(), "campaign")
	if out, err := exec.CommandContext(t.Context(), "go", append(append([]string{"build", "-o", program}, race...), ".")...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	stores := []string{"sqlite"}
	if !testing.Short() {
		stores = append(stores, "postgres", "redis")
	}
	for _, store := range stores {
		t.Run(store, func(t *testing.T) {
			args := append([]string{"-stores", store, "-rounds", "12", "-calls", "4", "-seed", "7"}, race...)
			out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
				return
			}
			t.Logf("%s", out)
		})
	}
}

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
	dir := t.TempDir()
	build := append(append([]string{"build", "-o", dir + string(filepath.Separator)}, race...), ".", "../../cmd/parley")
	if out, err := exec.CommandContext(t.Context(), "go", build...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	stores := []string{"sqlite"}
	if !testing.Short() {
		stores = append(stores, "postgres", "redis")
	}
	for _, store := range stores {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"-parley", filepath.Join(dir, "parley"), "-stores", store, "-rounds", "12", "-calls", "4", "-seed", "7"}, race...)
			out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "campaign"), args...).CombinedOutput()
			if err != nil {
				t.Errorf("%v\n%s", err, out)
				return
			}
			t.Logf("%s", out)
		})
	}
}

package main_test

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// chaosRun runs it, and returns what it said, and whether it found something.
func chaosRun(t *testing.T, program string, args ...string) (said string, found bool) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), program, append([]string{"chaos"}, args...)...).CombinedOutput()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return string(out), false
	case !errors.As(err, &exit):
	case exit.ExitCode() == 2:
		return string(out), true
	case exit.ExitCode() == 3 && !servers.Required():
		t.Skipf("%s", out)
	}
	t.Fatalf("%v\n%s", err, out)
	return "", false
}

// A minute of it, half with each store. The clocks agree: to let them differ everything
// is built once more. `make chaos` does, for ten minutes each.
func TestAMinuteOfChaosLosesNothing(t *testing.T) {
	t.Parallel()
	campaign, testserve := buildCampaign(t), program(t, "cmd/parley/internal/testserve")
	for _, store := range []string{"postgres", "redis"} {
		t.Run(store, func(t *testing.T) {
			t.Parallel()
			said, found := chaosRun(t, campaign, "-testserve", testserve, "-stores", store, "-for", "30s", "-clocks=false", "-load", "6")
			if found {
				t.Errorf("%s", said)
				return
			}
			t.Logf("%s", said)
		})
	}
}

// What would go wrong is found, and told with its story.
func TestChaosFindsWhatIsPlanted(t *testing.T) {
	t.Parallel()
	campaign := buildCampaign(t)
	for _, c := range []struct{ plant, store, says string }{
		{"settle", "redis", "two outcomes: question "},
		{"consume", "redis", "it was carried out more often than "},
		{"lease", "postgres", "which had it and was there"},
	} {
		t.Run(c.plant, func(t *testing.T) {
			t.Parallel()
			said := ""
			for _, seed := range []string{"2", "3", "4", "5", "6", "7"} { // what a seed does depends on the machine, too
				var found bool
				said, found = chaosRun(t, campaign, "-plant", c.plant, "-stores", c.store, "-seed", seed, "-for", "20s", "-every", "800ms", "-clocks=false", "-load", "10")
				if found && strings.Contains(said, c.says) {
					return
				}
			}
			t.Errorf("nothing was found: %s", said)
		})
	}
}

// buildCampaign builds the program.
func buildCampaign(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: without chaos")
	}
	return program(t, "interop/campaign")
}

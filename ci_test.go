package parley_test

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The public CI runs what .ci/run does, with the Go of go.mod and the next, and what is
// shipped; neither it nor what makes releases runs anything that somebody else could
// exchange under its name.
func TestThePublicCIRunsThisAndNothingElse(t *testing.T) {
	raw, err := os.ReadFile(".github/workflows/ci.yml")
	if err != nil {
		t.Fatal(err)
	}
	workflow := string(raw)
	for _, want := range []string{"run: .ci/run\n", "install-npm race\n", "scripts/api-changes", "permissions:\n  contents: read\n"} {
		if !strings.Contains(workflow, want) {
			t.Errorf("it has no %q", want)
		}
	}
	raw, err = os.ReadFile(".github/workflows/release.yml")
	if err != nil {
		t.Fatal(err)
	}
	workflow, ci := workflow+string(raw), workflow
	for _, want := range []string{"run: make ship-check\n", "release --snapshot --clean\n", "run: scripts/image "} {
		if !strings.Contains(ci, want) {
			t.Errorf("it does not try what is shipped: %q", want)
		}
	}
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	for _, used := range regexp.MustCompile(`uses: (.+)`).FindAllStringSubmatch(workflow, -1) {
		if !pinned.MatchString(used[1]) {
			t.Errorf("%s is not pinned to a commit, with its version behind it", used[1])
		}
	}
	tools := regexp.MustCompile(`go run (\S+)`).FindAllStringSubmatch(workflow, -1)
	if len(tools) < 2 {
		t.Errorf("%d tools are run: golangci-lint and govulncheck are missing", len(tools))
	}
	for _, tool := range tools {
		if !regexp.MustCompile(`@v\d+\.\d+\.\d+$`).MatchString(tool[1]) {
			t.Errorf("%s has no version", tool[1])
		}
	}
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	ours := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(mod)
	if ours == nil || !regexp.MustCompile(`go: \["`+regexp.QuoteMeta(string(ours[1]))+`", "`).MatchString(workflow) {
		t.Errorf("the matrix does not begin with go.mod's Go %s, and another", ours)
	}
}

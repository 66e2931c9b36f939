package typescript_test

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"text/tabwriter"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/readfirst"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// conformanceSet is what one run of the suite covers. A run has all scenarios in
// one process; npm/conformance.mjs runs single ones.
type conformanceSet struct {
	name    string
	program string // the suite
	flags   []string
	asks    []string // the scenarios about asking: all of them must be there
}

var (
	formScenarios = []string{"tools-call-elicitation", "elicitation-sep1034-defaults", "elicitation-sep1330-enums"}

	roundScenarios = []string{
		"input-required-result-basic-elicitation", "input-required-result-basic-sampling", "input-required-result-basic-list-roots",
		"input-required-result-request-state", "input-required-result-multiple-input-requests", "input-required-result-multi-round",
		"input-required-result-missing-input-response", "input-required-result-non-tool-request", "input-required-result-result-type",
		"input-required-result-unsupported-methods", "input-required-result-tampered-state", "input-required-result-capability-check",
		"input-required-result-ignore-extra-params", "input-required-result-validate-input",
		"server-stateless",
		"tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal", "tasks-mrtr-input",
		"tasks-request-headers", "tasks-dispatch-and-envelope", "tasks-status-notifications", "tasks-required-task-error",
		"tasks-mrtr-composition",
	}

	newSuite  = "npm/node_modules/conformance-0.2/dist/index.js"
	suite0116 = conformanceSet{"suite 0.1.16", "npm/node_modules/conformance-0.1/dist/index.js", nil, formScenarios}
	suite2025 = conformanceSet{"suite 0.2.0-alpha.12, 2025-11-25", newSuite, []string{"--requirements", "2025-11-25"}, formScenarios}
	suite2026 = conformanceSet{"suite 0.2.0-alpha.12, 2026-07-28", newSuite, []string{"--requirements", "2026-07-28"}, roundScenarios}
)

// conformanceCheck is one check of a scenario.
type conformanceCheck struct {
	ID      string `json:"id"`
	Status  string `json:"status"`
	Message string `json:"errorMessage"`
}

func TestThePublicConformanceSuitePasses(t *testing.T) {
	kit.NeedNode(t)
	program := kit.BuildFixture(t)
	t.Run("one node", func(t *testing.T) {
		t.Parallel()
		runSets(t, program.Serve(t), suite0116, suite2025, suite2026)
	})
	t.Run("two nodes that take turns", func(t *testing.T) {
		t.Parallel()
		store := []string{"-store", servers.Redis(t), "-space", "test_" + string(parley.NewID())}
		runSets(t, alternate(t, program.Serve(t, store...), program.Serve(t, store...)), suite2025, suite2026)
	})
}

func runSets(t *testing.T, base string, sets ...conformanceSet) {
	for _, set := range sets {
		t.Run(set.name, func(t *testing.T) { set.run(t, base) })
	}
}

// run runs the set, and reports each scenario as a test.
func (s conformanceSet) run(t *testing.T, base string) {
	results := s.results(t, base)
	for _, name := range s.asks {
		if _, ran := results[name]; !ran {
			t.Errorf("%s did not run", name)
		}
	}
	var table strings.Builder
	rows := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(rows, "scenario\tpassed\tfailed\twarned\tskipped")
	for _, name := range sortedNames(results) {
		count := map[string]int{}
		for _, check := range results[name] {
			count[check.Status]++
		}
		fmt.Fprintf(rows, "%s\t%d\t%d\t%d\t%d\n", name, count["SUCCESS"], count["FAILURE"], count["WARNING"], count["SKIPPED"])
		t.Run(name, func(t *testing.T) { reportChecks(t, results[name]) })
	}
	rows.Flush()
	t.Logf("%s\n%s", s.name, table.String())
}

func reportChecks(t *testing.T, checks []conformanceCheck) {
	if len(checks) == 0 {
		t.Error("no check was made")
	}
	for _, check := range checks {
		switch check.Status {
		case "FAILURE":
			t.Errorf("%s: %s", check.ID, check.Message)
		case "WARNING":
			t.Logf("warning: %s: %s", check.ID, check.Message)
		}
	}
}

// results runs the suite and returns the checks by scenario.
func (s conformanceSet) results(t *testing.T, base string) map[string][]conformanceCheck {
	t.Helper()
	dir := t.TempDir()
	args := append([]string{s.program, "server", "--url", base + "/mcp", "--output-dir", dir}, s.flags...)
	// It exits with 1 when a check failed; the files say which.
	out, err := exec.CommandContext(t.Context(), kit.SuiteNode(t), args...).CombinedOutput()
	files, globErr := filepath.Glob(filepath.Join(dir, "server-*", "checks.json"))
	if len(files) == 0 {
		t.Fatalf("the suite left no results: %v, %v\n%s", err, globErr, out)
	}
	results := map[string][]conformanceCheck{}
	timestamp := regexp.MustCompile(`-\d{4}-\d\d-\d\dT[-\dZ]+$`)
	for _, file := range files {
		var checks []conformanceCheck
		raw, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(raw, &checks)
		}
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "server-")
		results[timestamp.ReplaceAllString(name, "")] = checks
	}
	return results
}

func sortedNames(results map[string][]conformanceCheck) []string {
	names := make([]string, 0, len(results))
	for name := range results {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// alternate gives the requests of a client to several nodes in turn, as a load
// balancer without memory does.
func alternate(t *testing.T, bases ...string) string {
	t.Helper()
	var turn atomic.Int64
	transport := &http.Transport{}
	proxy := &httputil.ReverseProxy{
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0), // streams break when the client leaves
		Rewrite: func(r *httputil.ProxyRequest) {
			node, _ := url.Parse(bases[int(turn.Add(1))%len(bases)])
			r.SetURL(node)
			r.Out.Host = r.In.Host // the nodes are to see what the client wrote
		},
	}
	balancer := httptest.NewServer(readfirst.Handler(proxy))
	t.Cleanup(func() {
		balancer.CloseClientConnections()
		balancer.Close()
		transport.CloseIdleConnections()
	})
	return balancer.URL
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/bench/table"
)

// TestMain is the program itself where the benchmarks start it again.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-") {
		main()
		return
	}
	os.Exit(m.Run())
}

// A short run of what does not build programs of others: each row is measured, the page
// and the JSON are written, and nothing is said to be met. `make load` and
// `go run ./bench all` ask for more.
func TestTheShortFormMeasuresEachRow(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds parley and starts servers")
	}
	dir := t.TempDir()
	var said strings.Builder
	if err := table.Run(t.Context(), []string{"-quick", "-only", "mcp,signedin,gateway,flat,load", "-to", dir}, &said); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "benchmarks.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got table.Table
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, r := range got.Rows {
		first, _, _ := strings.Cut(r.ID, ".")
		seen[first] = true
		if r.Verdict != "" {
			t.Errorf("%s is %q: %s", r.ID, r.Verdict, r.Note)
		}
		if (r.Target.Zero && r.Figure != 0) || (r.Unit == "ms" && r.Figure == 0) || r.Verdict == kit.Unmeasured {
			t.Errorf("%s saw %v", r.ID, r.Figure)
		}
	}
	if len(seen) != 5 {
		t.Errorf("rows of %v only\n%s", seen, &said)
	}
	page, err := os.ReadFile(filepath.Join(dir, "benchmarks.md"))
	if err != nil || !strings.Contains(string(page), "its figures say nothing") {
		t.Errorf("the page does not say that it is a short form: %v", err)
	}
}

package table

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/bench/kit"
)

func oneRun(figure float64) found {
	row := kit.Row{ID: "a.b", Name: "one | thing", Unit: "ms", Target: kit.Target{Ratio: 2}, Figure: figure}.Against("bare", 1)
	return found{rows: []kit.Row{row}, text: func(w io.Writer) { _, _ = io.WriteString(w, "said") }}
}

func TestTheTableHasMediansOfItsRounds(t *testing.T) {
	var s series
	for _, figure := range []float64{3, 1.5, 1} {
		s.add("go run ./bench a", oneRun(figure), nil)
	}
	rows := s.rows("a", []string{"a.b"})
	if len(rows) != 1 || rows[0].Ratio != 1.5 || rows[0].Verdict != kit.Met || rows[0].Runs != 3 {
		t.Fatalf("the rows are %+v", rows)
	}
	if rows := s.rows("a", []string{"a.c"}); len(rows) != 0 {
		t.Errorf("nobody asked for %+v", rows)
	}
	table := Table{Rows: rows, Commands: []Command{{Rows: "a", Line: s.command, Runs: s.runs, Said: s.said}}}
	for _, want := range []string{`| one \| thing | ≤ 2× | 1.50 ms | 1.50× (1.00–3.00) bare | met |  |`, "`go run ./bench a`, run 3 times, on ", "## Run and extend it"} {
		if page := string(table.markdown()); !strings.Contains(page, want) {
			t.Errorf("the page does not contain %q:\n%s", want, page)
		}
	}
	var back Table
	if err := json.Unmarshal(table.json(), &back); err != nil || len(back.Rows) != 1 || back.Rows[0] != rows[0] {
		t.Errorf("as JSON it is %+v, %v", back, err)
	}
}

func TestAMeasurementThatFailsIsARowThatIsNotMet(t *testing.T) {
	var s series
	s.add("go run ./bench a", found{}, errors.New("no server\nand more"))
	rows := s.rows("a", nil)
	if len(rows) != 1 || rows[0].Verdict != kit.Unmeasured || rows[0].Note != "it failed: no server" {
		t.Errorf("the rows are %+v", rows)
	}
}

func TestOnlyKnownRowsAreSelected(t *testing.T) {
	if _, err := parse([]string{"-only", "nothing"}, io.Discard); err == nil {
		t.Error("there is no such row")
	}
	if all := chosen([]string{"mcp.trip", "kill"}); len(all) != 2 || all[0].name != "mcp" || all[1].name != "kill" {
		t.Errorf("the measurements are %+v", all)
	}
}

func TestRowsThatWereNotMeasuredAgainStay(t *testing.T) {
	row := func(id string, figure float64) kit.Row { return kit.Row{ID: id, Figure: figure} }
	before := Table{
		Rows:     []kit.Row{row("mcp.trip", 1), row("mcp.cpu", 2), row("gateway", 0), row("kill.sqlite", 3)},
		Commands: []Command{{Rows: "mcp", Said: "before"}, {Rows: "kill", Said: "before"}},
	}
	now := Table{
		Rows:     []kit.Row{row("gateway.direct", 4), row("mcp.trip", 5)},
		Commands: []Command{{Rows: "gateway", Said: "now"}, {Rows: "mcp", Said: "now"}},
	}
	got := now.with(before)
	if want := []kit.Row{row("mcp.trip", 5), row("mcp.cpu", 2), row("gateway.direct", 4), row("kill.sqlite", 3)}; !slices.Equal(got.Rows, want) {
		t.Errorf("the rows are %+v", got.Rows)
	}
	if len(got.Commands) != 3 || got.Commands[0].Said != "now" || got.Commands[1].Rows != "gateway" || got.Commands[2].Said != "before" {
		t.Errorf("the commands are %+v", got.Commands)
	}
	before.Quick = true
	if got := now.with(before); len(got.Rows) != 2 {
		t.Errorf("rows of a short form are kept: %+v", got.Rows)
	}
}

func TestThePublishedTableSaysWhyATargetIsNotMet(t *testing.T) {
	published, err := read("../../docs/benchmarks.json")
	if err != nil || len(published.Rows) == 0 {
		t.Fatalf("%d rows are published, %v", len(published.Rows), err)
	}
	if published.Quick {
		t.Error("it is of the short form")
	}
	unknown := whyNot(kit.Row{ID: "nothing"})
	for _, row := range published.Rows {
		if (row.Verdict == kit.Missed || row.Verdict == kit.Unmeasured) && whyNot(row) == unknown {
			t.Errorf("%s is %s, and nobody knows why", row.ID, row.Verdict)
		}
	}
	page, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil || string(page) != string(published.markdown()) {
		t.Errorf("docs/benchmarks.md is not made of docs/benchmarks.json (go run ./bench all -again): %v", err)
	}
}

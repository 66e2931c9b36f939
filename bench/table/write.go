package table

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/parley-hq/parley/bench/kit"
)

// json is the table for programs.
func (t Table) json() []byte {
	raw, err := json.MarshalIndent(t, "", "  ")
	if err != nil { // a figure that is no number: a mistake of ours
		panic(err)
	}
	return append(raw, '\n')
}

// print is the table in a terminal.
func (t Table) print(out io.Writer) {
	var rows [][]string
	for _, r := range t.Rows {
		rows = append(rows, []string{r.ID, r.Aim(), r.Seen(), r.Times(), string(r.Verdict), r.Note})
	}
	kit.Table{"row", "target", "seen", "to baseline", "verdict", "note"}.Print(out, rows)
}

// markdown is the page.
func (t Table) markdown() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Benchmarks\n\nMade by `go run ./bench all`, last on %s, on %s. %s\n\n", t.Made.UTC().Format(dated), t.Machine, t.Note)
	if t.Quick {
		b.WriteString("**This is the short form (`-quick`): it shows that all of it runs, and its figures say nothing.**\n\n")
	}
	b.WriteString(introduction)
	b.WriteString("| measure | target | seen | to baseline | verdict | note |\n|---|---|---|---|---|---|\n")
	for _, r := range t.Rows {
		times := r.Times()
		if times != "" {
			times += " " + r.Baseline
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", cell(r.Name), r.Aim(), r.Seen(), times, r.Verdict, cell(r.Note))
	}
	t.writeMissed(&b)
	b.WriteString("\n## Peers that are not in it\n\n| peer | why |\n|---|---|\n")
	for _, a := range t.Absent {
		fmt.Fprintf(&b, "| %s | %s |\n", cell(a.Name), cell(a.Why))
	}
	b.WriteString(extending)
	b.WriteString("\n## What each program said\n\nOf its last run.\n")
	for _, c := range t.Commands {
		fmt.Fprintf(&b, "\n`%s`, run %d times, on %s, commit %s, load average at the beginning %s:\n\n<!-- try: no, what a program said -->\n```\n%s\n```\n", c.Line, c.Runs, c.Made.UTC().Format(dated), c.On.Commit, c.On.Load, strings.TrimSpace(c.Said))
	}
	return b.Bytes()
}

// writeMissed says of each row that is not met why.
func (t Table) writeMissed(b *bytes.Buffer) {
	b.WriteString("\n## Targets that are not met\n\n")
	missed := slices.DeleteFunc(slices.Clone(t.Rows), func(r kit.Row) bool { return r.Verdict != kit.Missed && r.Verdict != kit.Unmeasured })
	if len(missed) == 0 {
		b.WriteString("None.\n")
		return
	}
	b.WriteString("| measure | seen | why |\n|---|---|---|\n")
	for _, r := range missed {
		fmt.Fprintf(b, "| %s | %s | %s |\n", cell(r.Name), cmp.Or(r.Times(), r.Seen()), cell(whyNot(r)))
	}
}

const dated = "2 January 2006, 15:04 MST"

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

const introduction = `Compare figures of one table only, and of these the ratios: each is to a baseline that was measured in turns with it, in the same run. Where there are several
runs a figure is their median, and the lowest and the highest ratio are in brackets. Rows without a target are peers, for comparison. The same as JSON:
[benchmarks.json](benchmarks.json).

`

const extending = `
## Run and extend it

` + "`go run ./bench all`" + ` takes hours, most of them for the rows that are measured once; ` + "`-only mcp,gateway`" + ` takes some rows and leaves the others as they were, ` + "`-repetitions`" + ` says how often, ` + "`-quick`" + ` tries whether all of it runs,
and ` + "`-to`" + ` writes elsewhere. The commands below make each part alone. Redis, PostgreSQL and the packages of ` + "`interop/npm`" + ` have to be there: ` + "`make install-servers install-npm`" + `.
Without a quiet machine the figures are those of its other programs: the load average at the head says how quiet it was.

To add a peer write how it is started, in ` + "`bench/peers`" + `:

- **A server that asks** is a ` + "`peers.Server`" + `: its name with the version, the protocol versions that it serves, ` + "`Ready`" + `, which says why it does not run here, and ` + "`Start`" + `. It has
  the tool ` + "`ask`" + ` without arguments, which asks for the form ` + "`{confirmed: boolean}`" + ` and returns ` + "`{status, confirmed}`" + ` as structured content. The client of all others calls it and answers its
  question. The program prints its URL as a line of JSON, then for each line that it reads an object with ` + "`CPU`" + ` (ns), ` + "`RSS`" + ` and ` + "`Heap`" + ` (bytes), after a collection where the line is
  ` + "`settled`" + `, and ends with its input; ` + "`interop/npm/asks1.mjs`" + ` is one in 50 lines.
- **A gateway** is a ` + "`peers.Gateway`" + `: ` + "`Start`" + ` puts it before the server at a URL, and ` + "`Tool`" + ` says what it calls a tool. It need not report: its process is looked at from outside.

A new measure is a package below ` + "`bench/`" + ` with a ` + "`Measure`" + ` that returns what it found, and some lines in ` + "`bench/table`" + ` that make rows of it.
`

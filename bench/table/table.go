package table

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/bench/peers"
)

type options struct {
	repetitions int
	only        []string
	quick       bool
	to          string
	note        string
	again       bool
}

func parse(args []string, out io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("all", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.IntVar(&o.repetitions, "repetitions", 5, "how often all is measured that does not take too long; the medians count")
	only := flags.String("only", "", "ids of rows, or beginnings of them, with commas: mcp.trip,gateway; the others stay as they were written last; default: all")
	flags.BoolVar(&o.quick, "quick", false, "a short form that shows whether all of it runs, and whose figures say nothing")
	flags.StringVar(&o.to, "to", "docs", "the folder for benchmarks.md and benchmarks.json")
	flags.StringVar(&o.note, "note", "", "a sentence about the machine for the head of the table, such as who else uses it")
	flags.BoolVar(&o.again, "again", false, "measure nothing: write benchmarks.md anew of what benchmarks.json has")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.only = kit.Fields(*only)
	if o.repetitions < 1 {
		return o, fmt.Errorf("-repetitions is at least 1")
	}
	for _, one := range o.only {
		if len(chosen([]string{one})) == 0 {
			return o, fmt.Errorf("-only: no row begins with %q", one)
		}
	}
	return o, nil
}

// chosen are the measurements that have rows which are asked for.
func chosen(only []string) (all []measurement) {
	for _, m := range measurements() {
		if len(only) == 0 || slices.ContainsFunc(only, func(one string) bool {
			first, _, _ := strings.Cut(one, ".")
			return first == m.name || !strings.Contains(one, ".") && strings.HasPrefix(m.name, one)
		}) {
			all = append(all, m)
		}
	}
	return all
}

// Table is all that was found out, as it is written.
type Table struct {
	Made     time.Time      `json:"made"`
	Took     time.Duration  `json:"took_ns"`
	Machine  Machine        `json:"machine"`
	Quick    bool           `json:"quick,omitempty"` // the figures say nothing
	Note     string         `json:"note,omitempty"`
	Rows     []kit.Row      `json:"rows"`
	Commands []Command      `json:"commands"`
	Absent   []peers.Absent `json:"absent"`
}

// Command is what made some of the rows, and all that it said in its last run.
type Command struct {
	Rows string    `json:"rows"` // how their ids begin
	Line string    `json:"line"`
	Runs int       `json:"runs"`
	Made time.Time `json:"made"`
	On   Machine   `json:"machine"`
	Said string    `json:"said"`
}

// Run measures, and writes the table.
func Run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parse(args, out)
	if err != nil {
		return err
	}
	before, err := read(filepath.Join(o.to, "benchmarks.json"))
	if err != nil {
		return err
	}
	if o.again {
		return before.write(o.to, out)
	}
	return measure(ctx, o, func(t Table, last bool) error {
		if len(o.only) > 0 && !o.quick {
			t = t.with(before)
		}
		if !last {
			return t.write(o.to, io.Discard)
		}
		return t.write(o.to, out)
	})
}

// write writes the table as files and says it.
func (t Table) write(to string, out io.Writer) error {
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for name, text := range map[string][]byte{"benchmarks.md": t.markdown(), "benchmarks.json": t.json()} {
		if err := os.WriteFile(filepath.Join(to, name), text, 0o644); err != nil {
			return err
		}
	}
	t.print(out)
	return nil
}

// measure runs all in rounds, so that what the machine does besides hits every row alike.
// A measurement that fails has a row that says so, and the others go on. What is known
// is kept after each round: they take hours.
func measure(ctx context.Context, o options, keep func(t Table, last bool) error) error {
	t := Table{Made: time.Now(), Machine: thisMachine(), Quick: o.quick, Note: o.note}
	if o.quick {
		o.repetitions = 1
	}
	all := chosen(o.only)
	seen := make([]series, len(all))
	for round := range o.repetitions {
		for i, m := range all {
			if round > 0 && (m.once || seen[i].failed != nil) {
				continue
			}
			args := m.args
			if o.quick {
				args = m.quick
			}
			kit.Progress("round %d of %d: %s\n", round+1, o.repetitions, m.command(args))
			f, err := m.run(ctx, args)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			seen[i].add(m.command(args), f, err)
		}
		if err := keep(t.of(all, seen, o), round == o.repetitions-1); err != nil {
			return err
		}
	}
	return nil
}

// of is the table with the rows of what was seen.
func (t Table) of(all []measurement, seen []series, o options) Table {
	for i, m := range all {
		s := seen[i]
		for _, row := range s.rows(m.name, o.only) {
			if o.quick && row.Verdict != kit.Unmeasured {
				row.Verdict = "" // so few calls show nothing
			}
			t.Rows = append(t.Rows, row)
		}
		t.Commands = append(t.Commands, Command{m.name, s.command, s.runs, t.Made, t.Machine, s.said})
		t.Absent = append(t.Absent, s.absent...)
	}
	t.Absent = append(t.Absent, peers.Unavailable()...)
	t.Took = time.Since(t.Made)
	return t
}

// read is a table that was written before; none if there is no file.
func read(path string) (t Table, err error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &t)
	}
	if err != nil {
		return t, fmt.Errorf("the table that some rows are renewed of: %w", err)
	}
	return t, nil
}

// with is the table with the rows of an earlier one that it does not have, in the order of all.
func (t Table) with(before Table) Table {
	if before.Quick { // its figures say nothing
		return t
	}
	rows, commands := t.Rows, t.Commands
	t.Rows, t.Commands = nil, nil
	for _, m := range measurements() {
		renewed := false
		for _, c := range commands {
			if c.Rows == m.name {
				t.Commands, renewed = append(t.Commands, c), true
			}
		}
		for _, c := range before.Commands {
			if c.Rows == m.name && !renewed {
				t.Commands = append(t.Commands, c)
			}
		}
		of := func(r kit.Row) bool { return r.ID == m.name || strings.HasPrefix(r.ID, m.name+".") }
		for _, r := range rows {
			if of(r) {
				t.Rows = append(t.Rows, r)
			}
		}
		for _, r := range before.Rows {
			if of(r) && (r.ID != m.name || !renewed) && !slices.ContainsFunc(rows, func(now kit.Row) bool { return now.ID == r.ID }) {
				t.Rows = append(t.Rows, r)
			}
		}
	}
	for _, a := range before.Absent {
		if !slices.Contains(t.Absent, a) {
			t.Absent = append(t.Absent, a)
		}
	}
	return t
}

// series is the runs of one measurement.
type series struct {
	command string
	order   []string // ids, as they came
	byID    map[string][]kit.Row
	absent  []peers.Absent
	said    string
	runs    int
	failed  error
}

func (s *series) add(command string, f found, err error) {
	s.command = command
	if err != nil {
		kit.Progress("%s failed: %v\n", command, err)
		s.failed = err
		return
	}
	if s.byID == nil {
		s.byID = map[string][]kit.Row{}
	}
	for _, r := range f.rows {
		if s.byID[r.ID] == nil {
			s.order = append(s.order, r.ID)
		}
		s.byID[r.ID] = append(s.byID[r.ID], r)
	}
	var said bytes.Buffer
	f.text(&said)
	s.said, s.absent = said.String(), f.absent
	s.runs++
}

// rows are the medians of those that are asked for.
func (s *series) rows(name string, only []string) (rows []kit.Row) {
	for _, id := range s.order {
		if len(only) == 0 || slices.ContainsFunc(only, func(one string) bool { return strings.HasPrefix(id, one) }) {
			rows = append(rows, kit.Median(s.byID[id]))
		}
	}
	if s.failed != nil {
		first, _, _ := strings.Cut(s.failed.Error(), "\n")
		rows = append(rows, kit.Missing(name, "all of `"+s.command+"`", kit.Target{}, "it failed: "+first))
	}
	return rows
}

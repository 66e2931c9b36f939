// Package resources measures what a hostile byte costs parley serve, in memory and
// in writes to its store.
package resources

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// options are the flags of the benchmark of resource attacks.
type options struct {
	parley string
	store  string
	only   []string
	limit  int64
	wait   time.Duration
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("resources", flag.ContinueOnError)
	flags.StringVar(&o.parley, "parley", "", "the program that is attacked; default: that of this tree, built for it")
	flags.StringVar(&o.store, "store", "redis", "redis: what is sent to the store is counted; sqlite: what the process has the system write")
	only := flags.String("cases", "", "names of cases, or beginnings of them, with commas; default all, which takes some ten minutes")
	flags.Usage = func() {
		fmt.Fprintln(flags.Output(), "Attacks parley serve, and says what a hostile byte costs. With -store redis a Redis is started: install redis-server.")
		flags.PrintDefaults()
		fmt.Fprintln(flags.Output(), "Cases:")
		for _, c := range attacks() {
			fmt.Fprintln(flags.Output(), "  "+c.name)
		}
	}
	limit := flags.Int64("limit", 4<<10, "MiB of memory at which a case is ended")
	flags.DurationVar(&o.wait, "wait", time.Minute, "how long a case may take")
	err := flags.Parse(args)
	o.limit = *limit << 20
	o.only = kit.Fields(*only)
	return o, err
}

// measured is what an attack cost whom it was made on.
type measured struct {
	hostile int64 // bytes that the attacker sent
	peak    int64 // bytes of resident memory at most
	written int64 // bytes to the store
	over    bool  // it was ended for its memory
	took    time.Duration
	note    string
}

// Result is what was found out, case by case.
type Result struct {
	Cases []Case

	options
}

// Case is what an attack cost. What the process needs and writes without being attacked
// is taken off, except from the idle ones.
type Case struct {
	Name          string
	Idle          bool // nobody attacks
	Hostile       int64
	Peak, Written int64 // bytes of memory, and to the store
	Over          bool  // it was ended for its memory
	Note          string
}

// PerByte is how much memory and how many bytes to the store a hostile byte cost.
func (c Case) PerByte() (memory, written float64) {
	if c.Hostile == 0 {
		return 0, 0
	}
	return float64(c.Peak) / float64(c.Hostile), float64(c.Written) / float64(c.Hostile)
}

// Run attacks parley serve, in a process of its own for each case, and says
// how much memory and how many bytes to its store each hostile byte costs.
func Run(ctx context.Context, args []string, out io.Writer) error {
	r, err := Measure(ctx, args)
	if err == nil {
		r.Print(out)
	}
	return err
}

// Measure takes the flags of the benchmark.
func Measure(ctx context.Context, args []string) (r Result, err error) {
	o, err := parse(args)
	if err != nil {
		return r, err
	}
	if runtime.GOOS != "linux" {
		return r, fmt.Errorf("this benchmark reads /proc: it needs Linux")
	}
	dir, err := os.MkdirTemp("", "parley-resources-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" {
		if o.parley, err = kit.Build(ctx, dir, "github.com/parley-hq/parley/cmd/parley"); err != nil {
			return r, err
		}
	}
	for _, one := range o.only {
		if !slices.ContainsFunc(attacks(), func(c attack) bool { return strings.HasPrefix(c.name, one) }) {
			return r, fmt.Errorf("there is no case %q; go run ./bench resources -h names them", one)
		}
	}
	idle := map[bool]measured{}
	for _, c := range attacks() {
		quiet := strings.HasPrefix(c.name, "idle")
		if !quiet && len(o.only) > 0 && !slices.ContainsFunc(o.only, func(one string) bool { return strings.HasPrefix(c.name, one) }) {
			continue
		}
		kit.Progress("%s", c.name)
		m, err := attackOnce(ctx, o, dir, c)
		kit.Progress("")
		if err != nil {
			return r, fmt.Errorf("%s: %w", c.name, err)
		}
		if quiet {
			idle[c.agent] = m
		}
		r.Cases = append(r.Cases, m.above(idle[c.agent], c.name, quiet))
	}
	r.options = o
	return r, nil
}

// Print prints a line for each case.
func (r Result) Print(out io.Writer) {
	var rows [][]string
	for _, c := range r.Cases {
		rows = append(rows, c.row())
	}
	fmt.Fprintf(out, "%s, %d cores; %s; store: %s\n", runtime.Version(), runtime.NumCPU(), filepath.Base(r.parley), r.store)
	kit.Table{"case", "hostile bytes", "peak memory over idle", "per hostile byte", "written", "per hostile byte", "what came of it"}.Print(out, rows)
}

// above is what an attack cost above what an idle process does.
func (m measured) above(idle measured, name string, quiet bool) Case {
	c := Case{Name: name, Idle: quiet, Hostile: m.hostile, Peak: m.peak, Written: m.written, Over: m.over, Note: m.note}
	if quiet {
		return c
	}
	c.Peak = max(0, m.peak-idle.peak)
	if idle.took > 0 {
		c.Written = max(0, m.written-int64(float64(idle.written)*m.took.Seconds()/idle.took.Seconds()))
	}
	return c
}

func (c Case) row() []string {
	if c.Idle {
		return []string{c.Name, kit.Size(c.Hostile), kit.Size(c.Peak) + " in all", "", kit.Size(c.Written), "", c.Note}
	}
	memory := kit.Size(c.Peak)
	if c.Over {
		memory = "over " + memory + ", ended"
	}
	perMemory, perWritten := c.PerByte()
	return []string{c.Name, kit.Size(c.Hostile), memory, perByte(perMemory, c.Hostile), kit.Size(c.Written), perByte(perWritten, c.Hostile), c.Note}
}

func perByte(ratio float64, of int64) string {
	switch {
	case of == 0:
		return ""
	case ratio >= 10:
		return fmt.Sprintf("%.0f×", ratio)
	}
	return fmt.Sprintf("%.1f×", ratio)
}

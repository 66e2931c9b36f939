// Package resources measures what a hostile byte costs parley serve, in memory and
// in writes to its store.
package resources

import (
	"context"
	"flag"
	"fmt"
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

// Run attacks parley serve, in a process of its own for each case, and says
// how much memory and how many bytes to its store each hostile byte costs.
func Run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	if runtime.GOOS != "linux" {
		return fmt.Errorf("this benchmark reads /proc: it needs Linux")
	}
	dir, err := os.MkdirTemp("", "parley-resources-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" {
		if o.parley, err = kit.Build(ctx, dir, "./cmd/parley"); err != nil {
			return err
		}
	}
	for _, one := range o.only {
		if !slices.ContainsFunc(attacks(), func(c attack) bool { return strings.HasPrefix(c.name, one) }) {
			return fmt.Errorf("there is no case %q; go run ./bench resources -h names them", one)
		}
	}
	idle := map[bool]measured{}
	var rows [][]string
	for _, c := range attacks() {
		quiet := strings.HasPrefix(c.name, "idle")
		if !quiet && len(o.only) > 0 && !slices.ContainsFunc(o.only, func(one string) bool { return strings.HasPrefix(c.name, one) }) {
			continue
		}
		kit.Progress("%s", c.name)
		m, err := attackOnce(ctx, o, dir, c)
		kit.Progress("")
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if quiet {
			idle[c.agent] = m
		}
		rows = append(rows, m.row(c, idle[c.agent]))
	}
	fmt.Printf("%s, %d cores; %s; store: %s\n", runtime.Version(), runtime.NumCPU(), filepath.Base(o.parley), o.store)
	kit.Table{"case", "hostile bytes", "peak memory over idle", "per hostile byte", "written", "per hostile byte", "what came of it"}.Print(os.Stdout, rows)
	return nil
}

// row is a line of the table. What the process needs and writes without being
// attacked is taken off.
func (m measured) row(c attack, idle measured) []string {
	peak := max(0, m.peak-idle.peak)
	written := m.written
	if idle.took > 0 {
		written = max(0, written-int64(float64(idle.written)*m.took.Seconds()/idle.took.Seconds()))
	}
	if strings.HasPrefix(c.name, "idle") {
		return []string{c.name, kit.Size(m.hostile), kit.Size(m.peak) + " in all", "", kit.Size(m.written), "", m.note}
	}
	memory := kit.Size(peak)
	if m.over {
		memory = "over " + memory + ", ended"
	}
	return []string{c.name, kit.Size(m.hostile), memory, perByte(peak, m.hostile), kit.Size(written), perByte(written, m.hostile), m.note}
}

func perByte(n, of int64) string {
	if of == 0 {
		return ""
	}
	switch r := float64(n) / float64(of); {
	case r >= 10:
		return fmt.Sprintf("%.0f×", r)
	default:
		return fmt.Sprintf("%.1f×", r)
	}
}

// Package core measures the hub over every backend: opening, answering, waking
// up, and how resolving a question fares with many pending.
package core

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/parley-hq/parley/bench/kit"
)

// options are the flags of the core benchmark.
type options struct {
	backends []string
	rounds   int
	sizes    []int
}

func parse(args []string) (options, error) {
	flags := flag.NewFlagSet("core", flag.ContinueOnError)
	backends := flags.String("backends", "memory,sqlite,postgres,redis", "which backends")
	rounds := flags.Int("rounds", 1000, "how often each operation is timed; the median counts")
	sizes := flags.String("pending", "1000,100000,1000000", "with how many pending questions resolving is timed; empty for none")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	o := options{backends: strings.Split(*backends, ","), rounds: *rounds}
	for _, s := range kit.Fields(*sizes) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return o, fmt.Errorf("-pending: %w", err)
		}
		o.sizes = append(o.sizes, n)
	}
	return o, nil
}

// Run prints one table with a row per backend.
func Run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d cores, medians of %d rounds\n", runtime.Version(), runtime.NumCPU(), o.rounds)
	t := kit.Table{"backend", "Open", "Answer", "wake, same process", "wake, other process", "bytes per pending"}
	resolve := kit.Table{"backend"}
	for _, n := range o.sizes {
		resolve = append(resolve, kit.Count(n)+" pending")
	}
	resolve = append(resolve, "last against first")
	rows, resolved := [][]string{}, [][]string{}
	for _, name := range o.backends {
		row, times, err := measureBackend(ctx, name, o)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, row)
		if times != nil {
			resolved = append(resolved, times)
		}
	}
	t.Print(os.Stdout, rows)
	if len(resolved) > 0 {
		fmt.Println("\nFrom the answer to the return of Wait, with other questions pending, interleaved:")
		resolve.Print(os.Stdout, resolved)
	}
	return nil
}

// measureBackend returns the backend's rows of both tables.
func measureBackend(ctx context.Context, name string, o options) (row, resolved []string, err error) {
	site, err := kit.NewSite(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer site.Close()
	kit.Progress("%s: operations", name)
	f, err := operations(ctx, site, o.rounds)
	if err != nil {
		return nil, nil, err
	}
	row = []string{name, f.open.String(), f.answer.String(), f.wake.String(), "", ""}
	if name == "memory" {
		row[4] = "(one process)"
	} else if row[4], err = otherProcess(ctx, site, o.rounds); err != nil {
		return nil, nil, err
	}
	if row[5], err = pendingBytes(ctx, site); err != nil {
		return nil, nil, err
	}
	if name == "redis" || len(o.sizes) == 0 {
		return row, nil, nil
	}
	resolved, err = resolve(ctx, site, o)
	return row, append([]string{name}, resolved...), err
}

// Package core measures the hub over every backend: opening, answering, waking
// up, and how resolving a question fares with many pending.
package core

import (
	"context"
	"flag"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/parley-hq/parley/bench/kit"
)

// options are the flags of the core benchmark.
type options struct {
	backends  []string
	rounds    int
	sizes     []int
	footprint int
}

func parse(args []string) (options, error) {
	flags := flag.NewFlagSet("core", flag.ContinueOnError)
	backends := flags.String("backends", "memory,sqlite,postgres,redis", "which backends")
	rounds := flags.Int("rounds", 1000, "how often each operation is timed; the median counts")
	sizes := flags.String("pending", "1000,100000,1000000", "with how many pending questions resolving is timed; empty for none")
	footprint := flags.Int("footprint", 20_000, "how many questions are opened to see what each takes")
	if err := flags.Parse(args); err != nil {
		return options{}, err
	}
	o := options{backends: strings.Split(*backends, ","), rounds: *rounds, footprint: *footprint}
	for _, s := range kit.Fields(*sizes) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return o, fmt.Errorf("-pending: %w", err)
		}
		o.sizes = append(o.sizes, n)
	}
	return o, nil
}

// Result is what was found out about each backend.
type Result struct {
	Backends []Backend

	rounds int
	sizes  []int
}

// Backend is the figures of one.
type Backend struct {
	Name               string
	Open, Answer, Wake kit.Duration   // medians; Wake is of a waiter in the same process
	Other              kit.Samples    // wake-ups by an answer in another process; none with memory
	PendingBytes       int64          // of a question that waits
	Resolved           []kit.Duration // from the answer to the return of Wait, by the number of other questions; none with Redis
}

// Run prints one table with a row per backend.
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
	r.rounds, r.sizes = o.rounds, o.sizes
	for _, name := range o.backends {
		b, err := measureBackend(ctx, name, o)
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		r.Backends = append(r.Backends, b)
	}
	return r, nil
}

// Print prints a table of the operations and one of answers among many questions.
func (r Result) Print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d cores, medians of %d rounds\n", runtime.Version(), runtime.NumCPU(), r.rounds)
	resolve := kit.Table{"backend"}
	for _, n := range r.sizes {
		resolve = append(resolve, kit.Count(n)+" pending")
	}
	resolve = append(resolve, "last against first")
	var rows, resolved [][]string
	for _, b := range r.Backends {
		other := "(one process)"
		if len(b.Other) > 0 {
			other = fmt.Sprintf("%v (p99 %v)", b.Other.Median(), b.Other.Percentile(99))
		}
		rows = append(rows, []string{b.Name, b.Open.String(), b.Answer.String(), b.Wake.String(), other, fmt.Sprint(b.PendingBytes)})
		if len(b.Resolved) > 0 {
			row := []string{b.Name}
			for _, d := range b.Resolved {
				row = append(row, d.String())
			}
			resolved = append(resolved, append(row, fmt.Sprintf("%.2f×", b.Slowdown())))
		}
	}
	kit.Table{"backend", "Open", "Answer", "wake, same process", "wake, other process", "bytes per pending"}.Print(out, rows)
	if len(resolved) > 0 {
		fmt.Fprintln(out, "\nFrom the answer to the return of Wait, with other questions pending, interleaved:")
		resolve.Print(out, resolved)
	}
}

// Slowdown is how many times as long an answer takes among the most questions as among
// the fewest.
func (b Backend) Slowdown() float64 {
	return float64(b.Resolved[len(b.Resolved)-1]) / float64(b.Resolved[0])
}

func measureBackend(ctx context.Context, name string, o options) (b Backend, err error) {
	site, err := kit.NewSite(ctx, name)
	if err != nil {
		return b, err
	}
	defer site.Close()
	kit.Progress("%s: operations", name)
	if b, err = operations(ctx, site, o.rounds); err != nil {
		return b, err
	}
	if name != "memory" {
		if b.Other, err = otherProcess(ctx, site, o.rounds); err != nil {
			return b, err
		}
	}
	if b.PendingBytes, err = pendingBytes(ctx, site, o.footprint); err != nil {
		return b, err
	}
	if name != "redis" && len(o.sizes) > 0 {
		b.Resolved, err = resolve(ctx, site, o)
	}
	return b, err
}

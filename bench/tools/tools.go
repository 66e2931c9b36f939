// Package tools measures whether find_tools finds the right tool: over a catalogue of
// 4,000 tools of 100 servers (catalogue.txt) and needs as people and models
// word them (needs.json), half of which the ranking was not tuned on.
package tools

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/toolfind"
)

// deep is how far down a right tool is looked for.
const deep = 50

// tally is how well needs were met.
type tally struct {
	needs, at1, at5, at10 int
	reciprocal            float64
}

func (t *tally) add(rank int) {
	t.needs++
	if rank == 0 {
		return
	}
	t.reciprocal += 1 / float64(rank)
	for _, c := range []struct {
		within int
		count  *int
	}{{1, &t.at1}, {5, &t.at5}, {10, &t.at10}} {
		if rank <= c.within {
			*c.count++
		}
	}
}

func (t tally) share(n int) string {
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(max(t.needs, 1)))
}

func (t tally) row(names ...string) []string {
	return append(names, fmt.Sprint(t.needs), t.share(t.at1), t.share(t.at5), t.share(t.at10), fmt.Sprintf("%.2f", t.reciprocal/float64(max(t.needs, 1))))
}

// Run measures, and prints what it saw.
func Run(ctx context.Context, args []string, out io.Writer) error {
	flags := flag.NewFlagSet("tools", flag.ContinueOnError)
	misses := flags.Bool("misses", false, "print the needs of the tuned half whose tool is not in the first five")
	write := flags.String("write", "", "write the catalogue to this file, as JSON")
	if err := flags.Parse(args); err != nil {
		return err
	}
	catalogue, err := Catalogue()
	if err != nil {
		return err
	}
	needs, err := Needs()
	if err != nil {
		return err
	}
	if *write != "" {
		raw, err := json.MarshalIndent(catalogue, "", " ")
		if err != nil {
			return err
		}
		return os.WriteFile(*write, raw, 0o644)
	}
	began := time.Now()
	sources := sourcesOf(catalogue)
	indexed, count, size := time.Since(began), 0, 0
	for i, s := range sources {
		count += len(catalogue[i].Tools)
		size += s.Index.Bytes()
	}
	fmt.Fprintf(out, "%d tools of %d servers, %d needs; the index: %v, about %s\n\n", count, len(catalogue), len(needs), kit.Duration(indexed), kit.Size(int64(size)))
	for i, r := range []ranking{now(sources), before(catalogue)} {
		if err := measure(ctx, out, r, catalogue, needs, *misses && i == 0); err != nil {
			return err
		}
	}
	return hostile(out, sources)
}

// measure prints how a ranking meets the needs.
func measure(ctx context.Context, out io.Writer, r ranking, catalogue []Server, needs []Need, misses bool) error {
	halves := map[bool]string{false: "tuned on", true: "held out"}
	all, kinds := map[bool]*tally{false: {}, true: {}}, map[string]*tally{}
	var times kit.Samples
	for _, n := range needs {
		if err := ctx.Err(); err != nil {
			return err
		}
		right, err := n.rightIn(catalogue)
		if err != nil {
			return err
		}
		began := time.Now()
		found := r.find(n.Need, deep)
		times.Add(time.Since(began))
		rank := 1 + slices.IndexFunc(found, func(p place) bool { return right[p] })
		all[n.HeldOut()].add(rank)
		key := n.Kind + "\t" + halves[n.HeldOut()]
		if kinds[key] == nil {
			kinds[key] = &tally{}
		}
		kinds[key].add(rank)
		if misses && !n.HeldOut() && (rank == 0 || rank > 5) {
			fmt.Fprintf(out, "%3d  %s  (%s)\n", rank, n.Need, strings.Join(n.Right, ", "))
			for _, p := range found[:min(3, len(found))] {
				fmt.Fprintf(out, "       %s %s\n", catalogue[p.server].Name, catalogue[p.server].Tools[p.tool].Name)
			}
		}
	}
	fmt.Fprintf(out, "%s; a search takes %v, 99 of 100 at most %v\n", r.name, times.Median(), times.Percentile(99))
	var rows [][]string
	for _, held := range []bool{false, true} {
		rows = append(rows, all[held].row("all", halves[held]))
	}
	for _, kind := range []string{"colloquial", "model", "situation", "named", "typo"} {
		for _, half := range []string{halves[false], halves[true]} {
			if t := kinds[kind+"\t"+half]; t != nil {
				rows = append(rows, t.row(kind, half))
			}
		}
	}
	kit.Table{"needs", "half", "number", "right first", "in 5", "in 10", "MRR"}.Print(out, rows)
	fmt.Fprintln(out)
	return nil
}

// hostile prints how long queries take that are made to take long.
func hostile(out io.Writer, sources []toolfind.Source) error {
	var rows [][]string
	for _, c := range []struct{ name, query string }{
		{"100 kB of one word", strings.Repeat("issue ", 100_000/6)},
		{"100 kB without a space", strings.Repeat("a", 100_000)},
		{"words that no tool has", "zqwertz yqwertz xqwertz wqwertz vqwertz uqwertz tqwertz sqwertz rqwertz pqwertz oqwertz nqwertz"},
		{"verbs that all tools have", "list get search create update delete show find add edit remove set new make read fetch"},
	} {
		var times kit.Samples
		for range 20 {
			began := time.Now()
			toolfind.Search(sources, c.query, 10)
			times.Add(time.Since(began))
		}
		rows = append(rows, []string{c.name, times.Median().String(), times.Percentile(99).String()})
	}
	kit.Table{"a query of", "median", "longest"}.Print(out, rows)
	return nil
}

// Command chatkill kills a node of parley serve with kill -9, again and again,
// while conversations are in every phase of a turn, and says what became of them:
// how many turns were lost, stuck, or had done something twice, and how long it
// took until each went on.
//
//	go run ./interop/chatkill                     # 60 rounds on SQLite and PostgreSQL
//	go run ./interop/chatkill -rounds 3 -seed 7   # the same, shorter
//
// SQLite has one node, which is started again; PostgreSQL has two, of which the
// other one goes on. Model and MCP server are fakes in this process, which hold
// each conversation in its phase until the node is dead. It ends with an error if
// a turn was lost or stuck, or did something twice.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"
	"time"

	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

// options are the flags.
type options struct {
	rounds int
	seed   uint64
	stores []string
	parley string
	pg     string
	wait   time.Duration
	json   string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var o options
	flag.IntVar(&o.rounds, "rounds", 60, "kills; in each, one conversation is in each of the five phases")
	flag.Uint64Var(&o.seed, "seed", 1, "of the order of things")
	stores := flag.String("stores", "sqlite,postgres", "where the nodes keep their data")
	flag.StringVar(&o.parley, "parley", "", "the program; default: that of this tree, built for it")
	flag.StringVar(&o.pg, "postgres", "", "the URL of an empty PostgreSQL database; default: a server that is started for it")
	flag.DurationVar(&o.wait, "wait", time.Minute, "after how long a turn that has not ended is stuck")
	flag.StringVar(&o.json, "json", "", "where to write how long each turn took to go on, by store and phase; default: nowhere")
	flag.Parse()
	o.stores = strings.Split(*stores, ",")
	if err := campaign(ctx, o, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "chatkill:", err)
		os.Exit(1)
	}
}

// tally is what became of the turns in one phase.
type tally struct {
	hits, lost, stuck, twice, unknown int
	resumed                           []time.Duration // from the kill, or the answer, to the next that the node did
}

func (t *tally) row(store string, p phase) string {
	slices.Sort(t.resumed)
	at := func(percent int) string {
		if len(t.resumed) == 0 {
			return "–"
		}
		return t.resumed[min(len(t.resumed)-1, len(t.resumed)*percent/100)].Round(time.Millisecond).String()
	}
	return fmt.Sprintf("%s\t%s\t%d\t%d\t%d\t%d\t%d\t%s\t%s", store, p, t.hits, t.lost, t.stuck, t.twice, t.unknown, at(50), at(100))
}

// campaign runs all rounds on each store.
func campaign(ctx context.Context, o options, out io.Writer) error {
	dir, err := os.MkdirTemp("", "parley-chatkill-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" {
		o.parley = filepath.Join(dir, "parley")
		build := exec.CommandContext(ctx, "go", "build", "-o", o.parley, "github.com/parley-hq/parley/cmd/parley")
		if said, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("building: %w\n%s", err, said)
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "store\tphase\thit\tlost\tstuck\ttwice\tunknown\tgoes on after, median\tlongest")
	var failed error
	resumed := map[string]map[phase][]time.Duration{}
	for _, store := range o.stores {
		all, err := runOn(ctx, o, store, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", store, err)
		}
		resumed[store] = map[phase][]time.Duration{}
		for _, p := range phases {
			resumed[store][p] = all[p].resumed
			fmt.Fprintln(table, all[p].row(store, p))
			if t := all[p]; t.lost+t.stuck+t.twice > 0 {
				failed = errors.Join(failed, fmt.Errorf("%s, %s: %d lost, %d stuck, %d twice", store, p, t.lost, t.stuck, t.twice))
			}
		}
	}
	if o.json != "" {
		raw, err := json.Marshal(resumed)
		failed = errors.Join(failed, err, os.WriteFile(o.json, raw, 0o644))
	}
	return errors.Join(failed, table.Flush())
}

func runOn(ctx context.Context, o options, store, dir string) (map[phase]*tally, error) {
	url, nodes := "sqlite:"+filepath.Join(dir, fmt.Sprintf("%s-%d.db", store, o.seed)), 1
	switch {
	case store == "postgres" && o.pg != "":
		url, nodes = o.pg, 2
	case store == "postgres":
		server, err := servers.StartPostgres(ctx, nil)
		if err != nil {
			return nil, err
		}
		defer server.Close()
		url, nodes = server.URL, 2
		fmt.Fprintln(os.Stderr, "postgres: ten seconds, until whoever is not known to it is not there")
		if !patience.Sleep(ctx, 11*time.Second) {
			return nil, ctx.Err()
		}
	case store != "sqlite":
		return nil, errors.New("there is no such store here: sqlite or postgres")
	}
	fakes, err := newFakes()
	if err != nil {
		return nil, err
	}
	defer fakes.close()
	site, err := newSite(ctx, o, dir, url, nodes, fakes)
	if err != nil {
		return nil, err
	}
	defer site.close()
	all := map[phase]*tally{}
	for _, p := range phases {
		all[p] = &tally{}
	}
	random := rand.New(rand.NewPCG(o.seed, uint64(nodes)))
	for round := range o.rounds {
		if err := site.round(ctx, round, random, all); err != nil {
			return nil, fmt.Errorf("round %d: %w\n%s", round, err, site.said())
		}
		fmt.Fprintf(os.Stderr, "%s: round %d of %d\n", store, round+1, o.rounds)
	}
	return all, nil
}

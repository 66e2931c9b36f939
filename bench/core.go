package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

// coreOptions are the flags of the core benchmark.
type coreOptions struct {
	backends []string
	rounds   int
	sizes    []int
}

func parseCore(args []string) (coreOptions, error) {
	flags := flag.NewFlagSet("core", flag.ContinueOnError)
	backends := flags.String("backends", "memory,sqlite,postgres,redis", "which backends")
	rounds := flags.Int("rounds", 1000, "how often each operation is timed; the median counts")
	sizes := flags.String("pending", "1000,100000,1000000", "with how many pending questions resolving is timed; empty for none")
	if err := flags.Parse(args); err != nil {
		return coreOptions{}, err
	}
	o := coreOptions{backends: strings.Split(*backends, ","), rounds: *rounds}
	for _, s := range strings.FieldsFunc(*sizes, func(c rune) bool { return c == ',' }) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return o, fmt.Errorf("-pending: %w", err)
		}
		o.sizes = append(o.sizes, n)
	}
	return o, nil
}

// core prints one table with a row per backend.
func core(ctx context.Context, args []string) error {
	o, err := parseCore(args)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d cores, medians of %d rounds\n", runtime.Version(), runtime.NumCPU(), o.rounds)
	t := table{"backend", "Open", "Answer", "wake, same process", "wake, other process", "bytes per pending"}
	resolve := table{"backend"}
	for _, n := range o.sizes {
		resolve = append(resolve, count(n)+" pending")
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
	t.print(os.Stdout, rows)
	if len(resolved) > 0 {
		fmt.Println("\nFrom the answer to the return of Wait, with other questions pending, interleaved:")
		resolve.print(os.Stdout, resolved)
	}
	return nil
}

// measureBackend returns the backend's rows of both tables.
func measureBackend(ctx context.Context, name string, o coreOptions) (row, resolved []string, err error) {
	site, err := newSite(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	defer site.close()
	progress("%s: operations", name)
	f, err := site.operations(ctx, o.rounds)
	if err != nil {
		return nil, nil, err
	}
	row = []string{name, f.open.String(), f.answer.String(), f.wake.String(), "", ""}
	if name == "memory" {
		row[4] = "(one process)"
	} else if row[4], err = site.otherProcess(ctx, o.rounds); err != nil {
		return nil, nil, err
	}
	if row[5], err = site.footprint(ctx); err != nil {
		return nil, nil, err
	}
	if name == "redis" || len(o.sizes) == 0 {
		return row, nil, nil
	}
	resolved, err = site.resolve(ctx, o)
	return row, append([]string{name}, resolved...), err
}

// site is where a backend lives during the benchmark.
type site struct {
	name   string
	server *servers.Server // nil without one
	dir    string
}

func newSite(ctx context.Context, name string) (s *site, err error) {
	s = &site{name: name}
	if s.dir, err = os.MkdirTemp("", "parley-bench-"); err != nil {
		return nil, err
	}
	durable := &servers.Options{Durable: true}
	switch name {
	case "memory", "sqlite":
	case "postgres":
		s.server, err = servers.StartPostgres(ctx, durable)
	case "redis":
		s.server, err = servers.StartRedis(ctx, durable)
	default:
		err = fmt.Errorf("no such backend")
	}
	return s, err
}

func (s *site) close() {
	if s.server != nil {
		s.server.Close()
	}
	os.RemoveAll(s.dir)
	progress("")
}

// url names the store; each space has data of its own.
func (s *site) url(space string) string {
	switch s.name {
	case "memory":
		return "memory:"
	case "sqlite":
		return "sqlite:" + filepath.Join(s.dir, space+".db")
	}
	return s.server.URL
}

func (s *site) open(ctx context.Context, space string) (backend.Store, error) {
	return backend.Open(ctx, s.url(space), &backend.Options{Space: space})
}

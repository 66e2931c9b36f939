// Package load measures nodes of parley serve under very many questions that wait,
// and very many streams that wait with them.
package load

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/seal"
)

type options struct {
	store   string
	parked  int
	streams int
	nodes   int
	rate    int
	lasting time.Duration
	window  time.Duration
	due     int
	plot    string
	parley  string
}

// each is how many streams a person has open.
const each = 100

func parse(args []string, out io.Writer) (options, error) {
	var o options
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.StringVar(&o.store, "store", "postgres", "the store: postgres, redis, sqlite")
	flags.IntVar(&o.parked, "parked", 1_000_000, "how many questions wait that nobody looks at")
	flags.IntVar(&o.streams, "streams", 50_000, "how many streams wait for a question each")
	flags.IntVar(&o.nodes, "nodes", 3, "how many nodes; each can have as many streams as it may have open files")
	flags.IntVar(&o.rate, "rate", 100, "answers a second")
	flags.DurationVar(&o.lasting, "for", time.Minute, "how long answers come")
	flags.DurationVar(&o.window, "window", 5*time.Second, "how long each row of the table is")
	flags.IntVar(&o.due, "due", 100_000, "how many questions fall due at once in the end; 0: none")
	flags.StringVar(&o.plot, "plot", "", "where to write the plot (SVG); default: nowhere")
	flags.StringVar(&o.parley, "parley", "", "the program that is measured; default: that of this tree, built for it")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	answers := int(float64(o.rate) * o.lasting.Seconds())
	switch {
	case o.parked < 0 || o.streams < 1 || o.nodes < 1 || o.rate < 1 || o.lasting < o.window || o.window <= 0 || o.due < 0:
		return o, fmt.Errorf("-streams, -nodes and -rate are at least 1, and -for is not shorter than -window")
	case answers > o.streams:
		return o, fmt.Errorf("%d answers to %d streams: each stream is answered once; take fewer answers or more streams", answers, o.streams)
	case o.store == "sqlite" && o.nodes > 1:
		return o, fmt.Errorf("SQLite is for one node: -nodes 1")
	}
	if most := int(kit.RaiseFileLimit()) - 500; o.streams/o.nodes > most {
		return o, fmt.Errorf("%d streams at a node, but a process may have %d files open here: take more nodes, or raise the limit", o.streams/o.nodes, most)
	}
	return o, nil
}

// Result is what was found out.
type Result struct {
	Parking time.Duration
	Opening time.Duration // of the streams
	Before  int64         // bytes of memory of all nodes: at first,
	Parked  int64         // after the questions were parked,
	Open    int64         // and with the streams open
	Windows []Window
	Lost    int
	Expired time.Duration // after what fell due did
	Expiry  time.Duration // processor time of the nodes for it

	options
}

// Run parks questions, opens streams, answers at a steady rate, and lets questions
// fall due.
func Run(ctx context.Context, args []string, out io.Writer) error {
	r, err := Measure(ctx, args, out)
	if err != nil {
		return err
	}
	r.Print(out)
	if r.Lost > 0 {
		return fmt.Errorf("%d streams were not told", r.Lost)
	}
	return nil
}

// Measure takes the flags of the benchmark, whose help goes to out, and draws the plot.
func Measure(ctx context.Context, args []string, out io.Writer) (r Result, err error) {
	o, err := parse(args, out)
	if err != nil {
		return r, err
	}
	dir, err := os.MkdirTemp("", "parley-load-")
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" {
		if o.parley, err = kit.Build(ctx, dir, "github.com/parley-hq/parley/cmd/parley"); err != nil {
			return r, err
		}
	}
	s, err := open(ctx, o, dir)
	if err != nil {
		return r, err
	}
	defer s.close()
	return s.measure(ctx)
}

// Streams is how many were open.
func (r Result) Streams() int { return r.streams }

// Questions is how many were parked.
func (r Result) Questions() int { return r.parked }

// Due is how many fell due at once.
func (r Result) Due() int { return r.due }

// Told are the times from the answers to the events of their streams.
func (r Result) Told() (all kit.Samples) {
	for _, w := range r.Windows {
		all = append(all, w.Told...)
	}
	return all
}

// Print says how it went, with a table of the answers.
func (r Result) Print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d cores, shared by %d nodes, %s, the streams' clients and the people\n", runtime.Version(), runtime.NumCPU(), r.nodes, r.store)
	fmt.Fprintf(out, "\n%s questions parked in %s; memory of the nodes together %s before, %s after\n", kit.Count(r.parked), kit.Seconds(r.Parking), kit.Size(r.Before), kit.Size(r.Parked))
	fmt.Fprintf(out, "%s streams opened in %s; memory of the nodes together %s, %s a stream\n",
		kit.Count(r.streams), kit.Seconds(r.Opening), kit.Size(r.Open), kit.Size((r.Open-r.Before)/int64(r.streams)))
	fmt.Fprintf(out, "\n%d answers a second for %v, each at another node than its stream; from the answer to the event of the stream:\n", r.rate, r.lasting)
	printWindows(out, r.Windows)
	fmt.Fprintf(out, "lost: %d\n", r.Lost)
	if r.due > 0 {
		fmt.Fprintf(out, "\n%s questions that fell due at once: expired after %s, with %s of the nodes' processor time\n", kit.Count(r.due), kit.Seconds(r.Expired), kit.Seconds(r.Expiry))
	}
}

// site is what is under load, and this process, which asks over the same store.
type site struct {
	options
	nodes []*kit.Serving
	store backend.Store
	hub   *parley.Hub
	ends  []func() // what close calls, the last first
}

const secret = "0123456789abcdef0123456789abcdef"

func open(ctx context.Context, o options, dir string) (s *site, err error) {
	s = &site{options: o}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	where, err := kit.NewSite(ctx, o.store)
	if err != nil {
		return s, err
	}
	s.ends = append(s.ends, where.Close)
	public := ""
	for i := range o.nodes {
		sub := filepath.Join(dir, fmt.Sprint("node-", i))
		if err := os.Mkdir(sub, 0o700); err != nil {
			return s, err
		}
		v, err := kit.StartServe(ctx, []string{o.parley, "serve"}, 8<<30, sub, func(listen string) string {
			if public == "" {
				public = "http://" + listen
			}
			return fmt.Sprintf("listen: %s\npublic_url: %s\nstore: %q\nsecrets: [%q]\ndev: true\nlog: {level: warn}\nlimits: {connections: 1000000, sign_in: {per_second: -1}}\n",
				listen, public, where.URL("load"), secret)
		})
		if err != nil {
			return s, err
		}
		s.nodes, s.ends = append(s.nodes, v), append(s.ends, v.Stop)
	}
	if s.store, err = backend.Open(ctx, where.URL("load"), nil); err != nil {
		return s, err
	}
	s.ends = append(s.ends, func() { _ = s.store.Close() })
	keys, err := seal.New([]byte(secret))
	if err != nil {
		return s, err
	}
	s.hub = parley.New(s.store, &parley.Options{Sealer: keys, SweepEvery: 24 * time.Hour})
	s.ends = append(s.ends, kit.RunHub(ctx, s.hub))
	return s, nil
}

func (s *site) close() {
	for i := len(s.ends) - 1; i >= 0; i-- {
		s.ends[i]()
	}
}

func (s *site) measure(ctx context.Context) (r Result, err error) {
	r = Result{Before: s.memory(), options: s.options}
	if r.Parking, err = s.park(ctx, s.parked, func(int) string { return "parked" }, time.Now().Add(24*time.Hour)); err != nil {
		return r, err
	}
	r.Parked = s.memory()
	c, err := s.openStreams(ctx)
	if err != nil {
		return r, err
	}
	defer c.close()
	r.Opening, r.Open = c.took, s.memory()
	if r.Windows, r.Lost, err = s.answer(ctx, c); err != nil {
		return r, err
	}
	kit.Progress("")
	if s.plot != "" {
		if err := os.WriteFile(s.plot, plot(r.Windows, s.options), 0o644); err != nil {
			return r, err
		}
	}
	c.close()
	r.Expired, r.Expiry, err = s.fallDue(ctx)
	return r, err
}

// memory is what is resident of all nodes.
func (s *site) memory() (n int64) {
	for _, v := range s.nodes {
		n += v.Memory()
	}
	return n
}

func (s *site) cpu() (d time.Duration) {
	for _, v := range s.nodes {
		d += v.CPU()
	}
	return d
}

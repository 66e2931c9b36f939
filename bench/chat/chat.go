// Package chat measures turns that arrive at parley serve, and chat streams that
// wait for a person.
package chat

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/parley-hq/parley/bench/kit"
)

// options are the flags of the chat benchmark.
type options struct {
	stores   []string
	streams  int
	answers  int
	pace     int
	burst    int
	rounds   int
	calm     time.Duration
	profiles string

	arrivals []int
	lasting  time.Duration
	parley   string
	era      string // of the MCP server
	long     int
	ask      bool
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("chat", flag.ContinueOnError)
	stores := flags.String("stores", "memory,sqlite", "the stores: memory, sqlite, redis, postgres")
	rates := flags.String("arrivals", "10,50,80,150,200", "turns that arrive in a second; empty: none do")
	flags.DurationVar(&o.lasting, "lasting", 20*time.Second, "how long they arrive")
	flags.StringVar(&o.parley, "parley", "", "the program at which they arrive; default: that of this tree, built for it")
	flags.StringVar(&o.era, "era", kit.ModernEra, "of the MCP server: "+kit.ModernEra+" or "+kit.LegacyEra)
	flags.BoolVar(&o.ask, "ask", false, "a person is asked about the call of each turn, and approves it at once")
	flags.IntVar(&o.long, "long", 1200, "turns of one conversation, a multiple of 20; 0: none")
	flags.IntVar(&o.streams, "n", 10_000, "how many streams wait; 0: none do")
	flags.IntVar(&o.answers, "answers", 2000, "how many of them are answered at a steady pace in each round")
	flags.IntVar(&o.pace, "pace", 100, "how many answers are sent in a second then")
	flags.IntVar(&o.burst, "burst", 500, "how many are answered at once in each round")
	flags.IntVar(&o.rounds, "rounds", 3, "how often both is done, with all streams waiting again; the median counts")
	flags.DurationVar(&o.calm, "calm", 30*time.Second, "how long the server is watched while all wait; by default two heartbeats of each, and a look for runs whose wake-up was lost")
	flags.StringVar(&o.profiles, "profile", "", "a directory for the servers' profiles")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.stores = kit.Fields(*stores)
	for _, text := range kit.Fields(*rates) {
		rate, err := strconv.Atoi(text)
		if err != nil || rate < 1 {
			return o, fmt.Errorf("-arrivals: %q is no number of turns", text)
		}
		o.arrivals = append(o.arrivals, rate)
	}
	o.long -= o.long % few
	if o.streams < 0 || o.pace < 1 || o.rounds < 1 || o.answers < 1 || o.burst < 1 {
		return o, fmt.Errorf("-answers, -pace, -burst and -rounds are at least 1, and -n is 0 or more")
	}
	o.answers, o.burst = min(o.answers, o.streams), min(o.burst, o.streams)
	return o, nil
}

// Result is what was found out.
type Result struct {
	Arrivals []Arrivals
	Long     []Long
	Streams  []Streams

	options
}

// Lasting is how long turns arrived.
func (r Result) Lasting() time.Duration { return r.lasting }

// Run measures what turns cost, then what chat streams cost that wait for a
// person, and how fast they go on.
func Run(ctx context.Context, args []string, out io.Writer) error {
	r, err := Measure(ctx, args)
	if err == nil {
		r.Print(out)
	}
	return err
}

// Measure takes the flags of the benchmark.
func Measure(ctx context.Context, args []string) (r Result, err error) {
	if r.options, err = parse(args); err != nil {
		return r, err
	}
	kit.RaiseFileLimit()
	if len(r.arrivals) > 0 || r.long > 0 {
		if err := r.arrive(ctx); err != nil {
			return r, err
		}
	}
	if r.streams == 0 {
		return r, nil
	}
	// Both processes have a file per stream, and one per answer under way.
	if need, have := uint64(r.streams+r.burst+100), kit.RaiseFileLimit(); have > 0 && have < need {
		return r, fmt.Errorf("%d streams need %d open files, and this system allows %d: raise its limit (ulimit -Hn), or lower -n", r.streams, need, have)
	}
	for _, name := range r.stores {
		c, err := measureChat(ctx, name, r.options)
		if err != nil {
			return r, fmt.Errorf("%s: %w", name, err)
		}
		r.Streams = append(r.Streams, c)
	}
	kit.Progress("")
	return r, nil
}

// Print prints tables of turns that arrive, of a long conversation, and of streams.
func (r Result) Print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d cores, shared by the server and its clients; one server process, one connection per stream\n", runtime.Version(), runtime.NumCPU())
	r.printArrivals(out)
	r.printLong(out)
	if len(r.Streams) == 0 {
		return
	}
	var waiting, answering [][]string
	for _, c := range r.Streams {
		waiting = append(waiting, append([]string{c.Store}, c.cost()...))
		answering = append(answering, c.speed(r.options)...)
	}
	fmt.Fprintf(out, "\n%s streams wait for a person; per stream, with its connection and its run:\n", kit.Count(r.streams))
	kit.Table{"store", "resident", "resident, collected", "heap", "stacks", "goroutines", "until all waited", "server CPU while they wait"}.Print(out, waiting)
	fmt.Fprintf(out, "\nFrom sending an answer, while %s streams wait; medians of %d rounds:\n", kit.Count(r.streams), r.rounds)
	kit.Table{"store", "answers", "next event, median", "p99", "slowest", "end of turn, median", "p99", "lost"}.Print(out, answering)
}

// Streams are those of one store that wait for a person.
type Streams struct {
	Store string
	Open  int // how many
	kit.Footprint
	Opened time.Duration // until all streams waited
	Idle   float64       // processors that the server used while nothing happened
	Steady []Phase       // one per round
	Burst  []Phase
}

// Phase is what became of some answers.
type Phase struct {
	Next, Done kit.Samples // until the next event of the stream, and until its end
	Lost       int
}

// PerStream is what one of them costs in bytes: resident, and resident after a
// collection.
func (c Streams) PerStream() (resident, collected float64) {
	n := float64(c.Open)
	return float64(c.During.RSS-c.Before.RSS) / n, float64(c.Settled.RSS-c.Before.RSS) / n
}

func (c Streams) cost() []string {
	var row []string
	for _, bytes := range c.Bytes() {
		row = append(row, fmt.Sprintf("%.1f kB", float64(bytes)/float64(c.Open)/1000))
	}
	return append(row,
		fmt.Sprintf("%.1f", float64(c.Settled.Goroutines-c.Before.Goroutines)/float64(c.Open)),
		kit.Seconds(c.Opened), fmt.Sprintf("%.0f %% of a core", c.Idle*100))
}

func (c Streams) speed(o options) [][]string {
	line := func(how string, all []Phase) []string {
		of := func(figure func(Phase) kit.Duration) string {
			var each kit.Samples
			for _, p := range all {
				each.Add(time.Duration(figure(p)))
			}
			return each.Median().String()
		}
		lost := 0
		for _, p := range all {
			lost += p.Lost
		}
		return []string{
			c.Store, how,
			of(func(p Phase) kit.Duration { return p.Next.Median() }),
			of(func(p Phase) kit.Duration { return p.Next.Percentile(99) }),
			of(func(p Phase) kit.Duration { return p.Next.Percentile(100) }),
			of(func(p Phase) kit.Duration { return p.Done.Median() }),
			of(func(p Phase) kit.Duration { return p.Done.Percentile(99) }),
			fmt.Sprint(lost),
		}
	}
	return [][]string{
		line(fmt.Sprintf("%d, %d/s", o.answers, o.pace), c.Steady),
		line(fmt.Sprintf("%d at once", o.burst), c.Burst),
	}
}

// audience is the clients of one server.
type audience struct {
	url     string
	client  *http.Client // sends the answers
	streams []*stream    // nil: answered, and not open again yet
	opened  int          // how often streams were opened
}

// openAll makes every stream wait that does not.
func (a *audience) openAll(ctx context.Context) error {
	a.opened++
	return kit.InParallel(32, len(a.streams), func(i int) (err error) {
		if a.streams[i] == nil {
			a.streams[i], err = openStream(ctx, a.url, i, a.opened)
		}
		return err
	})
}

// answer answers so many streams, at a pace per second, or at once when that is
// 0. They are spread over all, so old ones are among them.
func (a *audience) answer(ctx context.Context, n, pace int) (p Phase) {
	var mu sync.Mutex
	var all sync.WaitGroup
	began := time.Now()
	for k := range n {
		if pace > 0 {
			time.Sleep(time.Until(began.Add(time.Duration(k) * time.Second / time.Duration(pace))))
		}
		i := k * len(a.streams) / n
		all.Go(func() {
			s := a.streams[i]
			got := s.answer(ctx, a.client, a.url)
			s.conn.Close()
			mu.Lock()
			defer mu.Unlock()
			a.streams[i] = nil
			if got.err != nil {
				p.Lost++
				kit.Progress("%s: %v\n", s.conversation, got.err)
				return
			}
			p.Next.Add(got.next)
			p.Done.Add(got.done)
		})
	}
	all.Wait()
	return p
}

func (a *audience) leave() {
	for _, s := range a.streams {
		if s != nil {
			s.conn.Close()
		}
	}
	a.client.CloseIdleConnections()
}

func measureChat(ctx context.Context, name string, o options) (c Streams, err error) {
	c.Store, c.Open = name, o.streams
	site, err := kit.NewSite(ctx, name)
	if err != nil {
		return c, err
	}
	defer site.Close()
	args := []string{"chat-server", "-store", site.URL("chat")}
	if o.profiles != "" {
		args = append(args, "-profile", filepath.Join(o.profiles, name+"-"))
	}
	p, err := kit.StartChild(ctx, name, args...)
	if err != nil {
		return c, err
	}
	defer p.Stop()
	transport := &http.Transport{MaxIdleConnsPerHost: o.burst}
	a := &audience{url: p.URL, client: &http.Client{Transport: transport}, streams: make([]*stream, 1)}
	defer a.leave()
	if err := a.openAll(ctx); err != nil {
		return c, err
	}
	if first := a.answer(ctx, 1, 0); first.Lost > 0 { // whatever is made once is made now
		return c, fmt.Errorf("the first answer was lost")
	}
	a.streams = slices.Grow(a.streams, o.streams)[:o.streams]
	if err := c.wait(ctx, p, a, o); err != nil {
		return c, err
	}
	for round := range o.rounds {
		kit.Progress("%s: answers, round %d", name, round+1)
		c.Steady = append(c.Steady, a.answer(ctx, o.answers, o.pace))
		if err := a.openAll(ctx); err != nil {
			return c, err
		}
		c.Burst = append(c.Burst, a.answer(ctx, o.burst, 0))
		if err := a.openAll(ctx); err != nil {
			return c, err
		}
	}
	return c, ctx.Err()
}

// wait opens all streams and measures what they cost.
func (c *Streams) wait(ctx context.Context, p *kit.Subject, a *audience, o options) (err error) {
	if c.Before, err = p.Consumption(true); err != nil {
		return err
	}
	kit.Progress("%s: %d streams", p.Name, len(a.streams))
	began := time.Now()
	if err := a.openAll(ctx); err != nil {
		return err
	}
	c.Opened = time.Since(began)
	if c.During, err = p.Consumption(false); err != nil {
		return err
	}
	kit.Progress("%s: %d streams wait", p.Name, len(a.streams))
	began = time.Now()
	select {
	case <-time.After(o.calm):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, err := p.Consumption(false)
	if err != nil {
		return err
	}
	c.Idle = float64(after.CPU-c.During.CPU) / float64(time.Since(began))
	c.Settled, err = p.Consumption(true)
	return err
}

// Package chat measures turns that arrive at parley serve, and chat streams that
// wait for a person.
package chat

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
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
	profiles string

	arrivals []int
	lasting  time.Duration
	parley   string
	era      string // of the MCP server
	long     int
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("chat", flag.ContinueOnError)
	stores := flags.String("stores", "memory,sqlite", "the stores: memory, sqlite, redis, postgres")
	rates := flags.String("arrivals", "10,50,80,150,200", "turns that arrive in a second; empty: none do")
	flags.DurationVar(&o.lasting, "lasting", 20*time.Second, "how long they arrive")
	flags.StringVar(&o.parley, "parley", "", "the program at which they arrive; default: that of this tree, built for it")
	flags.StringVar(&o.era, "era", kit.ModernEra, "of the MCP server: "+kit.ModernEra+" or "+kit.LegacyEra)
	flags.IntVar(&o.long, "long", 1200, "turns of one conversation, a multiple of 20; 0: none")
	flags.IntVar(&o.streams, "n", 10_000, "how many streams wait; 0: none do")
	flags.IntVar(&o.answers, "answers", 2000, "how many of them are answered at a steady pace in each round")
	flags.IntVar(&o.pace, "pace", 100, "how many answers are sent in a second then")
	flags.IntVar(&o.burst, "burst", 500, "how many are answered at once in each round")
	flags.IntVar(&o.rounds, "rounds", 3, "how often both is done, with all streams waiting again; the median counts")
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

// Run measures what turns cost, then what chat streams cost that wait for a
// person, and how fast they go on.
func Run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	kit.RaiseFileLimit()
	if len(o.arrivals) > 0 || o.long > 0 {
		if err := arrivalsBench(ctx, o); err != nil || o.streams == 0 {
			return err
		}
	}
	// Both processes have a file per stream, and one per answer under way.
	if need, have := uint64(o.streams+o.burst+100), kit.RaiseFileLimit(); have > 0 && have < need {
		return fmt.Errorf("%d streams need %d open files, and this system allows %d: raise its limit (ulimit -Hn), or lower -n", o.streams, need, have)
	}
	var waiting, answering [][]string
	for _, name := range o.stores {
		c, err := measureChat(ctx, name, o)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		waiting = append(waiting, append([]string{name}, c.cost(o)...))
		answering = append(answering, c.speed(name, o)...)
	}
	kit.Progress("")
	fmt.Printf("%s, %d cores, shared by the server and its clients; one server process, one connection per stream\n", runtime.Version(), runtime.NumCPU())
	fmt.Printf("\n%s streams wait for a person; per stream, with its connection and its run:\n", kit.Count(o.streams))
	kit.Table{"store", "resident", "resident, collected", "heap", "stacks", "goroutines", "until all waited", "server CPU while they wait"}.Print(os.Stdout, waiting)
	fmt.Printf("\nFrom sending an answer, while %s streams wait; medians of %d rounds:\n", kit.Count(o.streams), o.rounds)
	kit.Table{"store", "answers", "next event, median", "p99", "slowest", "end of turn, median", "p99", "lost"}.Print(os.Stdout, answering)
	return nil
}

// figures are one store's.
type figures struct {
	kit.Footprint
	opened time.Duration // until all streams waited
	idle   float64       // processors that the server used while nothing happened
	steady []phase       // one per round
	burst  []phase
}

// phase is what became of some answers.
type phase struct {
	next, done kit.Samples
	lost       int
}

func (c figures) cost(o options) []string {
	var row []string
	for _, bytes := range c.Bytes() {
		row = append(row, fmt.Sprintf("%.1f kB", float64(bytes)/float64(o.streams)/1000))
	}
	return append(row,
		fmt.Sprintf("%.1f", float64(c.Settled.Goroutines-c.Before.Goroutines)/float64(o.streams)),
		kit.Seconds(c.opened), fmt.Sprintf("%.0f %% of a core", c.idle*100))
}

func (c figures) speed(name string, o options) [][]string {
	line := func(how string, all []phase) []string {
		of := func(figure func(phase) kit.Duration) string {
			var each kit.Samples
			for _, p := range all {
				each.Add(time.Duration(figure(p)))
			}
			return each.Median().String()
		}
		lost := 0
		for _, p := range all {
			lost += p.lost
		}
		return []string{
			name, how,
			of(func(p phase) kit.Duration { return p.next.Median() }),
			of(func(p phase) kit.Duration { return p.next.Percentile(99) }),
			of(func(p phase) kit.Duration { return p.next.Percentile(100) }),
			of(func(p phase) kit.Duration { return p.done.Median() }),
			of(func(p phase) kit.Duration { return p.done.Percentile(99) }),
			fmt.Sprint(lost),
		}
	}
	return [][]string{
		line(fmt.Sprintf("%d, %d/s", o.answers, o.pace), c.steady),
		line(fmt.Sprintf("%d at once", o.burst), c.burst),
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
func (a *audience) answer(ctx context.Context, n, pace int) (p phase) {
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
				p.lost++
				kit.Progress("%s: %v\n", s.conversation, got.err)
				return
			}
			p.next.Add(got.next)
			p.done.Add(got.done)
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

func measureChat(ctx context.Context, name string, o options) (c figures, err error) {
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
	if first := a.answer(ctx, 1, 0); first.lost > 0 { // whatever is made once is made now
		return c, fmt.Errorf("the first answer was lost")
	}
	a.streams = slices.Grow(a.streams, o.streams)[:o.streams]
	if err := c.wait(ctx, p, a); err != nil {
		return c, err
	}
	for round := range o.rounds {
		kit.Progress("%s: answers, round %d", name, round+1)
		c.steady = append(c.steady, a.answer(ctx, o.answers, o.pace))
		if err := a.openAll(ctx); err != nil {
			return c, err
		}
		c.burst = append(c.burst, a.answer(ctx, o.burst, 0))
		if err := a.openAll(ctx); err != nil {
			return c, err
		}
	}
	return c, ctx.Err()
}

// calm is how long the server is watched while all wait: two heartbeats of each,
// and a look for runs whose wake-up was lost.
const calm = 30 * time.Second

// wait opens all streams and measures what they cost.
func (c *figures) wait(ctx context.Context, p *kit.Subject, a *audience) (err error) {
	if c.Before, err = p.Consumption(true); err != nil {
		return err
	}
	kit.Progress("%s: %d streams", p.Name, len(a.streams))
	began := time.Now()
	if err := a.openAll(ctx); err != nil {
		return err
	}
	c.opened = time.Since(began)
	if c.During, err = p.Consumption(false); err != nil {
		return err
	}
	kit.Progress("%s: %d streams wait", p.Name, len(a.streams))
	began = time.Now()
	select {
	case <-time.After(calm):
	case <-ctx.Done():
		return ctx.Err()
	}
	after, err := p.Consumption(false)
	if err != nil {
		return err
	}
	c.idle = float64(after.CPU-c.During.CPU) / float64(time.Since(began))
	c.Settled, err = p.Consumption(true)
	return err
}

// Package inbox measures the inbox of a person for whom very many questions wait.
package inbox

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/seal"
)

type options struct {
	stores  []string
	pending int
	pages   int
	news    int
	batch   int
	idle    time.Duration
	parley  string
}

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("inbox", flag.ContinueOnError)
	stores := flags.String("stores", "sqlite,postgres", "the stores: sqlite, postgres, redis")
	flags.IntVar(&o.pending, "n", 10_000, "how many questions wait for one person")
	flags.IntVar(&o.pages, "pages", 20, "how many pages of that person are open")
	flags.IntVar(&o.news, "news", 100, "how many questions are opened, and then answered, while they are")
	flags.IntVar(&o.batch, "batch", 500, "how many are answered at once")
	flags.DurationVar(&o.idle, "idle", 10*time.Second, "how long the server's processor time is watched while nothing happens")
	flags.StringVar(&o.parley, "parley", "", "the program that is measured; default: that of this tree, built for it")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.stores = kit.Fields(*stores)
	if o.pending < 1 || o.pages < 1 || o.news < 1 || o.batch < 1 || o.batch > o.pending || o.idle <= 0 {
		return o, fmt.Errorf("-n, -pages, -news, -batch and -idle are at least 1, and -batch is not more than -n")
	}
	return o, nil
}

// Run measures how long it takes to open the inbox, how soon its pages know of
// what is new and of what is settled, what open pages cost, and how long it takes
// to answer many questions.
func Run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "parley-inbox-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if o.parley == "" {
		if o.parley, err = kit.Build(ctx, dir, "./cmd/parley"); err != nil {
			return err
		}
	}
	var rows [][]string
	for _, name := range o.stores {
		row, err := measure(ctx, o, name, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		rows = append(rows, row)
	}
	kit.Progress("")
	fmt.Printf("%s, %d cores, shared by the server, its store and the pages\n", runtime.Version(), runtime.NumCPU())
	fmt.Printf("\n%s questions wait for one person, %d pages of theirs are open; %d more are asked at another process and answered at the server:\n", kit.Count(o.pending), o.pages, o.news)
	kit.Table{
		"store", "opened, median", "slowest", "a new one is shown, median", "p99", "an answered one is gone, median", "p99",
		"CPU with all pages idle", fmt.Sprintf("%d answered", o.batch), "lost",
	}.Print(os.Stdout, rows)
	return nil
}

const secret = "0123456789abcdef0123456789abcdef"

func config(listen, store string) string {
	return fmt.Sprintf("listen: %s\npublic_url: http://%s\nstore: %q\nsecrets: [%q]\ndev: true\n", listen, listen, store, secret)
}

// question is what waits: the approval of a call.
func question(i int) parley.Request {
	return parley.Request{
		To: person, From: "shop", Trigger: parley.TriggerApproval, Expires: time.Now().Add(24 * time.Hour),
		Message: fmt.Sprintf("May order be called?\n\n{\n  \"boxes\": %d,\n  \"to\": \"Vienna\"\n}", i),
		Schema:  json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once","deny"]}},"required":["decision"]}`),
		Labels:  map[string]string{"server": "shop", "tool": "order"},
	}
}

const person = "alice"

// measure is one row: a server of its own over a store of its own.
func measure(ctx context.Context, o options, name, dir string) ([]string, error) {
	site, err := kit.NewSite(ctx, name)
	if err != nil {
		return nil, err
	}
	defer site.Close()
	v, err := kit.StartServe(ctx, []string{o.parley, "serve"}, 4<<30, dir, func(listen string) string { return config(listen, site.URL("inbox")) })
	if err != nil {
		return nil, err
	}
	defer v.Stop()
	hub, done, err := otherNode(ctx, site, o)
	if err != nil {
		return nil, err
	}
	defer done()
	err = kit.InParallel(8, o.pending, func(i int) error {
		if i%500 == 0 {
			kit.Progress("%s: %d questions", name, i)
		}
		_, err := hub.Open(ctx, question(i))
		return err
	})
	if err != nil {
		return nil, err
	}
	return pagesOf(ctx, o, name, v, hub)
}

// otherNode is a process that asks: this one, over the server's store.
func otherNode(ctx context.Context, site *kit.Site, o options) (*parley.Hub, func(), error) {
	store, err := backend.Open(ctx, site.URL("inbox"), nil)
	if err != nil {
		return nil, nil, err
	}
	keys, err := seal.New([]byte(secret))
	if err != nil {
		return nil, nil, err
	}
	hub := parley.New(store, &parley.Options{Sealer: keys, Limits: parley.Limits{Pending: 2*(o.pending+o.news) + 1000}})
	stop := kit.RunHub(ctx, hub)
	return hub, func() { stop(); _ = store.Close() }, nil
}

// pagesOf opens pages, and measures what happens to them.
func pagesOf(ctx context.Context, o options, name string, v *kit.Serving, hub *parley.Hub) ([]string, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: o.pages + o.batch}}
	defer client.CloseIdleConnections()
	cookie, err := kit.SignIn(ctx, v.URL, person)
	if err != nil {
		return nil, err
	}
	var opened kit.Samples
	var all []*page
	defer func() {
		for _, p := range all {
			p.close()
		}
	}()
	for i := range o.pages {
		kit.Progress("%s: page %d", name, i+1)
		p, took, err := openPage(ctx, client, v.URL, cookie)
		if err != nil {
			return nil, fmt.Errorf("%w\n%s", err, v.Said())
		}
		opened.Add(took)
		all = append(all, p)
	}
	kit.Progress("%s: idle", name)
	before := v.CPU()
	time.Sleep(o.idle)
	idle := float64(v.CPU()-before) / float64(o.idle) * 100
	l, err := live(ctx, o, name, all, hub)
	if err != nil {
		return nil, err
	}
	took, err := answerMany(ctx, o, name, all[0])
	if err != nil {
		return nil, err
	}
	return []string{
		name, opened.Median().String(), opened.Percentile(100).String(), l.shown.Median().String(), l.shown.Percentile(99).String(),
		l.gone.Median().String(), l.gone.Percentile(99).String(), fmt.Sprintf("%.1f %%", idle), kit.Seconds(took), fmt.Sprint(l.lost),
	}, nil
}

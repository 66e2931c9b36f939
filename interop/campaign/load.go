package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/visitor"
)

// pause is between two looks at the same thing.
const pause = 300 * time.Millisecond

// surface is where an errand begins.
type surface string

const (
	overMCP   surface = "mcp"
	overChat  surface = "chat"
	overA2A   surface = "a2a"
	byProgram surface = "program" // a program asks a person
)

// townKinds are the kinds of calls that a town has: those of the rounds, and what
// needs a page or others.
var townKinds = append(slices.Clone(kinds),
	kind{"approvers, new server", "panel", "buy", true, false, 2},
	kind{"connection", "locked", "buy", true, false, 0},
)

// errand is something that a person wants done, from its beginning to its end.
type errand struct {
	*call
	surface surface
	end     told
	over    bool
	question
}

// load is everybody who wants something.
type load struct {
	town   *town
	ledger *ledger
	desks  *desks
	seed   uint64
	store  string
	web    *http.Client

	visits sync.WaitGroup

	mu      sync.Mutex
	errands []*errand
	visited map[string]bool // by link
}

// run has workers do one errand after the other until busy ends, and returns when the
// last has an end, or ctx ends.
func (l *load) run(busy, ctx context.Context, workers int) {
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() {
			choose := rand.New(rand.NewPCG(l.seed, uint64(worker)))
			for n := 0; busy.Err() == nil; n++ {
				e := l.errand(choose, fmt.Sprintf("%s-%d-%d-%d", l.store, l.seed, worker, n))
				l.do(ctx, e)
				if !sleep(busy, time.Duration(choose.IntN(100))*time.Millisecond) {
					return
				}
			}
		})
	}
	all.Wait()
	l.visits.Wait()
}

// errand chooses one.
func (l *load) errand(choose *rand.Rand, key string) *errand {
	c := &call{
		kind: townKinds[choose.IntN(len(townKinds))], key: key, modern: choose.IntN(2) == 0,
		think: time.Duration(choose.IntN(200)) * time.Millisecond, choose: choose, strike: map[string]func(){},
	}
	e := &errand{call: c, surface: []surface{overMCP, overMCP, overChat, overA2A, byProgram}[choose.IntN(5)]}
	c.elsewhere = choose.IntN(2) == 0
	switch {
	case c.server == "locked":
		// Everybody connects once: this is somebody new. One who repeats the call cannot
		// know whether it was made, unless they hold a requestState.
		e.surface, c.elsewhere, c.person, c.asks = overMCP, false, "guest-"+key, false
		if c.modern && choose.IntN(3) == 0 {
			c.patience = time.Duration(500+choose.IntN(2500)) * time.Millisecond
		}
	case e.surface == byProgram:
		c.kind, c.person = kind{name: "a program asks"}, deskPeople[choose.IntN(len(deskPeople))]
		e.ask(choose)
	case e.surface != overMCP, c.elsewhere, c.allow > 1:
		c.elsewhere, c.person = true, deskPeople[choose.IntN(len(deskPeople))]
	default:
		c.person = fmt.Sprintf("person%d", choose.IntN(4))
	}
	if c.asks && choose.IntN(3) == 0 {
		c.patience = time.Duration(500+choose.IntN(2500)) * time.Millisecond
	}
	l.ledger.expect(c)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.errands = append(l.errands, e)
	return e
}

// do sees it through.
func (l *load) do(ctx context.Context, e *errand) {
	l.ledger.tell(e.key, "%s wants it over %s", e.person, e.surface)
	ctx, over := context.WithCancel(ctx)
	defer over()
	e.visit = func(_ context.Context, link string) { l.visiting(ctx, e.call, link) }
	var end told
	switch e.surface {
	case overMCP:
		end = l.overMCP(ctx, e)
	case overChat:
		end = l.chat(ctx, e)
	case overA2A:
		end = l.task(ctx, e)
	case byProgram:
		end = l.question(ctx, e)
	}
	l.ledger.tell(e.key, "the end: %s %.300s", end.verdict, end.words)
	l.mu.Lock()
	defer l.mu.Unlock()
	e.end, e.over = end, end.verdict != gotNothing
}

func (l *load) overMCP(ctx context.Context, e *errand) told {
	token, err := token(e.person)
	if err != nil {
		return told{verdict: gotNothing, words: err.Error()}
	}
	carrier := &http.Transport{}
	defer carrier.CloseIdleConnections()
	web := &http.Client{Transport: toTown{l.town.url, token, carrier}}
	var cl client = &legacyClient{call: e.call, ledger: l.ledger, web: web}
	if e.modern {
		cl = &modernClient{call: e.call, ledger: l.ledger, web: web}
	}
	end := settle(ctx, e.call, cl, l.ledger, 24*time.Hour)
	if end.verdict == gotResult && !strings.Contains(end.words, "done "+e.key) {
		end.verdict = gotRefusal // of the tool: nobody answered what it asked
	}
	return end
}

// toTown sends all requests to the balancer, for a person.
type toTown struct {
	url, token string
	carrier    *http.Transport
}

func (t toTown) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.URL.Host = strings.TrimPrefix(t.url, "http://")
	r.Host = ""
	r.Header.Set("Authorization", "Bearer "+t.token)
	return t.carrier.RoundTrip(r)
}

// visiting has a person go to a page, once, whatever becomes of an attempt meanwhile.
func (l *load) visiting(ctx context.Context, c *call, link string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.visited[link] {
		return
	}
	l.visited[link] = true
	l.visits.Go(func() { l.connect(ctx, c, link) })
}

// connect enters a key on the page that a question leads to, until that is done.
func (l *load) connect(ctx context.Context, c *call, link string) {
	for ctx.Err() == nil {
		v := visitor.New()
		err := v.Send(ctx, l.town.url+"/login", url.Values{"user": {c.person}})
		if err == nil {
			err = v.Open(ctx, link)
		}
		if err == nil {
			err = v.Press(ctx, "Connect", url.Values{"key": {"a-key"}})
		}
		v.Leave()
		l.ledger.tell(c.key, "connecting at the page: %v", err)
		var page *visitor.StatusError
		settled := errors.As(err, &page) && page.Status < 500
		if err == nil || settled || !sleep(ctx, pause) {
			return
		}
	}
}

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// The faults.
const (
	noFault       = "none"
	killHolder    = "kill"       // the node that has the call dies
	killOther     = "kill-other" // another one dies
	stopHolder    = "term"       // the node that has the call is told to stop
	pauseHolder   = "pause"      // it stands still, and goes on
	restartStore  = "store"      // the store stops, and comes back
	killStore     = "store-kill" // the store dies, and comes back
	cutConnection = "cut"        // the server's connection breaks before it has answered
	cutAfterHead  = "cut-head"   // the same after the header of its answer
	cutInBody     = "cut-body"   // the same in the middle of its answer
	nonsense      = "nonsense"   // the server answers what nobody can read
	restartServer = "server"     // the server dies with all connections, and comes back
)

var faultNames = []string{
	noFault, killHolder, killOther, stopHolder, pauseHolder, restartStore, killStore,
	cutConnection, cutAfterHead, cutInBody, nonsense, restartServer,
}

// The phases: what a call has come to when the fault strikes.
const (
	sent     = "sent"     // the client sends it
	begun    = "begun"    // the server has it
	asked    = "asked"    // the client shows the question
	answered = "answered" // the client sends the answer
	working  = "working"  // the server is about to carry it out
	done     = "done"     // it is carried out, and the server has not said so yet
)

var phaseNames = []string{sent, begun, asked, answered, working, done}

// kind is a kind of call.
type kind struct {
	name   string
	server string // of the configuration
	tool   string
	asks   bool // the person is asked, by the server or for an approval
	again  bool // carrying it out twice does no harm
	allow  int  // so many have to allow it each time
}

var kinds = []kind{
	{"plain, old server", "old", "buy", false, false, 0},
	{"plain, new server", "new", "buy", false, false, 0},
	{"read-only", "new", "look", false, true, 0},
	{"asking, old server", "old", "order", true, false, 0},
	{"asking, new server", "new", "order", true, false, 0},
	{"asking, repeatable", "old", "reorder", true, true, 0},
	{"approved, new server", "strict", "buy", true, false, 1},
	{"approved, old server, asking", "strictold", "order", true, false, 1},
}

// call is one that a client makes, with all that was chosen for it.
type call struct {
	kind
	key      string
	person   string
	modern   bool // the client is of 2026-07-28
	think    time.Duration
	patience time.Duration // the client makes the call again after this; 0: it waits
	choose   *rand.Rand    // of its client alone

	elsewhere bool                                   // its person answers on another surface
	visit     func(ctx context.Context, link string) // its person goes where the question leads

	strike map[string]func() // by phase
	fate   string            // a fault of the server that is this call's alone
	fated  string            // its phase
}

// round is one fault and the calls that are made meanwhile.
type round struct {
	number int
	fault  string
	phase  string
	heal   time.Duration // how long it lasts
	calls  []*call       // it strikes by the phase of the first
}

// plan chooses a round.
func plan(s settings, store string, number int) round {
	choose := rand.New(rand.NewPCG(s.seed, uint64(number)<<8|uint64(len(store))))
	r := round{number: number}
	faults := slices.DeleteFunc(slices.Clone(s.faults), func(f string) bool {
		return store == "sqlite" && slices.Contains([]string{killOther, restartStore, killStore}, f)
	})
	if len(faults) == 0 {
		faults = []string{noFault}
	}
	r.fault = faults[number%len(faults)] // each as often as the others
	r.heal = time.Duration(300+choose.IntN(2500)) * time.Millisecond
	if r.fault == pauseHolder && choose.IntN(3) == 0 {
		r.heal = 12 * time.Second // longer than a node's lease
	}
	for i := range s.calls {
		c := &call{
			kind: kinds[choose.IntN(len(kinds))], key: fmt.Sprintf("%s-%d-%d-%d", store, s.seed, number, i),
			person: fmt.Sprintf("person%d", choose.IntN(4)), modern: choose.IntN(2) == 0,
			think:  time.Duration(choose.IntN(200)) * time.Millisecond,
			choose: rand.New(rand.NewPCG(choose.Uint64(), choose.Uint64())), strike: map[string]func(){},
		}
		if r.fault == pauseHolder && choose.IntN(2) == 0 {
			c.patience = 4 * time.Second
		}
		r.calls = append(r.calls, c)
	}
	r.phase = phaseFor(s, r.fault, r.calls[0].kind, choose)
	return r
}

// phaseFor chooses one that a call of this kind comes to.
func phaseFor(s settings, fault string, k kind, choose *rand.Rand) string {
	possible := slices.DeleteFunc(slices.Clone(s.phases), func(p string) bool {
		switch {
		case p == working && k.tool == "buy", p == working && k.tool == "look":
			return true
		case ofServer(fault):
			return p != begun && p != done && p != working
		case !k.asks:
			return p == asked || p == answered
		}
		return false
	})
	if len(possible) == 0 {
		return done
	}
	return possible[choose.IntN(len(possible))]
}

// ofServer reports whether a fault is that of one answer of the server's.
func ofServer(fault string) bool {
	return slices.Contains([]string{cutConnection, cutAfterHead, cutInBody, nonsense}, fault)
}

// losesNode reports whether what a node knows may be lost by a fault.
func losesNode(fault string) bool {
	return slices.Contains([]string{killHolder, killOther, stopHolder, pauseHolder}, fault)
}

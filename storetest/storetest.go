// Package storetest is the one conformance suite for parley.Store and
// parley.Records. Every backend runs it:
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, func(t *testing.T, retention time.Duration) (storetest.Backend, func() storetest.Backend) {
//			…
//		})
//	}
//
// Each subtest gets fresh data and may open a second handle on the same data,
// so that promises across processes are tested. Races repeat, released by a
// barrier. [Faulty] wraps a backend and makes it fail.
package storetest

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// Backend is what the suite tests.
type Backend interface {
	parley.Store
	parley.Records
}

// Opener returns a handle on fresh data that keeps outcomes for the retention
// time, and a function that opens another handle on the same data. It closes
// them with t.Cleanup.
type Opener func(t *testing.T, retention time.Duration) (first Backend, again func() Backend)

// keep is the retention time of subtests that do not care.
const keep = time.Hour

// patience is how long the suite waits for what must come. It is no target:
// only a defect takes this long.
var patience = 20 * time.Second

// Run runs the whole suite.
func Run(t *testing.T, open Opener) {
	t.Run("Store", func(t *testing.T) { runStore(t, open) })
	t.Run("List", func(t *testing.T) { runList(t, open) })
	t.Run("Watch", func(t *testing.T) { runWatch(t, open) })
	t.Run("Count", func(t *testing.T) { runCount(t, open) })
	t.Run("Retention", func(t *testing.T) { runRetention(t, open) })
	t.Run("Records", func(t *testing.T) { runRecords(t, open) })
	t.Run("Scan", func(t *testing.T) { runScan(t, open) })
	t.Run("Rewrite", func(t *testing.T) { runRewrite(t, open) })
}

// subtest is one sentence about a backend with two handles.
type subtest struct {
	name string
	run  func(t *testing.T, a, b Backend)
}

func runAll(t *testing.T, open Opener, tests []subtest) {
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a, again := open(t, keep)
			test.run(t, a, again())
		})
	}
}

// now is the present as stores keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// question returns a pending request for a user, with everything set.
func question(user string) parley.Request {
	return parley.Request{
		ID:      parley.NewID(),
		Tenant:  "acme",
		To:      user,
		From:    "tracker",
		Mode:    parley.Form,
		Message: "Delete account 7?",
		Schema:  []byte(`{"type":"object","properties":{"confirmed":{"type":"boolean"}}}`),
		Trigger: parley.TriggerTool,
		Session: "session-1",
		Labels:  map[string]string{"tool": "delete", "näme": "wärt"},
		Created: now(),
		Expires: now().Add(10 * time.Minute),
	}
}

// accepted returns an outcome that tells which attempt gave it.
func accepted(claim string) parley.Outcome {
	return parley.Outcome{
		Action:  parley.Accept,
		Content: []byte(fmt.Sprintf(`{"claim":%q}`, claim)),
		By:      "alice",
		Via:     "suite",
		At:      now(),
		Claim:   claim,
	}
}

// race runs fn in n goroutines that start together and returns their errors.
func race(n int, fn func(i int) error) []error {
	errs := make([]error, n)
	barrier := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-barrier
			errs[i] = fn(i)
		})
	}
	close(barrier)
	wg.Wait()
	return errs
}

// eventually calls done until it reports true or the suite's patience ends.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

package gateway_test

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcpclient"
)

// running is how many programs have begun and not ended.
func running(t *testing.T, log string) int {
	t.Helper()
	return noted(t, log, "hello") - noted(t, log, "bye")
}

func TestSixtySessionsOfOnePersonAreFewPrograms(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	allEnd(t, log)
	h := newHouse(t, catalogue{till(log, "")}, nil)
	most := 0
	for range 60 {
		v := visit(t, h.url, "alice", legacy, nil)
		if text, err := v.call(t, "till__look", map[string]any{}); text != "seen" {
			t.Fatal(text, err)
		}
		most = max(most, running(t, log))
	}
	if most > 9 { // and one that tells of changed lists
		t.Errorf("60 sessions of one person were %d programs at once", most)
	}
}

// busyHouse is a gateway whose programs say nothing while the gate is there, and
// is bounded.
func busyHouse(t *testing.T, each, all int) (h *house, log, gate string) {
	t.Helper()
	dir := t.TempDir()
	log, gate = filepath.Join(dir, "log"), filepath.Join(dir, "gate")
	allEnd(t, log)
	h = newHouse(t, catalogue{till(log, gate)}, func(o *gateway.Options) {
		o.Anonymous = true
		o.Programs = mcpclient.NewPrograms(&mcpclient.ProgramsOptions{Each: each, All: all, Patience: 200 * time.Millisecond})
	})
	eventually(t, "the server is not up", func() bool {
		return h.Status(t.Context(), parley.DefaultTenant, "till", "").State == gateway.Up
	})
	return h, log, gate
}

func TestWhereAllProgramsAreInUseTheNextIsRefusedAndTheOthersGoOn(t *testing.T) {
	h, log, gate := busyHouse(t, 2, 3)
	var visitors []*visitor
	for _, user := range []string{"alice", "alice", "alice", "bob", "carol"} {
		visitors = append(visitors, visit(t, h.url, user, legacy, nil))
	}
	if err := os.WriteFile(gate, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var calls sync.WaitGroup
	for _, n := range []int{0, 1, 3} { // two of alice and one of bob
		calls.Go(func() {
			if text, err := visitors[n].call(t, "till__look", map[string]any{}); text != "seen" {
				t.Errorf("visitor %d: %s %v", n, text, err)
			}
		})
	}
	eventually(t, "three programs do not run", func() bool { return running(t, log) == 4 })
	for _, n := range []int{2, 4} { // alice has two already; carol has none, but there are three in all
		text, err := visitors[n].call(t, "till__look", map[string]any{})
		if err != nil || !strings.HasPrefix(text, "ERROR") || !strings.Contains(text, "too many programs run") {
			t.Errorf("visitor %d: %s %v", n, text, err)
		}
	}
	if n := running(t, log); n != 4 {
		t.Errorf("%d programs run", n)
	}
	if err := os.Remove(gate); err != nil {
		t.Fatal(err)
	}
	calls.Wait()
	for _, n := range []int{2, 4} { // now others are idle, and one ends: who comes has not the patience of a slow machine, so they come again
		eventually(t, "an idle program does not make room", func() bool {
			text, err := visitors[n].call(t, "till__look", map[string]any{})
			if text != "seen" && !strings.Contains(text, "too many programs run") {
				t.Fatalf("visitor %d: %s %v", n, text, err)
			}
			return text == "seen"
		})
	}
	if n := running(t, log); n > 4 {
		t.Errorf("%d programs run", n)
	}
}

func TestCallsOfNobodyInParticularWaitForEachOther(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	allEnd(t, log)
	h := newHouse(t, catalogue{till(log, "")}, func(o *gateway.Options) {
		o.Anonymous = true
		o.Programs = mcpclient.NewPrograms(&mcpclient.ProgramsOptions{Each: 2, All: 64, Patience: time.Minute})
	})
	eventually(t, "the server is not up", func() bool {
		return h.Status(t.Context(), parley.DefaultTenant, "till", "").State == gateway.Up
	})
	var calls sync.WaitGroup
	for range 12 {
		calls.Go(func() {
			w := httptest.NewRecorder()
			h.ServeHTTP(w, anonymous(t.Context(), "till__look"))
			if !strings.Contains(w.Body.String(), "seen") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
			if n := running(t, log); n > 4 { // a program may have ended and not be gone
				t.Errorf("%d programs run", n)
			}
		})
	}
	calls.Wait()
}

package redisstore_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/redisstore"
)

// A measurement, not a promise: it says what to expect on this machine, and
// fails only when something is slower by orders of magnitude.
func TestLatencyOfOneCallAtATime(t *testing.T) {
	const rounds = 400
	a, b, _ := pair(t, redisstore.Options{})
	h := watch(t, b)
	var puts, gets, settles, hints samples
	for range rounds {
		r := question("alice")
		puts.time(func() { put(t, a, r) })
		gets.time(func() {
			if _, err := a.Get(t.Context(), r.ID); err != nil {
				t.Fatal(err)
			}
		})
		start := time.Now()
		settles.time(func() {
			if err := a.Settle(t.Context(), r.ID, accepted("x")); err != nil {
				t.Fatal(err)
			}
		})
		hints = append(hints, h.await(t, r.ID).Sub(start))
	}
	t.Logf("put %v; get %v; settle %v; settle to the other handle's hint %v", puts, gets, settles, hints)
	if median := hints.at(50); median > time.Second {
		t.Errorf("a hint takes %v", median)
	}
}

type samples []time.Duration

func (s *samples) time(do func()) {
	start := time.Now()
	do()
	*s = append(*s, time.Since(start))
}

func (s samples) at(percent int) time.Duration {
	sorted := slices.Sorted(slices.Values(s))
	return sorted[(len(sorted)-1)*percent/100].Round(time.Microsecond)
}

func (s samples) String() string { return fmt.Sprintf("p50 %v p99 %v", s.at(50), s.at(99)) }

func BenchmarkSettle(b *testing.B) {
	s, _, _ := pair(b, redisstore.Options{})
	b.Run("one at a time", func(b *testing.B) {
		for b.Loop() {
			settleOne(b, s)
		}
	})
	b.Run("in parallel", func(b *testing.B) {
		b.SetParallelism(32)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				settleOne(b, s)
			}
		})
	})
}

// settleOne does what one question costs the store: put, get, settle, get.
func settleOne(b *testing.B, s *redisstore.Store) {
	r := question(string(parley.NewID()))
	if err := s.Put(b.Context(), r, 0); err != nil {
		b.Error(err)
	}
	if _, err := s.Get(b.Context(), r.ID); err != nil {
		b.Error(err)
	}
	if err := s.Settle(b.Context(), r.ID, accepted("x")); err != nil {
		b.Error(err)
	}
	if _, err := s.Get(b.Context(), r.ID); err != nil {
		b.Error(err)
	}
}

package ballast_test

import (
	"runtime"
	"testing"

	"github.com/parley-hq/parley/internal/ballast"
)

// goal is how large the heap becomes before it is collected again.
func goal() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // also what the first one has only just found unused
	runtime.ReadMemStats(&stats)
	return stats.NextGC
}

func TestASmallServerCollectsLess(t *testing.T) {
	for _, c := range []struct {
		gogc, limit string
		loaded      bool
	}{{"", "", true}, {"100", "", false}, {"", "1GiB", false}} {
		t.Setenv("GOGC", c.gogc)
		t.Setenv("GOMEMLIMIT", c.limit)
		drop := ballast.Load()
		got := goal()
		drop()
		drop = nil
		if loaded := got >= 64<<20; loaded != c.loaded {
			t.Errorf("GOGC=%q GOMEMLIMIT=%q: collected at %d bytes", c.gogc, c.limit, got)
		}
		if got := goal(); got >= 32<<20 {
			t.Errorf("GOGC=%q GOMEMLIMIT=%q: collected at %d bytes without ballast", c.gogc, c.limit, got)
		}
	}
}

package ballast_test

import (
	"runtime"
	"testing"

	"github.com/parley-hq/parley/internal/ballast"
)

var sink []byte

// collections is how often it was collected while so much was allocated.
func collections() uint32 {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for range 64 << 4 { // 64 MB
		sink = make([]byte, 64<<10)
	}
	runtime.ReadMemStats(&after)
	return after.NumGC - before.NumGC
}

func TestASmallServerCollectsLess(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	without := collections()
	drop := ballast.Load()
	with := collections()
	drop()
	if with*3 > without {
		t.Errorf("%d collections with ballast, %d without", with, without)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, "100")
			drop := ballast.Load()
			if got := collections(); got*3 < without*2 {
				t.Errorf("%d collections where %s is set, %d without ballast", got, name, without)
			}
			drop()
		})
	}
}

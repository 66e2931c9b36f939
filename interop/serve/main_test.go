package serve_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// TestMain runs the tests, or, in a process that a test started, its part.
func TestMain(m *testing.M) {
	if file := os.Getenv(olderVariable); file != "" {
		os.Exit(playOlder(file))
	}
	os.Exit(kit.Main(m))
}

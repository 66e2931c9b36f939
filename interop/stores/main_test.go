package stores_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// TestMain runs the tests, or, in a process that a test started, its part.
func TestMain(m *testing.M) {
	if part := os.Getenv(partVariable); part != "" {
		os.Exit(play(part))
	}
	os.Exit(kit.Main(m))
}

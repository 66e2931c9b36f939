package interop_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// TestMain runs the tests, or, in a process that a test started, its part.
func TestMain(m *testing.M) {
	if part := os.Getenv(partVariable); part != "" {
		os.Exit(play(part))
	}
	if file := os.Getenv(olderVariable); file != "" {
		os.Exit(playOlder(file))
	}
	os.Exit(servers.Main(m))
}

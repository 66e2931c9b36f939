package audit_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

func TestMain(m *testing.M) {
	if url := os.Getenv(nodeVariable); url != "" {
		fmt.Fprintln(os.Stderr, runNode(url))
		os.Exit(1)
	}
	os.Exit(servers.Main(m))
}

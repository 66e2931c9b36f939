package notify_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

func TestMain(m *testing.M) {
	if said := os.Getenv(nodeVariable); said != "" {
		parts := strings.Split(said, "\n")
		fmt.Fprintln(os.Stderr, runNode(parts[0], parts[1], parts[2]))
		os.Exit(1)
	}
	os.Exit(servers.Main(m))
}

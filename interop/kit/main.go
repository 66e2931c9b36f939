// Package kit is what the tests of interop share: programs of this tree, clients that
// others wrote, people with browsers, and the wire.
package kit

import (
	"fmt"
	"os"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// Main runs the tests of a folder of interop, in interop itself: that is where
// they find programs and packages.
func Main(m *testing.M) int {
	if err := os.Chdir(".."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return withPrograms(func() int { return servers.Main(m) })
}

// Package shipping tries what deploy/ has as an operator would: the complete
// configuration with real processes behind a real proxy, an operator's day, and what a
// machine without containers can say about the files for those that have them. Helm,
// Compose and images are tried by the module in deploy/ship.
package shipping_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// deploy is where the files are, as seen from interop.
const deploy = "../deploy/"

func TestMain(m *testing.M) { os.Exit(kit.Main(m)) }

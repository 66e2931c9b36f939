package inspector_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

func TestMain(m *testing.M) { os.Exit(kit.Main(m)) }

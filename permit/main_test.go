package permit_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/internal/servers"
)

func TestMain(m *testing.M) { os.Exit(servers.Main(m)) }

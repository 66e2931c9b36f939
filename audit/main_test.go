package audit_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

func TestMain(m *testing.M) { os.Exit(servers.Main(m)) }

package pages_test

import (
	"os"
	"testing"

	chromium "github.com/parley-hq/parley/internal/testkit/browser"
)

func TestMain(m *testing.M) { os.Exit(chromium.Main(m)) }

package demoprovider_test

import (
	"os"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

func TestMain(m *testing.M) {
	os.Exit(browser.Main(m)) // looks for goroutines left behind, too
}

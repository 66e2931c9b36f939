package slack

import (
	"io"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// A short run: what is asked in Slack is posted once and updated once, whoever dies.
// `go run ./bench slack` asks for more.
func TestEveryCardIsPostedOnceAndUpdatedOnce(t *testing.T) {
	t.Parallel()
	o, err := parse([]string{"-rate", "20", "-for", "6s", "-people", "10"}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	o.url = servers.OwnPostgres(t, nil).URL
	var out strings.Builder
	if err := measure(t.Context(), o, &out); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	t.Logf("%s", &out)
}

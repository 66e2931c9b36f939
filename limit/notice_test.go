package limit_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/limit"
)

func TestALimitThatIsReachedIsToldOnceInAWhileWithHowOften(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		n := limit.NewNotices(slog.New(slog.NewTextHandler(&log, nil)), 0)
		told := func() string { defer log.Reset(); return log.String() }
		for range 1000 {
			n.Hit("person", "user", "alice")
		}
		if got := told(); strings.Count(got, "\n") != 1 || !strings.Contains(got, `msg="limit reached" times=1 limit=person user=alice`) {
			t.Errorf("at first: %s", got)
		}
		n.Hit("tenant")
		if got := told(); !strings.Contains(got, "times=1 limit=tenant") {
			t.Errorf("another limit: %s", got)
		}
		time.Sleep(time.Minute)
		if got := told(); got != "" {
			t.Errorf("without a hit: %s", got)
		}
		n.Hit("person", "user", "bob")
		if got := told(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "times=1000 limit=person user=bob") {
			t.Errorf("a minute later: %s", got)
		}
		(*limit.Notices)(nil).Hit("person")
	})
}

package notify_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/seal"
)

// What does not open here waits for a node that has the secret, or for its operator.
func TestANoticeThatDoesNotOpenIsLeftAloneForLongerEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		var log bytes.Buffer
		s.opts.Logger = slog.New(slog.NewTextHandler(&log, nil))
		s.opts.Channels = []notify.Choice{{Channel: notify.WebhookChannel("ops"), After: time.Minute}}
		s.node(t)
		q, other := s.asks(t, nil), s.asks(t, nil)
		strange, err := seal.New([]byte("of another site, with its own secret"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := seal.Records(s.store, strange, nil).Save(t.Context(), parley.Record{Address: parley.Address{Kind: "notify_notice", Key: string(q.ID)}, Owner: "alice", Data: []byte("{}")}); err != nil {
			t.Fatal(err)
		}
		var loads int
		s.store.onLoad(func(at parley.Address) {
			if at.Key == string(q.ID) {
				loads++
			}
		})
		wait(time.Hour)
		if loads < 5 || loads > 10 { // after a minute, 5 s, 30 s, 2 min, and every 10 min
			t.Errorf("it was tried %d times", loads)
		}
		s.out.wants(t, "1m0s ops.example/hook question.opened")
		if n := strings.Count(log.String(), `level=WARN msg="notification not worked on"`); n == 0 || n > loads {
			t.Errorf("it was told %d times:\n%s", n, &log)
		}
		if n := strings.Count(log.String(), `level=WARN msg="notice unreadable"`); n == 0 || n > 61 {
			t.Errorf("that it is unreadable was told %d times", n)
		}
		if err := s.store.Delete(t.Context(), parley.Address{Kind: "notify_notice", Key: string(q.ID)}, 0); err != nil {
			t.Fatal(err)
		}
		wait(11 * time.Minute)
		s.answers(t, q)
		s.answers(t, other)
		wait(time.Minute)
		if n := len(s.out.all()); n != 4 {
			t.Errorf("when it was gone:\n%s", s.out.events())
		}
		s.wantNoNotice(t)
	})
}

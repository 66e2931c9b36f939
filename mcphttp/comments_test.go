package mcphttp

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
)

// inBothEras runs a test with clients that are ready to call tools at url.
func inBothEras(t *testing.T, opts Options, test func(*testing.T, *stage, *rawClient)) {
	for _, modern := range []bool{false, true} {
		t.Run(fmt.Sprint("modern ", modern), func(t *testing.T) {
			opts := opts
			s := newStage(t, nil, &opts)
			c := newRawClient(t, modern)
			if !modern {
				c.initialize(s.http.URL)
			}
			test(t, s, c)
		})
	}
}

func TestAWaitingCallSendsCommentsBetweenEvents(t *testing.T) {
	inBothEras(t, Options{KeepAlive: time.Millisecond}, func(t *testing.T, s *stage, c *rawClient) {
		stream := streamOf(t, c.do(t.Context(), http.MethodPost, s.http.URL, c.callMessage("stepwise", 2)))
		stream.comments(3) // before the first event
		for range 2 {
			s.steps <- struct{}{}
			if b := stream.messageAfterComments(); b.message.Method != "notifications/progress" {
				t.Fatalf("got %+v", b)
			}
			stream.comments(3)
		}
		s.steps <- struct{}{}
		if b := stream.messageAfterComments(); b.message.Result == nil {
			t.Fatalf("got %+v", b)
		}
		stream.end()
	})
}

func TestCommentsDoNotDisturbABusyStream(t *testing.T) {
	inBothEras(t, Options{KeepAlive: time.Microsecond}, func(t *testing.T, s *stage, c *rawClient) {
		var wg sync.WaitGroup
		for range 4 {
			stream := streamOf(t, c.do(t.Context(), http.MethodPost, s.http.URL, strings.Replace(c.callMessage("chatter", 500), `"id":3`, fmt.Sprintf(`"id":%q`, parley.NewID()), 1)))
			wg.Go(func() {
				for n := 0; ; n++ {
					b := stream.messageAfterComments()
					if b.message.Result == nil {
						continue
					}
					if n != 500 {
						t.Errorf("%d events before the result", n)
					}
					stream.end()
					return
				}
			})
		}
		wg.Wait()
	})
}

func TestTheStandaloneStreamGetsComments(t *testing.T) {
	s := newStage(t, nil, &Options{KeepAlive: time.Millisecond})
	c := newRawClient(t, false)
	c.initialize(s.http.URL)
	stream := streamOf(t, c.do(t.Context(), http.MethodGet, s.http.URL, ""))
	if b, _ := stream.next(); b.comment != ": ok" {
		t.Fatalf("got %+v", b)
	}
	stream.comments(5)
}

func TestAnErrorOfACallThatWaitedIsAnEvent(t *testing.T) {
	inBothEras(t, Options{KeepAlive: time.Millisecond}, func(t *testing.T, s *stage, c *rawClient) {
		stream := streamOf(t, c.do(t.Context(), http.MethodPost, s.http.URL, c.callMessage("refuse", 0)))
		stream.comments(2)
		s.steps <- struct{}{}
		if b := stream.messageAfterComments(); b.message.Error == nil || b.message.Error.Code != jsonrpc.CodeInvalidParams || b.message.ID != 3.0 {
			t.Errorf("got %+v", b)
		}
		stream.end()
	})
}

func TestAnErrorAtOnceKeepsItsStatus(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, true)
	go func() { s.steps <- struct{}{} }()
	c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, c.callMessage("refuse", 0))
}

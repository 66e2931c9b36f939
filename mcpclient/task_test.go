package mcpclient_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/mcpclient"
)

// foreman is a server of 2026-07-28 that makes a task of each call. get answers
// for the task, the nth time that it is asked; it is an answer's members, or
// empty: nothing listens.
type foreman struct {
	poll int64 // what the server says about it, in milliseconds
	get  func(n int) string

	mu    sync.Mutex
	heard []string
}

func (f *foreman) RoundTrip(r *http.Request) (*http.Response, error) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if r.Body != nil {
		_ = json.NewDecoder(r.Body).Decode(&m)
		_ = r.Body.Close()
	}
	members := `"error":{"code":-32601,"message":"no"}`
	switch m.Method {
	case "server/discover":
		members = `"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}`
	case "tools/call":
		f.note("call")
		members = fmt.Sprintf(`"result":{"resultType":"task","taskId":"t1","status":"working","pollIntervalMs":%d}`, f.poll)
	case "tasks/get":
		if members = f.get(f.note("get")); members == "" {
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
		}
	case "tasks/cancel":
		f.note("cancel")
		members = `"result":{"resultType":"complete"}`
	}
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, members)
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}, nil
}

// note writes down what was asked, and returns how often it was.
func (f *foreman) note(what string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.heard = append(f.heard, what)
	for _, one := range f.heard {
		if one == what {
			n++
		}
	}
	return n
}

// said is what was asked, how often each.
func (f *foreman) said() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	all := map[string]int{}
	for _, one := range f.heard {
		all[one]++
	}
	return all
}

// is is how a task stands.
func is(status, more string) string {
	return fmt.Sprintf(`"result":{"resultType":"complete","taskId":"t1","status":%q%s}`, status, more)
}

// work calls a tool at a foreman, waits for what comes of it, and gives the call
// up then.
func (f *foreman) work(t *testing.T) (m mcpclient.Message, took time.Duration, err error) {
	t.Helper()
	c := connect(t, mcpclient.Options{URL: "http://foreman.example/mcp", Client: &http.Client{Transport: f}, Tasks: true})
	defer c.Close()
	began := time.Now()
	x := call(t, c, "build", `{}`)
	m, err = x.Next()
	took = time.Since(began)
	if err == nil {
		if _, again := x.Next(); !errors.Is(again, io.EOF) {
			t.Errorf("after the result: %v", again)
		}
	}
	x.Close()
	synctest.Wait()
	return m, took, err
}

const built = `,"result":{"content":[{"type":"text","text":"built"}]}`

func TestATaskIsAskedAboutAsOftenAsItsServerSaysWithinLimits(t *testing.T) {
	for poll, pause := range map[int64]time.Duration{0: time.Second, 1: 100 * time.Millisecond, 5000: 5 * time.Second, 3_600_000: 30 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			f := &foreman{poll: poll, get: func(n int) string {
				if n < 4 {
					return is("working", "")
				}
				return is("completed", built)
			}}
			m, took, err := f.work(t)
			if err != nil || textOf(t, m) != "built" || took != 3*pause {
				t.Errorf("%d: %s after %s, %v", poll, m.Result, took, err)
			}
			if diff := cmp.Diff(map[string]int{"call": 1, "get": 4}, f.said()); diff != "" {
				t.Errorf("%d: (-want +got)\n%s", poll, diff)
			}
		})
	}
}

func TestATaskThatFailedOrWasCancelledIsAnErrorOfItsCall(t *testing.T) {
	for what, c := range map[string]struct{ is, want string }{
		"failed":            {is("failed", `,"error":{"code":-32000,"message":"no bricks"}`), "no bricks"},
		"failed, no reason": {is("failed", ""), "the task was failed"},
		"cancelled":         {is("cancelled", ""), "the task was cancelled"},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := &foreman{get: func(int) string { return c.is }}
			m, _, err := f.work(t)
			if err != nil || m.Error == nil || m.Error.Message != c.want {
				t.Errorf("%s: %+v, %v", what, m.Error, err)
			}
			if diff := cmp.Diff(map[string]int{"call": 1, "get": 1}, f.said()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", what, diff)
			}
		})
	}
}

func TestATaskThatIsNothingKnownIsNoResult(t *testing.T) {
	for _, answer := range []string{is("completed", ""), is("on holiday", ""), `"result":7`, is("completed", `,"result":{"content":[],"content":[]}`)} {
		synctest.Test(t, func(t *testing.T) {
			f := &foreman{get: func(int) string { return answer }}
			if m, _, err := f.work(t); !errors.Is(err, mcpclient.ErrProtocol) {
				t.Errorf("%s: %s, %v", answer, m.Result, err)
			}
			if diff := cmp.Diff(map[string]int{"call": 1, "get": 1, "cancel": 1}, f.said()); diff != "" {
				t.Errorf("%s: (-want +got)\n%s", answer, diff)
			}
		})
	}
}

func TestATaskGoesOnWhileItsServerCannotBeReachedForAMoment(t *testing.T) {
	for _, c := range []struct {
		away  int
		whole bool
	}{{1, true}, {5, true}, {6, false}} {
		synctest.Test(t, func(t *testing.T) {
			f := &foreman{get: func(n int) string {
				switch {
				case n == 1:
					return is("working", "")
				case n <= 1+c.away:
					return ""
				}
				return is("completed", built)
			}}
			m, _, err := f.work(t)
			if c.whole && (err != nil || textOf(t, m) != "built") {
				t.Errorf("away %d times: %s, %v", c.away, m.Result, err)
			}
			if !c.whole && (!errors.Is(err, mcpclient.ErrUnderway) || f.said()["get"] != 1+c.away) {
				t.Errorf("away %d times: %v, %v", c.away, err, f.said())
			}
			if f.said()["call"] != 1 {
				t.Errorf("away %d times: the tool was called %d times", c.away, f.said()["call"])
			}
		})
	}
}

func TestATaskThatIsGivenUpIsCancelledOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &foreman{get: func(int) string { return is("working", "") }}
		c := connect(t, mcpclient.Options{URL: "http://foreman.example/mcp", Client: &http.Client{Transport: f}, Tasks: true})
		defer c.Close()
		x := call(t, c, "build", `{}`)
		time.AfterFunc(2500*time.Millisecond, x.Close)
		if m, err := x.Next(); !errors.Is(err, mcpclient.ErrClosed) {
			t.Errorf("%s, %v", m.Result, err)
		}
		x.Close()
		synctest.Wait()
		if diff := cmp.Diff(map[string]int{"call": 1, "get": 3, "cancel": 1}, f.said()); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
	})
}

package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// bounded lets a person have so many calls in progress, and all so many.
func bounded(person, all int) func(*gateway.Options) {
	return func(o *gateway.Options) {
		o.Calls = mcptool.NewCalls(&mcptool.CallsOptions{PerPerson: person, InAll: all})
	}
}

// tasking sends messages of a client of 2026-07-28 that knows tasks.
func tasking(t *testing.T, h *house, user, method, name, params string) string {
	t.Helper()
	_, body := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`,
		"Mcp-Protocol-Version", modern, "Mcp-Method", method, "Mcp-Name", name, "Authorization", "Bearer token-of-"+user)
	return lastData(body)
}

func bake(t *testing.T, h *house, user, arguments string) (task, refused string) {
	t.Helper()
	var created struct {
		Result struct{ TaskID string }
		Error  struct {
			Code    int
			Message string
		}
	}
	body := tasking(t, h, user, "tools/call", "bakery__bake", `"name":"bakery__bake","arguments":`+arguments)
	if json.Unmarshal([]byte(body), &created) != nil || (created.Result.TaskID == "") == (created.Error.Message == "") {
		t.Fatalf("got %.300s; want a task or an error", body)
	}
	if created.Error.Message != "" && created.Error.Code != mcptool.CodeTooManyCalls {
		t.Errorf("code %d", created.Error.Code)
	}
	return created.Result.TaskID, created.Error.Message
}

const tooMany = "you have too many calls in progress: wait until one ends, or cancel one. There may be 2"

func hangingBakery(t *testing.T) (*oldBakery, func()) {
	o := newOldBakery(t)
	o.hold, o.started = make(chan struct{}), make(chan struct{}, 1000)
	return o, func() { close(o.hold) }
}

func TestTasksInProgressAreBounded(t *testing.T) {
	o, end := hangingBakery(t)
	h := newHouse(t, catalogue{{Name: "bakery", URL: o.url, Approve: permit.Never}}, bounded(2, 3))
	t.Cleanup(end)
	awaitUp(t, h, "bakery")
	first, _ := bake(t, h, "alice", `{"n":1}`)
	if _, refused := bake(t, h, "alice", `{"n":2}`); refused != "" {
		t.Fatal(refused)
	}
	if _, refused := bake(t, h, "alice", `{"n":3}`); refused != tooMany {
		t.Errorf("the third: %q", refused)
	}
	<-o.started
	<-o.started
	if n := o.begun.Load(); n != 2 {
		t.Errorf("the server began %d tasks", n)
	}
	if _, refused := bake(t, h, "bob", `{}`); refused != "" {
		t.Errorf("bob was refused: %s", refused)
	}
	if _, refused := bake(t, h, "carol", `{}`); refused != "too many calls are in progress here: try again in a moment" {
		t.Errorf("the fourth of all: %q", refused)
	}
	tasking(t, h, "alice", "tasks/cancel", first, `"taskId":"`+first+`"`)
	eventually(t, "there is room again", func() bool {
		_, refused := bake(t, h, "alice", `{"n":4}`)
		return refused == ""
	})
}

func TestACallWithLongArgumentsCountsForSeveral(t *testing.T) {
	o, end := hangingBakery(t)
	h := newHouse(t, catalogue{{Name: "bakery", URL: o.url, Approve: permit.Never}}, bounded(2, -1))
	t.Cleanup(end)
	awaitUp(t, h, "bakery")
	long := `{"dough":"` + strings.Repeat("d", 1<<20) + `"}`
	if _, refused := bake(t, h, "alice", long); refused != "" {
		t.Fatalf("one alone: %s", refused)
	}
	if _, refused := bake(t, h, "alice", `{}`); refused != tooMany {
		t.Errorf("a second beside it: %q", refused)
	}
}

// bareSession is a client's up to 2025-11-25, by hand.
type bareSession struct {
	t        *testing.T
	h        *house
	id, user string
}

func begin(t *testing.T, h *house, user string) *bareSession {
	s := &bareSession{t: t, h: h, user: user}
	answer := s.send(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"by hand","version":"1"}}}`)
	_, _ = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
	s.id = answer.Header.Get("Mcp-Session-Id")
	s.send(t.Context(), http.MethodPost, `{"jsonrpc":"2.0","method":"notifications/initialized"}`).Body.Close()
	return s
}

func (s *bareSession) send(ctx context.Context, method, message string) *http.Response {
	s.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, s.h.url, strings.NewReader(message))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Authorization", "Bearer token-of-"+s.user)
	if s.id != "" {
		r.Header.Set("Mcp-Protocol-Version", legacy)
		r.Header.Set("Mcp-Session-Id", s.id)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			s.t.Fatal(err)
		}
		return nil
	}
	return answer
}

// says returns the response to a message.
func (s *bareSession) says(message string) string {
	answer := s.send(s.t.Context(), http.MethodPost, message)
	defer answer.Body.Close()
	raw, _ := io.ReadAll(answer.Body)
	if text := lastData(string(raw)); text != "" {
		return text
	}
	return string(raw)
}

// drop makes a call of a tool that hangs and drops the connection.
func (s *bareSession) drop(n int, began <-chan struct{}) {
	ctx, drop := context.WithCancel(s.t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if answer := s.send(ctx, http.MethodPost, hangMessage(n)); answer != nil {
			_, _ = io.Copy(io.Discard, answer.Body)
			answer.Body.Close()
		}
	}()
	<-began
	drop()
	<-done
}

func hangMessage(n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"shop__hang","arguments":{}}}`, 100+n)
}

func TestCallsWhoseClientsDroppedTheirConnectionsAreBounded(t *testing.T) {
	for name, patience := range map[string]time.Duration{"at once": time.Hour, "after they were handed on": time.Nanosecond} {
		t.Run(name, func(t *testing.T) {
			s := newShop(t, legacy)
			began, cancelled := addHanging(s)
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, bounded(2, -1))
			h.SetPatience(patience)
			awaitUp(t, h, "shop")
			alice := begin(t, h, "alice")
			alice.drop(1, began)
			alice.drop(2, began)
			for _, who := range []*bareSession{alice, begin(t, h, "alice")} {
				if got := who.says(hangMessage(3)); !strings.Contains(got, tooMany) {
					t.Errorf("the third: %s", got)
				}
			}
			if len(began) != 0 {
				t.Error("the server was called once more")
			}
			if got := alice.says(`{"jsonrpc":"2.0","id":9,"method":"ping"}`); !strings.Contains(got, `"result":{}`) {
				t.Errorf("the session: %s", got)
			}
			if got := begin(t, h, "bob").says(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"shop__echo","arguments":{"text":"hello"}}}`); !strings.Contains(got, "hello") {
				t.Errorf("bob: %s", got)
			}
			for n := range 2 {
				alice.send(t.Context(), http.MethodPost, fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, 101+n)).Body.Close()
				<-cancelled
			}
			eventually(t, "there is room again", func() bool {
				return strings.Contains(alice.says(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"shop__echo","arguments":{"text":"hello"}}}`), "hello")
			})
		})
	}
}

func TestACallThatIsHandedOnIsNotRefused(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run(era, func(t *testing.T) {
			s := newShop(t, legacy)
			calls := mcptool.NewCalls(&mcptool.CallsOptions{PerPerson: 1, InAll: 1})
			h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, func(o *gateway.Options) { o.Calls = calls })
			h.SetPatience(time.Nanosecond)
			awaitUp(t, h, "shop")
			v := visit(t, h.url, "alice", era, agreeing)
			for range 5 {
				eventually(t, "the one before, whose client has its result, is not over", func() bool { return calls.InProgress() == 0 })
				if text, err := v.call(t, "shop__order", map[string]any{}); err != nil || !strings.HasPrefix(text, "accept") {
					t.Fatalf("%q, %v", text, err)
				}
			}
			if s.done.Load() != 5 {
				t.Errorf("carried out %d times", s.done.Load())
			}
		})
	}
}

// A server of an older era waits on its connection while the client of 2026-07-28
// has its question and no open request: the call is in progress.
func TestCallsThatAreParkedAreBounded(t *testing.T) {
	s := newShop(t, legacy)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, bounded(2, -1))
	awaitUp(t, h, "shop")
	order := func(n int) string {
		_, body := sendRaw(t, h.url, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shop__order","arguments":{"n":%d},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`, n),
			"Mcp-Protocol-Version", modern, "Mcp-Method", "tools/call", "Mcp-Name", "shop__order")
		return lastData(body)
	}
	for n := range 2 {
		if got := order(n); !strings.Contains(got, "input_required") {
			t.Fatal(got)
		}
	}
	if got := order(3); !strings.Contains(got, tooMany) {
		t.Errorf("the third: %s", got)
	}
}

// A session's request stays open while its person is asked: it is counted already.
func TestACallThatWaitsInItsSessionCountsOnce(t *testing.T) {
	s := newShop(t, legacy)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, bounded(2, -1))
	h.SetPatience(time.Nanosecond)
	awaitUp(t, h, "shop")
	asked, answer := make(chan struct{}), make(chan struct{})
	v := visit(t, h.url, "alice", legacy, func(p *mcp.ElicitParams) *mcp.ElicitResult {
		close(asked)
		<-answer
		return agreeing(p)
	})
	done := make(chan struct{})
	go func() {
		defer close(done)
		if text, err := v.call(t, "shop__order", map[string]any{}); err != nil || !strings.HasPrefix(text, "accept") {
			t.Errorf("%q, %v", text, err)
		}
	}()
	<-asked
	if got := begin(t, h, "alice").says(`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"shop__echo","arguments":{"text":"hello"}}}`); !strings.Contains(got, "hello") {
		t.Errorf("the second: %s", got)
	}
	close(answer)
	<-done
}

// What a task holds is its arguments, as they are used and as they were sent.
func TestATaskDoesNotHoldItsArgumentsManyTimes(t *testing.T) {
	o, end := hangingBakery(t)
	h := newHouse(t, catalogue{{Name: "bakery", URL: o.url, Approve: permit.Never}}, nil)
	t.Cleanup(end)
	awaitUp(t, h, "bakery")
	live := func() int {
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int(m.HeapAlloc)
	}
	const tasks, size = 7, 2 << 20
	dough := strings.Repeat("d", size)
	bake(t, h, "alice", `{"n":0}`)
	<-o.started
	before := live()
	for n := range tasks {
		if _, refused := bake(t, h, "alice", fmt.Sprintf(`{"n":%d,"dough":%q}`, n+1, dough)); refused != "" {
			t.Fatal(refused)
		}
		<-o.started
	}
	copies := float64(live()-before) / (tasks * size)
	t.Logf("%.1f bytes for each of the arguments", copies)
	if copies > 4.4 { // the SDK's message and the memory store of this test have one each
		t.Errorf("a task holds its arguments %.1f times", copies)
	}
}

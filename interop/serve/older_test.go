package serve_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/interop/kit"
)

// olderVariable makes this program an MCP server over stdio that asks, and names
// the file that it writes its process id to.
const olderVariable = "PARLEY_INTEROP_OLDER"

// askServer has a tool that asks on its open connection, as servers before
// 2026-07-28 do, and one that takes a moment.
func askServer(over context.Context, left func(), moment <-chan struct{}, begun func()) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "older", Version: "1"}, nil)
	s.AddTool(&mcp.Tool{Name: "ask", InputSchema: anyObject}, func(ctx context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(over, cancel)()
		answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Sure?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
		if err != nil {
			left()
			return nil, err
		}
		return wareText("asked: %s", answer.Action), nil
	})
	s.AddTool(&mcp.Tool{Name: "work", InputSchema: anyObject}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		begun()
		select {
		case <-moment:
			return wareText("worked"), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
	return s
}

// playOlder is the server over stdio. It knows no newer era.
func playOlder(file string) int {
	if err := os.WriteFile(file, []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return 1
	}
	nothing := func() {}
	server := askServer(context.Background(), nothing, nil, nothing)
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			if method == "server/discover" {
				return nil, fmt.Errorf("method not found")
			}
			return next(ctx, method, r)
		}
	})
	if err := server.Run(context.Background(), &mcp.StdioTransport{}); err != nil {
		return 1
	}
	return 0
}

// older is a server that asks, by one way to reach it.
type older struct {
	config string      // of servers.older
	die    func()      // ends it, as kill -9 does
	left   func() bool // whether its call has ended there; nil: nobody can see
	goOn   func()      // ends the moment of its tool work
	begun  chan struct{}
}

// olders are the ways.
var olders = map[string]func(t *testing.T) *older{
	"stdio":                    stdioOlder,
	"http":                     func(t *testing.T) *older { return webOlder(t, false) },
	"http that can be resumed": func(t *testing.T) *older { return webOlder(t, true) },
}

func stdioOlder(t *testing.T) *older {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pid")
	return &older{
		config: fmt.Sprintf(`{command: [%q], env: {%s: %q}, approve: never}`, self, olderVariable, file),
		die: func() {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(string(raw))
			if err != nil {
				t.Fatal(err)
			}
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		},
	}
}

func webOlder(t *testing.T, resumable bool) *older {
	var mu sync.Mutex
	gone := false
	moment := make(chan struct{})
	o := &older{begun: make(chan struct{}, 10), goOn: sync.OnceFunc(func() { close(moment) })}
	over, end := context.WithCancel(context.Background())
	server := askServer(over, func() {
		mu.Lock()
		defer mu.Unlock()
		gone = true
	}, moment, func() { o.begun <- struct{}{} })
	opts := &mcp.StreamableHTTPOptions{PropagateRequestCancellation: true}
	if resumable {
		opts.EventStore = mcp.NewMemoryEventStore(nil)
	}
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, opts))
	o.config = fmt.Sprintf(`{url: "%s/mcp", approve: never}`, web.URL)
	o.left = func() bool {
		mu.Lock()
		defer mu.Unlock()
		return gone
	}
	o.die = sync.OnceFunc(func() {
		web.Listener.Close()
		web.CloseClientConnections()
	})
	t.Cleanup(func() {
		o.goOn()
		o.die()
		end()
		for session := range server.Sessions() {
			_ = session.Close() // its client is gone
		}
	})
	return o
}

// fakeModel calls the tool that the person names, and repeats its result.
func fakeModel(t *testing.T) string {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Messages []struct {
				Role    string
				Content json.RawMessage
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || len(body.Messages) == 0 {
			http.Error(w, "what?", http.StatusBadRequest)
			return
		}
		last := body.Messages[len(body.Messages)-1]
		w.Header().Set("Content-Type", "text/event-stream")
		delta, reason := fmt.Sprintf(`{"role":"assistant","content":%s}`, last.Content), "stop"
		if last.Role != "tool" {
			var name string
			_ = json.Unmarshal(last.Content, &name) // else it is nobody's tool
			delta = fmt.Sprintf(`{"role":"assistant","tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":%q,"arguments":"{}"}}]}`, name)
			reason = "tool_calls"
		}
		for _, choice := range []string{`{"index":0,"delta":` + delta + `}`, `{"index":0,"delta":{},"finish_reason":"` + reason + `"}`} {
			fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":\"m\",\"choices\":[%s]}\n\n", choice)
		}
		_, _ = io.WriteString(w, "data: [DONE]\n\n")
	}))
	t.Cleanup(func() { web.CloseClientConnections(); web.Close() })
	return web.URL
}

// asks is a node with an agent of an older server, and Alice.
type asks struct {
	*older
	config, file string
	program      string
	store        string
	url          string
	node         *kit.Node
	person       *kit.Visitor
}

func newAsks(t *testing.T, program, store string, o *older) *asks {
	t.Helper()
	a := &asks{older: o, program: program, store: store, url: "http://" + kit.FreeAddresses(t, 1)[0], person: kit.NewVisitor(t)}
	a.file = filepath.Join(t.TempDir(), "parley.yaml")
	a.config = fmt.Sprintf("listen: %q\nstore: %q\ndev: true\nsecrets: [%q]\nmodels: {fake: {kind: openai, base_url: %q, api_key: x, model: m}}\n"+
		"servers:\n  older: %s\nagents: {assistant: {model: fake, servers: [older]}}\n", strings.TrimPrefix(a.url, "http://"), store, kit.Secret, fakeModel(t), o.config)
	if err := os.WriteFile(a.file, []byte(a.config), 0o600); err != nil {
		t.Fatal(err)
	}
	a.node = a.start(t)
	a.person.Send(t, a.url+"/login", map[string][]string{"user": {"alice"}})
	return a
}

func (a *asks) start(t *testing.T) *kit.Node {
	t.Helper()
	n := &kit.Node{Url: a.url, Cmd: exec.Command(a.program, "serve", "-c", a.file), Ended: make(chan struct{})}
	n.Cmd.Stdout, n.Cmd.Stderr = &n.Said, &n.Said
	if err := n.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		n.Err = n.Cmd.Wait()
		close(n.Ended)
	}()
	t.Cleanup(func() { n.End(t) })
	kit.Eventually(t, "the node serves", func() bool {
		status, _, _, err := kit.HttpTry(t.Context(), http.MethodGet, n.Url+"/readyz", nil, "")
		return err == nil && status == http.StatusOK
	})
	return n
}

// outcome is how a question ended, as the store has it.
func (a *asks) outcome(t *testing.T, id string) parley.Outcome {
	t.Helper()
	store, err := backend.Open(t.Context(), a.store, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	q, err := store.Get(t.Context(), parley.ID(id))
	if err != nil {
		t.Fatal(err)
	}
	if q.Pending() {
		return parley.Outcome{}
	}
	return *q.Outcome
}

func withOlder(t *testing.T, test func(t *testing.T, a *asks)) {
	program := withParley(t)
	for name, begin := range olders {
		t.Run(name, func(t *testing.T) {
			test(t, newAsks(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), begin(t)))
		})
	}
}

func TestServeStopsATurnWhoseOlderServerAsks(t *testing.T) {
	withOlder(t, func(t *testing.T, a *asks) {
		stream := a.person.Say(t, a.url, "c", "older__ask")
		q := stream.Question(t)
		began := time.Now()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, a.url+"/run/api/chat/c/stream", nil)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := a.person.Browser.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusNoContent {
			t.Errorf("the stop was answered with %s", answer.Status)
		}
		if o := a.outcome(t, q.ID); o.Action != parley.Cancel {
			t.Errorf("when the stop was answered the question is %+v", o)
		}
		if over, kinds := stream.Rest(t); !over || !strings.Contains(kinds, "abort") {
			t.Errorf("over: %v\n%s", over, kinds)
		}
		t.Logf("from the stop to the end of the turn: %v", time.Since(began))
		if a.person.Reload(t, a.url, "c").Active {
			t.Error("the turn is active")
		}
		if a.left != nil {
			kit.Eventually(t, "the server hears of it", a.left)
		}
	})
}

func TestServeEndsThoughAnOlderServerAsks(t *testing.T) {
	withOlder(t, func(t *testing.T, a *asks) {
		stream := a.person.Say(t, a.url, "c", "older__ask")
		q := stream.Question(t)
		began := time.Now()
		if err := a.node.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		over, kinds := stream.Rest(t)
		t.Logf("from SIGTERM to the end of the stream: %v", time.Since(began))
		if !over || !strings.Contains(stream.Text.String(), "waited for the user's answer") {
			t.Errorf("over: %v, said %q\n%s", over, stream.Text.String(), kinds)
		}
		<-a.node.Ended
		t.Logf("from SIGTERM to the end of the process: %v", time.Since(began))
		if o := a.outcome(t, q.ID); o.Action != parley.Cancel || !strings.Contains(o.Reason, "being stopped") {
			t.Errorf("the question is %+v", o)
		}
		if a.left != nil {
			kit.Eventually(t, "the server hears of it", a.left)
		}
	})
}

func TestServeEndsACallWhoseOlderServerDiesWhileItAsks(t *testing.T) {
	withOlder(t, func(t *testing.T, a *asks) {
		stream := a.person.Say(t, a.url, "c", "older__ask")
		q := stream.Question(t)
		began := time.Now()
		a.die()
		over, kinds := stream.Rest(t)
		t.Logf("from the server's death to the end of the turn: %v", time.Since(began))
		if !over || !strings.Contains(stream.Text.String(), "older went away during the call: whether it was carried out is not known") {
			t.Errorf("over: %v, said %q\n%s", over, stream.Text.String(), kinds)
		}
		if o := a.outcome(t, q.ID); o.Action != parley.Cancel || !strings.Contains(o.Reason, "took its question back") {
			t.Errorf("the question is %+v", o)
		}
	})
}

// The call is under way when the node is told to stop, and ends before the node
// does: its result is known, and the turn ends with it.
func TestServeFinishesACallThatIsUnderWayWhenItIsToldToStop(t *testing.T) {
	a := newAsks(t, withParley(t), "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), webOlder(t, false))
	stream := a.person.Say(t, a.url, "c", "older__work")
	<-a.begun
	if err := a.node.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	kit.Eventually(t, "the node takes no new requests", func() bool {
		_, _, _, err := kit.HttpTry(t.Context(), http.MethodGet, a.url+"/healthz", nil, "")
		return err != nil
	})
	a.goOn()
	if over, kinds := stream.Rest(t); !over || stream.Text.String() != "worked" {
		t.Errorf("over: %v, said %q\n%s", over, stream.Text.String(), kinds)
	}
	<-a.node.Ended
}

// The call does not end in time: the stream ends in order, without the end of the
// turn, and the next process goes on with it.
func TestServeHandsOverWhatItCannotFinish(t *testing.T) {
	a := newAsks(t, withParley(t), "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), webOlder(t, false))
	stream := a.person.Say(t, a.url, "c", "older__work")
	<-a.begun
	if err := a.node.Cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if over, kinds := stream.Rest(t); over {
		t.Errorf("the turn is told to be over: %s", kinds)
	}
	<-a.node.Ended
	a.start(t)
	again := a.person.Resume(t, a.url, "c")
	if over, kinds := again.Rest(t); !over || !strings.Contains(again.Text.String(), "The result of this call is unknown") {
		t.Errorf("over: %v, said %q\n%s", over, again.Text.String(), kinds)
	}
}

// killedInACall kills a node in the middle of a call, has another begin where next
// says, and prints how long the turn stood still.
func killedInACall(t *testing.T, a *asks, next func() string) {
	t.Helper()
	a.person.Say(t, a.url, "c", "older__work")
	<-a.begun
	a.node.Kill(t)
	killed := time.Now()
	url := next()
	t.Logf("from kill -9 until the next process is asked: %v", time.Since(killed))
	stream := a.person.Resume(t, url, "c")
	if over, _ := stream.Rest(t); !over || !strings.Contains(stream.Text.String(), "The result of this call is unknown") {
		t.Errorf("over: %v, said %q", over, stream.Text.String())
	}
	t.Logf("from kill -9 to the end of the turn: %v", time.Since(killed))
}

func TestServeGoesOnAtOnceAfterKill9(t *testing.T) {
	a := newAsks(t, withParley(t), "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), webOlder(t, false))
	killedInACall(t, a, func() string { return a.start(t).Url })
}

// Two nodes share the store. It has been up for a while: before that nobody can
// know whether it has not heard of a node yet.
func TestServeGoesOnOnTheOtherNodeSoonAfterKill9(t *testing.T) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		up := time.Now()
		o := webOlder(t, false)
		a := newAsks(t, program, store, o)
		other := "http://" + kit.FreeAddresses(t, 1)[0]
		first := a.node
		a.config = strings.Replace(a.config, strings.TrimPrefix(a.url, "http://"), strings.TrimPrefix(other, "http://"), 1)
		if err := os.WriteFile(a.file, []byte(a.config), 0o600); err != nil {
			t.Fatal(err)
		}
		here := a.url
		a.url = other
		a.start(t)
		a.url, a.node = here, first
		a.person.Send(t, other+"/login", map[string][]string{"user": {"alice"}})
		kit.Eventually(t, "the store has been up for a while", func() bool { return time.Since(up) > 11*time.Second })
		killedInACall(t, a, func() string { return other })
	})
}

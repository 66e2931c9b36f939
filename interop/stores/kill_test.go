package stores_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/backend"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// kills is how often each test kills a node.
const kills = 20

// fixtureNode is a fixture server in a process of its own.
type fixtureNode struct {
	url string
	cmd *exec.Cmd
}

// nodes starts fixture servers on one store.
type nodes struct {
	program kit.FixtureProgram
	store   string
}

func (n nodes) start(t *testing.T) *fixtureNode {
	t.Helper()
	var said kit.Output
	node := &fixtureNode{cmd: exec.Command(string(n.program), "-addr", "127.0.0.1:0", "-store", n.store)}
	node.cmd.Stdout, node.cmd.Stderr = &said, &said
	if err := node.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(node.kill)
	node.url = strings.TrimPrefix(said.Line(t, "listening on "), "listening on ")
	return node
}

// kill is kill -9. It may be repeated.
func (n *fixtureNode) kill() {
	if n.cmd.ProcessState == nil {
		_ = n.cmd.Process.Kill()
		_ = n.cmd.Wait() // killed: its error is expected
	}
}

// eachSharedStore runs a test with the stores that several machines can share.
func eachSharedStore(t *testing.T, test func(t *testing.T, n nodes)) {
	t.Parallel()
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		store := servers.OwnPostgres(t, nil).URL
		test(t, nodes{kit.BuildFixture(t), store})
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		store := servers.OwnRedis(t, nil).URL
		test(t, nodes{kit.BuildFixture(t), store})
	})
}

type elicitHandler func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error)

// client connects to an endpoint as alice.
func client(t *testing.T, url, era string, handler elicitHandler, route func(*http.Request)) *mcp.ClientSession {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: handler,
		MultiRoundTrip:     &mcp.MultiRoundTripOptions{Disabled: true},
	})
	transport := &http.Transport{}
	session, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: url, MaxRetries: -1, HTTPClient: &http.Client{Transport: asAlice{transport, route}},
	}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		transport.CloseIdleConnections()
	})
	return session
}

type asAlice struct {
	next  http.RoundTripper
	route func(*http.Request)
}

func (a asAlice) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer alice")
	if a.route != nil {
		a.route(r)
	}
	return a.next.RoundTrip(r)
}

// counted is the result of the tool count-ask.
type counted struct {
	Runs   int    `json:"runs"`
	Status string `json:"status"`
}

func countedFrom(t *testing.T, r *mcp.CallToolResult, err error) counted {
	t.Helper()
	if err != nil || r.IsError {
		t.Fatalf("count-ask: %+v, %v", r, err)
	}
	raw, _ := json.Marshal(r.StructuredContent)
	var c counted
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

var yes = &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}

func agree(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return yes, nil }

// Every answer of the client goes to the node that does not have its session.
func TestAnAnswerThatArrivesAtTheOtherNodeReachesTheWaitingCall(t *testing.T) {
	eachSharedStore(t, func(t *testing.T, n nodes) {
		owner, other := n.start(t), n.start(t)
		var strayed atomic.Int64
		stray := func(r *http.Request) {
			if r.Body == nil {
				return
			}
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			var message struct {
				Method string          `json:"method"`
				Result json.RawMessage `json:"result"`
			}
			if json.Unmarshal(body, &message) == nil && message.Method == "" && message.Result != nil {
				r.URL.Host = strings.TrimSuffix(strings.TrimPrefix(other.url, "http://"), "/mcp")
				strayed.Add(1)
			}
		}
		c := client(t, owner.url, "2025-11-25", agree, stray)
		for i := range kills {
			params := &mcp.CallToolParams{Name: "count-ask", Arguments: map[string]any{"q": fmt.Sprint("question ", i)}}
			r, err := c.CallTool(t.Context(), params)
			if got := countedFrom(t, r, err); got.Runs != 1 || got.Status != "accept" {
				t.Errorf("round %d: %+v", i, got)
			}
		}
		if strayed.Load() < kills {
			t.Errorf("only %d answers went to the other node", strayed.Load())
		}
	})
}

func TestARetryIsServedByAnyNodeAfterItsOwnerWasKilled(t *testing.T) {
	eachSharedStore(t, func(t *testing.T, n nodes) {
		survivor := n.start(t)
		there := client(t, survivor.url, "2026-07-28", agree, nil)
		for i := range kills {
			owner := n.start(t)
			here := client(t, owner.url, "2026-07-28", agree, nil)
			params := &mcp.CallToolParams{Name: "count-ask", Arguments: map[string]any{"q": fmt.Sprint("retry ", i)}}
			first, err := here.CallTool(t.Context(), params)
			if err != nil || !first.NeedsInput() {
				t.Fatalf("round %d: %+v, %v", i, first, err)
			}
			owner.kill()
			params.RequestState, params.InputResponses = first.RequestState, mcp.InputResponseMap{}
			for key := range first.InputRequests {
				params.InputResponses[key] = yes
			}
			r, err := there.CallTool(t.Context(), params)
			if got := countedFrom(t, r, err); got.Runs != 1 || got.Status != "accept" {
				t.Errorf("round %d: %+v", i, got)
			}
		}
	})
}

// The person is asked on a node that dies. The same call on another node goes on
// with the question, or with the answer if one was given meanwhile.
func TestTheSameCallGoesOnAfterItsOwnerWasKilled(t *testing.T) {
	eachSharedStore(t, func(t *testing.T, n nodes) {
		survivor := n.start(t)
		store, err := backend.Open(t.Context(), n.store, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		hub := parley.New(store, nil)
		for i := range kills {
			owner := n.start(t)
			asked := make(chan struct{})
			here := client(t, owner.url, "2025-11-25", func(ctx context.Context, _ *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				close(asked)
				<-ctx.Done()
				return nil, ctx.Err()
			}, nil)
			params := &mcp.CallToolParams{Name: "count-ask", Arguments: map[string]any{"q": fmt.Sprint("same ", i)}}
			ctx, cancel := context.WithCancel(t.Context())
			lost := make(chan struct{})
			go func() {
				defer close(lost)
				_, _ = here.CallTool(ctx, params)
			}()
			<-asked
			owner.kill()
			cancel()
			<-lost
			answered := i%2 == 1
			if answered {
				answerPending(t, hub)
			}
			var shown atomic.Int64
			there := client(t, survivor.url, "2025-11-25", func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				shown.Add(1)
				return yes, nil
			}, nil)
			r, err := there.CallTool(t.Context(), params)
			if got := countedFrom(t, r, err); got.Runs != 1 || got.Status != "accept" {
				t.Errorf("round %d: %+v", i, got)
			}
			if answered == (shown.Load() > 0) {
				t.Errorf("round %d: answered before is %v, and the person was asked %d times", i, answered, shown.Load())
			}
		}
	})
}

// answerPending answers alice's open question as a hosted page would.
func answerPending(t *testing.T, hub *parley.Hub) {
	t.Helper()
	list, err := hub.List(t.Context(), kit.Alice, parley.Query{Pending: true})
	if err != nil || len(list) != 1 {
		t.Fatalf("%d questions pending, %v; want 1", len(list), err)
	}
	answer := parley.Answer{Action: parley.Accept, Content: []byte(`{"confirmed":true}`), Via: "page"}
	if err := hub.Answer(t.Context(), kit.Alice, list[0].ID, answer); err != nil {
		t.Fatal(err)
	}
}

package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

// bakery is a server of 2026-07-28 whose tools run as tasks only, and ask.
func bakery(t *testing.T) (gateway.Server, *atomic.Int64) {
	quiet := slog.New(slog.DiscardHandler)
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet})
	asker, err := mcptool.New(hub, &mcptool.Options{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "bakery", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	var baked atomic.Int64
	mcptool.AddTool(asker, server, &mcp.Tool{Name: "bake"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		answer, err := mcptool.Elicit[struct {
			Size string `json:"size"`
		}](ctx, call, "Which size?", nil)
		if err != nil {
			return "", err
		}
		baked.Add(1)
		return answer.Content.Size + " bread", nil
	}, &mcptool.ToolOptions{Task: mcptool.TaskRequired})
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = hub.Run(ctx) }()
	url := serve(t, mcphttp.New(asker, server, &mcphttp.Options{Logger: quiet}))
	t.Cleanup(func() { stop(); <-done })
	return gateway.Server{Name: "bakery", URL: url, Approve: permit.Never}, &baked
}

func TestAToolThatRunsAsATaskOnlyIsCalledByEverybody(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		t.Run("server of 2026-07-28, client "+era, func(t *testing.T) {
			s, baked := bakery(t)
			h := newHouse(t, catalogue{s}, nil)
			v := visit(t, h.url, "alice", era, agreeing)
			text, err := v.call(t, "bakery__bake", map[string]any{})
			if err != nil || !strings.Contains(text, "L bread") || baked.Load() != 1 {
				t.Errorf("%q, %v, baked %d times", text, err, baked.Load())
			}
			if got := v.questions(); len(got) != 1 || got[0] != "[bakery] Which size?" {
				t.Errorf("asked %q", got)
			}
		})
		t.Run("server of 2025-11-25, client "+era, func(t *testing.T) {
			o := newOldBakery(t)
			h := newHouse(t, catalogue{{Name: "bakery", URL: o.url, Approve: permit.Never}}, nil)
			v := visit(t, h.url, "alice", era, agreeing)
			for tool, err := range v.Tools(t.Context(), nil) {
				if raw, _ := json.Marshal(tool); err != nil || strings.Contains(string(raw), "taskSupport") {
					t.Errorf("listed as %s, %v: a client would make a task of it", raw, err)
				}
			}
			text, err := v.call(t, "bakery__bake", map[string]any{"flour": "rye"})
			if err != nil || text != `baked {"flour":"rye"}` || o.begun.Load() != 1 || o.plain.Load() != 0 {
				t.Errorf("%q, %v, begun %d times, %d without a task", text, err, o.begun.Load(), o.plain.Load())
			}
		})
	}
}

// oldBakery is a server of 2025-11-25 with a tool that has to be a task.
type oldBakery struct {
	url                     string
	begun, plain, cancelled atomic.Int64
	hold                    chan struct{} // tasks/result waits for it
	started                 chan struct{} // has one for each task
}

func newOldBakery(t *testing.T) *oldBakery {
	o := &oldBakery{hold: make(chan struct{}), started: make(chan struct{}, 10)}
	close(o.hold)
	var arguments atomic.Value
	o.url = scriptedBy(t, func(m wireMessage) string {
		switch m.Method {
		case "initialize":
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"cancel":{},"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"bakery","version":"1"}}`
		case "tools/list":
			return `{"tools":[{"name":"bake","inputSchema":{"type":"object"},"execution":{"taskSupport":"required"}}]}`
		case "tools/call":
			if m.Params["task"] == nil {
				o.plain.Add(1)
				return "" // -32601, as the TypeScript SDK has it
			}
			o.begun.Add(1)
			o.started <- struct{}{}
			arguments.Store(string(m.Params["arguments"]))
			return `{"task":{"taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}`
		case "tasks/result":
			<-o.hold
			text, _ := json.Marshal(fmt.Sprintf("baked %v", arguments.Load()))
			return `{"content":[{"type":"text","text":` + string(text) + `}],"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t1"}}}`
		case "tasks/cancel":
			o.cancelled.Add(1)
			return `{"taskId":"t1","status":"cancelled"}`
		}
		return ""
	})
	return o
}

func TestATaskThatNobodyWaitsForIsCancelled(t *testing.T) {
	o := newOldBakery(t)
	o.hold = make(chan struct{})
	t.Cleanup(func() { close(o.hold) })
	h := newHouse(t, catalogue{{Name: "bakery", URL: o.url, Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", modern, agreeing)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-o.started
		cancel()
	}()
	if _, err := v.CallTool(ctx, &mcp.CallToolParams{Name: "bakery__bake"}); err == nil {
		t.Error("a call that was given up has a result")
	}
	eventually(t, "the task goes on", func() bool { return o.cancelled.Load() == 1 })
}

// A client that knows tasks gets one for a tool that its server runs as one.
func TestAClientThatKnowsTasksGetsOne(t *testing.T) {
	o := newOldBakery(t)
	h := newHouse(t, catalogue{{Name: "bakery", URL: o.url, Approve: permit.Never}}, nil)
	awaitUp(t, h, "bakery")
	send := func(method, name, params string) string {
		_, body := sendRaw(t, h.url, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`,
			"Mcp-Protocol-Version", modern, "Mcp-Method", method, "Mcp-Name", name)
		return lastData(body)
	}
	var created struct {
		Result struct {
			ResultType string `json:"resultType"`
			TaskID     string `json:"taskId"`
		} `json:"result"`
	}
	if got := send("tools/call", "bakery__bake", `"name":"bakery__bake","arguments":{},`); json.Unmarshal([]byte(got), &created) != nil || created.Result.ResultType != "task" {
		t.Fatalf("got %s; want a task", got)
	}
	id := created.Result.TaskID
	eventually(t, "the task has no result", func() bool {
		return strings.Contains(send("tasks/get", id, `"taskId":"`+id+`",`), `baked {}`)
	})
	if o.begun.Load() != 1 {
		t.Errorf("the server began %d tasks", o.begun.Load())
	}
	if got := send("tasks/get", id, `"taskId":"`+id+`",`); strings.Contains(got, `"t1"`) {
		t.Errorf("the client is told the server's id of the task, which nobody here knows: %s", got)
	}
}

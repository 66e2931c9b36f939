package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// mortal are records that a node cannot write any more when it has died.
type mortal struct {
	parley.Records
	dead atomic.Bool
}

func (m *mortal) Save(ctx context.Context, r parley.Record) (int64, error) {
	if m.dead.Load() {
		return 0, errors.New("dead")
	}
	return m.Records.Save(ctx, r)
}

func (m *mortal) Delete(ctx context.Context, at parley.Address, version int64) error {
	if m.dead.Load() {
		return errors.New("dead")
	}
	return m.Records.Delete(ctx, at, version)
}

// canvas is a server of 2025-11-25 with a tool that is a task and shows what it made.
// The first task has no result before the server ends; begun is how many were asked for
// theirs.
func canvas(t *testing.T, name string) (s gateway.Server, begun *atomic.Int64) {
	over, asked := make(chan struct{}), &atomic.Int64{}
	url := scriptedBy(t, func(m wireMessage) string {
		switch m.Method {
		case "initialize":
			return `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"tasks":{"requests":{"tools":{"call":{}}}}},"serverInfo":{"name":"canvas","version":"1"}}`
		case "tools/list":
			return `{"tools":[{"name":"draw","inputSchema":{"type":"object"},"annotations":{"idempotentHint":true},"execution":{"taskSupport":"required"}}]}`
		case "tools/call":
			return `{"task":{"taskId":"t1","status":"working","createdAt":"2026-01-01T00:00:00Z","lastUpdatedAt":"2026-01-01T00:00:00Z","ttl":null}}`
		case "tasks/result":
			if asked.Add(1) == 1 {
				<-over
			}
			return `{"content":[{"type":"resource_link","name":"it","uri":"ui://drawn/it.html"}]}`
		}
		return ""
	})
	t.Cleanup(func() { close(over) }) // before the server waits for what it works on
	return gateway.Server{Name: name, URL: url, Approve: permit.Never}, asked
}

// taskMethod sends a request of a client that knows tasks.
func taskMethod(t *testing.T, endpoint, method, name, params string) string {
	t.Helper()
	_, body := sendRaw(t, endpoint, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{`+params+`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}}}}`,
		"Mcp-Protocol-Version", modern, "Mcp-Method", method, "Mcp-Name", name)
	return lastData(body)
}

// A task belongs to the endpoint where it was made: whoever finishes it does so with the
// names that are known there, and at no other it is there.
func TestATaskIsThatOfItsEndpointOnEveryNode(t *testing.T) {
	alpha, begun := canvas(t, "alpha")
	beta, _ := canvas(t, "beta")
	servers, store := catalogue{alpha, beta}, parley.NewMemoryStore()
	var id string
	t.Run("begun on a node that dies", func(t *testing.T) {
		records := &mortal{Records: store}
		a := newNode(t, store, servers, nil, func(o *gateway.Options) { o.Records = records })
		awaitUp(t, a, "alpha")
		var created struct {
			Result struct{ ResultType, TaskID string }
		}
		if got := taskMethod(t, a.at("alpha"), "tools/call", "draw", `"name":"draw","arguments":{},`); json.Unmarshal([]byte(got), &created) != nil || created.Result.ResultType != "task" {
			t.Fatalf("got %s; want a task", got)
		}
		id = created.Result.TaskID
		eventually(t, "the node waits for the server", func() bool { return begun.Load() == 1 })
		records.dead.Store(true)
	})
	lapse(t, store)
	b := newNode(t, store, servers, nil, nil)
	for _, other := range []string{b.url, b.at("beta")} {
		for _, method := range []string{"tasks/get", "tasks/update", "tasks/cancel"} {
			if got := taskMethod(t, other, method, id, `"taskId":"`+id+`",`); !strings.Contains(got, "no task") {
				t.Errorf("%s at %s: %s", method, other, got)
			}
		}
	}
	var got string
	eventually(t, "the task has no result", func() bool {
		got = taskMethod(t, b.at("alpha"), "tasks/get", id, `"taskId":"`+id+`",`)
		return strings.Contains(got, "resource_link")
	})
	if !strings.Contains(got, `"ui://drawn/it.html"`) {
		t.Errorf("its result is %s", got)
	}
}

// What is known of a task that was cancelled depends on whether it waited for somebody.
func TestACancelledTaskSaysWhetherWhatItDidIsKnown(t *testing.T) {
	for rule, want := range map[permit.Rule]string{permit.Always: "", permit.Never: "The task was cancelled while it was being worked on: what of it was done is not known."} {
		server, begun := canvas(t, "canvas")
		server.Approve = rule
		h := newNode(t, parley.NewMemoryStore(), catalogue{server}, nil, nil)
		awaitUp(t, h, "canvas")
		var created, got struct {
			Result struct {
				TaskID  string         `json:"taskId"`
				Status  string         `json:"status"`
				Message string         `json:"statusMessage"`
				Asks    map[string]any `json:"inputRequests"`
			} `json:"result"`
		}
		if said := taskMethod(t, h.url, "tools/call", "canvas__draw", `"name":"canvas__draw","arguments":{},`); json.Unmarshal([]byte(said), &created) != nil || created.Result.TaskID == "" {
			t.Fatalf("%s: no task: %s", rule, said)
		}
		id := created.Result.TaskID
		eventually(t, "the task neither waits nor is worked on", func() bool {
			_ = json.Unmarshal([]byte(taskMethod(t, h.url, "tasks/get", id, `"taskId":"`+id+`",`)), &got)
			return len(got.Result.Asks) == 1 || begun.Load() == 1
		})
		taskMethod(t, h.url, "tasks/cancel", id, `"taskId":"`+id+`",`)
		if _ = json.Unmarshal([]byte(taskMethod(t, h.url, "tasks/get", id, `"taskId":"`+id+`",`)), &got); got.Result.Status != "cancelled" || got.Result.Message != want {
			t.Errorf("%s: %+v, want %q", rule, got, want)
		}
	}
}

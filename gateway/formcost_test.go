package gateway_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// booked is a store that takes down what is done to it for calls and questions.
type booked struct {
	*parley.MemoryStore

	mu   sync.Mutex
	done []string
}

func (b *booked) book(ctx context.Context, what, kind string, writes bool) {
	if kind != "question" && kind != "mcp.call" && kind != "gateway_call" {
		return
	}
	if writes && !parley.FlushesLater(ctx) {
		what += ", to the disk"
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.done = append(b.done, kind+" "+what)
}

// soFar is what was done, once nothing more comes.
func (b *booked) soFar() []string {
	for n := -1; ; {
		b.mu.Lock()
		all := slices.Clone(b.done)
		b.mu.Unlock()
		if len(all) == n {
			return all
		}
		n = len(all)
		time.Sleep(100 * time.Millisecond)
	}
}

func (b *booked) Put(ctx context.Context, r parley.Request, most int) error {
	b.book(ctx, "put", "question", true)
	return b.MemoryStore.Put(ctx, r, most)
}

func (b *booked) Get(ctx context.Context, id parley.ID) (parley.Request, error) {
	b.book(ctx, "get", "question", false)
	return b.MemoryStore.Get(ctx, id)
}

func (b *booked) Settle(ctx context.Context, id parley.ID, o parley.Outcome) error {
	b.book(ctx, "settle", "question", true)
	return b.MemoryStore.Settle(ctx, id, o)
}

func (b *booked) List(ctx context.Context, q parley.Query) ([]parley.Request, error) {
	if q.Session != "" || q.To != "" {
		b.book(ctx, "list", "question", false)
	}
	return b.MemoryStore.List(ctx, q)
}

func (b *booked) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	b.book(ctx, "load", at.Kind, false)
	return b.MemoryStore.Load(ctx, at)
}

func (b *booked) Save(ctx context.Context, r parley.Record) (int64, error) {
	b.book(ctx, "save", r.Kind, true)
	return b.MemoryStore.Save(ctx, r)
}

func (b *booked) Delete(ctx context.Context, at parley.Address, version int64) error {
	b.book(ctx, "delete", at.Kind, true)
	return b.MemoryStore.Delete(ctx, at, version)
}

func (b *booked) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	b.book(ctx, "scan", from.Kind, false)
	return b.MemoryStore.Scan(ctx, from, after, limit)
}

// What a form costs the store, for each pair of eras: nothing is written or read that no
// promise needs. What may not be done twice is looked for before it is sent, and where the
// server is called again with the answer, that is written down before.
func TestWhatAFormCostsTheStore(t *testing.T) {
	const look, note, put, settle, over = "mcp.call scan", "mcp.call save", "question put", "question settle, to the disk", "mcp.call delete"
	const suspend, claim, begin = "mcp.call save", "mcp.call save", "mcp.call save, to the disk"
	for _, one := range []struct {
		client, server, tool string
		want                 []string
	}{
		{legacy, legacy, "measure", []string{look, note, put, settle, over}},
		{legacy, modern, "measure", []string{look, note, put, settle, over}},
		{modern, legacy, "measure", []string{look, note, put, suspend, claim, settle, over}},
		{modern, modern, "measure", []string{look, note, put, suspend, claim, settle, over}},
		{legacy, legacy, "order", []string{look, look, note, put, settle, over}},
		{legacy, modern, "order", []string{look, look, note, put, settle, begin, over}},
		{modern, legacy, "order", []string{look, look, note, put, suspend, claim, settle, over}},
		{modern, modern, "order", []string{look, look, note, put, suspend, claim, settle, begin, over}},
	} {
		t.Run(one.client+" to "+one.server+" "+one.tool, func(t *testing.T) {
			s := newShop(t, one.server)
			s.AddTool(&mcp.Tool{Name: "measure", InputSchema: json.RawMessage(`{"type":"object"}`), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, s.ask("Which size?"))
			store := &booked{MemoryStore: parley.NewMemoryStore()}
			h := newNodeOn(t, store, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil, nil)
			v := visit(t, h.url, "alice", one.client, func(*mcp.ElicitParams) *mcp.ElicitResult {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"size": "L"}}
			})
			call := func() (done []string) {
				before := len(store.soFar())
				if text, err := v.call(t, "shop__"+one.tool, map[string]any{}); text != `accept {"size":"L"}` {
					t.Errorf("%q, %v", text, err)
				}
				return store.soFar()[before:]
			}
			call()        // whatever is made once is made now
			for range 3 { // where the machine is slow, more is written
				if done := call(); cmp.Diff(one.want, done) == "" {
					return
				}
			}
			if diff := cmp.Diff(one.want, call()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What is not over at once is written down for the other nodes: that this one has the call,
// and what its server said while nobody waited here.
func TestACallThatWaitsIsWrittenDownForOtherNodes(t *testing.T) {
	s := newShop(t, legacy)
	store := parley.NewMemoryStore()
	h := newNodeOn(t, store, catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}, nil, nil)
	records := func() int {
		found, err := store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "gateway_call"}, "", 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	asked := post(t, h.url, "alice", "shop__order", `{}`, "", "")
	eventually(t, "the call is written down", func() bool { return records() == 1 })
	open, err := h.hub.List(t.Context(), parley.Principal{User: "alice"}, parley.Query{Pending: true})
	if err != nil || len(open) != 1 {
		t.Fatalf("%d are open, %v", len(open), err)
	}
	if err := h.hub.Answer(t.Context(), parley.Principal{User: "alice"}, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"L"}`)}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "what the server said is written down", func() bool { return records() == 2 })
	if a := post(t, h.url, "alice", "shop__order", `{}`, asked.Result.State, ""); a.text() != `accept {"size":"L"}` {
		t.Errorf("%+v %+v", a, a.Error)
	}
	eventually(t, "what is over is gone", func() bool { return records() == 0 })
}

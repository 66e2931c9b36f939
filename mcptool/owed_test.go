package mcptool_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// broken are records of calls that fail on demand.
type broken struct {
	parley.Records
	down atomic.Bool
}

var errBroken = errors.New("dial tcp 10.1.2.3:6379: refused")

func (b *broken) Save(ctx context.Context, r parley.Record) (int64, error) {
	if b.down.Load() {
		return 0, errBroken
	}
	return b.Records.Save(ctx, r)
}

func (b *broken) Delete(ctx context.Context, at parley.Address, version int64) error {
	if b.down.Load() {
		return errBroken
	}
	return b.Records.Delete(ctx, at, version)
}

func (b *broken) journals(t *testing.T) int {
	t.Helper()
	found, err := b.Records.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "mcp.call"}, "", 0)
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

func newBroken(t *testing.T) (*site, *broken) {
	b := &broken{Records: parley.NewMemoryStore()}
	return newSite(t, mcptool.Options{Records: b}), b
}

// addCharge adds a tool that asks and then does work, which is told to do what
// happens beside it.
func addCharge(s *site, beside func()) *atomic.Int64 {
	charges := new(atomic.Int64)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "charge"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		if _, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil); err != nil {
			return "", err
		}
		return mcptool.Once(ctx, call, "charge", func(context.Context) (string, error) {
			charges.Add(1)
			beside()
			return "charged", nil
		})
	})
	return charges
}

func TestTheResultOfWorkIsReturnedThoughItCannotBeWritten(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		s, b := newBroken(t)
		charges := addCharge(s, func() { b.down.Store(true) })
		c := s.connect(t, clientOptions{era: era, user: "alice", person: accept(map[string]any{"confirmed": true})})
		if got := structured[string](t, call(t, c, "charge", nil)); got != "charged" {
			t.Errorf("got %q", got)
		}
		b.down.Store(false)
		// Its journal is still there, and the call is over all the same.
		if got := structured[string](t, call(t, c, "charge", nil)); got != "charged" || charges.Load() != 2 {
			t.Errorf("another call: %q after %d charges", got, charges.Load())
		}
	})
}

func TestWhatIsOwedIsWrittenByRun(t *testing.T) {
	s, b := newBroken(t)
	addCharge(s, func() { b.down.Store(true) })
	c := s.connect(t, clientOptions{era: modern, user: "alice", person: accept(map[string]any{"confirmed": true})})
	if got := structured[string](t, call(t, c, "charge", nil)); got != "charged" || b.journals(t) != 1 {
		t.Fatalf("%q; %d journals", got, b.journals(t))
	}
	b.down.Store(false)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.asker.Run(ctx) }()
	for b.journals(t) > 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	<-ended
}

// Run ends with its context, and writes before that what it can.
func TestWhatIsOwedIsWrittenWhenTheNodeStops(t *testing.T) {
	s, b := newBroken(t)
	addCharge(s, func() { b.down.Store(true) })
	c := s.connect(t, clientOptions{era: modern, user: "alice", person: accept(map[string]any{"confirmed": true})})
	_ = call(t, c, "charge", nil)
	b.down.Store(false)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_ = s.asker.Run(ctx)
	if n := b.journals(t); n > 0 {
		t.Errorf("%d journals are left", n)
	}
}

// The client of 2026-07-28 has its state, and the node forgot in the store alone
// that nobody works with it.
func TestAStateIsGoodThoughTheStoreWasAwayWhenItWasUsed(t *testing.T) {
	s, b := newBroken(t)
	charges := addCharge(s, func() {})
	c := s.connect(t, clientOptions{era: modern, user: "alice", manual: true, person: say("accept")})
	asked := call(t, c, "charge", nil)
	retry := &mcp.CallToolParams{Name: "charge", RequestState: asked.RequestState, InputResponses: mcp.InputResponseMap{
		"q1": &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}},
	}}
	// The work is not begun: that it is could not be written.
	b.Records = failAfter{b.Records, b, new(atomic.Int64)}
	result, err := c.CallTool(t.Context(), retry)
	if err != nil || !result.IsError || !strings.Contains(text(result), "send the same request again later") || charges.Load() != 0 {
		t.Fatalf("%+v, %v after %d charges", result, err, charges.Load())
	}
	b.down.Store(false)
	if result, err = c.CallTool(t.Context(), retry); err != nil || result.IsError || charges.Load() != 1 {
		t.Errorf("%+v, %v after %d charges", result, err, charges.Load())
	}
}

// failAfter is down from the second write on: the first one uses the state.
type failAfter struct {
	parley.Records
	of     *broken
	writes *atomic.Int64
}

func (f failAfter) Save(ctx context.Context, r parley.Record) (int64, error) {
	version, err := f.Records.Save(ctx, r)
	if f.writes.Add(1) == 1 {
		f.of.down.Store(true)
	}
	return version, err
}

// What is begun is begun until it is finished or taken back.
func TestWhatWasBegunIsNotBegunAgain(t *testing.T) {
	s, b := newBroken(t)
	var told []error
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "send"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		kept := call.Kept()
		b.down.Store(true)
		unwritten := call.Begin(ctx, "sent")
		b.down.Store(false)
		begunNot := call.Begun("sent")
		first, begun := call.Begin(ctx, "sent"), call.Begun("sent")
		second := call.Begin(ctx, "sent")
		call.Undo("sent")
		third := call.Begin(ctx, "sent")
		finished := call.Remember(ctx, "sent", true)
		told = append(told, first, third, finished)
		if kept || begunNot || !begun || call.Begun("sent") || unwritten == nil || !errors.Is(second, mcptool.ErrInterrupted) || !call.Kept() {
			t.Errorf("kept %t, begun %t and %t: %v, %v", kept, begunNot, begun, unwritten, second)
		}
		return "", errors.Join(told...)
	})
	if r := call(t, s.connect(t, clientOptions{era: modern, user: "alice"}), "send", nil); r.IsError {
		t.Errorf("%s", text(r))
	}
}

func TestAnEarlierCallIsKnownByWhoMadeItAndWhat(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addCharge(s, func() {})
	c := s.connect(t, clientOptions{era: modern, user: "alice", manual: true, person: say("accept")})
	_ = call(t, c, "charge", map[string]any{})
	who := func(user string) parley.Principal { return parley.Principal{Tenant: parley.DefaultTenant, User: user} }
	for _, q := range []struct {
		who       parley.Principal
		tool      string
		arguments string
		want      bool
	}{
		{who("alice"), "charge", `{}`, true}, {who("alice"), "charge", ``, true}, {who("alice"), "charge", `{"a":1}`, false},
		{who("alice"), "other", `{}`, false}, {who("bob"), "charge", `{}`, false}, {who(""), "charge", `{}`, false},
	} {
		if got, err := s.asker.Earlier(t.Context(), q.who, q.tool, json.RawMessage(q.arguments)); got != q.want || err != nil {
			t.Errorf("%+v: %t, %v", q, got, err)
		}
	}
}

// A store that hangs is waited for a second, and another when the call is over.
func TestAStoreThatHangsDoesNotHoldAResult(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &hanging{Records: parley.NewMemoryStore()}
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{Logger: quiet})
		asker := newAsker(t, hub, &mcptool.Options{Records: store, Logger: quiet})
		server := mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		mcptool.AddTool(asker, server, &mcp.Tool{Name: "work"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
			return mcptool.Once(ctx, call, "work", func(context.Context) (string, error) {
				store.hangs.Store(true)
				return "done", nil
			})
		})
		here, there := mcp.NewInMemoryTransports()
		session, err := server.Connect(t.Context(), there, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		c, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(t.Context(), here, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		began := time.Now()
		if got := structured[string](t, call(t, c, "work", nil)); got != "done" || time.Since(began) > 2*time.Second {
			t.Errorf("%q after %v", got, time.Since(began))
		}
	})
}

type hanging struct {
	parley.Records
	hangs atomic.Bool
}

func (h *hanging) wait(ctx context.Context) error {
	if !h.hangs.Load() {
		return nil
	}
	<-ctx.Done()
	return ctx.Err()
}

func (h *hanging) Save(ctx context.Context, r parley.Record) (int64, error) {
	if err := h.wait(ctx); err != nil {
		return 0, err
	}
	return h.Records.Save(ctx, r)
}

func (h *hanging) Delete(ctx context.Context, at parley.Address, version int64) error {
	if err := h.wait(ctx); err != nil {
		return err
	}
	return h.Records.Delete(ctx, at, version)
}

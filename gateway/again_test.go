package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// giveUp makes a call and gives it up when told. It returns when the gateway has
// written that down.
func giveUp(t *testing.T, h *house, v *visitor, when <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = v.CallTool(ctx, &mcp.CallToolParams{Name: "shop__pay", Arguments: map[string]any{}})
	}()
	<-when
	before := journals(t, h)
	cancel()
	<-gone
	eventually(t, "the gateway writes that the client has gone", func() bool { return journals(t, h) != before })
}

// journals says how the journals stand.
func journals(t *testing.T, h *house) (all string) {
	t.Helper()
	found, err := h.store.Scan(t.Context(), parley.Address{Tenant: parley.DefaultTenant, Kind: "mcp.call"}, "", 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range found {
		all += fmt.Sprint(r.Key, " ", r.Version, "\n")
	}
	return all
}

func TestACallThatWasGivenUpWhileItsServerWorksIsNotMadeAgain(t *testing.T) {
	for user, is := range map[string]struct {
		auth    func(*gateway.Options)
		clients []string
	}{
		"alice": {nil, []string{legacy, modern}},
		// An anonymous caller of 2026-07-28 has no session: nothing says that two calls are of one.
		"": {func(o *gateway.Options) { o.Verify, o.Anonymous = nil, true }, []string{legacy}},
	} {
		t.Run("user "+user, func(t *testing.T) {
			eachServer(t, is.clients, func(t *testing.T, client, server string) {
				working, goOn := make(chan struct{}), make(chan struct{})
				s := &bank{era: server, asks: true}
				s.end = func(w http.ResponseWriter, id json.RawMessage) {
					if s.done.Load() == 1 {
						close(working)
						<-goOn
					}
					tell(w, id, paid)
				}
				h := newHouse(t, catalogue{shopAt(serve(t, s))}, is.auth)
				v := visit(t, h.url, user, client, agreeing)
				giveUp(t, h, v, working)
				again := make(chan string, 1)
				go func() { again <- says(v.call(t, "shop__pay", map[string]any{})) }()
				<-held(t, goOn)
				if got := <-again; got != "paid" {
					t.Errorf("%q", got)
				}
				if s.calls.Load() != 1 || s.done.Load() != 1 || len(v.questions()) != 1 {
					t.Errorf("%d calls, %d carried out, asked %q", s.calls.Load(), s.done.Load(), v.questions())
				}
			})
		})
	}
}

// held lets the server go on when the same call had the time to be made.
func held(t *testing.T, goOn chan struct{}) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case <-t.Context().Done():
		case <-time.After(50 * time.Millisecond):
			close(goOn)
		}
	}()
	return done
}

// The person gives the answer on another surface, after the client went.
func TestACallThatWasAnsweredMeanwhileIsNotMadeAgain(t *testing.T) {
	for _, server := range []string{legacy, modern} {
		t.Run(server, func(t *testing.T) {
			s := &bank{era: server, asks: true}
			h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
			shown, never := make(chan struct{}), make(chan struct{})
			defer close(never)
			v := visit(t, h.url, "alice", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
				close(shown)
				<-never
				return &mcp.ElicitResult{Action: "cancel"}
			})
			giveUp(t, h, v, shown)
			alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
			open, err := h.hub.List(t.Context(), alice, parley.Query{Pending: true, Limit: 10})
			if err != nil || len(open) != 1 {
				t.Fatalf("%d questions, %v", len(open), err)
			}
			if err := h.hub.Answer(t.Context(), alice, open[0].ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"size":"S"}`), Via: "page"}); err != nil {
				t.Fatal(err)
			}
			for _, client := range []string{modern, legacy} { // the second time it is another call
				v := visit(t, h.url, "alice", client, agreeing)
				if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" {
					t.Errorf("%q, %v", text, err)
				}
				if want := map[string]int64{modern: 1, legacy: 2}[client]; s.calls.Load() != want || s.done.Load() != want {
					t.Errorf("%d calls, %d carried out; want %d", s.calls.Load(), s.done.Load(), want)
				}
			}
		})
	}
}

// A node dies at once: nothing that it does then reaches the store.
func TestACallThatWasLostWithItsNodeIsNotSentAgain(t *testing.T) {
	for what, c := range map[string]struct {
		asks   bool
		rule   permit.Rule
		person func(*mcp.ElicitParams) *mcp.ElicitResult
	}{
		"asked":    {true, permit.Never, agreeing},
		"approved": {false, permit.Always, agreeing},
		"allowed":  {false, permit.Always, nil},
	} {
		t.Run(what, func(t *testing.T) {
			eachEra(t, func(t *testing.T, client, server string) {
				working := make(chan struct{})
				s := &bank{era: server, asks: c.asks}
				s.end = func(w http.ResponseWriter, id json.RawMessage) {
					if s.done.Load() == 1 {
						close(working)
						<-t.Context().Done()
					}
					tell(w, id, paid)
				}
				servers := catalogue{{Name: "shop", URL: serve(t, s), Approve: c.rule}}
				store := parley.NewMemoryStore()
				allow := func(o *gateway.Options) { o.Fallback, o.Approvals = "allow", "allow" }
				t.Run("on a node that dies", func(t *testing.T) {
					dying := &outage{everything: store}
					a := newNodeOn(t, dying, servers, nil, allow)
					v := visit(t, a.url, "alice", client, c.person)
					ended := make(chan string, 1)
					go func() { ended <- says(v.call(t, "shop__pay", map[string]any{})) }()
					select {
					case <-working:
					case told := <-ended:
						t.Fatalf("the server was not called: %s", told)
					}
					dying.is.Store(down)
					_ = a.Close()
				})
				lapse(t, store)
				b := newNode(t, store, servers, nil, allow)
				v := visit(t, b.url, "alice", client, c.person)
				text, err := v.call(t, "shop__pay", map[string]any{})
				if err != nil || !strings.HasPrefix(text, "ERROR ") || !strings.Contains(text, "not known. "+unknown) || s.calls.Load() != 1 || s.done.Load() != 1 {
					t.Errorf("%q, %v; %d calls, %d carried out", text, err, s.calls.Load(), s.done.Load())
				}
				if asked := v.questions(); len(asked) > 0 {
					t.Errorf("asked %q", asked)
				}
				// Whoever was told so may call it again.
				if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" || s.calls.Load() != 2 {
					t.Errorf("the next call: %q, %v; %d calls", text, err, s.calls.Load())
				}
			})
		})
	}
}

// The person has not answered when the node dies: an answer would reach nobody, so
// they are not asked for one.
func TestAQuestionWhoseNodeDiedIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	s := &bank{era: legacy, asks: true}
	servers := catalogue{shopAt(serve(t, s))}
	store := parley.NewMemoryStore()
	t.Run("on a node that dies", func(t *testing.T) {
		dying := &outage{everything: store}
		a := newNodeOn(t, dying, servers, nil, nil)
		shown := make(chan struct{})
		v := visit(t, a.url, "alice", legacy, func(*mcp.ElicitParams) *mcp.ElicitResult {
			close(shown)
			<-t.Context().Done()
			return &mcp.ElicitResult{Action: "cancel"}
		})
		go func() {
			_, _ = v.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__pay", Arguments: map[string]any{}})
		}()
		<-shown
		dying.is.Store(down)
		_ = a.Close()
	})
	lapse(t, store)
	b := newNode(t, store, servers, nil, nil)
	v := visit(t, b.url, "alice", legacy, agreeing)
	text, err := v.call(t, "shop__pay", map[string]any{})
	if err != nil || !strings.Contains(text, "not known. "+unknown) || s.calls.Load() != 1 || len(v.questions()) > 0 {
		t.Errorf("%q, %v; %d calls, asked %q", text, err, s.calls.Load(), v.questions())
	}
	open, err := b.hub.List(t.Context(), parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}, parley.Query{Pending: true, Limit: 10})
	if err != nil || len(open) > 0 {
		t.Errorf("%d questions stay open, %v", len(open), err)
	}
}

// A server works for a client that has gone, on one node, and the same call comes
// to another.
func TestACallThatAnotherNodeWorksOnIsWaitedFor(t *testing.T) {
	eachEra(t, func(t *testing.T, client, server string) {
		working, goOn := make(chan struct{}), make(chan struct{})
		s := &bank{era: server, asks: true, end: func(w http.ResponseWriter, id json.RawMessage) {
			close(working)
			<-goOn
			tell(w, id, paid)
		}}
		servers, store := catalogue{shopAt(serve(t, s))}, parley.NewMemoryStore()
		a, b := newNode(t, store, servers, nil, nil), newNode(t, store, servers, nil, nil)
		giveUp(t, a, visit(t, a.url, "alice", client, agreeing), working)
		v := visit(t, b.url, "alice", client, agreeing)
		again := make(chan string, 1)
		go func() { again <- says(v.call(t, "shop__pay", map[string]any{})) }()
		<-held(t, goOn)
		if got := <-again; got != "paid" || s.calls.Load() != 1 || s.done.Load() != 1 || len(v.questions()) > 0 {
			t.Errorf("%q; %d calls, %d carried out, asked %q", got, s.calls.Load(), s.done.Load(), v.questions())
		}
	})
}

// tally counts what is done to records, but for those of nodes.
type tally struct {
	parley.Records
	looks, writes atomic.Int64
}

func (l *tally) Save(ctx context.Context, r parley.Record) (int64, error) {
	if r.Kind != "mcp.node" {
		l.writes.Add(1)
	}
	return l.Records.Save(ctx, r)
}

func (l *tally) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	l.looks.Add(1)
	return l.Records.Scan(ctx, from, after, limit)
}

// What nobody is asked about costs no write, and a look only where a second call
// might do harm and somebody is known to make it.
func TestACallThatNobodyIsAskedAboutIsNotWrittenDown(t *testing.T) {
	for hint, looks := range map[string]int64{`"readOnlyHint":true`: 0, `"idempotentHint":true`: 0, "": 1} {
		for user, auth := range map[string]func(*gateway.Options){"alice": nil, "": func(o *gateway.Options) { o.Verify, o.Anonymous = nil, true }} {
			t.Run(fmt.Sprintf("%s user %q", hint, user), func(t *testing.T) {
				eachEra(t, func(t *testing.T, client, server string) {
					s, l := &bank{era: server, hint: hint}, &tally{}
					h := newHouse(t, catalogue{shopAt(serve(t, s))}, func(o *gateway.Options) {
						if auth != nil {
							auth(o)
						}
						l.Records = parley.NewMemoryStore()
						o.Records = l
					})
					v := visit(t, h.url, user, client, agreeing)
					toolNames(t, v)
					l.looks.Store(0)
					l.writes.Store(0)
					if text, err := v.call(t, "shop__pay", map[string]any{}); text != "paid" {
						t.Fatalf("%q, %v", text, err)
					}
					want := looks
					if user == "" {
						want = 0
					}
					if l.looks.Load() != want || l.writes.Load() != 0 {
						t.Errorf("%d looks, want %d; %d writes", l.looks.Load(), want, l.writes.Load())
					}
				})
			})
		}
	}
}

// A server refuses until a page was visited, and dies with its node when it no
// longer does: it is not known whether it had carried out the call.
func TestACallAfterAVisitThatWasLostWithItsNodeIsNotSentAgain(t *testing.T) {
	for _, client := range []string{legacy, modern} {
		t.Run(client, func(t *testing.T) {
			working := make(chan struct{})
			s := &bank{era: legacy}
			s.end = func(w http.ResponseWriter, id json.RawMessage) {
				switch s.done.Load() {
				case 1:
					fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"log in","data":{"elicitations":[{"mode":"url","message":"Log in","url":"https://shop.example/in","elicitationId":"e"}]}}}`, id)
				case 2:
					close(working)
					<-t.Context().Done()
				default:
					tell(w, id, paid)
				}
			}
			servers := catalogue{shopAt(serve(t, s))}
			store := parley.NewMemoryStore()
			t.Run("on a node that dies", func(t *testing.T) {
				dying := &outage{everything: store}
				a := newNodeOn(t, dying, servers, nil, nil)
				v := visit(t, a.url, "alice", client, agreeing)
				go func() {
					_, _ = v.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__pay", Arguments: map[string]any{}})
				}()
				<-working
				dying.is.Store(down)
				_ = a.Close()
			})
			lapse(t, store)
			b := newNode(t, store, servers, nil, nil)
			text, err := visit(t, b.url, "alice", client, agreeing).call(t, "shop__pay", map[string]any{})
			if err != nil || !strings.Contains(text, "not known. "+unknown) || s.calls.Load() != 2 {
				t.Errorf("%q, %v; %d calls", text, err, s.calls.Load())
			}
		})
	}
}

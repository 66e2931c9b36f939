package mcptool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/redisstore"
	"github.com/parley-hq/parley/storetest"
)

// node is a site that others on the same store know and reach.
type node struct {
	*site
	kill func() // its connections break, and nothing of it goes on
}

func newNode(t *testing.T, store *parley.MemoryStore, hubOptions parley.Options, opts mcptool.Options) *node {
	t.Helper()
	hubOptions.Logger, opts.Logger = quiet, quiet
	n := &node{site: &site{store: store, hub: parley.New(store, &hubOptions)}}
	n.http = httptest.NewUnstartedServer(nil)
	opts.URL = "http://" + n.http.Listener.Addr().String()
	n.asker = newAsker(t, n.hub, &opts)
	n.server = mcp.NewServer(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	handler := mcphttp.New(n.asker, n.server, nil)
	verify := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(handler)
	n.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			verify.ServeHTTP(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	})
	n.http.Start()
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { _ = n.hub.Run(ctx) })
	wg.Go(func() { _ = n.asker.Run(ctx) })
	for !n.asker.Node().Running() { // before that it forwards nothing
		time.Sleep(time.Millisecond)
	}
	n.kill = sync.OnceFunc(func() {
		cancel()
		wg.Wait()
		n.http.CloseClientConnections()
		n.http.Close()
	})
	t.Cleanup(n.kill)
	return n
}

// pair starts two nodes on one store.
func pair(t *testing.T, opts mcptool.Options) (nodes [2]*node) {
	store := parley.NewMemoryStore()
	for i := range nodes {
		nodes[i] = newNode(t, store, parley.Options{}, opts)
	}
	return nodes
}

// atOnce runs n functions at the same time and returns when all have.
func atOnce(n int, f func(i int)) {
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-begin
			f(i)
		})
	}
	close(begin)
	wg.Wait()
}

const yes = `{"action":"accept","content":{"confirmed":true}}`

// The next question of a session is asked while the answer to the last one is
// still being cleaned up.
func TestEveryAnswerThatIsTakenByTheOtherNodeArrives(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	for _, n := range nodes {
		addDelete(n.site, nil)
	}
	atOnce(16, func(i int) {
		here, there := nodes[i%2], nodes[1-i%2]
		w := here.dial(t, &wire{capabilities: canAsk})
		for n := range 20 {
			x := w.call("delete-account", fmt.Sprintf(`{"userId":"%d-%d"}`, i, n))
			id, shown := x.question()
			if status := w.through(there).answer(id, yes); status != http.StatusAccepted {
				t.Errorf("session %d: answer %d: status %d", i, n, status)
			}
			got := structured[deleted](t, x.result())
			if !got.Confirmed || shown.Message != fmt.Sprintf("Delete account %d-%d?", i, n) {
				t.Errorf("session %d: call %d: asked %q, got %+v", i, n, shown.Message, got)
			}
		}
	})
}

func TestEveryAnswerGivenAtTheOtherNodesHubArrives(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	for _, n := range nodes {
		addConnect(n.site, nil)
	}
	atOnce(16, func(i int) {
		here, there := nodes[i%2], nodes[1-i%2]
		w := here.dial(t, &wire{capabilities: canAsk, user: fmt.Sprint("user", i)})
		for range 20 {
			x := w.call("connect", "")
			id, shown := x.question()
			w.answer(id, `{"action":"accept"}`)
			err := there.hub.Answer(t.Context(), parley.Principal{User: w.user}, parley.ID(shown.ElicitationID), parley.Answer{Action: parley.Accept, Via: "page"})
			if err != nil {
				t.Errorf("%s: %v", w.user, err)
			}
			if got := structured[string](t, x.result()); got != "accept" {
				t.Errorf("%s: got %q", w.user, got)
			}
		}
	})
}

func TestARetryIsServedByTheOtherNode(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	for _, n := range nodes {
		addDelete(n.site, nil)
	}
	atOnce(16, func(i int) {
		here, there := nodes[i%2], nodes[1-i%2]
		w := here.dial(t, &wire{era: modern, capabilities: canAsk, user: fmt.Sprint("user", i)})
		for range 5 {
			first := w.call("delete-account", `{"userId":"7"}`).result()
			x := w.through(there).begin("tools/call", map[string]any{
				"name": "delete-account", "arguments": account{"7"}, "requestState": first.RequestState,
				"inputResponses": map[string]any{"q1": json.RawMessage(yes)},
			})
			if got := structured[deleted](t, x.result()); !got.Confirmed {
				t.Errorf("%s: got %+v", w.user, got)
			}
		}
	})
}

func TestOneAnswerThroughTheOtherNodeApprovesOneCall(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	addDelete(nodes[0].site, nil)
	for _, user := range []string{"", "alice"} {
		w := nodes[0].dial(t, &wire{capabilities: canAsk, user: user})
		first, second := w.call("delete-account", `{"userId":"7"}`), w.call("delete-account", `{"userId":"7"}`)
		a, _ := first.question()
		b, _ := second.question()
		w.through(nodes[1]).answer(a, yes)
		if got := structured[deleted](t, first.result()); !got.Confirmed {
			t.Errorf("got %+v", got)
		}
		if open := openQuestions(t, nodes[0].site); len(open) != 1 {
			t.Errorf("%d questions are open, want that of the other call", len(open))
		}
		w.through(nodes[1]).answer(b, `{"action":"decline"}`)
		if got := structured[deleted](t, second.result()); got.Status != "decline" {
			t.Errorf("the second call got %+v", got)
		}
	}
}

func TestTheTimeOutOfOneCallLeavesTheOthersQuestion(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	for _, n := range nodes {
		addPatient(n.site)
	}
	w := nodes[0].dial(t, &wire{capabilities: canAsk, user: "alice"})
	short, long := w.call("patient", `{"ttl":20}`), w.call("patient", `{"ttl":60000}`)
	id, _ := long.question()
	if r := short.result(); r.Meta["code"] != mcptool.TimeoutCode {
		t.Errorf("the short one: %q", text(r))
	}
	w.through(nodes[1]).answer(id, yes)
	if got := structured[string](t, long.result()); got != "accept" {
		t.Errorf("the long one: %q", got)
	}
}

// addPatient adds a tool whose question is open for as long as it is told.
func addPatient(s *site) {
	type patience struct {
		TTL int `json:"ttl"` // in milliseconds
	}
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "patient"}, func(ctx context.Context, call *mcptool.Call, in patience) (string, error) {
		answer, err := mcptool.Elicit[confirm](ctx, call, "Sure?", &mcptool.ElicitOptions{TTL: time.Duration(in.TTL) * time.Millisecond})
		return string(answer.Action), err
	})
}

func TestTheFirstQuestionsAfterAStartAreAnswered(t *testing.T) {
	for range 3 {
		nodes := pair(t, mcptool.Options{})
		for _, n := range nodes {
			addDelete(n.site, nil)
		}
		atOnce(64, func(i int) {
			w := nodes[i%2].dial(t, &wire{capabilities: canAsk})
			x := w.call("delete-account", `{"userId":"7"}`)
			id, _ := x.question()
			if status := w.through(nodes[1-i%2]).answer(id, yes); status != http.StatusAccepted {
				t.Errorf("answer %d: status %d", i, status)
				return
			}
			if got := structured[deleted](t, x.result()); !got.Confirmed {
				t.Errorf("call %d got %+v", i, got)
			}
		})
	}
}

func TestOfTwoSubmissionsAtOnceOneContinuesTheTool(t *testing.T) {
	nodes := pair(t, mcptool.Options{Fallback: mcptool.Model})
	var charges [2]*atomic.Int64
	for i, n := range nodes {
		charges[i] = addWizard(n.site)
	}
	for _, era := range []string{legacy, modern} {
		before := charges[0].Load() + charges[1].Load()
		atOnce(30, func(i int) {
			w := nodes[0].dial(t, &wire{era: era, user: fmt.Sprint(era, i)})
			p := pendingOf(t, w.call("wizard", "").result())
			var next [2]string
			atOnce(2, func(j int) {
				arguments := fmt.Sprintf(`{"elicitId":%q,"action":"accept","content":{"name":"Ada"}}`, p.ElicitID)
				if r := w.through(nodes[j]).call("sendElicitationResult", arguments).result(); !r.IsError {
					next[j] = pendingOf(t, r).ElicitID
				}
			})
			// The other one is the same answer again: it is told what comes next as
			// well, or that the call goes on just now.
			if next[0] == "" && next[1] == "" || next[0] != "" && next[1] != "" && next[0] != next[1] {
				t.Errorf("%s: %s: the next questions are %q", era, w.user, next)
			}
		})
		if n := charges[0].Load() + charges[1].Load() - before; n != 30 {
			t.Errorf("%s: charged %d times for 30 calls", era, n)
		}
	}
}

func TestAStoreThatIsNotThereIsAnErrorAndNobodyIsAsked(t *testing.T) {
	if _, err := redisstore.Open(t.Context(), "redis://127.0.0.1:1", nil); err == nil {
		t.Error("a Redis that is not there was opened")
	}
	always := storetest.Fault{Before: 1}
	broken := storetest.Faulty(parley.NewMemoryStore(), storetest.Faults{Put: always, Get: always, Load: always, Save: always, Scan: always})
	hub := parley.New(broken, &parley.Options{Logger: quiet, Patience: time.Millisecond})
	s := newSite(t, mcptool.Options{})
	asker := newAsker(t, hub, &mcptool.Options{Logger: quiet})
	went := false
	mcptool.AddTool(asker, s.server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		_, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
		went = err == nil
		return "", err
	})
	for _, era := range eras {
		c := s.connect(t, clientOptions{era: era, person: func(context.Context, *mcp.ElicitParams) (*mcp.ElicitResult, error) {
			t.Error("the person was asked a question that is stored nowhere")
			return &mcp.ElicitResult{Action: "accept"}, nil
		}})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "ask"})
		if err == nil && !r.IsError || went {
			t.Errorf("%s: the tool went on: %+v, %v", era, r, err)
		}
		// One that goes on with a call has a requestState, which may be good yet.
		if err == nil && !strings.Contains(text(r), "send the same request again later") {
			t.Errorf("%s: %q", era, text(r))
		}
	}
}

func TestAnAnswerForADeadNodeIsNotTakenAndTheQuestionIsNotLost(t *testing.T) {
	nodes := pair(t, mcptool.Options{})
	for _, n := range nodes {
		addDelete(n.site, nil)
	}
	lost := nodes[0].dial(t, &wire{capabilities: canAsk, user: "alice"})
	x := lost.call("delete-account", `{"userId":"7"}`)
	id, _ := x.question()
	open := openQuestions(t, nodes[1].site)
	nodes[0].kill()
	if status := lost.through(nodes[1]).answer(id, yes); status != http.StatusNotFound {
		t.Errorf("the answer was acknowledged with %d, and nobody will have it", status)
	}
	again := nodes[1].dial(t, &wire{capabilities: canAsk, user: "alice"}).call("delete-account", `{"userId":"7"}`)
	id, _ = again.question()
	if now := openQuestions(t, nodes[1].site); len(open) != 1 || len(now) != 1 || now[0].ID != open[0].ID {
		t.Errorf("asked again with another question: %v, then %v", open, now)
	}
	again.wire.answer(id, yes)
	if got := structured[deleted](t, again.result()); !got.Confirmed {
		t.Errorf("got %+v", got)
	}
}

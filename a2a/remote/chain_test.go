package remote_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/a2a/remote"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/seal"
)

// bearer sends a token with every request.
type bearer struct{ next http.RoundTripper }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer alice")
	return b.next.RoundTrip(r)
}

// site is one of ours that serves its agents by A2A, and has agents elsewhere.
type site struct {
	url string
	hub *parley.Hub
	rt  *agent.Runtime
}

// openSite starts a site where web is, whose agents are elsewhere: by name, where.
func openSite(t *testing.T, web *httptest.Server, own []*agent.Agent, elsewhere map[string]string) *site {
	t.Helper()
	s := &site{url: web.URL}
	store := parley.NewMemoryStore()
	// All have the same secret: their addresses tell them apart.
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	s.hub = parley.New(store, &parley.Options{Logger: quiet, AllowHTTP: true, Hooks: []parley.Hook{
		parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error { return s.rt.Settled(ctx, a) }),
	}})
	transport := &http.Transport{}
	for name, where := range elsewhere {
		there, err := remote.New(&remote.Options{
			Name: name, Title: strings.ToUpper(name), URL: where, Hub: s.hub, Records: store, Base: bearer{transport}, Cards: transport, PublicURL: web.URL, Logger: quiet,
			Access: open{bearer{transport}},
		})
		if err != nil {
			t.Fatal(err)
		}
		own = append(own, there.Agent())
	}
	if s.rt, err = agent.New(s.hub, store, keys, &agent.Options{Agents: own, Site: web.URL, Logger: quiet}); err != nil {
		t.Fatal(err)
	}
	agents, err := a2a.New(s.rt, s.hub, store, &a2a.Options{PublicURL: web.URL, Logger: quiet, Principal: func(*http.Request) (parley.Principal, error) { return alice, nil }})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle(a2a.Path, agents)
	mux.Handle(a2a.PathBelow, agents)
	web.Config.Handler = mux
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = s.hub.Run(ctx) })
	all.Go(func() { _ = s.rt.Run(ctx) })
	all.Go(func() { _ = agents.Run(ctx) })
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		stop()
		all.Wait()
		transport.CloseIdleConnections()
	})
	return s
}

// open is an access that everybody has.
type open struct{ way http.RoundTripper }

func (open) Enter(context.Context, *agent.Invocation, bool) error { return nil }
func (o open) Transport(agent.Caller) http.RoundTripper           { return o.way }

// says starts a run and returns how it ended, and with which words.
func (s *site) says(t *testing.T, name, text string) string {
	t.Helper()
	ref, err := s.rt.Start(t.Context(), alice, agent.Message{Agent: name, Conversation: "c", Text: text, CanAsk: true})
	if err != nil {
		t.Fatal(err)
	}
	return (&node{Runtime: s.rt, t: t, hub: s.hub}).reply(ref)
}

// begun is how many runs an agent began for others.
func (s *site) begun(t *testing.T, name string) int {
	t.Helper()
	web := &http.Client{Transport: bearer{http.DefaultTransport}}
	defer web.CloseIdleConnections()
	var list struct {
		Result struct{ Tasks []json.RawMessage }
	}
	if err := json.Unmarshal([]byte(askRPC(t, web, s.url+"/a2a/"+name, "ListTasks", map[string]any{"pageSize": 100})), &list); err != nil {
		t.Fatal(err)
	}
	return len(list.Result.Tasks)
}

// Two sites that point at each other do not send a task round and round.
func TestATaskThatComesBackIsRefusedWhereItBegan(t *testing.T) {
	one, two := httptest.NewServer(nil), httptest.NewServer(nil)
	first := openSite(t, one, nil, map[string]string{"loop": two.URL + "/a2a/loop"})
	second := openSite(t, two, nil, map[string]string{"loop": one.URL + "/a2a/loop"})
	got := first.says(t, "loop", "Go round.")
	if !strings.Contains(got, "this task has come back to an agent that it came through") || !strings.HasPrefix(got, "LOOP could not do it.") {
		t.Error(got)
	}
	if at, there := first.begun(t, "loop"), second.begun(t, "loop"); at != 0 || there != 1 {
		t.Errorf("%d tasks were begun here and %d there", at, there)
	}
}

// An agent that delegates is in the chain too: what it delegated does not come back to it.
func TestAnAgentThatDelegatesIsInTheChain(t *testing.T) {
	one, two := httptest.NewServer(nil), httptest.NewServer(nil)
	first := openSite(t, one, []*agent.Agent{{Name: "helper", Model: asked{}, Delegates: []string{"desk"}}}, map[string]string{"desk": two.URL + "/a2a/loop"})
	openSite(t, two, nil, map[string]string{"loop": one.URL + "/a2a/helper"})
	if got := first.says(t, "helper", "Go round."); !strings.Contains(got, "this task has come back") {
		t.Error(got)
	}
	if n := first.begun(t, "helper"); n != 0 {
		t.Errorf("it began %d tasks for the other site", n)
	}
}

// A site may be asked for another of its agents.
func TestAnotherAgentOfTheSameSiteIsNoLoop(t *testing.T) {
	one, two := httptest.NewServer(nil), httptest.NewServer(nil)
	clock := &agent.Agent{Name: "clock", Model: sentence("It is noon.")}
	first := openSite(t, one, []*agent.Agent{clock}, map[string]string{"desk": two.URL + "/a2a/clock"})
	openSite(t, two, nil, map[string]string{"clock": one.URL + "/a2a/clock"})
	if got := first.says(t, "desk", "What time is it?"); got != "It is noon. done" {
		t.Error(got)
	}
}

// sentence is a model with one.
type sentence string

func (s sentence) Generate(_ context.Context, _ agent.Prompt, emit func(string)) (agent.Reply, error) {
	emit(string(s))
	return agent.Reply{Text: string(s)}, nil
}

// The names in a chain say nothing of the site, and its length is bounded before
// anything is sent.
func TestAChainIsOpaqueAndBounded(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(wire.Event)) { done(ec, emit, "ok") }
		n := newWorld(t, d).node()
		n.reply(n.say("Book a trip."))
		chain, err := elicitation.Chain(d.got()[0])
		if err != nil || !slices.Equal(chain, []string{n.ChainName("helper"), n.ChainName("desk")}) {
			t.Errorf("%v %v", chain, err)
		}
		long := make([]string, elicitation.MaxChain-2)
		for i := range long {
			long[i] = "x"
		}
		ref, err := n.Start(t.Context(), alice, agent.Message{Agent: "helper", Conversation: "d", Text: "Again.", Chain: long})
		if err != nil {
			t.Fatal(err)
		}
		if got := n.reply(ref); !strings.Contains(got, "desk was not given the task: it has come through 12 agents already") {
			t.Error(got)
		}
		d.one()
	})
}

// askRPC makes a call of JSON-RPC, and returns what is answered.
func askRPC(t *testing.T, web *http.Client, url, method string, params any) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("A2A-Version", "1.0")
	resp, err := web.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

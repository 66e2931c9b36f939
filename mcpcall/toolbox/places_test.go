package toolbox_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/mcpclient"
)

// caller is somebody with an agent.
func caller(user, name string) agent.Caller {
	return agent.Caller{Principal: parley.Principal{Tenant: "default", User: user}, Agent: name, CanAsk: true}
}

// plain makes a call that asks nothing.
func plain(t *testing.T, b *toolbox.Box, who agent.Caller) (agent.Result, error) {
	t.Helper()
	return b.Call(t.Context(), &agent.Invocation{Caller: who, ID: "1", Tool: agent.Tool{Name: "plain"}, Args: json.RawMessage(`{}`)})
}

// hold keeps so many calls open that ask a question each.
func hold(t *testing.T, b *toolbox.Box, n int, who agent.Caller) (release func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	asked := make(chan struct{}, n)
	var calls sync.WaitGroup
	for range n {
		calls.Go(func() {
			_, _ = b.Call(ctx, &agent.Invocation{
				Caller: who, ID: "1", Tool: agent.Tool{Name: "any"}, Args: json.RawMessage(`{}`),
				Ask: func(ctx context.Context, _ string, _ parley.Request) (parley.Outcome, error) {
					asked <- struct{}{}
					<-ctx.Done()
					return parley.Outcome{}, ctx.Err()
				},
			})
		})
	}
	for range n {
		<-asked
	}
	return func() {
		cancel()
		calls.Wait()
	}
}

func TestAPersonHasFewProgramsAtATime(t *testing.T) {
	opts := program(t, "legacy asking")
	b := newBox(t, opts)
	release := hold(t, b, 4, caller("alice", "helper"))
	for _, agent := range []string{"helper", "another"} { // her agents count together
		_, err := plain(t, b, caller("alice", agent))
		refused(t, err, "this user has 4 calls of it under way already")
	}
	if _, err := b.Tools(t.Context(), caller("alice", "helper")); err == nil {
		t.Error("a fifth program was started for a list")
	}
	if result, err := plain(t, b, caller("bob", "helper")); err != nil || result.Text != "plain" {
		t.Errorf("somebody else: %+v, %v", result, err)
	}
	release()
	if result, err := plain(t, b, caller("alice", "helper")); err != nil || result.Text != "plain" {
		t.Errorf("afterwards: %+v, %v", result, err)
	}
}

func TestAllPeopleTogetherHaveABoundedNumberOfPrograms(t *testing.T) {
	opts := program(t, "legacy asking")
	opts.InAll = 2
	b := newBox(t, opts)
	release := hold(t, b, 1, caller("alice", "helper"))
	if _, err := plain(t, b, caller("bob", "helper")); err != nil {
		t.Error(err)
	}
	// Bob's is idle: it makes room.
	releaseCarol := hold(t, b, 1, caller("carol", "helper"))
	_, err := plain(t, b, caller("bob", "helper"))
	refused(t, err, "too many others use it")
	release()
	releaseCarol()
	if _, err := plain(t, b, caller("bob", "helper")); err != nil {
		t.Error(err)
	}
}

func TestCallsToAServerWithoutSessionsShareAConnection(t *testing.T) {
	opts := program(t, "modern plain")
	opts.PerPerson, opts.InAll = 1, 1
	b := newBox(t, opts)
	var calls sync.WaitGroup
	for range 10 {
		calls.Go(func() {
			if result, err := plain(t, b, alice); err != nil || result.Text != "plain" {
				t.Errorf("%+v, %v", result, err)
			}
		})
	}
	calls.Wait()
}

func TestWhatAProgramSaysBesidesIsNotKept(t *testing.T) {
	b := newBox(t, program(t, "modern loud"))
	var result agent.Result
	var err error
	took := allocated(func() { result, err = plain(t, b, alice) })
	if err != nil || result.Text != "said" || took > 16<<20 {
		t.Errorf("%+v, %v, and %d bytes were taken for 16 MiB of noise", result, err, took)
	}
}

func TestAConnectionThatBrokeGivesItsPlaceBack(t *testing.T) {
	h := &hand{}
	h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, n int64) {
		if n%2 == 0 {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		sayJSON(w, id, `{"content":[{"type":"text","text":"plain"}]}`)
	}
	b := newBox(t, toolbox.Options{URL: h.serve(t), PerPerson: 1})
	for n := range 6 {
		_, err := plain(t, b, alice)
		if n%2 == 0 && err != nil {
			t.Error(err)
		}
		if n%2 == 1 {
			refused(t, err, "answered with HTTP status 502")
		}
	}
}

// Two servers of agents, and whatever else runs programs, share one bound.
func TestProgramsOfSeveralBoxesAreBoundedTogether(t *testing.T) {
	shared := mcpclient.NewPrograms(&mcpclient.ProgramsOptions{Each: 1, Patience: 10 * time.Second})
	box := func() *toolbox.Box {
		opts := program(t, "legacy asking")
		opts.Programs = shared
		return newBox(t, opts)
	}
	one, two := box(), box()
	who := caller("alice", "helper")
	release := hold(t, one, 1, who)
	_, err := plain(t, two, who)
	refused(t, err, "too many programs run")
	if _, err := plain(t, two, caller("bob", "helper")); err != nil {
		t.Errorf("another person's program: %v", err)
	}
	release()
	if _, err := plain(t, two, who); err != nil { // the idle one of the other box ends for it
		t.Error(err)
	}
}

func TestToolsForAppsAreNotForModels(t *testing.T) {
	eras(t, func(t *testing.T, h *hand) {
		h.tell = func(w http.ResponseWriter, _ string, id json.RawMessage, _ int64) {
			sayJSON(w, id, `{"tools":[{"name":"both","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["model","app"]}}},`+
				`{"name":"app","inputSchema":{"type":"object"},"_meta":{"ui":{"visibility":["app"]}}},{"name":"plain","inputSchema":{"type":"object"}}]}`)
		}
		tools, err := newBox(t, toolbox.Options{URL: h.serve(t)}).Tools(t.Context(), alice)
		if err != nil || len(tools) != 2 || tools[0].Name != "both" || tools[1].Name != "plain" {
			t.Errorf("%+v, %v", tools, err)
		}
	})
}

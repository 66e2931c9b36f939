package remote_test

import (
	"context"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// tell gives the desk a task of somebody's in a conversation, and waits for its end.
func (n *node) tell(who parley.Principal, conversation string) {
	n.t.Helper()
	ref, err := n.Start(n.t.Context(), who, agent.Message{Agent: "desk", Conversation: conversation, Text: "Hello.", CanAsk: true})
	if err != nil {
		n.t.Fatal(err)
	}
	n.until("it has ended", func() bool {
		run, err := n.Find(n.t.Context(), who, conversation, ref.Run)
		return err == nil && run.Status == agent.Ended
	})
}

// A conversation here is one there: for its person, in its tenant, with this agent.
func TestAConversationGoesOnInTheSameContext(t *testing.T) {
	everyWay(t, func(t *testing.T, d *desk) {
		var contexts []string
		d.work = func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			d.mu.Lock()
			contexts = append(contexts, ec.ContextID)
			d.mu.Unlock()
			done(ec, emit, "ok")
		}
		w := newWorld(t, d)
		n := w.node()
		n.tell(alice, "c")
		n.kill()
		n = w.node() // the next process knows it too
		n.tell(alice, "c")
		n.reply(n.say("And by delegation."))
		n.tell(alice, "d")
		n.tell(parley.Principal{User: "bob", Method: "test"}, "c")
		n.tell(parley.Principal{User: "alice", Tenant: "other", Method: "test"}, "c")
		d.mu.Lock()
		defer d.mu.Unlock()
		if len(contexts) != 6 || len(d.tasks) != 6 {
			t.Fatalf("%q, %d tasks", contexts, len(d.tasks))
		}
		different := map[string]bool{}
		for _, c := range contexts {
			different[c] = true
		}
		if contexts[0] != contexts[1] || contexts[1] != contexts[2] || len(different) != 4 {
			t.Errorf("the conversations were in %q", contexts)
		}
	})
}

// A context is not told to an agent at another address, under the same name.
func TestAContextIsTheAgentsWhoMadeIt(t *testing.T) {
	quick := func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) { done(ec, emit, "ok") }
	here, there := &desk{work: quick}, &desk{work: quick}
	w := newWorld(t, here)
	n := w.node()
	n.tell(alice, "c")
	n.kill()
	there.serve(t)
	w.desk = there
	n = w.node()
	n.tell(alice, "c")
	n.tell(alice, "c")
	got := there.got()
	if len(got) != 2 || len(here.got()) != 1 || got[0].ContextID != "" || got[1].ContextID == "" {
		t.Errorf("%d messages here, there: %v", len(here.got()), got)
	}
}

// An agent that does not know the conversation any more is told once without it.
func TestAContextThatIsForgottenIsMadeAnew(t *testing.T) {
	var told []*a2a.Message
	d := &desk{}
	d.rpc = func(method string, m *a2a.Message) any {
		d.mu.Lock()
		defer d.mu.Unlock()
		switch {
		case !strings.HasPrefix(method, "Send"):
		case m.ContextID == "old" && len(told) > 0:
			told = append(told, m)
			return []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"there is no such context"}}`)
		default:
			told = append(told, m)
		}
		id := "old"
		if len(told) > 2 {
			id = "new"
		}
		task := &a2a.Task{ID: a2a.TaskID("t-" + id), ContextID: id, Status: a2a.TaskStatus{State: a2a.TaskStateCompleted}}
		if strings.HasPrefix(method, "Send") {
			return a2a.StreamResponse{Event: task}
		}
		return task
	}
	n := newWorld(t, d).node()
	for range 3 {
		n.tell(alice, "c")
	}
	var contexts []string
	ids := map[string]bool{}
	for _, m := range told {
		contexts = append(contexts, m.ContextID)
		ids[m.ID] = true
	}
	if got := strings.Join(contexts, " "); got != " old  new" || len(ids) != 4 {
		t.Errorf("told in %q", contexts)
	}
}

// What is refused in its context and without it is refused, and not sent a third time.
func TestATaskThatIsRefusedInEveryContextIsSentTwiceAtMost(t *testing.T) {
	sent := 0
	d := &desk{}
	d.rpc = func(method string, m *a2a.Message) any {
		d.mu.Lock()
		defer d.mu.Unlock()
		if sent++; sent > 1 {
			return []byte(`{"jsonrpc":"2.0","id":"1","error":{"code":-32602,"message":"we are closed."}}`)
		}
		return a2a.StreamResponse{Event: &a2a.Task{ID: "t", ContextID: "c1", Status: a2a.TaskStatus{State: a2a.TaskStateCompleted, Message: a2a.NewMessage(a2a.MessageRoleAgent, a2a.NewTextPart("ok"))}}}
	}
	n := newWorld(t, d).node()
	n.tell(alice, "c")
	if got := n.reply(n.say("Again.")); got != "desk refused the task: we are closed. done" {
		t.Error(got)
	}
	if sent != 3 {
		t.Errorf("%d messages", sent)
	}
}

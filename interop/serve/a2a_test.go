package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2aclient"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// everyStore runs a test with addresses of nodes that share a store: the same one twice
// on SQLite, where a node is started again, two on the others.
func everyStore(t *testing.T, test func(t *testing.T, program, store string, addresses []string)) {
	program := withParley(t)
	for name, open := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "parley.db") },
		"postgres": func(t *testing.T) string { return servers.OwnPostgres(t, nil).URL },
		"redis":    func(t *testing.T) string { return servers.OwnRedis(t, nil).URL },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			addresses := kit.FreeAddresses(t, 2)
			if name == "sqlite" {
				addresses[1] = addresses[0]
			}
			test(t, program, open(t), addresses)
		})
	}
}

// remote is an agent of somebody's that talks to ours for Alice, at one node.
type remote struct {
	*a2aclient.Client
	t *testing.T
}

type bearing struct{ token string }

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return http.DefaultTransport.RoundTrip(r)
}

func remoteAgent(t *testing.T, node string, binding a2a.TransportProtocol) *remote {
	t.Helper()
	h := &http.Client{Transport: bearing{"dev-user:alice"}}
	c, err := a2aclient.NewFromEndpoints(t.Context(), []*a2a.AgentInterface{{URL: node + "/a2a/assistant", ProtocolBinding: binding, ProtocolVersion: a2a.Version}},
		a2aclient.WithJSONRPCTransport(h), a2aclient.WithRESTTransport(h))
	if err != nil {
		t.Fatal(err)
	}
	return &remote{c, t}
}

func (r *remote) send(m *a2a.Message, push *a2a.PushConfig) *a2a.Task {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), kit.Patience)
	defer cancel()
	result, err := r.SendMessage(ctx, &a2a.SendMessageRequest{Message: m, Config: &a2a.SendMessageConfig{PushConfig: push}})
	if err != nil {
		r.t.Fatal(err)
	}
	return result.(*a2a.Task)
}

// same checks that the task waits for what it waited for, and returns its question.
func (r *remote) same(task *a2a.Task) elicitation.Question {
	r.t.Helper()
	got, err := r.GetTask(r.t.Context(), &a2a.GetTaskRequest{ID: task.ID})
	if err != nil {
		r.t.Fatal(err)
	}
	before, now := questionOf(r.t, task), questionOf(r.t, got)
	if got.Status.State != task.Status.State || now.ID != before.ID || len(got.History) != len(task.History) {
		r.t.Errorf("%+v, before %+v", got, task)
	}
	return now
}

func questionOf(t *testing.T, task *a2a.Task) elicitation.Question {
	t.Helper()
	all, err := elicitation.Questions(task.Status.Message)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d questions, %v: %+v", len(all), err, task.Status)
	}
	return all[0]
}

// follow tells of the states of a task until it has ended.
func (r *remote) follow(id a2a.TaskID) (first *a2a.Task, states chan a2a.TaskState) {
	r.t.Helper()
	states = make(chan a2a.TaskState, 100)
	begun := make(chan *a2a.Task, 1)
	ctx, cancel := context.WithTimeout(r.t.Context(), kit.Patience)
	r.t.Cleanup(cancel)
	go func() {
		defer close(states)
		for e, err := range r.SubscribeToTask(ctx, &a2a.SubscribeToTaskRequest{ID: id}) {
			if err != nil {
				return
			}
			switch e := e.(type) {
			case *a2a.Task:
				begun <- e
			case *a2a.TaskStatusUpdateEvent:
				states <- e.Status.State
			}
		}
	}()
	select {
	case first = <-begun:
	case <-ctx.Done():
		r.t.Fatal("nothing was told")
	}
	return first, states
}

// ends waits until a task has, as it should.
func ends(t *testing.T, states chan a2a.TaskState) {
	t.Helper()
	var last a2a.TaskState
	for last = range states {
	}
	if last != a2a.TaskStateCompleted {
		t.Errorf("the stream ended with %q", last)
	}
}

func resultOf(task *a2a.Task) string {
	var all strings.Builder
	for _, one := range task.Artifacts {
		for _, p := range one.Parts {
			all.WriteString(p.Text())
		}
	}
	return all.String()
}

func says(text string) *a2a.Message {
	return a2a.NewMessage(a2a.MessageRoleUser, a2a.NewTextPart(text))
}

// A node is killed while a task of A2A waits for a message; the other one, or the same one
// started again, has the same task with the same question.
func TestATaskOfA2AOutlivesItsNodeWhileItWaitsForAMessage(t *testing.T) {
	everyStore(t, func(t *testing.T, program, store string, addresses []string) {
		g := newGate(t, program, store, addresses[1], `
models: {demo: {kind: demo}}
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
agents:
  assistant: {model: demo, servers: [shop]}
`)
		a := g.start(t, addresses[0])
		b := a
		if addresses[0] != addresses[1] {
			b = g.start(t, addresses[1])
		}
		first := remoteAgent(t, a.Url, a2a.TransportProtocolJSONRPC)
		task := first.send(says("Order something"), nil)
		if task.Status.State != a2a.TaskStateInputRequired {
			t.Fatalf("%+v", task.Status)
		}
		wrong := says("x")
		wrong.Parts, wrong.TaskID = nil, task.ID
		elicitation.Reply(wrong, elicitation.Answer{ID: questionOf(t, task).ID, Action: elicitation.Accept, Content: json.RawMessage(`{}`)})
		task = first.send(wrong, nil)
		a.Kill(t)
		if b == a {
			b = g.start(t, addresses[1])
		}
		next := remoteAgent(t, b.Url, a2a.TransportProtocolHTTPJSON)
		q := next.same(task)
		told, states := next.follow(task.ID)
		if told.Status.State != a2a.TaskStateInputRequired {
			t.Errorf("%+v", told.Status)
		}
		right := says("L") // the form has one field
		right.TaskID = task.ID
		done := next.send(right, nil)
		if done.Status.State != a2a.TaskStateCompleted || !strings.Contains(resultOf(done), "order: accept L") || len(done.History) != 5 {
			t.Errorf("%+v: %s", done, resultOf(done))
		}
		ends(t, states)
		g.wares.carriedOut(t, map[string]int{"order": 1})
		again := next.send(right, nil) // as a client does that did not hear of it
		if again.Status.State != a2a.TaskStateCompleted {
			t.Errorf("%+v", again.Status)
		}
		late := says("x")
		late.Parts, late.TaskID = nil, task.ID
		elicitation.Reply(late, elicitation.Answer{ID: q.ID, Action: elicitation.Accept, Content: json.RawMessage(`{"size":"S"}`)})
		if _, err := next.SendMessage(t.Context(), &a2a.SendMessageRequest{Message: late}); err == nil {
			t.Error("a second answer was taken")
		}
		g.wares.carriedOut(t, map[string]int{})
	})
}

// A node is killed while a person is to connect an account. The other one goes on when they
// have, and tells the client's URL of it.
func TestATaskOfA2AOutlivesItsNodeWhileItWaitsForACredential(t *testing.T) {
	everyStore(t, func(t *testing.T, program, store string, addresses []string) {
		told := make(chan string, 100)
		receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			told <- r.Header.Get("A2A-Notification-Token") + " " + r.Header.Get("X-A2A-Notification-Token") + " " + string(body)
		}))
		t.Cleanup(receiver.Close)
		s := newSite(t, program, store, addresses[1])
		a := s.start(t, addresses[0])
		b := a
		if addresses[0] != addresses[1] {
			b = s.start(t, addresses[1])
		}
		task := remoteAgent(t, a.Url, a2a.TransportProtocolJSONRPC).send(says("List the tickets in my tracker"), &a2a.PushConfig{URL: receiver.URL, Token: "a-token"})
		if task.Status.State != a2a.TaskStateAuthRequired {
			t.Fatalf("%+v", task.Status)
		}
		s.parked(t)
		a.Kill(t)
		if b == a {
			b = s.start(t, addresses[1])
		}
		s.signIn(t)
		next := remoteAgent(t, b.Url, a2a.TransportProtocolJSONRPC)
		q := next.same(task)
		_, states := next.follow(task.ID)
		s.connect(t, kit.ShownQuestion{URL: q.URL})
		ends(t, states)
		for deadline := time.After(kit.Patience); ; {
			select {
			case body := <-told:
				if !strings.HasPrefix(body, "a-token a-token {") || !strings.Contains(body, string(task.ID)) {
					t.Errorf("told %s", body)
				}
				if strings.Contains(body, string(a2a.TaskStateCompleted)) {
					s.tickets.called(t, map[string]int{"list_tickets": 1})
					return
				}
			case <-deadline:
				t.Fatal("the client was not told of the end")
			}
		}
	})
}

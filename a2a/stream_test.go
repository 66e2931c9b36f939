package a2a_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

// stream is what a client hears, one event after the other.
type stream struct {
	t    *testing.T
	next func() (wire.Event, error, bool)
	stop func()
}

func listen(t *testing.T, events iter.Seq2[wire.Event, error]) *stream {
	next, stop := iter.Pull2(events)
	t.Cleanup(stop)
	return &stream{t, next, stop}
}

func (c *client) stream(m *wire.Message) *stream {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	c.t.Cleanup(cancel)
	return listen(c.t, c.SendStreamingMessage(ctx, &wire.SendMessageRequest{Message: m}))
}

func (c *client) subscribe(id wire.TaskID) *stream {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	c.t.Cleanup(cancel)
	return listen(c.t, c.SubscribeToTask(ctx, &wire.SubscribeToTaskRequest{ID: id}))
}

// event is the next one; nil at the end of the stream.
func (s *stream) event() wire.Event {
	s.t.Helper()
	e, err, ok := s.next()
	if err != nil {
		s.t.Fatal(err)
	}
	if !ok {
		return nil
	}
	return e
}

// rest is what comes until the end, in short.
func (s *stream) rest() string {
	s.t.Helper()
	var all []string
	for e := s.event(); e != nil; e = s.event() {
		all = append(all, short(e))
	}
	return strings.Join(all, ", ")
}

func short(e wire.Event) string {
	name := func(s wire.TaskState) string {
		return strings.ToLower(strings.TrimPrefix(string(s), "TASK_STATE_"))
	}
	switch e := e.(type) {
	case *wire.Task:
		return "task " + name(e.Status.State)
	case *wire.TaskStatusUpdateEvent:
		return name(e.Status.State)
	case *wire.TaskArtifactUpdateEvent:
		return fmt.Sprintf("%q %v", e.Artifact.Parts[0].Text(), e.Append)
	}
	return fmt.Sprintf("%T", e)
}

// until reads to a state, and returns its message.
func (s *stream) until(want wire.TaskState) *wire.Message {
	s.t.Helper()
	for {
		e := s.event()
		switch e := e.(type) {
		case nil:
			s.t.Fatalf("the stream ended without %s", want)
		case *wire.TaskStatusUpdateEvent:
			if e.Status.State == want {
				return e.Status.Message
			}
		case *wire.Task:
			if e.Status.State == want {
				return e.Status.Message
			}
		}
	}
}

func TestAStreamEndsWhenTheTaskWaitsForAMessage(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		stream := c.stream(says("Paint it"))
		first, ok := stream.event().(*wire.Task)
		if !ok || len(first.History) != 1 {
			t.Fatalf("%+v", first)
		}
		if got := stream.rest(); !strings.HasSuffix(got, `"One moment." false, input_required`) {
			t.Error(got)
		}
		task := c.get(first.ID)
		again := c.stream(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`)))
		if e, ok := again.event().(*wire.Task); !ok || e.ID != task.ID {
			t.Fatal("the task comes first")
		}
		if got := again.rest(); !strings.HasSuffix(got, `"\n\ntool did it with {\"colour\":\"red\"}" true, completed`) {
			t.Error(got)
		}
	})
}

// A question of which nobody is told is one that the task waits for all the same.
func TestSubscribingToAPausedTaskTellsItFirstAndThenGoesOn(t *testing.T) {
	for name, q := range map[string]parley.Request{"input": colour, "auth": connect} {
		t.Run(name, func(t *testing.T) {
			everyWay(t, func(t *testing.T, way string) {
				s := newSite(t, nil, helper(q))
				c := s.client("alice", way)
				task := c.send(says("Go"))
				stream := c.subscribe(task.ID)
				first, ok := stream.event().(*wire.Task)
				if !ok || first.ID != task.ID || first.Status.State != task.Status.State || asks(t, first).ID != asks(t, task).ID {
					t.Fatalf("%+v", first)
				}
				content := []byte(nil)
				if q.Mode != parley.URL {
					content = []byte(`{"colour":"red"}`)
				}
				s.page(asks(t, task).ID, parley.Answer{Action: parley.Accept, Content: content})
				if got := stream.rest(); !strings.HasPrefix(got, "working, ") || !strings.HasSuffix(got, "completed") {
					t.Error(got)
				}
			})
		})
	}
}

func TestAStreamStaysOpenWhileAPersonIsAtAPage(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(connect))
		c := s.client("alice", way)
		stream := c.stream(says("List"))
		m := stream.until(wire.TaskStateAuthRequired)
		q, err := elicitation.Questions(m)
		if err != nil || len(q) != 1 {
			t.Fatal(q, err)
		}
		s.page(q[0].ID, parley.Answer{Action: parley.Accept})
		stream.until(wire.TaskStateCompleted)
	})
}

func TestCancellingEndsTheStream(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Go"))
		stream := c.subscribe(task.ID)
		stream.event()
		if _, err := c.CancelTask(t.Context(), &wire.CancelTaskRequest{ID: task.ID}); err != nil {
			t.Fatal(err)
		}
		if got := stream.rest(); !strings.HasSuffix(got, "canceled") {
			t.Error(got)
		}
	})
}

func TestSubscribingToATaskThatHasEndedIsRefused(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo)})
		c := s.client("alice", way)
		task := c.send(says("Hello"))
		_, err, _ := c.subscribe(task.ID).next()
		refused(t, err, wire.ErrUnsupportedOperation, "has ended")
		_, err, _ = c.subscribe("nothing").next()
		refused(t, err, wire.ErrTaskNotFound, "no such task")
	})
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(echo)})
	for _, path := range []string{"/a2a/helper/tasks/nothing:subscribe", "/a2a/helper/v1/tasks/nothing:subscribe"} {
		resp, body := s.raw(http.MethodGet, path, "alice", "")
		if resp.StatusCode != http.StatusNotFound || resp.Header.Get("Content-Type") != "application/json" || !strings.Contains(body, "TASK_NOT_FOUND") {
			t.Error(path, resp.Status, resp.Header, body)
		}
	}
}

func TestAFailureIsTheStatusOfTheTask(t *testing.T) {
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "(broken)"} })})
	task := s.client("alice", "JSON-RPC").send(says("Hello"))
	state(t, task, wire.TaskStateFailed)
	if told(task.Status.Message) != "The model is out of order." {
		t.Error(told(task.Status.Message))
	}
}

func TestEachStreamIsCountedWhileItIsOpen(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		var open atomic.Int32
		var who atomic.Value
		s := newSite(t, &a2a.Options{Listen: func(w http.ResponseWriter, _ *http.Request, p parley.Principal) (func(), bool) {
			who.Store(p.User)
			if open.Add(1) > 2 {
				open.Add(-1)
				http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"too many streams"}}`, http.StatusTooManyRequests)
				return nil, false
			}
			return func() { open.Add(-1) }, true
		}}, helper(mayI))
		c := s.client("alice", way)
		first := c.stream(says("Pay"))
		first.until(wire.TaskStateAuthRequired)
		task := c.send(says("Pay"))
		if n := open.Load(); n != 1 || who.Load() != "alice" {
			t.Errorf("%d streams are counted, the last for %v: what is no stream is none", n, who.Load())
		}
		second := c.subscribe(task.ID)
		second.event()
		third := c.subscribe(task.ID)
		if e, err, _ := third.next(); err == nil {
			t.Errorf("a third stream begins with %v", e)
		}
		calls := len(c.tasks(s))
		fourth := c.stream(says("Pay more"))
		if e, err, _ := fourth.next(); err == nil {
			t.Errorf("a fourth stream begins with %v", e)
		}
		if now := len(c.tasks(s)); now != calls {
			t.Error("a message was taken whose stream was refused")
		}
		first.stop()
		second.stop()
		for deadline := time.Now().Add(patience); open.Load() != 0; runtime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("%d streams are counted that are closed", open.Load())
			}
		}
	})
}

// tasks are all of a client's, by a way that has lists.
func (c *client) tasks(s *site) []*wire.Task {
	c.t.Helper()
	return s.client("alice", "JSON-RPC").list(wire.ListTasksRequest{}).Tasks
}

// Clients of 0.3 go by that, in both bindings.
func TestTheLastEventOfTheOldVersionSaysThatItIs(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	_, rpc := s.raw(http.MethodPost, "/a2a/helper", "alice",
		`{"jsonrpc":"2.0","id":1,"method":"message/stream","params":{"message":{"kind":"message","messageId":"m1","role":"user","parts":[{"kind":"text","text":"Go"}]}}}`)
	_, rest := s.raw(http.MethodPost, "/a2a/helper/v1/message:stream", "alice", `{"message":{"messageId":"m2","role":"ROLE_USER","content":[{"text":"Go"}]}}`)
	for _, told := range []string{rpc, rest} {
		events := strings.Split(strings.TrimSpace(told), "\n\n")
		if last := events[len(events)-1]; !strings.Contains(last, `"final":true`) || !strings.Contains(strings.ToLower(last), "input") || strings.Count(told, `"final":true`) != 1 {
			t.Error(told)
		}
	}
}

package a2a_test

import (
	"testing"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
)

// A process that ended has left nothing behind but the store.
func TestATaskIsTheSameAfterARestart(t *testing.T) {
	for name, q := range map[string]parley.Request{"input": colour, "auth": connect} {
		t.Run(name, func(t *testing.T) {
			everyWay(t, func(t *testing.T, way string) {
				store := parley.NewMemoryStore()
				var task *wire.Task
				t.Run("before", func(t *testing.T) {
					c := openSite(t, store, nil, helper(q)).client("alice", way)
					task = c.send(says("Go"))
					if q.Mode != parley.URL {
						task = c.send(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"x"}`)))
					}
				})
				s := openSite(t, store, nil, helper(q))
				c := s.client("alice", way)
				again := c.get(task.ID)
				state(t, again, task.Status.State)
				if asks(t, again).ID != asks(t, task).ID || told(again.Status.Message) != told(task.Status.Message) || len(again.History) != len(task.History) {
					t.Errorf("%+v, want %+v", again, task)
				}
				stream := c.subscribe(task.ID)
				stream.event()
				if q.Mode == parley.URL {
					s.page(asks(t, task).ID, parley.Answer{Action: parley.Accept})
				} else {
					c.send(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`)))
				}
				stream.until(wire.TaskStateCompleted)
				if s.calls.called() != 1 {
					t.Errorf("called %d times", s.calls.called())
				}
			})
		})
	}
}

// One node holds the client, the other takes the answer.
func TestANodeTellsOfWhatHappensAtAnother(t *testing.T) {
	store := parley.NewMemoryStore()
	a, b := openSite(t, store, nil, helper(colour)), openSite(t, store, nil, helper(colour))
	task := a.client("alice", "JSON-RPC").send(says("Go"))
	stream := b.client("alice", "REST").subscribe(task.ID)
	stream.event()
	state(t, a.client("alice", "JSON-RPC 0.3").send(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`))), wire.TaskStateCompleted)
	stream.until(wire.TaskStateCompleted)
}

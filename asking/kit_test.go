package asking_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/storetest"
)

// node is one process over a store.
type node struct {
	*asking.Questions
	hub   *parley.Hub
	store storetest.Backend
}

func newNode(t *testing.T, opts *asking.Options) *node {
	t.Helper()
	return startNode(parley.NewMemoryStore(), opts)
}

func startNode(store storetest.Backend, opts *asking.Options) *node {
	n := &node{store: store}
	all := asking.Options{}
	if opts != nil {
		all = *opts
	}
	if all.Groups == nil {
		all.Groups = map[string][]string{"oncall": {"alice", "bob", "carol"}}
	}
	n.hub = parley.New(store, &parley.Options{
		Patience: time.Millisecond,
		Hooks: []parley.Hook{parley.After(parley.AnsweringPublish, func(ctx context.Context, a *parley.Answering) error {
			return n.Settled(ctx, a)
		})},
	})
	n.Questions = asking.New(n.hub, store, &all)
	return n
}

func program(name string, mayAsk ...string) asking.Asker {
	return asking.Asker{Principal: parley.Principal{Tenant: "default", Method: "api_key", Kind: parley.KindProgram, Key: name}, Name: name, MayAsk: mayAsk}
}

func ci() asking.Asker { return program("ci", asking.Everybody) }

func person(name string) parley.Principal { return parley.Principal{Tenant: "default", User: name} }

func (n *node) ask(t *testing.T, by asking.Asker, q asking.Question) asking.Standing {
	t.Helper()
	if q.Message == "" && q.Action == nil {
		q.Message = "Deploy now?"
	}
	st, _, err := n.Ask(t.Context(), by, q)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// inbox returns what waits for somebody.
func (n *node) inbox(t *testing.T, name string) []parley.Request {
	t.Helper()
	list, err := n.hub.List(t.Context(), person(name), parley.Query{Pending: true})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// says has somebody answer the only question that waits for them.
func (n *node) says(t *testing.T, name string, action parley.Action, content string) {
	t.Helper()
	list := n.inbox(t, name)
	if len(list) != 1 {
		t.Fatalf("%s has %d questions", name, len(list))
	}
	a := parley.Answer{Action: action, Via: "page"}
	if content != "" {
		a.Content = json.RawMessage(content)
	}
	if err := n.hub.Answer(t.Context(), person(name), list[0].ID, a); err != nil {
		t.Fatal(err)
	}
}

func (n *node) get(t *testing.T, by asking.Asker, id parley.ID) asking.Standing {
	t.Helper()
	st, err := n.Get(t.Context(), by.Principal, id)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func wantError(t *testing.T, got, want error) {
	t.Helper()
	if !errors.Is(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func wantFault(t *testing.T, err error, member string) {
	t.Helper()
	var fault *asking.Fault
	if !errors.As(err, &fault) || fault.Member != member {
		t.Errorf("got %v, want a fault of %s", err, member)
	}
}

const colour = `{"type":"object","properties":{"colour":{"type":"string"}},"required":["colour"]}`

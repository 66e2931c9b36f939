package parley_test

import (
	"errors"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// What Valid takes, Open takes, and what it refuses, Open refuses for the same
// reason; and it asks nobody.
func TestAQuestionCanBeTriedBeforeItIsAsked(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	for name, c := range map[string]struct {
		q    parley.Request
		want error
	}{
		"a form":     {parley.Request{Message: "Well?", Schema: []byte(`{"type":"object","properties":{"x":{"type":"string","pattern":"^a"}}}`)}, nil},
		"nothing":    {parley.Request{Message: "Well?"}, nil},
		"a link":     {parley.Request{Mode: parley.URL, Message: "Look", URL: "https://a.example/"}, nil},
		"nested":     {parley.Request{Message: "Well?", Schema: []byte(`{"type":"object","properties":{"x":{"type":"object"}}}`)}, form.ErrNested},
		"no message": {parley.Request{Message: " "}, parley.ErrInvalid},
		"no link":    {parley.Request{Mode: parley.URL, Message: "Look", URL: "a"}, parley.ErrInvalid},
		"long":       {parley.Request{Message: string(make([]byte, 1<<20))}, parley.ErrTooLarge},
	} {
		valid := hub.Valid(c.q)
		c.q.To = "alice"
		_, opened := hub.Open(t.Context(), c.q)
		if !errors.Is(valid, c.want) || !errors.Is(opened, c.want) {
			t.Errorf("%s: %v, and %v when it is opened; want %v", name, valid, opened, c.want)
		}
	}
	hub = parley.New(parley.NewMemoryStore(), nil)
	if err := hub.Valid(parley.Request{To: "alice", Message: "Well?"}); err != nil {
		t.Fatal(err)
	}
	open, err := hub.List(t.Context(), parley.Principal{User: "alice"}, parley.Query{})
	if err != nil || len(open) != 0 {
		t.Errorf("%d questions are open, %v", len(open), err)
	}
}

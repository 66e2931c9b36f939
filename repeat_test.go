package parley_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/parley-hq/parley"
)

// repeatForm has a default, so that an answer as it was sent and as it is kept differ.
const repeatForm = `{"type":"object","properties":{"size":{"type":"string"},"lid":{"type":"boolean","default":true}},"required":["size"]}`

// Who says the same once more is told so: their answer is the one that counts.
func TestTheSameAnswerOfTheSamePersonIsARepetition(t *testing.T) {
	form := parley.Request{To: "alice", Message: "Which?", Schema: json.RawMessage(repeatForm)}
	link := parley.Request{To: "alice", Mode: parley.URL, Message: "Go", URL: "https://example.com/"}
	say := func(action parley.Action, content string) parley.Answer {
		return parley.Answer{Action: action, Content: json.RawMessage(content), Via: "test"}
	}
	for name, test := range map[string]struct {
		q             parley.Request
		first, second parley.Answer
		same          bool
	}{
		"the very same":                   {form, say("accept", `{"size":"L"}`), say("accept", `{"size":"L"}`), true},
		"the same in other words":         {form, say("accept", `{"size":"L"}`), say("accept", ` {"lid":true, "size":"\u004c"}`), true},
		"another surface":                 {form, say("accept", `{"size":"L"}`), parley.Answer{Action: "accept", Content: json.RawMessage(`{"size":"L"}`), Via: "other"}, true},
		"a visit":                         {link, say("accept", ``), say("accept", ``), true},
		"a visit, with what nobody wants": {link, say("accept", ``), say("accept", `{"a":1}`), true},
		"a no":                            {form, say("decline", ``), say("decline", ``), true},
		"a no with a content":             {form, say("decline", ``), say("decline", `{"size":"L"}`), true},
		"a cancel":                        {form, say("cancel", ``), say("cancel", ``), true},
		"another content":                 {form, say("accept", `{"size":"L"}`), say("accept", `{"size":"M"}`), false},
		"another default":                 {form, say("accept", `{"size":"L"}`), say("accept", `{"size":"L","lid":false}`), false},
		"a content that does not fit":     {form, say("accept", `{"size":"L"}`), say("accept", `{"size":7}`), false},
		"no content":                      {form, say("accept", `{"size":"L"}`), say("accept", ``), false},
		"no after yes":                    {form, say("accept", `{"size":"L"}`), say("decline", ``), false},
		"yes after no":                    {form, say("decline", ``), say("accept", `{"size":"L"}`), false},
		"cancel after no":                 {form, say("decline", ``), say("cancel", ``), false},
	} {
		t.Run(name, func(t *testing.T) {
			hub := parley.New(parley.NewMemoryStore(), nil)
			r := open(t, hub, test.q)
			if err := hub.Answer(t.Context(), alice, r.ID, test.first); err != nil {
				t.Fatal(err)
			}
			before, err := hub.Get(t.Context(), alice, r.ID)
			if err != nil {
				t.Fatal(err)
			}
			err = hub.Answer(t.Context(), alice, r.ID, test.second)
			if !errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrRepeated) != test.same {
				t.Errorf("told %v", err)
			}
			wantError(t, hub.Answer(t.Context(), parley.Principal{User: "bob"}, r.ID, test.first), parley.ErrNotFound)
			after, err := hub.Get(t.Context(), alice, r.ID)
			if err != nil || after.Outcome.Claim != before.Outcome.Claim {
				t.Errorf("the outcome became %+v, %v", after.Outcome, err)
			}
		})
	}
}

func TestNobodyRepeatsWhatNobodySaid(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	r := open(t, hub, confirm())
	if err := hub.Cancel(t.Context(), r.ID, "the call ended"); err != nil {
		t.Fatal(err)
	}
	err := hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Cancel})
	if !errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrRepeated) {
		t.Errorf("told %v", err)
	}
}

// What somebody else said for her, such as an administrator, is not her answer.
func TestNobodyRepeatsWhatAnotherSaid(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	r := open(t, hub, confirm())
	if err := store.Settle(t.Context(), r.ID, parley.Outcome{Action: parley.Decline, By: "the administrator"}); err != nil {
		t.Fatal(err)
	}
	err := hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Decline})
	if !errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrRepeated) {
		t.Errorf("told %v", err)
	}
}

// Most surfaces show a long call as a page to go to: that the person went there is
// no other answer than theirs.
func TestGoingToThePageOfALongCallRepeatsWhatWasDecidedThere(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), nil)
	q := confirm()
	q.Trigger, q.Labels = parley.TriggerApproval, map[string]string{parley.LabelBrief: "It is long."}
	r := open(t, hub, q)
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	if err := hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Accept}); !errors.Is(err, parley.ErrRepeated) {
		t.Errorf("told %v", err)
	}
	for _, other := range []parley.Answer{{Action: parley.Decline}, {Action: parley.Accept, Content: json.RawMessage(`{"confirmed":false}`)}} {
		if err := hub.Answer(t.Context(), alice, r.ID, other); !errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrRepeated) {
			t.Errorf("%+v: told %v", other, err)
		}
	}
}

// Both looked while it was open; the second finds at the store that it is settled.
func TestOfTwoSameAnswersAtOnceOneIsTheRepetition(t *testing.T) {
	store := parley.NewMemoryStore()
	other := parley.New(store, nil)
	var id parley.ID
	hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{
		parley.Before(parley.AnsweringPublish, func(ctx context.Context, _ *parley.Answering) error {
			return other.Answer(ctx, alice, id, yes())
		}),
	}})
	id = open(t, other, confirm()).ID
	if err := hub.Answer(t.Context(), alice, id, yes()); !errors.Is(err, parley.ErrRepeated) {
		t.Errorf("told %v", err)
	}
}

package parley_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

func TestEveryStageIsHookedInItsOrder(t *testing.T) {
	var seen []string
	var hooks []parley.Hook
	for _, s := range []parley.Stage[parley.Opening]{
		parley.OpeningParse, parley.OpeningValidate, parley.OpeningIdentify,
		parley.OpeningStore, parley.OpeningBuild, parley.OpeningFinish,
	} {
		hooks = append(hooks,
			parley.Before(s, func(context.Context, *parley.Opening) error { seen = append(seen, "before "+string(s)); return nil }),
			parley.After(s, func(context.Context, *parley.Opening) error { seen = append(seen, "after "+string(s)); return nil }))
	}
	for _, s := range []parley.Stage[parley.Answering]{
		parley.AnsweringParse, parley.AnsweringLookup, parley.AnsweringValidate,
		parley.AnsweringBuild, parley.AnsweringPublish, parley.AnsweringFinish,
	} {
		hooks = append(hooks, parley.Around(s, func(ctx context.Context, a *parley.Answering, next parley.Step[parley.Answering]) error {
			seen = append(seen, "around "+string(s))
			return next(ctx, a)
		}))
	}
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: hooks})
	r := open(t, hub, confirm())
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"before parse", "after parse", "before validate", "after validate", "before identify", "after identify",
		"before store", "after store", "before build", "after build", "before finish", "after finish",
		"around parse", "around lookup", "around validate", "around build", "around publish", "around finish",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Error(diff)
	}
}

func TestTheFirstHookIsOutermostAndFiltersApply(t *testing.T) {
	var seen []string
	note := func(name string, when ...parley.Filter[parley.Opening]) parley.Hook {
		return parley.Around(parley.OpeningStore, func(ctx context.Context, o *parley.Opening, next parley.Step[parley.Opening]) error {
			seen = append(seen, name)
			defer func() { seen = append(seen, name+" end") }()
			return next(ctx, o)
		}, when...)
	}
	forBob := func(o *parley.Opening) bool { return o.Request.To == "bob" }
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: []parley.Hook{note("outer"), note("bob's", forBob), note("inner")}})
	open(t, hub, confirm())
	if want := []string{"outer", "inner", "inner end", "outer end"}; !slices.Equal(seen, want) {
		t.Errorf("seen %v, want %v", seen, want)
	}
}

func TestAHookThatRewritesContentChangesWhatTheAskerGets(t *testing.T) {
	rewrite := func(content string) parley.Hook {
		return parley.Before(parley.AnsweringBuild, func(_ context.Context, a *parley.Answering) error {
			a.Answer.Content = json.RawMessage(content)
			return nil
		})
	}
	store := parley.NewMemoryStore()
	hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{rewrite(`{"confirmed":false}`)}})
	r := open(t, hub, confirm())
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Fatal(err)
	}
	if o, err := hub.Wait(t.Context(), r.ID); err != nil || string(o.Content) != `{"confirmed":false}` {
		t.Errorf("content %s, %v", o.Content, err)
	}

	hub = parley.New(store, &parley.Options{Hooks: []parley.Hook{rewrite(`{"confirmed":"no"}`)}})
	r = open(t, hub, confirm())
	wantError(t, hub.Answer(t.Context(), alice, r.ID, yes()), form.ErrContent)
	if r, _ := hub.Get(t.Context(), alice, r.ID); !r.Pending() {
		t.Error("content that a hook broke was settled")
	}
}

func TestReplaceTakesTheStagesPlace(t *testing.T) {
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: []parley.Hook{
		parley.Replace(parley.AnsweringValidate, func(context.Context, *parley.Answering) error { return nil }),
	}})
	r := open(t, hub, confirm())
	if err := hub.Answer(t.Context(), alice, r.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"free":"text"}`)}); err != nil {
		t.Errorf("the replaced stage ran: %v", err)
	}
}

func TestAHookThatFailsAfterStoringWithdrawsTheQuestion(t *testing.T) {
	refused := errors.New("refused")
	for _, s := range []parley.Stage[parley.Opening]{parley.OpeningStore, parley.OpeningBuild, parley.OpeningFinish} {
		store := parley.NewMemoryStore()
		hub := parley.New(store, &parley.Options{Hooks: []parley.Hook{
			parley.After(s, func(context.Context, *parley.Opening) error { return refused }),
		}})
		_, err := hub.Open(t.Context(), confirm())
		wantError(t, err, refused)
		if list, _ := store.List(t.Context(), parley.Query{Pending: true}); len(list) != 0 {
			t.Errorf("%s: a question that nobody knows of is pending", s)
		}
	}
}

func TestAHookThatFailsAfterSettlingDoesNotUnsettle(t *testing.T) {
	var logged bytes.Buffer
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{
		Logger: slog.New(slog.NewTextHandler(&logged, nil)),
		Hooks: []parley.Hook{
			parley.After(parley.AnsweringPublish, func(context.Context, *parley.Answering) error { return errors.New("audit is down") }),
		},
	})
	r := open(t, hub, confirm())
	if err := hub.Answer(t.Context(), alice, r.ID, yes()); err != nil {
		t.Errorf("Answer = %v although it is settled", err)
	}
	if !bytes.Contains(logged.Bytes(), []byte("audit is down")) {
		t.Errorf("the hook's error is lost: %s", logged.String())
	}
}

func TestHooksSeeOutcomesThatNobodyGave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []string
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{
			PerSession: parley.Supersede,
			TTL:        time.Minute,
			Hooks: []parley.Hook{
				parley.After(parley.AnsweringPublish, func(_ context.Context, a *parley.Answering) error {
					seen = append(seen, string(a.Outcome.Action)+" "+a.Outcome.Reason+" "+a.Request.Message)
					return nil
				}),
			},
		})
		open(t, hub, inSession("s"))
		r := open(t, hub, inSession("s"))
		if _, err := hub.Wait(t.Context(), r.ID); err != nil {
			t.Fatal(err)
		}
		withdrawn := open(t, hub, confirm())
		if err := hub.Cancel(t.Context(), withdrawn.ID, "bye"); err != nil {
			t.Fatal(err)
		}
		want := []string{"cancel superseded Delete account 7?", "expire expired Delete account 7?", "cancel withdrawn: bye Delete account 7?"}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Error(diff)
		}
	})
}

func TestOpeningHooksSeeOnWhoseBehalfItIsAsked(t *testing.T) {
	var seen []parley.Principal
	note := func(_ context.Context, o *parley.Opening) error {
		seen = append(seen, o.Principal)
		return nil
	}
	byToken := func(o *parley.Opening) bool { return o.Principal.Method == "jwt" }
	hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: []parley.Hook{parley.Before(parley.OpeningParse, note, byToken), parley.After(parley.OpeningStore, note)}})
	known := parley.Principal{Tenant: "acme", User: "ann", Method: "jwt"}
	q := confirm()
	q.Tenant, q.To = "acme", "ann"
	if _, err := hub.OpenFor(t.Context(), known, q); err != nil {
		t.Fatal(err)
	}
	session := parley.SessionPrincipal(parley.DefaultTenant, "s1")
	q.Tenant, q.To = "", session.User
	if _, err := hub.Open(t.Context(), q); err != nil { // who asks without saying more
		t.Fatal(err)
	}
	session.Method = ""
	if diff := cmp.Diff([]parley.Principal{known, known, session}, seen); diff != "" {
		t.Error(diff)
	}
}

package toolbox_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpcall/toolbox"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// What allows a call of another protocol is asked for as for a call of a tool, and used
// up by the call, once.
func TestWhatAllowsACallOfAnotherProtocolIsUsedUpOnce(t *testing.T) {
	a := newAccounts(t, "https://travel.example", vault.User)
	permits, err := permit.New(a.hub, a.store, a.keys, &permit.Options{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	leaves := toolbox.NewLeaves(&toolbox.Options{Hub: a.hub, Permits: permits})
	t.Cleanup(func() {
		if err := leaves.Close(); err != nil {
			t.Error(err)
		}
	})
	of := func(rule permit.Rule) *toolbox.Leave {
		return leaves.Of(mcpcall.Server{Name: "travel", Title: "Travel desk", URL: "https://travel.example", Approve: rule})
	}
	call := &agent.Invocation{Caller: alice, ID: "call-1", Tool: agent.DelegateTool("task", "Travel desk", ""), Args: json.RawMessage(`{"task":"Rest."}`), Answers: map[string]parley.Request{}}
	if err := of(permit.Never).Admit(t.Context(), call); err != nil {
		t.Errorf("where nothing has to be allowed: %v", err)
	}
	var denied *agent.Denied
	if err := of(permit.Forbid).Clear(t.Context(), call); !errors.As(err, &denied) {
		t.Errorf("where nothing is allowed: %v", err)
	}
	var pause *agent.Pause
	if err := of(permit.Unsafe).Admit(t.Context(), call); !errors.As(err, &pause) || len(pause.Questions) != 1 {
		t.Fatalf("before it is allowed: %v", err)
	}
	call.State = pause.State
	for key, q := range pause.Questions {
		q.Tenant, q.To = alice.Tenant, alice.User
		if _, err := a.hub.OpenFor(t.Context(), alice.Principal, q); err != nil {
			t.Fatal(err)
		}
		if err := a.hub.Answer(t.Context(), alice.Principal, q.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "test"}); err != nil {
			t.Fatal(err)
		}
		if call.Answers[key], err = a.hub.Get(t.Context(), alice.Principal, q.ID); err != nil {
			t.Fatal(err)
		}
	}
	if err := of(permit.Unsafe).Clear(t.Context(), call); err != nil {
		t.Errorf("once it is allowed: %v", err)
	}
	if err := of(permit.Unsafe).Admit(t.Context(), call); err != nil {
		t.Errorf("once it is allowed: %v", err)
	}
	var public *agent.PublicError
	if err := of(permit.Unsafe).Admit(t.Context(), call); !errors.As(err, &public) || public.Text != "This call was approved and may have been made already; its result is not known. Find out before you call it again." {
		t.Errorf("a second time: %v", err)
	}
}

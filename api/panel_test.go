package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/permit"
)

// jury is whom every call waits for.
type jury permit.Panel

func (j *jury) Panel(context.Context, parley.Request) (permit.Panel, error) {
	return permit.Panel(*j), nil
}

// Final is what came of calls that bob was asked about.
func (j *jury) Final(_ context.Context, q parley.Request) (permit.Choice, error) {
	if q.To != "bob" {
		return "", nil
	}
	return permit.Refuse, nil
}

func TestWhoAllowedWhatWasDeniedInTheEndIsToldSo(t *testing.T) {
	w := newWorld(t, func(o *api.Options) { o.Approvals = &jury{} })
	question := func(to string) parley.ID {
		q, err := w.permits.Question(permit.Call{Tenant: "acme", User: to, Session: "chat", Server: "tracker", Tool: "close", ID: "c"})
		if err != nil {
			t.Fatal(err)
		}
		return w.open(q)
	}
	bobs, alices := question("bob"), question("alice")
	w.do("bob", http.MethodGet, "/api/elicitations/"+string(bobs), "").want(http.StatusOK).is("outcome", nil)
	w.answer("bob", bobs, `{"decision":"allow_once"}`)
	w.answer("alice", alices, `{"decision":"allow_once"}`)
	for _, who := range []string{"bob", "ada"} {
		w.do(who, http.MethodGet, "/api/elicitations/"+string(bobs), "").want(http.StatusOK).is("outcome.decision", "allow_once").is("outcome.final", "deny")
	}
	w.do("bob", http.MethodGet, "/api/elicitations?state=settled", "").want(http.StatusOK).is("items.0.outcome.final", "deny")
	w.do("alice", http.MethodGet, "/api/elicitations?state=settled", "").want(http.StatusOK).is("items.0.outcome.decision", "allow_once").is("items.0.outcome.final", nil)
}

func TestOnlyThePersonWhoseCallItIsSeesWhoHasAnswered(t *testing.T) {
	bench := &jury{Need: 1, People: []permit.Approver{{Name: "bob"}, {Name: "dora", For: "bob", Withdrawn: "by an administrator"}}}
	w := newWorld(t, func(o *api.Options) { o.Approvals = bench })
	waits := w.open(parley.Request{Tenant: "acme", To: "alice", From: "shop", Message: "Waiting for bob", Trigger: parley.TriggerApprovers})
	plain := w.open(parley.Request{Tenant: "acme", To: "alice", From: "shop", Message: "Which colour?"})
	path := "/api/elicitations/" + string(waits)
	w.do("alice", http.MethodGet, path, "").want(http.StatusOK).is("approvers.need", 1.0).is("approvers.people.0.name", "bob").is("approvers.people.0.decision", nil).
		is("approvers.people.0.withdrawn", nil).is("approvers.people.1.withdrawn", "by an administrator").is("approvers.people.1.for", "bob")
	w.do("ada", http.MethodGet, path, "").want(http.StatusOK).is("message", "Waiting for bob").is("approvers", nil)
	w.do("alice", http.MethodGet, "/api/elicitations/"+string(plain), "").want(http.StatusOK).is("approvers", nil)
	if list := w.do("alice", http.MethodGet, "/api/elicitations?state=pending", "").want(http.StatusOK); strings.Contains(string(list.body), "approvers\":") {
		t.Errorf("%s", list.body)
	}
	if err := w.hub.Cancel(t.Context(), waits, "enough"); err != nil {
		t.Fatal(err)
	}
	w.do("alice", http.MethodGet, path, "").want(http.StatusOK).is("state", "settled").is("approvers", nil)
}

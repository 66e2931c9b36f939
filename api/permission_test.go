package api_test

import (
	"net/http"
	"testing"
)

func TestPeopleSeeAndRevokeTheirOwnPermissions(t *testing.T) {
	w := newWorld(t, nil)
	always, bobs := w.decided("alice", "always_allow"), w.decided("bob", "always_allow")
	w.do("alice", http.MethodGet, "/api/permissions", "").want(http.StatusOK).
		is("items.0.id", always).is("items.0.effect", "allow").is("items.0.tool", "close").is("items.0.once", false).is("items.0.uses", 0.0).is("items.1", nil)
	w.do("key", http.MethodGet, "/api/permissions?user=bob", "").want(http.StatusOK).is("items.0.id", bobs)
	w.do("ada", http.MethodGet, "/api/permissions", "").want(http.StatusOK).is("items.0", nil)
	w.do("alice", http.MethodGet, "/api/permissions?user=bob", "").refused(http.StatusForbidden)
	w.do("key", http.MethodGet, "/api/permissions", "").refused(http.StatusUnprocessableEntity, "query.user")
	w.do("key", http.MethodDelete, "/api/permissions/"+always, "").refused(http.StatusUnprocessableEntity, "query.user")

	w.do("alice", http.MethodDelete, "/api/permissions/none", "").refused(http.StatusNotFound)
	w.do("alice", http.MethodDelete, "/api/permissions/"+bobs+"?user=bob", "").refused(http.StatusForbidden)
	w.do("alice", http.MethodDelete, "/api/permissions/"+always, "").want(http.StatusNoContent)
	w.do("key", http.MethodDelete, "/api/permissions/"+bobs+"?user=bob", "").want(http.StatusNoContent)
	for _, who := range []string{"alice", "bob"} {
		w.do(who, http.MethodGet, "/api/permissions", "").want(http.StatusOK).is("items.0", nil)
	}
}

func TestAPermissionTellsItsPersonWhichArgumentsItIsFor(t *testing.T) {
	w := newWorld(t, nil)
	w.decidedWith("alice", `{"decision":"always_allow","scope":"arguments"}`)
	w.do("alice", http.MethodGet, "/api/permissions", "").want(http.StatusOK).is("items.0.arguments", `{"id":7}`)
	w.do("key", http.MethodGet, "/api/permissions?user=alice", "").want(http.StatusOK).is("items.0.effect", "allow").is("items.0.arguments", nil)
}

func TestARefusalTellsItsPersonWhatItIsForAndWhere(t *testing.T) {
	w := newWorld(t, nil)
	w.decided("alice", "deny")
	w.do("alice", http.MethodGet, "/api/permissions", "").want(http.StatusOK).
		is("items.0.effect", "deny").is("items.0.arguments", `{"id":7}`).is("items.0.session", "chat").is("items.0.server_title", "Tracker")
	w.do("key", http.MethodGet, "/api/permissions?user=alice", "").want(http.StatusOK).is("items.0.effect", "deny").is("items.0.arguments", nil).is("items.0.session", nil)
}

// With the key of a program a model could otherwise ask again and again.
func TestARefusalIsTakenBackByThePersonOnly(t *testing.T) {
	w := newWorld(t, nil)
	refusal := w.decided("alice", "deny")
	w.do("key", http.MethodGet, "/api/permissions?user=alice", "").is("items.0.effect", "deny")
	for _, who := range []string{"key", "ada"} {
		w.do(who, http.MethodDelete, "/api/permissions/"+refusal+"?user=alice", "").refused(http.StatusForbidden, "refusal")
	}
	w.do("alice", http.MethodDelete, "/api/permissions/"+refusal, "").want(http.StatusNoContent)
	w.do("alice", http.MethodGet, "/api/permissions", "").is("items.0", nil)
}

func TestARuleIsAddedChangedAndRemoved(t *testing.T) {
	w := newWorld(t, nil)
	made := w.do("key", http.MethodPost, "/api/rules", spending).want(http.StatusCreated).
		is("name", "spending").is("when", "args.amount > 100").is("approvers.need", 1.0).is("approvers.of.1", "bob").is("source", "api").is("read_only", nil).is("position", 1.0)
	if got := made.header.Get("Location"); got != "/api/rules/spending" {
		t.Errorf("Location: %s", got)
	}
	w.do("key", http.MethodPost, "/api/rules", spending).refused(http.StatusConflict, "already")
	if got := w.do("key", http.MethodGet, "/api/rules", "").names("name"); got != "spending house" {
		t.Errorf("rules: %s", got)
	}
	w.do("key", http.MethodPut, "/api/rules/spending", `{"read_only":false,"destructive":true,"idempotent":false,"open_world":true,"approve":"unsafe"}`).want(http.StatusOK).
		is("read_only", false).is("destructive", true).is("idempotent", false).is("open_world", true).is("when", nil).is("approvers", nil)
	w.do("key", http.MethodGet, "/api/rules", "").is("items.0.approve", "unsafe").is("items.0.open_world", true).is("items.1.source", "configuration").is("items.1.approve", "refuse").is("items.1.position", 2.0)
	w.do("key", http.MethodPut, "/api/rules/spending", `{"approve":"always","choices":["allow_once","deny"]}`).want(http.StatusOK).is("choices.0", "allow_once").is("choices.1", "deny")
	w.do("key", http.MethodGet, "/api/rules", "").is("items.0.choices.1", "deny").is("items.1.choices", nil)
	for body, where := range map[string]string{
		`{"approve":"always","choices":["maybe"]}`:                   "body.choices[0]",
		`{"approve":"always","choices":["changed"]}`:                 "body.choices",
		`{"approve":"never","name":"other"}`:                         "body.name",
		`{"approve":"sometimes"}`:                                    "body.approve",
		`{"server":"tracker"}`:                                       "body.approve",
		`{"approve":"always","when":"args.amount >"}`:                "body.when",
		`{"approve":"always","approvers":{"need":0,"of":["a"]}}`:     "body.approvers.need",
		`{"approve":"always","approvers":{"need":1,"of":[]}}`:        "body.approvers.of",
		`{"approve":"always","approvers":{"need":2,"of":["a","a"]}}`: "body.approvers.need",
		`{"approve":"never","approvers":{"need":1,"of":["a"]}}`:      "body.approve",
		`{"approve":"always","tool":"[a]"}`:                          "body.tool",
		`{"approve":"always","when":"1 + 1"}`:                        "body.when",
		`{"approve":"always","read_only":"yes"}`:                     "body.read_only",
		`{"approve":"always","configured":true}`:                     "body.configured",
	} {
		w.do("key", http.MethodPut, "/api/rules/spending", body).refused(http.StatusUnprocessableEntity, `"location":"`+where+`"`)
	}
	w.do("key", http.MethodPost, "/api/rules", `{"approve":"never"}`).refused(http.StatusUnprocessableEntity, "body.name")
	w.do("key", http.MethodPut, "/api/rules/none", `{"approve":"never"}`).refused(http.StatusNotFound)
	w.do("key", http.MethodDelete, "/api/rules/spending", "").want(http.StatusNoContent)
	w.do("key", http.MethodDelete, "/api/rules/spending", "").refused(http.StatusNotFound)
}

package api_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/vault"
)

func TestPeopleSeeAndRemoveTheirOwnConnections(t *testing.T) {
	w := newWorld(t, nil)
	w.provide("acme", "alice")
	w.provide("acme", "bob")
	w.connect("alice")
	for _, one := range []struct{ who, query, want string }{
		{"key", "", "alice alice bob"},
		{"key", "?server=notes", "alice bob"},
		{"key", "?user=bob", "bob"},
		{"alice", "", "alice alice"},
		{"alice", "?server=tracker", "alice"},
		{"bob", "?server=tracker", ""},
		{"ada", "?user=ada", ""},
	} {
		if got := w.do(one.who, http.MethodGet, "/api/connections"+one.query, "").want(http.StatusOK).names("owner"); got != one.want {
			t.Errorf("%s sees with %q those of %s", one.who, one.query, got)
		}
	}
	w.do("alice", http.MethodGet, "/api/connections?server=tracker", "").
		is("items.0.type", "oauth2").is("items.0.status", "active").is("items.0.provider", "corp").is("items.0.renews", true).is("items.0.scope", "user")
	w.do("alice", http.MethodGet, "/api/connections?user=bob", "").refused(http.StatusForbidden)
	w.do("bob", http.MethodDelete, "/api/connections/notes?owner=alice", "").refused(http.StatusForbidden)
	w.do("bob", http.MethodDelete, "/api/connections/tracker", "").refused(http.StatusNotFound)
	w.do("bob", http.MethodDelete, "/api/connections/desk?scope=mentor&owner=assistant", "").refused(http.StatusForbidden)
	w.do("bob", http.MethodDelete, "/api/connections/weather?scope=platform", "").refused(http.StatusForbidden)

	w.do("bob", http.MethodDelete, "/api/connections/notes", "").want(http.StatusOK).is("disconnected", true).is("warning", nil)
	w.do("key", http.MethodDelete, "/api/connections/notes?owner=alice", "").want(http.StatusOK)
	w.do("alice", http.MethodDelete, "/api/connections/notes", "").refused(http.StatusNotFound)
	if got := w.do("key", http.MethodGet, "/api/connections", "").names("server"); got != "tracker" {
		t.Errorf("left: %s", got)
	}
	w.revocation = http.StatusBadGateway
	w.do("alice", http.MethodDelete, "/api/connections/tracker", "").want(http.StatusOK).is("disconnected", true).
		is("warning", "The provider could not be told. Revoke the access there as well.")
	w.do("alice", http.MethodGet, "/api/connections", "").is("items.0", nil)
}

func TestAnAdministratorProvidesKeysThatAreNoPersons(t *testing.T) {
	w := newWorld(t, nil)
	const key = `{"value":"` + secret + `-key"}`
	w.do("key", http.MethodPut, "/api/connections/weather", key).want(http.StatusOK).is("scope", "platform").is("status", "active").is("value", nil).is("owner", nil)
	w.do("key", http.MethodPut, "/api/connections/desk", `{"value":"`+secret+`","owner":"assistant"}`).want(http.StatusOK).is("scope", "mentor").is("owner", "assistant")
	cred, err := w.vault.Credential(t.Context(), vault.Need{Tenant: "acme", Server: "desk", Agent: "assistant"})
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := cred.Env(); got != secret {
		t.Error("the key did not get there")
	}
	w.do("key", http.MethodPut, "/api/connections/notes", key).refused(http.StatusConflict, "person")
	w.do("key", http.MethodPut, "/api/connections/tracker", key).refused(http.StatusConflict, "person")
	w.do("key", http.MethodPut, "/api/connections/shell", key).refused(http.StatusConflict, "no credential")
	w.do("key", http.MethodPut, "/api/connections/none", key).refused(http.StatusNotFound)
	for body, where := range map[string]string{
		`{"value":"` + secret + ` with spaces","owner":"a"}`: "body.value",
		`{"value":"","owner":"a"}`:                           "body.value",
		`{"value":"` + secret + `"}`:                         "body.owner",
		`{"value":"` + secret + `","user":"alice"}`:          "body.user",
		`{"owner":"a"}`:                                      "body",
	} {
		w.do("key", http.MethodPut, "/api/connections/desk", body).refused(http.StatusUnprocessableEntity, `"location":"`+where+`"`)
	}
	w.do("key", http.MethodPut, "/api/connections/weather", `{"value":"`+secret+`","owner":"alice"}`).refused(http.StatusUnprocessableEntity, "body.owner")

	w.do("key", http.MethodDelete, "/api/connections/desk", "").refused(http.StatusUnprocessableEntity, "query.owner")
	w.do("key", http.MethodDelete, "/api/connections/weather?owner=alice", "").refused(http.StatusUnprocessableEntity, "query.owner")
	w.do("key", http.MethodDelete, "/api/connections/desk?scope=all", "").refused(http.StatusUnprocessableEntity, "query.scope")
	w.do("key", http.MethodDelete, "/api/connections/weather", "").want(http.StatusOK)
	w.do("ada", http.MethodDelete, "/api/connections/desk?scope=mentor&owner=assistant", "").want(http.StatusOK)
	w.do("key", http.MethodDelete, "/api/connections/none", "").refused(http.StatusNotFound)
}

func TestAConnectionSaysWhatUsesItAndWhen(t *testing.T) {
	asked := 0
	w := newWorld(t, func(o *api.Options) {
		o.Attached = func(_ context.Context, tenant, server string) (api.Attachment, error) {
			if asked++; tenant != "acme" {
				t.Errorf("tenant %s", tenant)
			}
			if server != "notes" {
				return api.Attachment{}, vault.ErrUnknown
			}
			return api.Attachment{Agents: []string{"helper"}, Gateway: true}, nil
		}
	})
	w.provide("acme", "alice")
	w.provide("acme", "bob")
	w.connect("alice")
	w.do("alice", http.MethodGet, "/api/connections?server=notes", "").want(http.StatusOK).
		is("items.0.used_by.agents.0", "helper").is("items.0.used_by.gateway", true).is("items.0.used_at", nil)
	w.do("alice", http.MethodGet, "/api/connections?server=tracker", "").want(http.StatusOK).is("items.0.used_by", nil).is("items.0.server_title", "Tracker")
	asked = 0
	w.do("key", http.MethodGet, "/api/connections?server=notes", "").want(http.StatusOK).is("items.1.used_by.gateway", true)
	if asked != 1 {
		t.Errorf("asked %d times about one server", asked)
	}
}

package api_test

import (
	"net/http"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/login"
)

// login logs a program of somebody's in.
func (w *world) login(tenant, user string) (token, id string) {
	w.t.Helper()
	begun, err := w.logins.Begin(w.t.Context(), login.Wish{Program: "parley on laptop", Address: "192.0.2.7"})
	if err == nil {
		err = w.logins.Decide(w.t.Context(), begun.UserCode, parley.Principal{Tenant: tenant, User: user}, true)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	token, made, err := w.logins.Exchange(w.t.Context(), begun.DeviceCode, "")
	if err != nil {
		w.t.Fatal(err)
	}
	return token, made.ID
}

func TestPeopleSeeAndEndTheirOwnLogins(t *testing.T) {
	w := newWorld(t, nil)
	token, mine := w.login("acme", "alice")
	other, bobs := w.login("acme", "bob")
	elsewhere, _ := w.login("other", "alice")
	w.do("alice", http.MethodGet, "/api/logins", "").want(http.StatusOK).
		is("items.0.id", mine).is("items.0.program", "parley on laptop").is("items.0.address", "192.0.2.7").is("items.0.token", nil).is("items.1", nil)
	w.do("alice", http.MethodGet, "/api/logins?user=bob", "").refused(http.StatusForbidden)
	w.do("alice", http.MethodDelete, "/api/logins/"+bobs+"?user=bob", "").refused(http.StatusForbidden)
	w.do("alice", http.MethodDelete, "/api/logins/"+bobs, "").refused(http.StatusNotFound)
	w.do("key", http.MethodGet, "/api/logins", "").refused(http.StatusUnprocessableEntity, "query.user")
	w.do("key", http.MethodGet, "/api/logins?user=bob", "").want(http.StatusOK).is("items.0.id", bobs)

	w.do("alice", http.MethodDelete, "/api/logins/"+mine, "").want(http.StatusNoContent)
	w.do("alice", http.MethodDelete, "/api/logins/"+mine, "").refused(http.StatusNotFound)
	w.do("key", http.MethodDelete, "/api/logins/"+bobs+"?user=bob", "").want(http.StatusNoContent)
	for _, ended := range []string{token, other} {
		if _, err := w.logins.Verify(t.Context(), ended); err == nil {
			t.Error("a login that was ended still holds")
		}
	}
	if _, err := w.logins.Verify(t.Context(), elsewhere); err != nil {
		t.Error("that of another tenant:", err)
	}
}

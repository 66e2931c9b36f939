package api_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestATenantsServerCannotTakeTheOperatorsClientThatIsNotOpenToIt(t *testing.T) {
	w := newWorld(t, nil)
	server := func(auth string) string {
		return `{"name":"board","url":"https://board.example/mcp","auth":{"type":"oauth2","scope":"user",` + auth + `}}`
	}
	for auth, path := range map[string]string{
		`"provider":"corp"`: "body.auth.provider",
		`"service":"mail"`:  "body.auth.service",
	} {
		w.do("rival", http.MethodPost, "/api/servers", server(auth)).refused(http.StatusUnprocessableEntity, path)
	}
	w.do("rival", http.MethodPost, "/api/services", drive).refused(http.StatusUnprocessableEntity, "body.provider")
	w.do("key", http.MethodPost, "/api/servers", server(`"provider":"corp","scopes":["read","admin"]`)).refused(http.StatusUnprocessableEntity, "body.auth.scopes")
	w.do("key", http.MethodPost, "/api/services", `{"name":"wide","provider":"corp","scopes":["admin"]}`).refused(http.StatusUnprocessableEntity, "body.scopes")
	for _, who := range []string{"rival", "key"} {
		w.do(who, http.MethodGet, "/api/servers/board", "").want(http.StatusNotFound)
	}

	// A change that is refused leaves everything as it was.
	w.do("key", http.MethodPost, "/api/servers", server(`"provider":"corp"`)).want(http.StatusCreated)
	w.do("key", http.MethodPatch, "/api/servers/board", `{"approve":"never","auth":{"scopes":["admin"]}}`).refused(http.StatusUnprocessableEntity, "body.auth.scopes")
	w.do("key", http.MethodGet, "/api/servers/board", "").want(http.StatusOK).is("approve", "unsafe").is("auth.scopes.0", nil)
	w.do("key", http.MethodGet, "/api/servers/board/checklist", "").want(http.StatusOK).is("items.1.item", "provider").is("items.1.ok", true)

	// What another tenant has from before is named in its checklist.
	w.do("rival", http.MethodPost, "/api/servers", server(`"provider":"later"`)).want(http.StatusCreated)
	list := w.do("rival", http.MethodGet, "/api/servers/board/checklist", "").want(http.StatusOK)
	if !strings.Contains(string(list.body), "is not registered here") {
		t.Errorf("%s", list.body)
	}
}

func TestTheAPITakesNoReservedParameters(t *testing.T) {
	w := newWorld(t, nil)
	for _, name := range []string{"scope", "Scope", "redirect_uri", "request_uri", "resource", "response_mode", "nonce", "scope[]"} {
		w.do("key", http.MethodPost, "/api/providers",
			`{"name":"idp","auth_url":"https://idp.example/a","token_url":"https://idp.example/t","client_id":"c","auth_params":{"`+name+`":"admin"}}`).
			refused(http.StatusUnprocessableEntity, "body.auth_params")
	}
	w.do("key", http.MethodPost, "/api/providers",
		`{"name":"idp","auth_url":"https://idp.example/a?scope=admin","token_url":"https://idp.example/t","client_id":"c"}`).
		refused(http.StatusUnprocessableEntity, "body.auth_url")
	w.do("key", http.MethodPost, "/api/providers",
		`{"name":"idp","auth_url":"https://idp.example/a?p=x","token_url":"https://idp.example/t","client_id":"c","auth_params":{"access_type":"offline"}}`).
		want(http.StatusCreated)
	// What is lent is the configuration's to say.
	w.do("key", http.MethodPut, "/api/providers/idp",
		`{"auth_url":"https://idp.example/a","token_url":"https://idp.example/t","client_id":"c","tenants":["*"]}`).refused(http.StatusUnprocessableEntity, "body.tenants")
}

package api_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAProviderShowsWhatToRegisterAndNeverItsSecret(t *testing.T) {
	w := newWorld(t, nil)
	made := w.do("key", http.MethodPost, "/api/providers", acme).want(http.StatusCreated).
		is("has_secret", true).is("client_secret", nil).is("source", "api").is("redirect_uri", "https://parley.example/oauth/callback/acme~acme")
	if got := made.header.Get("Location"); got != "/api/providers/acme" {
		t.Errorf("Location: %s", got)
	}
	w.do("key", http.MethodGet, "/api/providers/corp", "").is("redirect_uri", "https://parley.example/oauth/callback/corp")
	w.do("key", http.MethodPost, "/api/providers", acme).refused(http.StatusConflict, "already")
	if got := w.do("key", http.MethodGet, "/api/providers", "").names("name"); got != "acme corp" {
		t.Errorf("providers: %s", got)
	}
	w.do("key", http.MethodPut, "/api/providers/acme",
		`{"title":"Acme","auth_url":"https://id.example/a2","token_url":"https://id.example/t2","client_id":"c2","scopes":["read"],"secret_in":"body","auth_params":{"prompt":"consent"}}`).
		want(http.StatusOK).is("has_secret", true).is("client_id", "c2").is("scopes.0", "read").is("auth_params.prompt", "consent")
	p, err := w.vault.Provider(t.Context(), "acme", "acme")
	if err != nil || p.ClientSecret != secret || p.SecretIn != "body" {
		t.Errorf("%v, the secret is there: %t", err, p.ClientSecret == secret)
	}
	w.do("key", http.MethodDelete, "/api/providers/acme", "").want(http.StatusNoContent)
	w.do("key", http.MethodDelete, "/api/providers/acme", "").refused(http.StatusNotFound)
	w.do("key", http.MethodPut, "/api/providers/acme", acme).refused(http.StatusNotFound)
}

func TestAProviderThatCannotBeUsedIsRefused(t *testing.T) {
	w := newWorld(t, nil)
	for change, where := range map[string]string{
		`"name":"acme"=>"name":""`:                             "body.name",
		`"name":"acme"=>"name":"a b"`:                          "body.name",
		`"name":"acme",=>`:                                     "body.name",
		`https://id.example/a=>http://id.example/a`:            "body.auth_url",
		`https://id.example/t=>https://10.0.0.1/t`:             "body.token_url",
		`"client_id":"c"=>"client_id":""`:                      "body.client_id",
		`"client_id":"c",=>`:                                   "body",
		`"client_id":"c"=>"client_id":"c","require_iss":true`:  "body.require_iss",
		`"client_id":"c"=>"client_id":"c","secret_in":"x"`:     "body.secret_in",
		`"client_id":"c"=>"client_id":"c","revoke_url":"ftp:"`: "body.revoke_url",
		`"client_id":"c"=>"client_id":"c","redirect_uri":"x"`:  "body.redirect_uri",

		`"client_id":"c"=>"client_id":"c","auth_params":{"state":"x"}`:             "body.auth_params",
		`"client_id":"c"=>"client_id":"c","auth_params":{"redirect_uri":"https:"}`: "body.auth_params",
		`"client_id":"c"=>"client_id":"c","auth_params":{"response_type":"token"}`: "body.auth_params",

		`"client_secret":=>"client_secret":1,"x":`: "body.client_secret",
	} {
		old, changed, _ := strings.Cut(change, "=>")
		body := strings.Replace(acme, old, changed, 1)
		if body == acme {
			t.Fatalf("%s is not in it", old)
		}
		w.do("key", http.MethodPost, "/api/providers", body).refused(http.StatusUnprocessableEntity, `"location":"`+where+`"`)
	}
	both := w.do("key", http.MethodPost, "/api/providers", `{"name":"x","auth_url":"http://a.example","token_url":"http://b.example","client_id":"c"}`).refused(http.StatusUnprocessableEntity)
	if list := both.at("errors").([]any); len(list) != 2 {
		t.Errorf("of two wrong URLs %d are named", len(list))
	}
}

func TestAServiceIsOfAProvider(t *testing.T) {
	w := newWorld(t, nil)
	w.do("key", http.MethodPost, "/api/services", drive).want(http.StatusCreated).is("provider", "corp").is("scopes.0", "files").is("source", "api")
	w.do("key", http.MethodPost, "/api/services", drive).refused(http.StatusConflict)
	if got := w.do("key", http.MethodGet, "/api/services", "").names("source"); got != "api configuration" {
		t.Errorf("sources: %s", got)
	}
	w.do("key", http.MethodPut, "/api/services/drive", `{"provider":"corp"}`).want(http.StatusOK).is("scopes.0", nil)
	w.do("key", http.MethodPut, "/api/services/drive", `{"name":"d","provider":"corp"}`).refused(http.StatusUnprocessableEntity, "body.name")
	w.do("key", http.MethodPut, "/api/services/none", drive).refused(http.StatusNotFound)
	w.do("key", http.MethodPost, "/api/services", `{"provider":"corp"}`).refused(http.StatusUnprocessableEntity, "body.name")
	w.do("key", http.MethodPost, "/api/services", `{"name":"x","provider":""}`).refused(http.StatusUnprocessableEntity, "body.provider")
	w.do("key", http.MethodDelete, "/api/services/drive", "").want(http.StatusNoContent)
	w.do("key", http.MethodGet, "/api/services/drive", "").refused(http.StatusNotFound)
}

package oidc_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/interop/kit"
)

func TestTheProviderRegistersClientsIfItMay(t *testing.T) {
	register := func(p *oidcProvider) (int, map[string]any) {
		return post(t, p.Issuer+"/reg", "application/json", `{"redirect_uris":["http://127.0.0.1/callback"]}`)
	}
	status, got := register(startProvider(t, kit.Fields{"registration": true}))
	if secret, _ := got["client_secret"].(string); status != http.StatusCreated || secret == "" {
		t.Errorf("got %d %v", status, got)
	}
	if status, got := register(startProvider(t, nil)); status != http.StatusNotFound {
		t.Errorf("got %d %v", status, got)
	}
}

func TestTheProviderFailsWhenItIsToldTo(t *testing.T) {
	p := startProvider(t, nil)
	ask := func() int {
		status, _ := post(t, p.Issuer+"/token", "application/x-www-form-urlencoded", "grant_type=refresh_token")
		return status
	}
	p.fail("/token", http.StatusServiceUnavailable, 2)
	if diff := cmp.Diff([]int{503, 503, 400}, []int{ask(), ask(), ask()}); diff != "" {
		t.Error(diff)
	}
	want := []oidcRequest{
		{Method: "POST", Path: "/token", Status: 503, Error: "server_error"},
		{Method: "POST", Path: "/token", Status: 503, Error: "server_error"},
		{Method: "POST", Path: "/token", Status: 400, Grant: "refresh_token", Error: "invalid_request"},
	}
	if diff := cmp.Diff(want, p.requests()); diff != "" {
		t.Error(diff)
	}
}

func TestTheProviderKnowsResourcesIfThereAreAny(t *testing.T) {
	const resource = "http://127.0.0.1:9100/mcp"
	ask := func(p *oidcProvider, resource string) url.Values {
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		response, err := client.Get(p.Issuer + "/auth?" + url.Values{
			"client_id": {"app"}, "response_type": {"code"}, "scope": {"openid read"}, "resource": {resource},
			"code_challenge": {strings.Repeat("x", 43)}, "code_challenge_method": {"S256"},
		}.Encode())
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		client.CloseIdleConnections()
		to, err := response.Location()
		if err != nil {
			t.Fatal(err)
		}
		return to.Query()
	}
	clients := []kit.Fields{{"client_id": "app", "client_secret": "secret", "redirect_uris": []string{"http://127.0.0.1/callback"}}}
	knows := startProvider(t, kit.Fields{"clients": clients, "resources": []string{resource}})
	if got := ask(knows, resource); got.Has("error") {
		t.Errorf("got %v", got)
	}
	if got := ask(knows, resource+"/other"); got.Get("error") != "invalid_target" {
		t.Errorf("got %v", got)
	}
	if got := ask(startProvider(t, kit.Fields{"clients": clients}), resource+"/other"); got.Has("error") {
		t.Errorf("got %v", got)
	}
}

func post(t *testing.T, address, contentType, body string) (int, map[string]any) {
	t.Helper()
	response, err := http.Post(address, contentType, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer http.DefaultClient.CloseIdleConnections()
	defer response.Body.Close()
	var answer map[string]any
	_ = json.NewDecoder(response.Body).Decode(&answer)
	return response.StatusCode, answer
}

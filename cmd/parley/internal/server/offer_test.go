package server_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"
)

// An agent tells clients what tokens it takes, as the gateway does.
func TestAnAgentIsAProtectedResource(t *testing.T) {
	base := withGateway(t, "models: {demo: {kind: demo}}\nagents: {assistant: {model: demo}}\ngateway: {scopes: [use]}\n")
	agent := base + "/mcp/agents/assistant"
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	metadata := base + "/.well-known/oauth-protected-resource/mcp/agents/assistant"
	status, data := sent(t, http.MethodGet, metadata, "", "")
	var described struct {
		Resource string
		Servers  []string `json:"authorization_servers"`
		Scopes   []string `json:"scopes_supported"`
	}
	if err := json.Unmarshal(data, &described); err != nil || status != http.StatusOK || described.Resource != agent ||
		fmt.Sprint(described.Servers, described.Scopes) != "[https://app.example] [use]" {
		t.Errorf("%d %s, %v", status, data, err)
	}
	if status, _ := sent(t, http.MethodGet, base+"/.well-known/oauth-protected-resource/mcp/agents/nobody", "", ""); status != http.StatusNotFound {
		t.Errorf("of an agent that is not there: %d", status)
	}
	for name, c := range map[string]struct {
		change func(map[string]any)
		status int
		told   string
	}{
		"the configured audience": {func(m map[string]any) { m["scope"] = "use" }, http.StatusOK, ""},
		"the agent":               {func(m map[string]any) { m["scope"], m["aud"] = "use", agent }, http.StatusOK, ""},
		"the gateway":             {func(m map[string]any) { m["scope"], m["aud"] = "use", base+"/mcp" }, http.StatusOK, ""},
		"another agent":           {func(m map[string]any) { m["scope"], m["aud"] = "use", base+"/mcp/agents/other" }, http.StatusUnauthorized, `Bearer resource_metadata="` + metadata + `", error="invalid_token", error_description="the token is for another audience: ask its issuer for one for 'parley' or '` + base + `/mcp' or '` + agent + `'", scope="use"`},
		"no scope":                {nil, http.StatusForbidden, `Bearer resource_metadata="` + metadata + `", error="insufficient_scope", scope="use"`},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, agent, strings.NewReader(begin))
			if err != nil {
				t.Fatal(err)
			}
			r.Close = true
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			r.Header.Set("Authorization", "Bearer "+token(t, jose.HS256, []byte(hmacKey), claims(c.change)))
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			if told := answer.Header.Get("WWW-Authenticate"); answer.StatusCode != c.status || told != c.told {
				t.Errorf("%s, told %q", answer.Status, told)
			}
		})
	}
}

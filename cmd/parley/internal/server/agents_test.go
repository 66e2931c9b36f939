package server_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestAServerOfTheConfigurationIsShownWithItsAgents(t *testing.T) {
	base := started(t, "servers: {shop: {url: http://127.0.0.1:9/mcp}, spare: {url: http://127.0.0.1:9/mcp}}\nagents: {assistant: {model: demo, servers: [shop]}, clerk: {model: demo, servers: [shop]}}\n")
	status, data := sent(t, http.MethodGet, base+"/api/servers/shop", "the-key-of-a-program", "")
	if !strings.Contains(string(data), `"agents":["assistant","clerk"]`) {
		t.Errorf("%d %s", status, data)
	}
	_, data = sent(t, http.MethodGet, base+"/api/servers", "the-key-of-a-program", "")
	if all := string(data); strings.Count(all, `"agents":["assistant","clerk"]`) != 1 || strings.Count(all, `"agents":[]`) != 1 {
		t.Errorf("%s", all)
	}
}

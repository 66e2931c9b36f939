package server_test

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
)

// What the configuration says of a server is not taken back by an administrator
// of a tenant; what it does not say is theirs.
func TestATenantsRuleDoesNotLoosenWhatTheConfigurationSays(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+fmt.Sprintf(`
models: {script: {kind: demo}}
servers:
  shut: {url: %q, approve: refuse}
  silent: {url: %q}
  open: {url: %q, approve: never}
agents: {assistant: {model: script, servers: [shut, silent, open]}}
rules: [{name: no deleting, server: open, tool: delete, approve: refuse}]
`, toolServer(t, "look"), toolServer(t, "look"), toolServer(t, "delete")), map[string]agent.Model{"script": obedient{}})
	status, data := sent(t, http.MethodPost, base+"/api/rules", tenantKeys["acme"], `{"name":"all-is-well","approve":"never"}`)
	if status != http.StatusCreated {
		t.Fatalf("%d %s", status, data)
	}
	for tool, want := range map[string]string{
		"shut__look":   "never allowed",
		"silent__look": "It says: look",
		"open__delete": "never allowed",
	} {
		body := fmt.Sprintf(`{"id":%q,"agent":"assistant","messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, tool, tool)
		if _, data := sent(t, http.MethodPost, base+"/run/api/chat", personOf(t, "acme"), body); !strings.Contains(string(data), want) {
			t.Errorf("%s: no %q in %s", tool, want, data)
		}
	}
}

// An administrator sees whom a rule asks besides its approvers.
func TestARuleSaysWhomItEscalatesTo(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, gatewayHead(listener.Addr().String())+`
groups: {bosses: [frank, gina]}
rules: [{name: pays, tool: pay, approvers: "1 of [bob, carol]", escalate: [{after: 1m, to: dave}, {after: 2m, to: bosses}]}]
`, nil)
	const want = `"escalate":[{"after_seconds":60,"to":["dave"]},{"after_seconds":120,"to":["frank","gina"]}]`
	for _, path := range []string{"/api/rules", "/api/rules/pays"} {
		if status, data := sent(t, http.MethodGet, base+path, tenantKeys["acme"], ""); status != http.StatusOK || !strings.Contains(string(data), want) {
			t.Errorf("%s: %d %s", path, status, data)
		}
	}
	status, data := sent(t, http.MethodPost, base+"/api/rules", tenantKeys["acme"], `{"name":"mine","tool":"pay","approvers":{"need":1,"of":["bob"]},"escalate":[]}`)
	if status != http.StatusUnprocessableEntity || !strings.Contains(string(data), "body.escalate") {
		t.Errorf("a tenant's own: %d %s", status, data)
	}
}

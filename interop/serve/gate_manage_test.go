package serve_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

const managedProvider = `
providers:
  acme:
    issuer: {wares}/acme
    auth_url: {wares}/acme/authorize
    token_url: {wares}/acme/token
    client_id: parley
    client_secret: a-client-secret
    scopes: [read, write]
    tenants: [default]
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
gateway: {servers: []}
`

// checklist is what the API says of a server.
type checklist struct {
	Ready bool
	Items []struct {
		Item, Detail, Fix string
		OK                bool
	}
}

// lacking are the items that are not there.
func (l checklist) lacking() []string {
	all := []string{}
	for _, item := range l.Items {
		if !item.OK {
			all = append(all, item.Item)
		}
	}
	return all
}

func TestAServerOfTheAPIComesAndGoesAtTheGateway(t *testing.T) {
	g := startGate(t, managedProvider)
	alice := g.token(t, "alice")
	c := g.client(t, "alice", false)
	var shown struct {
		Name, Source string
		Auth         struct{ Type, Scope string }
	}
	body := `{"name":"added","url":"` + g.wares.url + `/mine/mcp","approve":"never","auth":{"type":"oauth2","scope":"platform","provider":"acme"}}`
	if status := g.api(t, http.MethodPost, "/api/servers", adminKey, body, &shown); status != http.StatusCreated || shown.Source != "api" || shown.Auth.Scope != "platform" {
		t.Fatalf("created: %d %+v", status, shown)
	}
	if status := g.api(t, http.MethodPost, "/api/servers", adminKey, body, nil); status != http.StatusConflict {
		t.Errorf("created twice: %d", status)
	}
	var list checklist
	if g.api(t, http.MethodGet, "/api/servers/added/checklist", adminKey, "", &list); list.Ready || !slices.Contains(list.lacking(), "auth_scope") {
		t.Errorf("with one account for all: %+v", list)
	}
	if status := g.api(t, http.MethodPatch, "/api/servers/added", adminKey, `{"auth":{"scope":"user"}}`, &shown); status != http.StatusOK || shown.Auth.Scope != "user" || shown.Auth.Type != "oauth2" {
		t.Fatalf("changed: %d %+v", status, shown)
	}
	kit.Eventually(t, "the server is listed", func() bool { return slices.Contains(kit.ToolsAt(t, g.public, alice), "added__connect") })
	if g.api(t, http.MethodGet, "/api/servers/added/checklist?user=alice", adminKey, "", &list); !list.Ready || !slices.Equal(list.lacking(), []string{"connection"}) {
		t.Errorf("before alice connects: %+v", list)
	}
	c.begin("added__look", kit.Fields{})
	q := c.Question()
	c.person.ConnectAs(t, c.wantConnect(g, q), "alice")
	c.reply(q, "accept", nil)
	if end := c.End(); len(end.Texts()) != 1 || end.Texts()[0] != "look for alice: {}" {
		t.Errorf("got %s", kit.DescribeEnd(end))
	}
	if g.api(t, http.MethodGet, "/api/servers/added/checklist?user=alice", adminKey, "", &list); !list.Ready || len(list.lacking()) != 0 {
		t.Errorf("after alice connected: %+v", list)
	}
	if status := g.api(t, http.MethodDelete, "/api/servers/added", adminKey, "", nil); status != http.StatusNoContent {
		t.Errorf("removed: %d", status)
	}
	kit.Eventually(t, "the server is gone", func() bool {
		return !slices.ContainsFunc(kit.ToolsAt(t, g.public, alice), func(name string) bool { return strings.HasPrefix(name, "added__") })
	})
	// For a moment the node may still believe that there is such a server, but it
	// has nothing for it.
	kit.Eventually(t, "its tools are not known", func() bool { return c.do("added__look", kit.Fields{}).Code() == -32602 })
	g.wares.carriedOut(t, map[string]int{"look": 1})
}

func TestAServerOfTheAPINeedsNoRestart(t *testing.T) {
	g := startGate(t, managedProvider)
	c, alice := g.client(t, "alice", true), g.token(t, "alice")
	put := func(body string) {
		t.Helper()
		if status := g.api(t, http.MethodPut, "/api/servers/added", adminKey, body, nil); status != http.StatusOK {
			t.Fatalf("changed to %s: %d", body, status)
		}
	}
	if status := g.api(t, http.MethodPost, "/api/servers", adminKey, `{"name":"added","url":"`+g.wares.url+`/legacy/mcp","approve":"never"}`, nil); status != http.StatusCreated {
		t.Fatalf("created: %d", status)
	}
	kit.Eventually(t, "its tools are listed", func() bool { return slices.Contains(kit.ToolsAt(t, g.public, alice), "added__buy") })
	if end := c.do("added__buy", kit.Fields{}); end.Err != nil || end.IsError {
		t.Errorf("got %s", kit.DescribeEnd(end))
	}
	put(`{"url":"` + g.wares.url + `/modern/mcp","approve":"refuse"}`)
	kit.Eventually(t, "the new rule holds", func() bool { return c.do("added__buy", kit.Fields{}).Code() == -32001 })
	put(`{"url":"` + g.wares.url + `/modern/mcp","enabled":false}`)
	kit.Eventually(t, "its tools are gone", func() bool { return !slices.Contains(kit.ToolsAt(t, g.public, alice), "added__buy") })
	if !slices.Contains(kit.ToolsAt(t, g.public, alice), "shop__buy") {
		t.Error("the tools of the configuration are gone, too")
	}
}

func TestManagementIsForAdministrators(t *testing.T) {
	g := startGate(t, managedProvider)
	body := `{"name":"mine","url":"` + g.wares.url + `/modern/mcp"}`
	admin := g.token(t, "root", claim("scope", "parley:admin"))
	for _, c := range []struct {
		who, token   string
		status, list int
	}{
		{"nobody", "", http.StatusUnauthorized, http.StatusUnauthorized},
		{"somebody who made a key up", "another-key", http.StatusUnauthorized, http.StatusUnauthorized},
		{"a person", g.token(t, "alice"), http.StatusForbidden, http.StatusForbidden},
		{"a person with another scope", g.token(t, "alice", claim("scope", "parley:administrator parley")), http.StatusForbidden, http.StatusForbidden},
		{"an administrator", admin, http.StatusCreated, http.StatusOK},
		{"a program", adminKey, http.StatusConflict, http.StatusOK},
	} {
		if status := g.api(t, http.MethodPost, "/api/servers", c.token, body, nil); status != c.status {
			t.Errorf("%s adds a server: %d", c.who, status)
		}
		for _, path := range []string{"/api/servers", "/api/servers/shop", "/api/servers/shop/checklist", "/api/providers", "/api/rules"} {
			if status := g.api(t, http.MethodGet, path, c.token, "", nil); status != c.list {
				t.Errorf("%s reads %s: %d", c.who, path, status)
			}
		}
		if c.list == http.StatusOK {
			continue
		}
		for path, method := range map[string]string{"/api/servers/mine": http.MethodDelete, "/api/servers/shop": http.MethodPatch, "/api/connections/shop?user=bob": http.MethodPut} {
			if status := g.api(t, method, path, c.token, `{}`, nil); status != c.status {
				t.Errorf("%s: %s %s: %d", c.who, method, path, status)
			}
		}
	}
	if status := g.api(t, http.MethodDelete, "/api/servers/shop", adminKey, "", nil); status != http.StatusConflict {
		t.Errorf("what the configuration has was removed: %d", status)
	}
	if status := g.api(t, http.MethodPost, "/api/servers", adminKey, `{"name":"shell","command":["sh"]}`, nil); status != http.StatusUnprocessableEntity {
		t.Errorf("a program was started: %d", status)
	}
}

// Outside of development an administrator cannot point the gateway at what only
// this machine reaches.
func TestTheAPITakesNoServersOfThisMachine(t *testing.T) {
	g := guardedGate(t, "")
	for _, address := range []string{g.wares.url + "/legacy/mcp", "http://localhost:1/mcp", "http://169.254.169.254/latest", "http://[::1]:80/mcp"} {
		body, err := json.Marshal(map[string]string{"name": "inside", "url": address})
		if err != nil {
			t.Fatal(err)
		}
		if status := g.api(t, http.MethodPost, "/api/servers", adminKey, string(body), nil); status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", address, status)
		}
	}
}

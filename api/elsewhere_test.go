package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/api"
)

const travel = `{"name":"travel","title":"Travel desk","transport":"a2a","url":"https://travel.example/","agents":["assistant"]}`

// A title does not say in whose place somebody asks: that is for us to say.
func TestNoTitleSaysForWhomSomebodyAsks(t *testing.T) {
	w := withAgents(t)
	for _, title := range []string{
		"Travel, for “Bank”", "Travel for „Bank“", "Travel \"Bank\"", "«Bank»", "Clerk, for Bank", "C1erk – for ‘Bank’", "Tracker, of the bank", "tracker (bank)",
		"Parley: the program", "You", "You, the person",
		"Tracker ― the bank", "Tracker٫ bank", "Tracker ⁄ bank", "Tracker → bank", "Tracker - bank", "Tracker > bank", "You ― at home", "Travel ⟦Bank⟧", "Travel ❲Bank❳", "Travel ″Bank″", "Travel ʺBankʺ", "Travel ''Bank''",
	} {
		for _, transport := range []string{"a2a", "http"} {
			if transport == "http" && strings.HasPrefix(strings.ToLower(title), "c") {
				continue // the agents' names are those of agents
			}
			body := fmt.Sprintf(`{"name":"x","title":%q,"transport":%q,"url":"https://travel.example/"}`, title, transport)
			w.do("key", http.MethodPost, "/api/servers", body).refused(http.StatusUnprocessableEntity, "body.title")
		}
	}
	for _, name := range []string{"delegate_to_clerk", "Delegate-to-x", "de1egate_to_"} {
		w.do("key", http.MethodPost, "/api/servers", `{"name":"`+name+`","transport":"a2a","url":"https://travel.example/"}`).refused(http.StatusUnprocessableEntity, "body.name")
	}
	w.do("key", http.MethodPost, "/api/servers", `{"name":"x","title":"Anna’s trips, and yours","transport":"a2a","url":"https://travel.example/"}`).want(http.StatusCreated)
	w.do("key", http.MethodPatch, "/api/servers/x", `{"title":"Clerk, for Bank"}`).refused(http.StatusUnprocessableEntity, "body.title", "agent clerk")
}

// What an agent elsewhere cannot do is refused when it is added.
func TestAnAgentElsewhereTakesWhatItCanUse(t *testing.T) {
	w := newWorld(t, func(o *api.Options) { o.Agents, o.Elsewhere = []string{"assistant", "far"}, []string{"far"} })
	add := func(more string) reply {
		return w.do("key", http.MethodPost, "/api/servers", `{"name":"x","transport":"a2a","url":"https://travel.example/",`+more+`}`)
	}
	add(`"auth":{"type":"mcp"}`).refused(http.StatusUnprocessableEntity, "body.auth.type", "this is an A2A agent")
	add(`"auth":{"type":"bearer","source":"env:HOME"}`).refused(http.StatusUnprocessableEntity, "body.auth.source", "no source")
	add(`"agents":["assistant","far"]`).refused(http.StatusUnprocessableEntity, "body.agents", "is elsewhere")
	for _, header := range []string{"A2A-Version", "a2a-extensions", "Content-Type", "MCP-Session-Id"} {
		add(`"auth":{"type":"api_key","header":"`+header+`"}`).refused(http.StatusUnprocessableEntity, "body.auth.header", "of the protocol")
	}
	add(`"auth":{"type":"api_key","header":"X-Travel-Key"}`).want(http.StatusCreated)
	w.do("key", http.MethodPatch, "/api/servers/x", `{"auth":{"type":"mcp"}}`).refused(http.StatusUnprocessableEntity, "body.auth.type")
}

func TestATenantHasSoManyServersAndNoMore(t *testing.T) {
	w := newWorld(t, nil)
	row := func(n int) string { return fmt.Sprintf(`{"name":"s%d","url":"https://board.example/mcp"}`, n) }
	for n := range 200 {
		w.do("key", http.MethodPost, "/api/servers", row(n)).want(http.StatusCreated)
	}
	w.do("key", http.MethodPost, "/api/servers", row(200)).refused(http.StatusConflict, "200 servers")
	w.do("rival", http.MethodPost, "/api/servers", row(200)).want(http.StatusCreated)
	w.do("key", http.MethodDelete, "/api/servers/s7", "").want(http.StatusNoContent)
	w.do("key", http.MethodPost, "/api/servers", row(200)).want(http.StatusCreated)
}

// withAgents is a world with agents to delegate from.
func withAgents(t *testing.T) *world {
	t.Helper()
	return newWorld(t, func(o *api.Options) { o.Agents = []string{"assistant", "clerk"} })
}

// An agent elsewhere is added, changed and removed as an MCP server is, and stays one.
func TestAnAgentElsewhereIsAddedChangedAndRemoved(t *testing.T) {
	w := withAgents(t)
	w.do("key", http.MethodPost, "/api/servers", travel).want(http.StatusCreated).
		is("transport", "a2a").is("source", "api").is("approve", "unsafe").is("url", "https://travel.example/").is("agents", []any{"assistant"})
	w.do("key", http.MethodPost, "/api/servers", travel).refused(http.StatusConflict, "already")
	w.do("key", http.MethodPatch, "/api/servers/travel", `{"title":"Trips","auth":{"type":"bearer","token":"`+secret+`"}}`).want(http.StatusOK).
		is("transport", "a2a").is("title", "Trips").is("auth.has_token", true)
	w.do("key", http.MethodPatch, "/api/servers/travel", `{"transport":null}`).want(http.StatusOK).is("transport", "a2a")
	w.do("key", http.MethodPatch, "/api/servers/travel", `{"url":"https://evil.example/"}`).refused(http.StatusUnprocessableEntity, "body.auth.token", "another place")
	w.do("key", http.MethodPut, "/api/servers/travel", `{"url":"https://travel.example/v2"}`).want(http.StatusOK).is("transport", "a2a").is("title", nil)
	w.do("key", http.MethodPut, "/api/servers/travel", `{"url":"https://travel.example/","transport":"http"}`).refused(http.StatusUnprocessableEntity, "body.transport", "keeps its transport")
	w.do("key", http.MethodPatch, "/api/servers/travel", `{"transport":"http"}`).refused(http.StatusUnprocessableEntity, "body.transport")
	w.do("key", http.MethodPost, "/api/servers", `{"name":"board","url":"https://board.example/mcp"}`).want(http.StatusCreated).is("transport", "http")
	w.do("key", http.MethodPatch, "/api/servers/board", `{"transport":"a2a"}`).refused(http.StatusUnprocessableEntity, "body.transport")
	w.do("key", http.MethodPatch, "/api/servers/board", `{"transport":"http","title":"B"}`).want(http.StatusOK)
	w.do("key", http.MethodPost, "/api/servers", `{"name":"x","transport":"stdio","url":"https://x.example"}`).refused(http.StatusUnprocessableEntity, "body.transport")
	w.do("key", http.MethodPost, "/api/servers", `{"name":"x","transport":"a2a"}`).refused(http.StatusUnprocessableEntity, "body.url")
	w.do("key", http.MethodPost, "/api/servers", `{"name":"x","transport":"a2a","url":"https://169.254.169.254/"}`).refused(http.StatusUnprocessableEntity, "body.url")
	w.do("rival", http.MethodGet, "/api/servers/travel", "").refused(http.StatusNotFound)
	w.do("key", http.MethodDelete, "/api/servers/travel", "").want(http.StatusNoContent)
	w.do("key", http.MethodPost, "/api/servers", `{"name":"travel","url":"https://travel.example/mcp"}`).want(http.StatusCreated).is("transport", "http")
}

// Models and people tell agents by their names, wherever they are: a tenant's own passes
// for none of the operator's, and for no server.
func TestAnAgentElsewhereHasANameOfItsOwn(t *testing.T) {
	w := withAgents(t)
	for name, where := range map[string]string{"clerk": "body.name", "Clerk": "body.name", "c1erk": "body.name", "parley": "body.name", "Tracker": "body.name"} {
		w.do("key", http.MethodPost, "/api/servers", `{"name":"`+name+`","transport":"a2a","url":"https://travel.example/"}`).refused(http.StatusUnprocessableEntity, where)
	}
	w.do("key", http.MethodPost, "/api/servers", `{"name":"tracker","transport":"a2a","url":"https://travel.example/"}`).refused(http.StatusConflict, "configuration")
	w.do("key", http.MethodPost, "/api/servers", `{"name":"t","title":"Clerk","transport":"a2a","url":"https://travel.example/"}`).
		refused(http.StatusUnprocessableEntity, "body.title", "agent clerk")
	created("/api/servers", board)(w)
	w.do("key", http.MethodPost, "/api/servers", `{"name":"board","transport":"a2a","url":"https://travel.example/"}`).refused(http.StatusConflict, "already")
	created("/api/servers", travel)(w)
	w.do("key", http.MethodPatch, "/api/servers/travel", `{"title":"CLERK"}`).refused(http.StatusUnprocessableEntity, "body.title")
	w.do("key", http.MethodPost, "/api/servers", `{"name":"Clerk","url":"https://board.example/mcp"}`).want(http.StatusCreated) // its tools are not called as agents are
}

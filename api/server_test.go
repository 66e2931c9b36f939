package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

func TestAServerIsAddedChangedAndRemoved(t *testing.T) {
	w := newWorld(t, nil)
	made := w.do("key", http.MethodPost, "/api/servers", board).want(http.StatusCreated)
	made.is("name", "board").is("server_id", float64(vault.ServerID("board"))).is("source", "api").is("approve", "always").is("enabled", true).is("auth.has_token", true).is("status.state", "unknown").
		is("auth.scope", "platform").is("auth.header", "Authorization").is("transport", "http")
	if got := made.header.Get("Location"); got != "/api/servers/board" {
		t.Errorf("Location: %s", got)
	}
	w.do("key", http.MethodPost, "/api/servers", board).refused(http.StatusConflict, "already")
	if got := w.do("key", http.MethodGet, "/api/servers", "").names("name"); got != "board desk notes shell tracker weather" {
		t.Errorf("servers: %s", got)
	}
	w.do("key", http.MethodPut, "/api/servers/board", `{"name":"board","url":"https://board.example/v2","title":"Board","auth":{"type":"api_key"},"enabled":false}`).
		want(http.StatusOK).is("approve", "unsafe").is("enabled", false).is("title", "Board").is("auth.has_token", true).is("auth.header", "X-Api-Key")
	w.do("key", http.MethodPut, "/api/servers/board", `{"name":"other","url":"https://board.example/v2"}`).refused(http.StatusUnprocessableEntity, "body.name")
	w.do("key", http.MethodDelete, "/api/servers/board", "").want(http.StatusNoContent)
	w.do("key", http.MethodGet, "/api/servers/board", "").refused(http.StatusNotFound)
	w.do("key", http.MethodDelete, "/api/servers/board", "").refused(http.StatusNotFound)
	w.do("key", http.MethodPost, "/api/servers", `{"name":"board","url":"https://board.example/mcp"}`).want(http.StatusCreated).
		is("approve", "unsafe").is("auth.type", "none") // nothing of the old one is left
}

func TestTheShortFormsCountWhenAServerIsAdded(t *testing.T) {
	w := newWorld(t, nil)
	w.do("key", http.MethodPost, "/api/servers", `{"name":"board","url":"https://board.example/mcp","auth_type":"oauth2","auth_scope":"user","auth":{"service":"mail"}}`).
		want(http.StatusCreated).is("auth.type", "oauth2").is("auth.scope", "user").is("auth.service", "mail")
	w.do("key", http.MethodPut, "/api/servers/board", `{"url":"https://board.example/mcp","auth_scope":"mentor","auth":{"scope":"mentor","type":"bearer"}}`).
		want(http.StatusOK).is("auth.scope", "mentor").is("auth.type", "bearer")
	w.do("key", http.MethodPut, "/api/servers/board", `{"url":"https://board.example/mcp","auth_scope":"user","auth":{"scope":"mentor"}}`).
		refused(http.StatusUnprocessableEntity, "body.auth_scope")
	w.do("key", http.MethodPatch, "/api/servers/board", `{"auth_scope":"user"}`).want(http.StatusOK).is("auth.scope", "user")
}

func TestAPatchChangesWhatItNames(t *testing.T) {
	w := newWorld(t, nil)
	created("/api/servers", `{"name":"board","title":"Board","url":"https://board.example/mcp","auth":{"type":"oauth2","provider":"corp","scopes":["a"]},"approve":"always"}`)(w)
	for _, one := range []struct {
		patch string
		check func(reply)
	}{
		{`{"auth_scope":"user"}`, func(r reply) { r.is("auth.scope", "user").is("auth.provider", "corp") }},
		{`{"auth":{"scope":"mentor"}}`, func(r reply) { r.is("auth.scope", "mentor").is("auth.type", "oauth2").is("auth.scopes.0", "a") }},
		{`{"auth":{"scopes":null}}`, func(r reply) { r.is("auth.scopes.0", nil).is("auth.provider", "corp") }},
		{`{"auth":{"provider":null,"service":"mail"}}`, func(r reply) { r.is("auth.provider", nil).is("auth.service", "mail") }},
		{`{"title":null,"enabled":false}`, func(r reply) { r.is("title", nil).is("enabled", false).is("approve", "always") }},
		{`{"approve":"never"}`, func(r reply) { r.is("approve", "never").is("enabled", false) }},
		{`{"auth_type":"api_key","auth_scope":"platform","auth":{"service":null}}`, func(r reply) { r.is("auth.type", "api_key").is("auth.header", "X-Api-Key") }},
		{`{"auth":{"token":"` + secret + `"}}`, func(r reply) { r.is("auth.has_token", true) }},
		{`{"title":"B"}`, func(r reply) { r.is("auth.has_token", true) }},
		{`{"auth_type":"bearer"}`, func(r reply) {
			r.is("auth.header", "Authorization").is("auth.prefix", "Bearer ").is("auth.has_token", true)
		}},
		{`{"auth":{"token":null}}`, func(r reply) { r.is("auth.has_token", false) }},
		{`{}`, func(r reply) { r.is("title", "B") }},
	} {
		one.check(w.do("key", http.MethodPatch, "/api/servers/board", one.patch).want(http.StatusOK))
	}
	r := httptest.NewRequest(http.MethodPatch, "/api/servers/board", strings.NewReader(`{"title":"C"}`))
	r.Header.Set("Authorization", "Bearer key")
	r.Header.Set("Content-Type", "application/merge-patch+json")
	w.send(r).want(http.StatusOK).is("title", "C")

	for patch, where := range map[string]string{
		`{"auth_scope":"everybody"}`:                      "body.auth_scope",
		`{"auth_scope":"user","auth":{"scope":"mentor"}}`: "body.auth_scope",
		`{"auth":{"colour":"red"}}`:                       "body.auth.colour",
		`{"name":"other"}`:                                "body.name",
		`{"command":["sh"]}`:                              "body.command",
		`{"url":"http://169.254.169.254/"}`:               "body.url",
		`{"auth":{"type":"oauth2"}}`:                      "body.auth",
		`{"auth":{"header":"Host: x"}}`:                   "body.auth.header",
	} {
		w.do("key", http.MethodPatch, "/api/servers/board", patch).refused(http.StatusUnprocessableEntity, `"location":"`+where+`"`)
	}
	w.do("key", http.MethodPatch, "/api/servers/board", `[1]`).refused(http.StatusUnprocessableEntity)
	w.do("key", http.MethodPatch, "/api/servers/none", `{}`).refused(http.StatusNotFound)
}

func TestWhatComesFromTheConfigurationIsChangedThere(t *testing.T) {
	w := newWorld(t, nil)
	w.do("key", http.MethodGet, "/api/servers/tracker", "").want(http.StatusOK).
		is("source", "configuration").is("approve", "always").is("url", "https://tracker.example/mcp") // its query may hold a secret
	w.do("key", http.MethodGet, "/api/servers/shell", "").want(http.StatusOK).is("transport", "stdio").is("url", nil)
	w.do("key", http.MethodGet, "/api/providers/corp", "").want(http.StatusOK).is("source", "configuration").is("has_secret", true)
	w.do("key", http.MethodGet, "/api/services/mail", "").want(http.StatusOK).is("source", "configuration")
	for _, one := range []struct{ method, path, body string }{
		{http.MethodPost, "/api/servers", `{"name":"tracker","url":"https://evil.example/mcp"}`},
		{http.MethodPut, "/api/servers/tracker", `{"url":"https://evil.example/mcp"}`},
		{http.MethodPatch, "/api/servers/tracker", `{"approve":"never"}`},
		{http.MethodDelete, "/api/servers/tracker", ""},
		{http.MethodPost, "/api/providers", strings.Replace(acme, `"acme"`, `"corp"`, 1)},
		{http.MethodPut, "/api/providers/corp", strings.Replace(acme, `"acme"`, `"corp"`, 1)},
		{http.MethodDelete, "/api/providers/corp", ""},
		{http.MethodPost, "/api/services", `{"name":"mail","provider":"corp"}`},
		{http.MethodPut, "/api/services/mail", `{"provider":"corp"}`},
		{http.MethodDelete, "/api/services/mail", ""},
		{http.MethodPut, "/api/rules/house", `{"approve":"never"}`},
		{http.MethodDelete, "/api/rules/house", ""},
	} {
		w.do("key", one.method, one.path, one.body).refused(http.StatusConflict, "configuration")
	}
	w.do("key", http.MethodPost, "/api/rules", `{"name":"house","approve":"never"}`).refused(http.StatusConflict)
	w.do("key", http.MethodGet, "/api/servers/tracker", "").is("approve", "always")
}

func TestAServerHereHasAURLThatMayBeReached(t *testing.T) {
	w := newWorld(t, nil)
	for body, where := range map[string]string{
		`{"url":"https://x.example"}`:                                                                "body.name",
		`{"name":"x"}`:                                                                               "body.url",
		`{"name":"x","command":["sh","-c","id"]}`:                                                    "body.command",
		`{"name":"x","url":"http://x.example"}`:                                                      "body.url",
		`{"name":"x","url":"https://127.0.0.1/mcp"}`:                                                 "body.url",
		`{"name":"x","url":"https://user:pw@x.example"}`:                                             "body.url",
		`{"name":"x/y","url":"https://x.example"}`:                                                   "body.name",
		`{"name":"x","url":"https://x.example","approve":"sometimes"}`:                               "body.approve",
		`{"name":"x","url":"https://x.example","auth":{"type":"oauth2"}}`:                            "body.auth",
		`{"name":"x","url":"https://x.example","auth":{"token":"` + secret + `"}}`:                   "body.auth.token",
		`{"name":"x","url":"https://x.example","auth":{"token":["` + secret + `"]}}`:                 "body.auth.token",
		`{"name":"x","url":"https://x.example","auth":{"type":"mcp","client_id":"c"}}`:               "body.auth",
		`{"name":"x","url":"https://x.example","title":"X\n[bank]"}`:                                 "body.title",
		`{"name":"x","url":"https://x.example","owner":"me"}`:                                        "body.owner",
		`{"name":"x","url":"https://x.example","auth":{"type":"bearer","token":"` + secret + `\n"}}`: "body.auth.token",
		`{"name":"x","url":"https://x.example","auth":{"type":"api_key","header":"host"}}`:           "body.auth.header",
		`{"name":"x","url":"https://x.example","source":"configuration"}`:                            "body.source",
	} {
		w.do("key", http.MethodPost, "/api/servers", body).refused(http.StatusUnprocessableEntity, `"location":"`+where+`"`)
	}
	if got := w.do("key", http.MethodGet, "/api/servers", "").names("name"); got != "desk notes shell tracker weather" {
		t.Errorf("servers: %s", got)
	}
	local := newWorld(t, func(o *api.Options) { o.Outbound = &outbound.Options{Loopback: true} })
	local.do("key", http.MethodPost, "/api/servers", `{"name":"x","url":"http://127.0.0.1:9100/mcp"}`).want(http.StatusCreated)
}

// Who may change an address could otherwise have a secret sent to their own.
func TestASecretDoesNotMoveToAnotherHost(t *testing.T) {
	w := newWorld(t, nil)
	created("/api/servers", board)(w)
	created("/api/providers", acme)(w)
	w.do("key", http.MethodPatch, "/api/servers/board", `{"url":"https://evil.example/mcp"}`).refused(http.StatusUnprocessableEntity, "body.auth.token")
	w.do("key", http.MethodPut, "/api/servers/board", `{"url":"https://board.example:8443/mcp","auth":{"type":"bearer"}}`).refused(http.StatusUnprocessableEntity, "body.auth.token")
	w.do("key", http.MethodPatch, "/api/servers/board", `{"url":"https://board.example/v2"}`).want(http.StatusOK).is("auth.has_token", true)
	w.do("key", http.MethodPatch, "/api/servers/board", `{"url":"https://new.example/mcp","auth":{"token":""}}`).want(http.StatusOK).is("auth.has_token", false)

	moved := func(member, to string) string {
		body := map[string]string{"auth_url": "https://id.example/a", "token_url": "https://id.example/t", "client_id": "c"}
		body[member] = to
		data, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	w.do("key", http.MethodPut, "/api/providers/acme", moved("token_url", "https://evil.example/t")).refused(http.StatusUnprocessableEntity, "body.client_secret")
	w.do("key", http.MethodPut, "/api/providers/acme", moved("revoke_url", "https://evil.example/r")).refused(http.StatusUnprocessableEntity, "body.client_secret")
	w.do("key", http.MethodPut, "/api/providers/acme", moved("revoke_url", "https://id.example/r")).want(http.StatusOK).is("has_secret", true)
	w.do("key", http.MethodPut, "/api/providers/acme", moved("client_secret", "")).want(http.StatusOK).is("has_secret", false)

	registered := `{"name":"mcp","url":"https://mcp.example","auth":{"type":"mcp","issuer":"https://id.example","client_id":"c","client_secret":"` + secret + `"}}`
	created("/api/servers", registered)(w)
	w.do("key", http.MethodPatch, "/api/servers/mcp", `{"title":"M"}`).want(http.StatusOK).is("auth.has_client_secret", true)
	w.do("key", http.MethodPatch, "/api/servers/mcp", `{"auth":{"issuer":"https://evil.example"}}`).refused(http.StatusUnprocessableEntity, "body.auth.client_secret")
	w.do("key", http.MethodPatch, "/api/servers/mcp", `{"auth":{"type":"none","issuer":null,"client_id":null}}`).want(http.StatusOK).is("auth.has_client_secret", false)
}

func TestTheGatewayReadsTheSameServers(t *testing.T) {
	w := newWorld(t, nil)
	servers := api.NewServers(w.vault, w.store, map[string]permit.Rule{"tracker": permit.Always})
	created("/api/servers", `{"name":"board","url":"https://board.example/mcp","auth":{"type":"bearer","token":"`+secret+`"},"approve":"never","enabled":false}`)(w)
	if err := w.vault.PutServer(t.Context(), "acme", vault.Server{Name: "old", URL: "https://old.example"}); err != nil {
		t.Fatal(err)
	}
	all, err := servers.List(t.Context(), "acme")
	if err != nil {
		t.Fatal(err)
	}
	type row struct {
		approve             permit.Rule
		enabled, configured bool
	}
	got := map[string]row{}
	for _, s := range all {
		got[s.Name] = row{s.Approve, s.Enabled, s.Configured}
		one, err := servers.Get(t.Context(), "acme", s.Name)
		if err != nil || one.Approve != s.Approve || one.Enabled != s.Enabled || one.Configured != s.Configured || one.URL != s.URL {
			t.Errorf("%+v is %+v alone, %v", s, one, err)
		}
	}
	for name, want := range map[string]row{
		"board": {permit.Never, false, false}, "old": {permit.Unsafe, true, false}, "tracker": {permit.Always, true, true}, "notes": {permit.Unsafe, true, true},
	} {
		if got[name] != want {
			t.Errorf("%s: %+v, not %+v", name, got[name], want)
		}
	}
	if other, err := servers.List(t.Context(), "globex"); err != nil || len(other) != 5 {
		t.Errorf("globex has %d servers, %v", len(other), err)
	}
}

func TestOfAllWhoAddOneNameOneDoes(t *testing.T) {
	w := newWorld(t, nil)
	for round := range 20 {
		servers := api.NewServers(w.vault, w.store, nil)
		one := api.Server{Server: vault.Server{Name: "s" + strings.Repeat("x", round), URL: "https://s.example"}, Approve: permit.Always, Enabled: true}
		var all sync.WaitGroup
		var mu sync.Mutex
		made := 0
		for range 8 {
			all.Go(func() {
				err := servers.Create(context.Background(), "acme", one)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					made++
				case !errors.Is(err, parley.ErrExists):
					t.Error(err)
				}
			})
		}
		all.Wait()
		if made != 1 {
			t.Fatalf("%d of 8 made the server", made)
		}
	}
}

// health is fine for some.
type health struct{}

func (health) Status(_ context.Context, tenant string, one api.Server) (api.Status, error) {
	two := 2
	switch one.Name {
	case "tracker":
		return api.Status{State: api.NeedsConnection, Since: time.Date(2026, 8, 1, 9, 0, 0, 0, time.UTC)}, nil
	case "notes":
		return api.Status{State: api.Up, Tools: &two, LeftOutCount: 1, LeftOut: []api.LeftOut{{Kind: "tool", Name: "draw", Part: "icons", Reason: "it is no list"}}}, nil
	case "desk":
		return api.Status{State: api.Down, Error: "it refused the connection of " + tenant}, nil
	case "weather":
		return api.Status{}, errors.New("dial " + secret)
	}
	return api.Status{}, nil
}

func TestAServerSaysHowItIs(t *testing.T) {
	w := newWorld(t, func(o *api.Options) { o.Health = health{} })
	w.do("key", http.MethodGet, "/api/servers/tracker", "").is("status.state", "needs_connection").is("status.since", "2026-08-01T09:00:00Z")
	w.do("key", http.MethodGet, "/api/servers/notes", "").is("status.state", "up").is("status.tools", 2.0).
		is("status.left_out_count", 1.0).is("status.left_out", []any{map[string]any{"kind": "tool", "name": "draw", "part": "icons", "reason": "it is no list"}})
	w.do("key", http.MethodGet, "/api/servers/desk", "").is("status.state", "down").is("status.error", "it refused the connection of acme")
	w.do("key", http.MethodGet, "/api/servers/weather", "").is("status.state", "unknown").is("status.error", nil)
	w.do("key", http.MethodGet, "/api/servers/shell", "").is("status.state", "unknown")
}

func TestAServerIsGivenToAgentsThatAreThere(t *testing.T) {
	w := newWorld(t, func(o *api.Options) { o.Agents = []string{"assistant", "clerk"} })
	w.do("key", http.MethodPost, "/api/servers", `{"name":"board","url":"https://board.example/mcp","agents":["clerk","assistant","clerk"]}`).
		want(http.StatusCreated).is("agents", []any{"assistant", "clerk"})
	w.do("key", http.MethodPatch, "/api/servers/board", `{"title":"Board"}`).want(http.StatusOK).is("agents", []any{"assistant", "clerk"})
	w.do("key", http.MethodPatch, "/api/servers/board", `{"agents":["nobody"]}`).refused(http.StatusUnprocessableEntity, "body.agents", "assistant, clerk")
	w.do("key", http.MethodPatch, "/api/servers/board", `{"agents":["clerk"]}`).want(http.StatusOK).is("agents", []any{"clerk"})
	w.do("key", http.MethodPut, "/api/servers/board", `{"url":"https://board.example/mcp"}`).want(http.StatusOK).is("agents", []any{})
	w.do("key", http.MethodGet, "/api/servers/tracker", "").want(http.StatusOK).is("agents", []any{})
}

// What the gateway's own tools are called begins with our name, so no server has it.
func TestNoServerHasTheNameOfTheProduct(t *testing.T) {
	w := newWorld(t, nil)
	for _, name := range []string{"parley", "Parley", "PARLEY", "parley__x", "Parley__ask_person", "par1ey"} {
		w.do("key", http.MethodPost, "/api/servers", `{"name":"`+name+`","url":"https://board.example/mcp"}`).
			refused(http.StatusUnprocessableEntity, "body.name", "another name")
	}
	w.do("key", http.MethodPost, "/api/servers", `{"name":"parley2","url":"https://board.example/mcp"}`).want(http.StatusCreated)
}

// With __ in its name, or _ at its end, a tenant's server could have tools that are called
// as another server's.
func TestNoServerHasANameThatRunsIntoItsTools(t *testing.T) {
	w := newWorld(t, nil)
	for _, name := range []string{"tracker__x", "x__tracker", "a__", "a___b", "tracker_", "b_"} {
		w.do("key", http.MethodPost, "/api/servers", `{"name":"`+name+`","url":"https://board.example/mcp"}`).
			refused(http.StatusUnprocessableEntity, "body.name", "__ stands between a server's name and its tool's")
		w.do("key", http.MethodPost, "/api/servers", `{"name":"`+name+`","transport":"a2a","url":"https://board.example/"}`).
			refused(http.StatusUnprocessableEntity, "body.name", "__ stands")
	}
	for _, name := range []string{"tracker_x", "b-", "x_y_z"} {
		w.do("key", http.MethodPost, "/api/servers", `{"name":"`+name+`","url":"https://board.example/mcp"}`).want(http.StatusCreated)
	}
}

// People tell servers by their titles and names: a tenant's own passes for none of
// the operator's.
func TestATenantsServerPassesForNoneOfTheOperators(t *testing.T) {
	w := newWorld(t, nil)
	for _, name := range []string{"Tracker", "TRACKER", "trac-ker"} {
		w.do("key", http.MethodPost, "/api/servers", `{"name":"`+name+`","url":"https://board.example/mcp"}`).
			refused(http.StatusUnprocessableEntity, "body.name", "tracker")
	}
	w.do("key", http.MethodPost, "/api/servers", `{"name":"tracker","url":"https://board.example/mcp"}`).refused(http.StatusConflict, "configuration")
	created("/api/servers", board)(w)
	for _, title := range []string{"Tracker", "tracker", "Trаcker", "weather", "Weather", "Parley", "T r a c k e r", "Notes",
		"ΤRΑСKΕR", "ꓔꓣꓮꓚꓗꓰꓣ", "ᴛʀᴀᴄᴋᴇʀ", "🅣racker", "🅃🅁🄰🄲🄺🄴🅁", "ΡΑRLΕΥ", "ꓑꓮꓣꓡꓰꓬ", "YΟU", "Ꮤork", "Wоrk"} {
		w.do("key", http.MethodPatch, "/api/servers/board", `{"title":"`+title+`"}`).refused(http.StatusUnprocessableEntity, "body.title")
		w.do("key", http.MethodPost, "/api/servers", `{"name":"other","url":"https://board.example/mcp","title":"`+title+`"}`).refused(http.StatusUnprocessableEntity, "body.title")
	}
	w.do("key", http.MethodPatch, "/api/servers/board", `{"title":"Tracker of the board"}`).want(http.StatusOK)
	for _, title := range []string{"Τράπεζα Ελλάδος", "Сбербанк", "בנק הפועלים", "بنك مصر", "銀行", "みずほ銀行 ATM", "카카오뱅크", "ธนาคารกรุงเทพ", "भारतीय स्टेट बैंक", "Norge 🇳🇴"} {
		w.do("key", http.MethodPatch, "/api/servers/board", `{"title":"`+title+`"}`).want(http.StatusOK)
	}
	w.do("rival", http.MethodPost, "/api/servers", `{"name":"other","url":"https://board.example/mcp","title":"Tracker of the board"}`).want(http.StatusCreated)
}

func TestATitleIsLegible(t *testing.T) {
	w := newWorld(t, nil)
	created("/api/servers", board)(w)
	for _, title := range []string{`x\u202eknaB`, `x\u200by`, `\u00a0x`, `x] [Bank`, `שלום 100`, `\ufeffBoard`, ` Board`} {
		w.do("key", http.MethodPatch, "/api/servers/board", `{"title":"`+title+`"}`).refused(http.StatusUnprocessableEntity, "body.title")
		w.do("key", http.MethodPost, "/api/providers", `{"name":"p","title":"`+title+`","auth_url":"https://id.example/a","token_url":"https://id.example/t","client_id":"x"}`).
			refused(http.StatusUnprocessableEntity, "body.title")
		w.do("key", http.MethodPost, "/api/services", `{"name":"s","title":"`+title+`","provider":"corp"}`).refused(http.StatusUnprocessableEntity, "body.title")
	}
	w.do("key", http.MethodPatch, "/api/servers/board", `{"title":"שלום"}`).want(http.StatusOK)
	w.do("key", http.MethodPatch, "/api/servers/board", `{"title":"Zürich's board – 你好"}`).want(http.StatusOK)
}

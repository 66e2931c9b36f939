package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
)

const (
	board    = `{"name":"board","url":"https://board.example/mcp","auth":{"type":"bearer","token":"` + secret + `"},"approve":"always"}`
	acme     = `{"name":"acme","auth_url":"https://id.example/a","token_url":"https://id.example/t","client_id":"c","client_secret":"` + secret + `"}`
	drive    = `{"name":"drive","provider":"corp","scopes":["files"]}`
	spending = `{"name":"spending","server":"tracker","tool":"pay","when":"args.amount > 100","approve":"always","approvers":{"need":1,"of":["ada","bob"]}}`
)

// exercise is one use of an operation that succeeds, for those who may.
type exercise struct {
	path, body string
	status     int
	may        []string // besides administrators
	asks       string   // the program alone that may
	quiet      bool     // it changes nothing
	prepare    func(w *world)
	// own makes the path for what belongs to alice, if it has to be looked up
	own func(w *world) string
}

func created(path, body string) func(*world) {
	return func(w *world) { w.do("key", http.MethodPost, path, body).want(http.StatusCreated) }
}

// exercises has every operation of the description.
var exercises = map[string]exercise{
	"list-servers":   {path: "/api/servers", status: 200},
	"create-server":  {path: "/api/servers", body: board, status: 201},
	"get-server":     {path: "/api/servers/tracker", status: 200},
	"replace-server": {path: "/api/servers/board", body: `{"url":"https://board.example/mcp"}`, status: 200, prepare: created("/api/servers", board)},
	"patch-server":   {path: "/api/servers/board", body: `{"title":"Board"}`, status: 200, prepare: created("/api/servers", board)},
	"remove-server":  {path: "/api/servers/board", status: 204, prepare: created("/api/servers", board)},
	"get-checklist":  {path: "/api/servers/tracker/checklist?user=alice", status: 200},

	"list-providers":   {path: "/api/providers", status: 200},
	"create-provider":  {path: "/api/providers", body: acme, status: 201},
	"get-provider":     {path: "/api/providers/corp", status: 200},
	"replace-provider": {path: "/api/providers/acme", body: acme, status: 200, prepare: created("/api/providers", acme)},
	"remove-provider":  {path: "/api/providers/acme", status: 204, prepare: created("/api/providers", acme)},

	"list-services":   {path: "/api/services", status: 200},
	"create-service":  {path: "/api/services", body: drive, status: 201},
	"get-service":     {path: "/api/services/mail", status: 200},
	"replace-service": {path: "/api/services/drive", body: drive, status: 200, prepare: created("/api/services", drive)},
	"remove-service":  {path: "/api/services/drive", status: 204, prepare: created("/api/services", drive)},

	"list-connections":   {path: "/api/connections?user=alice", status: 200, may: []string{"alice"}},
	"provide-credential": {path: "/api/connections/desk", body: `{"value":"` + secret + `","owner":"assistant"}`, status: 200},
	"disconnect": {
		path: "/api/connections/notes?scope=user&owner=alice", status: 200, may: []string{"alice"}, prepare: func(w *world) { w.provide("acme", "alice") },
	},

	"list-permissions": {path: "/api/permissions?user=alice", status: 200, may: []string{"alice"}},
	"revoke-permission": {status: 204, may: []string{"alice"}, own: func(w *world) string {
		return "/api/permissions/" + w.decided("alice", "always_allow") + "?user=alice"
	}},

	"list-logins": {path: "/api/logins?user=alice", status: 200, may: []string{"alice"}},
	"end-login": {status: 204, may: []string{"alice"}, own: func(w *world) string {
		_, id := w.login("acme", "alice")
		return "/api/logins/" + id + "?user=alice"
	}},

	"list-rules":   {path: "/api/rules", status: 200},
	"create-rule":  {path: "/api/rules", body: spending, status: 201},
	"get-rule":     {path: "/api/rules/house", status: 200},
	"replace-rule": {path: "/api/rules/spending", body: `{"approve":"never"}`, status: 200, prepare: created("/api/rules", spending)},
	"remove-rule":  {path: "/api/rules/spending", status: 204, prepare: created("/api/rules", spending)},

	"try-rule": {path: "/api/rule-trials", body: `{"rule":` + spending + `}`, status: 200, quiet: true},

	"list-audit":     {path: "/api/audit", status: 200},
	"export-audit":   {path: "/api/audit/export", status: 200},
	"get-checkpoint": {path: "/api/audit/checkpoint", status: 200},
	"get-receipt": {status: 200, may: []string{"alice"}, own: func(w *world) string {
		id := w.ask("alice", "Which colour?")
		w.answer("alice", id, `{"colour":"red"}`)
		return "/api/elicitations/" + string(id) + "/receipt"
	}},

	"list-runs": {path: "/api/runs", status: 200},

	"follow-elicitations": {path: "/api/elicitations/events?user=alice&for=0", status: 200, may: []string{"alice"}},
	"list-elicitations":   {path: "/api/elicitations?user=alice", status: 200, may: []string{"alice"}},
	"get-elicitation": {status: 200, may: []string{"alice"}, own: func(w *world) string {
		return "/api/elicitations/" + string(w.ask("alice", "Which colour?"))
	}},
	"cancel-elicitation": {status: 200, may: []string{"alice"}, own: func(w *world) string {
		return "/api/elicitations/" + string(w.ask("alice", "Which colour?")) + "/cancel"
	}},
	"follow-elicitation": {status: 200, may: []string{"alice"}, own: func(w *world) string {
		id := w.ask("alice", "Which colour?")
		w.answer("alice", id, `{"colour":"red"}`)
		return "/api/elicitations/" + string(id) + "/events"
	}},
	"ask": {path: "/api/elicitations", body: `{"to":"alice","message":"Really?"}`, status: 201, asks: "ci"},
}

// Every operation of the description is tried by everybody. Each answer is
// checked against the description and for secrets by the kit.
func TestEveryOperationIsForThoseWhoMay(t *testing.T) {
	_, d := document()
	known := 0
	for path, methods := range d.Paths {
		if strings.HasPrefix(path, "/api/me/") {
			continue // each person's own, and nobody else's: TestOnlyPeopleAreToldOfAnything
		}
		for method, op := range methods {
			e, ok := exercises[op.OperationID]
			if !ok {
				t.Errorf("nothing tests %s %s (%s)", method, path, op.OperationID)
				continue
			}
			known++
			t.Run(op.OperationID, func(t *testing.T) { e.run(t, op.OperationID, strings.ToUpper(method)) })
		}
	}
	if known != len(exercises) {
		t.Errorf("%d of %d exercises are for operations that there are", known, len(exercises))
	}
}

func (e exercise) run(t *testing.T, operation, method string) {
	start := func() (*world, string) {
		w := newWorld(t, nil)
		if e.prepare != nil {
			e.prepare(w)
		}
		if e.own != nil {
			return w, e.own(w)
		}
		return w, e.path
	}
	may := append([]string{"key", "ada"}, e.may...)
	if e.asks != "" {
		may = []string{e.asks}
	}
	for _, who := range may {
		w, path := start()
		w.do(who, method, path, e.body).want(e.status)
		if changed := strings.Contains(w.log.String(), "operation="+operation); changed != (method != http.MethodGet && !e.quiet) {
			t.Errorf("%s %s as %s: the log tells of a change: %t", method, path, who, changed)
		}
	}
	w, path := start()
	for _, who := range []string{"", "nobody"} {
		got := w.do(who, method, path, e.body).refused(http.StatusUnauthorized)
		if challenge := got.header.Get("WWW-Authenticate"); challenge != "Bearer" {
			t.Errorf("WWW-Authenticate: %q", challenge)
		}
	}
	w.do("program", method, path, e.body).refused(http.StatusForbidden)
	if e.asks != "" {
		w.do("ada", method, path, e.body).refused(http.StatusForbidden, "Programs")
		return
	}
	if e.may == nil {
		w.do("alice", method, path, e.body).refused(http.StatusForbidden, "administrators")
		return
	}
	// Another person is told that it is not theirs, or that it is not there.
	if got := w.do("bob", method, path, e.body); got.status != http.StatusForbidden && got.status != http.StatusNotFound {
		t.Errorf("bob got %d: %s", got.status, got.body)
	}
	w.do("alice", method, path, e.body).want(e.status) // nothing of that changed it
}

func TestThingsOfOtherTenantsAreNotThere(t *testing.T) {
	w := newWorld(t, nil)
	created("/api/servers", board)(w)
	created("/api/providers", acme)(w)
	created("/api/services", drive)(w)
	created("/api/rules", spending)(w)
	w.provide("acme", "alice")
	permission, question := w.decided("alice", "always_allow"), string(w.ask("alice", "Which colour?"))
	for _, one := range []struct{ method, path, body string }{
		{http.MethodGet, "/api/servers/board", ""},
		{http.MethodPut, "/api/servers/board", `{"url":"https://evil.example/mcp"}`},
		{http.MethodPatch, "/api/servers/board", `{"url":"https://evil.example/mcp"}`},
		{http.MethodDelete, "/api/servers/board", ""},
		{http.MethodGet, "/api/servers/board/checklist", ""},
		{http.MethodGet, "/api/providers/acme", ""},
		{http.MethodPut, "/api/providers/acme", acme},
		{http.MethodDelete, "/api/providers/acme", ""},
		{http.MethodGet, "/api/services/drive", ""},
		{http.MethodPut, "/api/services/drive", drive},
		{http.MethodDelete, "/api/services/drive", ""},
		{http.MethodPut, "/api/connections/board", `{"value":"` + secret + `"}`},
		{http.MethodDelete, "/api/connections/notes?scope=user&owner=alice", ""},
		{http.MethodDelete, "/api/permissions/" + permission + "?user=alice", ""},
		{http.MethodPut, "/api/rules/spending", `{"approve":"never"}`},
		{http.MethodDelete, "/api/rules/spending", ""},
		{http.MethodGet, "/api/elicitations/" + question, ""},
		{http.MethodPost, "/api/elicitations/" + question + "/cancel", ""},
	} {
		w.do("rival", one.method, one.path, one.body).refused(http.StatusNotFound)
	}
	for _, list := range []string{"connections", "elicitations", "permissions?user=alice", "elicitations?user=alice", "connections?user=alice"} {
		for _, who := range []string{"rival", "namesake"} {
			if got := w.do(who, http.MethodGet, "/api/"+list, "").want(http.StatusOK); len(got.at("items").([]any)) != 0 {
				t.Errorf("%s sees in %s: %s", who, list, got.body)
			}
		}
	}
	for list, want := range map[string]string{"servers": "desk notes shell tracker weather", "providers": "corp", "services": "mail", "rules": "house"} {
		if got := w.do("rival", http.MethodGet, "/api/"+list, "").want(http.StatusOK).names("name"); got != want {
			t.Errorf("%s of globex: %s", list, got)
		}
	}
	w.do("namesake", http.MethodGet, "/api/elicitations/"+question, "").refused(http.StatusNotFound)
	w.do("namesake", http.MethodPost, "/api/elicitations/"+question+"/cancel", "").refused(http.StatusNotFound)
	w.do("namesake", http.MethodDelete, "/api/connections/notes", "").refused(http.StatusNotFound)
	w.do("key", http.MethodGet, "/api/elicitations/"+question, "").want(http.StatusOK).is("state", "pending")
}

func TestAnotherSiteChangesNothingWithACookie(t *testing.T) {
	w := newWorld(t, func(o *api.Options) { o.PublicURL = "https://parley.example" })
	id := string(w.ask("alice", "Which colour?"))
	send := func(method, path string, change func(http.Header)) reply {
		r := httptest.NewRequest(method, "https://internal.example"+path, nil)
		r.AddCookie(&http.Cookie{Name: "session", Value: "alice"})
		change(r.Header)
		return w.send(r)
	}
	cancel := "/api/elicitations/" + id + "/cancel"
	send(http.MethodPost, cancel, func(h http.Header) { h.Set("Sec-Fetch-Site", "cross-site") }).refused(http.StatusForbidden, "Another site")
	send(http.MethodPost, cancel, func(h http.Header) { h.Set("Origin", "https://evil.example") }).refused(http.StatusForbidden, "Another site")
	send(http.MethodDelete, "/api/connections/notes", func(h http.Header) { h.Set("Sec-Fetch-Site", "same-site") }).refused(http.StatusForbidden)
	send(http.MethodGet, "/api/elicitations/"+id, func(h http.Header) { h.Set("Sec-Fetch-Site", "cross-site") }).want(http.StatusOK).is("state", "pending")
	send(http.MethodPost, cancel, func(h http.Header) { h.Set("Origin", "https://parley.example") }).want(http.StatusOK).is("state", "settled")

	other := string(w.ask("alice", "Which colour?"))
	send(http.MethodPost, "/api/elicitations/"+other+"/cancel", func(h http.Header) {
		h.Set("Origin", "https://evil.example")
		h.Set("Authorization", "Bearer alice") // no browser adds that by itself
	}).want(http.StatusOK)
}

func TestAnswersAreNotKeptByAnybody(t *testing.T) {
	w := newWorld(t, nil)
	for _, who := range []string{"key", ""} {
		got := w.do(who, http.MethodGet, "/api/servers", "")
		if got.header.Get("Cache-Control") != "no-store" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%v", got.header)
		}
	}
}

func TestWhatIsNeededIsNamed(t *testing.T) {
	w := newWorld(t, nil)
	if _, err := api.New(w.hub, w.vault, w.permits, w.store, nil); err == nil || !strings.Contains(err.Error(), "Options.Caller") {
		t.Errorf("without options: %v", err)
	}
	if _, err := api.New(w.hub, w.vault, w.permits, w.store, &api.Options{Caller: identify, PublicURL: "parley"}); err == nil {
		t.Error("a public URL without a host was taken")
	}
	bare := parley.New(struct{ parley.Store }{w.store}, nil)
	if _, err := api.New(bare, w.vault, w.permits, w.store, &api.Options{Caller: identify}); err == nil || !strings.Contains(err.Error(), "Options.Requests") {
		t.Errorf("without requests: %v", err)
	}
	if _, err := api.New(bare, w.vault, w.permits, w.store, &api.Options{Caller: identify, Requests: w.store}); err != nil {
		t.Error(err)
	}
}

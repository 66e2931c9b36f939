package vault_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/vault"
)

func about(resource string) document {
	return document{"resource": resource, "authorization_servers": []string{"https://id.example"}}
}

func TestWhereAServerDescribesItself(t *testing.T) {
	challenge := func(url string) []string {
		return []string{`Bearer realm="board", resource_metadata="` + url + `", scope="read"`}
	}
	for name, test := range map[string]struct {
		url        string // default board
		challenges []string
		pages      map[string]any
		want       string   // the resource indicator; default board
		not        []string // what must not be asked for
	}{
		"where the challenge says": {
			challenges: challenge("https://board.example/about"), pages: map[string]any{"/about": about(board)},
			not: []string{"board.example" + boardPath, "board.example" + boardRoot},
		},
		"on another host, where the challenge says": {
			challenges: challenge("https://static.example/about"), pages: map[string]any{"/about": about(board)},
			not: []string{"board.example" + boardPath},
		},
		"at the root, where the challenge says": {
			challenges: challenge("https://board.example" + boardRoot), pages: map[string]any{boardRoot: about("https://board.example")},
			want: "https://board.example", not: []string{"board.example" + boardPath},
		},
		"below its path":            {pages: map[string]any{boardPath: about(board)}, not: []string{"board.example" + boardRoot}},
		"below its path, for all":   {pages: map[string]any{boardPath: about("https://board.example"), boardRoot: about("https://board.example")}, want: "https://board.example"},
		"at the root":               {pages: map[string]any{boardRoot: about("https://board.example")}, want: "https://board.example"},
		"at the root, with a slash": {pages: map[string]any{boardRoot: about("https://board.example/")}, want: "https://board.example/"},
		"at the root, about itself": {pages: map[string]any{boardRoot: about(board)}},
		"with a slash too many":     {pages: map[string]any{boardPath: about(board + "/")}, want: board + "/"},
		"with a slash too few":      {url: board + "/", pages: map[string]any{boardPath + "/": about(board)}},
		"a server without a path":   {url: "https://board.example", pages: map[string]any{boardRoot: about("https://board.example")}, want: "https://board.example"},
		"in capitals":               {url: "https://Board.Example/mcp", pages: map[string]any{boardPath: about(board)}},
		"after a page for people":   {pages: map[string]any{boardPath: "<html>", boardRoot: about(board)}},
		"after a broken link": {
			challenges: challenge("https://board.example/gone"), pages: map[string]any{boardPath: about(board)},
		},
		"after a link that is not followed": {
			challenges: challenge("http://board.example" + boardPath), pages: map[string]any{boardPath: about(board)},
		},
		"after a circle":       {pages: map[string]any{boardPath: http.RedirectHandler(boardPath, http.StatusFound), boardRoot: about(board)}},
		"after a server error": {pages: map[string]any{boardPath: 500, boardRoot: about(board)}},
		"in the second challenge": {
			challenges: []string{`Basic realm="board"`, `Bearer resource_metadata="https://board.example/about"`},
			pages:      map[string]any{"/about": about(board)}, not: []string{"board.example" + boardPath},
		},
		"after a challenge that cannot be read": {
			challenges: []string{`Bearer realm="`, `Bearer resource_metadata="https://board.example/about"`},
			pages:      map[string]any{"/about": about(board)}, not: []string{"board.example" + boardPath},
		},
		"without any challenge that can be read": {challenges: []string{`"`, "Bearer realm"}, pages: map[string]any{boardPath: about(board)}},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, configured(func(s *vault.Server) {
				if test.url != "" {
					s.URL = test.url
				}
			}))
			m.web.hosts["static.example"], m.web.hosts["Board.Example"] = m.board, m.board
			m.board.set(func(s *resourceServer) { s.challenges, s.pages = test.challenges, test.pages })
			to, _ := m.sentTo(m.Vault)
			want := test.want
			if want == "" {
				want = board
			}
			if got := query(t, to).Get("resource"); got != want {
				t.Errorf("the resource is %q, want %q", got, want)
			}
			for _, page := range test.not {
				if m.web.count(page) != 0 {
					t.Errorf("%s was asked for", page)
				}
			}
			for page, n := range m.web.seen {
				if n > 1 {
					t.Errorf("%s was asked for %d times", page, n)
				}
			}
		})
	}
}

func TestADescriptionOfSomebodyElseIsNotUsed(t *testing.T) {
	const elsewhere = "https://honest.example/mcp"
	for name, test := range map[string]struct {
		challenge string
		pages     map[string]any
		at        string
	}{
		"another server": {
			pages: map[string]any{boardPath: about(elsewhere)}, at: "https://board.example" + boardPath,
		},
		"another server, where the challenge says": {
			challenge: "https://honest.example/about", pages: map[string]any{"/about": about(elsewhere)}, at: "https://honest.example/about",
		},
		"its root, not from there": {
			challenge: "https://board.example/about", pages: map[string]any{"/about": about("https://board.example")}, at: "https://board.example/about",
		},
		"another path":   {pages: map[string]any{boardPath: about("https://board.example/other")}, at: "https://board.example" + boardPath},
		"another port":   {pages: map[string]any{boardPath: about("https://board.example:8443/mcp")}, at: "https://board.example" + boardPath},
		"another scheme": {pages: map[string]any{boardPath: about("http://board.example/mcp")}, at: "https://board.example" + boardPath},
		"a longer path":  {pages: map[string]any{boardRoot: about(board + "/more")}, at: "https://board.example" + boardRoot},
		"a long name":    {pages: map[string]any{boardRoot: about("https://board.example/" + strings.Repeat("x", 1<<19))}, at: "https://board.example" + boardRoot},
		"nobody":         {pages: map[string]any{boardRoot: document{"authorization_servers": []string{"https://id.example"}}}, at: "https://board.example" + boardRoot},
		"the root of another host, where the challenge says": {
			challenge: "https://honest.example" + boardRoot, pages: map[string]any{boardRoot: about("https://honest.example")},
			at: "https://honest.example" + boardRoot,
		},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			honest := &resourceServer{pages: test.pages}
			m.web.hosts["honest.example"] = honest
			m.board.set(func(s *resourceServer) {
				s.pages = test.pages
				if test.challenge != "" {
					s.challenges = []string{`Bearer resource_metadata="` + test.challenge + `"`}
				}
			})
			_, err := m.offer()
			e := refused(t, err, false)
			if name == "a long name" {
				hasProblem(t, e, test.at, "resource", `is "https://board.example/xxx`)
			} else {
				hasProblem(t, e, test.at, "resource", `not "`+board+`"`)
			}
			if n := len(e.Error()) + len(m.logs.String()); n > 4<<10 {
				t.Errorf("%d bytes of errors and logs", n)
			}
			if m.web.count("id.example"+issuerPlace) != 0 {
				t.Error("the authorization server was asked all the same")
			}
		})
	}
}

func TestADescriptionThatCannotBeUsed(t *testing.T) {
	for name, test := range map[string]struct {
		page      any
		temporary bool
		field     string
		reason    string
	}{
		"without authorization servers": {document{"resource": board}, false, "authorization_servers", "is empty"},
		"with bound tokens": {document{"resource": board, "authorization_servers": []string{"https://id.example"}, "dpop_bound_access_tokens_required": true},
			false, "dpop_bound_access_tokens_required", "not supported"},
		"of scripts":     {document{"resource": board, "authorization_servers": []string{"javascript:alert(1)"}}, false, "", "authorization_servers[0]"},
		"by plain http":  {document{"resource": board, "authorization_servers": []string{"http://id.example"}}, false, "", "authorization_servers[0]"},
		"inside":         {document{"resource": board, "authorization_servers": []string{"https://10.0.0.1"}}, false, "", "authorization_servers[0]"},
		"on this side":   {document{"resource": board, "authorization_servers": []string{"https://127.0.0.1"}}, false, "authorization_servers", "this machine"},
		"with a query":   {document{"resource": board, "authorization_servers": []string{"https://id.example?x=1"}}, false, "authorization_servers", "query"},
		"with a mark":    {document{"resource": board, "authorization_servers": []string{"https://id.example#x"}}, false, "authorization_servers", "fragment"},
		"with a person":  {document{"resource": board, "authorization_servers": []string{"https://us@id.example"}}, false, "authorization_servers", "user name"},
		"of look-alikes": {document{"resource": board, "authorization_servers": []string{"https://іd.example"}}, false, "authorization_servers", "misleading"},
		"of wrong types": {document{"resource": board, "authorization_servers": "https://id.example"}, false, "", "authorization_servers"},
		"down":           {503, true, "", "status 503"},
		"too large":      {document{"resource": board, "padding": strings.Repeat("x", 1<<20)}, false, "", "too large"},
	} {
		t.Run(name, func(t *testing.T) {
			m := newMCPWorld(t, nil)
			m.board.set(func(s *resourceServer) { s.pages = map[string]any{boardPath: test.page} })
			before := m.web.count("id.example" + issuerPlace)
			_, err := m.offer()
			e := refused(t, err, test.temporary)
			last := e.Problems[0]
			if last.Field != test.field || !strings.Contains(last.Error(), test.reason) {
				t.Errorf("administrators read: %v", e)
			}
			if m.web.count("id.example"+issuerPlace) != before {
				t.Error("the authorization server was asked")
			}
			if name == "too large" && !errors.Is(err, outbound.ErrTooLarge) {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestAServerThatDescribesNothing(t *testing.T) {
	m := newMCPWorld(t, nil)
	m.board.set(func(s *resourceServer) { s.status, s.pages = http.StatusNotFound, nil })
	_, err := m.offer()
	e := refused(t, err, false)
	hasProblem(t, e, board, "", "status 404, where 401 was expected")
	hasProblem(t, e, "https://board.example"+boardPath, "", "status 404")
	hasProblem(t, e, "https://board.example"+boardRoot, "", "status 404")
	hasProblem(t, e, board, "", "configure auth.issuer and auth.client_id")
	if !strings.Contains(m.logs.String(), "where 401 was expected") {
		t.Errorf("the log does not say why: %s", m.logs)
	}
}

func TestTheAdministratorSpeaksForAServerThatDescribesNothing(t *testing.T) {
	m := newMCPWorld(t, configured(func(s *vault.Server) {
		s.URL += "?key=of-the-url"
		s.Auth.ClientID, s.Auth.Issuer = "us", "https://id.example"
	}))
	for _, pages := range []map[string]any{nil, {boardPath: "<html>", boardRoot: "<html>"}} {
		m.board.set(func(s *resourceServer) { s.pages = pages })
		to, _ := m.sentTo(m.another())
		if got := query(t, to); got.Get("resource") != board || got.Get("client_id") != "us" {
			t.Errorf("sent to %s", to)
		}
	}
	m.board.set(func(s *resourceServer) { s.pages = map[string]any{boardRoot: 500} })
	_, err := m.another().Offer(t.Context(), alice, m.ask(alice, "board").ID)
	refused(t, err, true) // it may describe itself in a moment
}

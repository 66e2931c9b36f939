package vault_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

func TestALookupNeverContactsAnybody(t *testing.T) {
	w := newWorld(t, nil)
	for _, server := range []string{"tracker", "keyed", "shared", "open", "nowhere"} {
		_, _ = w.Credential(t.Context(), needs(server))
	}
	if n := w.web.requests(); n != 0 {
		t.Errorf("%d requests were made", n)
	}
}

func TestAMissingCredentialIsOneTypedAnswerThatCarriesWhatAQuestionNeeds(t *testing.T) {
	w := newWorld(t, nil)
	_, err := w.Credential(t.Context(), needs("boards"))
	e := required(t, err)
	if !errors.Is(err, vault.ErrRequired) || !e.Askable() || e.Reason != vault.Missing {
		t.Errorf("got %#v", e)
	}
	if diff := cmp.Diff([]string{"boards.read", "boards.write"}, e.Scopes); diff != "" {
		t.Errorf("scopes: %s", diff)
	}
	q := w.Question(e, alice, "chat-7")
	want := parley.Request{
		ID: q.ID, Tenant: "default", To: "alice", From: "boards", Mode: parley.URL, Session: "chat-7",
		URL:     "https://parley.example/auth/connect?elicitation_id=" + string(q.ID),
		Message: "boards requires authentication. Connect your account to continue.", Trigger: parley.TriggerCredential,
		Labels: map[string]string{"server": "boards", "scope": "user", "owner": "alice", "reason": "missing", "origin": "https://boards.example:443"},
	}
	if diff := cmp.Diff(want, q); diff != "" {
		t.Errorf("question: %s", diff)
	}
}

func TestACredentialIsLookedUpForExactlyItsOwner(t *testing.T) {
	w := newWorld(t, nil)
	provide := func(need vault.Need, value string) {
		t.Helper()
		if err := w.Provide(t.Context(), need, value); err != nil {
			t.Fatal(err)
		}
	}
	provide(vault.Need{Server: "keyed", User: "alice"}, "alices")
	provide(vault.Need{Server: "keyed", User: "bob"}, "bobs")
	provide(vault.Need{Server: "keyed", User: "a/b"}, "slashed")
	provide(vault.Need{Tenant: "globex", Server: "keyed", User: "alice"}, "other-alices")
	provide(vault.Need{Server: "shared"}, "everybodys")
	provide(vault.Need{Server: "coach", Agent: "math"}, "maths")
	for _, c := range []struct {
		need   vault.Need
		header string
		want   string // empty: required
	}{
		{vault.Need{Server: "keyed", User: "alice"}, "X-Api-Key", "alices"},
		{vault.Need{Server: "keyed", User: "bob"}, "X-Api-Key", "bobs"},
		{vault.Need{Server: "keyed", User: "a/b"}, "X-Api-Key", "slashed"},
		{vault.Need{Server: "keyed", User: "a"}, "X-Api-Key", ""},
		{vault.Need{Server: "keyed", User: "Alice"}, "X-Api-Key", ""},
		{vault.Need{Tenant: "globex", Server: "keyed", User: "alice"}, "X-Api-Key", "other-alices"},
		{vault.Need{Tenant: "globex", Server: "keyed", User: "bob"}, "X-Api-Key", ""},
		{vault.Need{Server: "shared", User: "alice"}, "Authorization", "Bearer everybodys"},
		{vault.Need{Tenant: "globex", Server: "shared", User: "alice"}, "Authorization", ""},
		{vault.Need{Server: "coach", Agent: "math", User: "alice"}, "Authorization", "Bearer maths"},
		{vault.Need{Server: "coach", Agent: "physics", User: "alice"}, "Authorization", ""},
	} {
		t.Run(fmt.Sprintf("%+v", c.need), func(t *testing.T) {
			cred, err := w.Credential(t.Context(), c.need)
			if c.want == "" {
				required(t, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := sent(t, cred, "https://"+c.need.Server+".example/mcp").Get(c.header); got != c.want {
				t.Errorf("%s: %q, want %q", c.header, got, c.want)
			}
		})
	}
}

func TestOnlyAPersonsOwnCredentialIsAskedForInTheConversation(t *testing.T) {
	w := newWorld(t, nil)
	for server, need := range map[string]vault.Need{"shared": {Server: "shared", User: "alice"}, "coach": {Server: "coach", Agent: "math", User: "alice"}} {
		_, err := w.Credential(t.Context(), need)
		if e := required(t, err); e.Askable() {
			t.Fatalf("%s: the person in the conversation would be asked, and waited for: %v", server, e)
		}
		_, err = w.Obtain(t.Context(), alice, need, nil)
		if e := required(t, err); e.Askable() || !strings.Contains(e.Error(), "administrator") {
			t.Errorf("%s: %v", server, e)
		}
	}
	if list, err := w.hub.List(t.Context(), alice, parley.Query{}); err != nil || len(list) > 0 {
		t.Errorf("a question was opened: %v, %v", list, err)
	}
}

func TestNobodyInParticularHasNoCredential(t *testing.T) {
	w := newWorld(t, nil)
	if _, err := w.Credential(t.Context(), vault.Need{Server: "tracker"}); !errors.Is(err, vault.ErrNoPerson) {
		t.Errorf("got %v, want ErrNoPerson", err)
	}
	if _, err := w.Obtain(t.Context(), parley.Principal{}, vault.Need{Server: "tracker", User: "alice"}, nil); !errors.Is(err, vault.ErrNoPerson) {
		t.Errorf("a need that names its own user: got %v, want ErrNoPerson", err)
	}
	if _, err := w.Credential(t.Context(), vault.Need{Server: "coach"}); !errors.Is(err, vault.ErrInvalid) {
		t.Errorf("no agent: got %v", err)
	}
	if _, err := w.Credential(t.Context(), needs("nowhere")); !errors.Is(err, vault.ErrUnknown) {
		t.Errorf("unknown server: got %v", err)
	}
}

func TestACredentialGoesToItsOwnServerOnly(t *testing.T) {
	w := newWorld(t, nil)
	if err := w.Provide(t.Context(), needs("keyed"), "k3y"); err != nil {
		t.Fatal(err)
	}
	cred, err := w.Credential(t.Context(), needs("keyed"))
	if err != nil {
		t.Fatal(err)
	}
	for _, elsewhere := range []string{
		"https://evil.example/mcp", "http://keyed.example/mcp", "https://keyed.example:8443/mcp", "https://keyed.example.evil.example/",
	} {
		r, _ := http.NewRequest(http.MethodPost, elsewhere, nil)
		if err := cred.Apply(r); !errors.Is(err, vault.ErrOrigin) || len(r.Header) > 0 {
			t.Errorf("%s: %v, headers %v", elsewhere, err, r.Header)
		}
	}
	for _, text := range []string{fmt.Sprint(cred), fmt.Sprintf("%+v", cred), fmt.Sprintf("%#v", cred), fmt.Sprintf("%q", cred)} {
		if strings.Contains(text, "k3y") {
			t.Errorf("the credential prints as %s", text)
		}
	}
}

func TestAServerThatMovedDoesNotGetWhatWasGrantedToItsOldPlace(t *testing.T) {
	w := newWorld(t, nil)
	w.connect(alice, "tracker", w.acme, "acme")
	w.opts.Servers[0].URL = "https://elsewhere.example/mcp"
	_, err := w.another().Credential(t.Context(), needs("tracker"))
	if e := required(t, err); e.Reason != vault.Missing {
		t.Errorf("got %v", e)
	}
}

func TestTenantsHaveTheirOwnServersAndProviders(t *testing.T) {
	w := newWorld(t, nil)
	own := w.other.provider("acme") // the same name, another provider
	if err := w.PutProvider(t.Context(), "globex", own); err != nil {
		t.Fatal(err)
	}
	if err := w.PutServer(t.Context(), "globex", vault.Server{Name: "crm", URL: "https://crm.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme"}}); err != nil {
		t.Fatal(err)
	}
	if err := w.PutService(t.Context(), "globex", vault.Service{Name: "mail", Provider: "acme"}); err != nil {
		t.Fatal(err)
	}
	ours, err := w.Provider(t.Context(), "", "acme")
	if err != nil || ours.Slug() != "acme" {
		t.Errorf("ours: %q, %v", ours.Slug(), err)
	}
	theirs, err := w.Provider(t.Context(), "globex", "acme")
	if err != nil || theirs.Slug() != "acme~globex" || theirs.ClientID != own.ClientID {
		t.Errorf("theirs: %q, %v", theirs.Slug(), err)
	}
	if _, err := w.Server(t.Context(), "", "crm"); !errors.Is(err, vault.ErrUnknown) {
		t.Errorf("another tenant's server: %v", err)
	}
	names := func(tenant string) (names []string) {
		all, err := w.Servers(t.Context(), tenant)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			names = append(names, s.Name)
		}
		return names
	}
	if got := strings.Join(names("globex"), " "); got != "boards coach crm keyed notes open shared tracker" {
		t.Errorf("globex has %s", got)
	}
	if err := w.RemoveServer(t.Context(), "globex", "tracker"); !errors.Is(err, vault.ErrConfigured) {
		t.Errorf("removing what the configuration names: %v", err)
	}
	if err := w.RemoveServer(t.Context(), "globex", "crm"); err != nil {
		t.Error(err)
	}
	if err := w.RemoveProvider(t.Context(), "globex", "acme"); err != nil {
		t.Error(err)
	}
	if err := w.RemoveService(t.Context(), "globex", "mail"); err != nil {
		t.Error(err)
	}
	if again, err := w.Provider(t.Context(), "globex", "acme"); err != nil || again.Slug() != "acme" {
		t.Errorf("after removing: %q, %v", again.Slug(), err)
	}
}

func TestWrongSettingsAreNamed(t *testing.T) {
	good := newAuthServer("acme.example").provider("acme")
	server := vault.Server{Name: "s", URL: "https://s.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Provider: "acme"}}
	for name, c := range map[string]struct {
		err  error
		want string
	}{
		"no client":       {change(good, func(p *vault.Provider) { p.ClientID = "" }).Validate(), "client_id"},
		"no token URL":    {change(good, func(p *vault.Provider) { p.TokenURL = "" }).Validate(), "token_url is missing"},
		"script URL":      {change(good, func(p *vault.Provider) { p.AuthURL = "javascript:alert(1)" }).Validate(), "auth_url"},
		"homograph":       {change(good, func(p *vault.Provider) { p.TokenURL = "https://аcme.example/token" }).Validate(), "token_url"},
		"name with slash": {change(good, func(p *vault.Provider) { p.Name = "a/b" }).Validate(), "name"},
		"secret_in":       {change(good, func(p *vault.Provider) { p.SecretIn = "cookie" }).Validate(), "secret_in"},
		"require_iss":     {change(good, func(p *vault.Provider) { p.Issuer, p.RequireIss = "", true }).Validate(), "issuer"},
		"no provider":     {change(server, func(s *vault.Server) { s.Auth.Provider = "" }).Validate(), "provider"},
		"both":            {change(server, func(s *vault.Server) { s.Auth.Service = "x" }).Validate(), "provider"},
		"type":            {change(server, func(s *vault.Server) { s.Auth.Type = "magic" }).Validate(), "auth.type"},
		"scope":           {change(server, func(s *vault.Server) { s.Auth.Scope = "galaxy" }).Validate(), "auth.scope"},
		"token":           {change(server, func(s *vault.Server) { s.Auth.Token = "x" }).Validate(), "auth.token"},
		"mcp over stdio":  {change(server, func(s *vault.Server) { s.Auth, s.URL = vault.Auth{Type: vault.MCP}, "" }).Validate(), "url"},
		"client only":     {change(server, func(s *vault.Server) { s.Auth = vault.Auth{Type: vault.MCP, ClientID: "x"} }).Validate(), "issuer"},
		"service":         {vault.Service{Name: "x"}.Validate(), "provider"},
	} {
		if !errors.Is(c.err, vault.ErrInvalid) || !strings.Contains(fmt.Sprint(c.err), c.want) {
			t.Errorf("%s: got %v, want one that names %s", name, c.err, c.want)
		}
	}
	if err := errors.Join(good.Validate(), server.Validate()); err != nil {
		t.Errorf("the good ones: %v", err)
	}
}

func change[T any](one T, how func(*T)) T {
	how(&one)
	return one
}

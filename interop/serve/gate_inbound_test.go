package serve_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/parley-hq/parley/internal/demoprovider"
	"github.com/parley-hq/parley/interop/kit"
)

// guardedGate is a site that lets nobody in without a token.
func guardedGate(t *testing.T, gateway string) *gate {
	t.Helper()
	program, address := withParley(t), kit.FreeAddresses(t, 1)[0]
	g := newGate(t, program, "memory:", address, `
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
gateway: {`+gateway+`}
`)
	g.open = false
	g.start(t, address)
	return g
}

const metadataPath = "/.well-known/oauth-protected-resource/mcp"

func TestTheGatewayTakesNoTokenButItsOwn(t *testing.T) {
	g := guardedGate(t, `scopes: ["mcp:use"]`)
	scoped := claim("scope", "profile mcp:use")
	good := g.token(t, "alice", scoped)
	look := kit.WireCall{Tool: "shop__look", Arguments: `{}`}
	if a := look.Send(t, g.public, good); a.Text() != "look: {}" {
		t.Fatalf("a good token: %s", a)
	}
	payload := strings.Split(good, ".")[1]
	plain := func(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }
	for name, c := range map[string]struct {
		token  string
		status int
	}{
		"none":                {"", http.StatusUnauthorized},
		"for somebody else":   {g.token(t, "alice", scoped, claim("aud", "other")), http.StatusUnauthorized},
		"for nobody":          {g.token(t, "alice", scoped, func(all map[string]any) { delete(all, "aud") }), http.StatusUnauthorized},
		"of another issuer":   {g.token(t, "alice", scoped, claim("iss", "https://evil.example")), http.StatusUnauthorized},
		"over":                {g.token(t, "alice", scoped, claim("exp", time.Now().Add(-time.Hour).Unix())), http.StatusUnauthorized},
		"not yet":             {g.token(t, "alice", scoped, claim("nbf", time.Now().Add(time.Hour).Unix())), http.StatusUnauthorized},
		"nobody's":            {g.token(t, "", scoped), http.StatusUnauthorized},
		"of another key":      {signed(t, "a key that nobody has told the server", map[string]any{"iss": kit.GatewayIssuer, "aud": kit.GatewayAudience, "sub": "alice", "exp": time.Now().Add(time.Hour).Unix()}), http.StatusUnauthorized},
		"not signed":          {plain(`{"alg":"none"}`) + "." + payload + ".", http.StatusUnauthorized},
		"changed":             {strings.Replace(good, payload, plain(`{"sub":"bob"}`), 1), http.StatusUnauthorized},
		"without a scope":     {g.token(t, "alice"), http.StatusForbidden},
		"with another scope":  {g.token(t, "alice", claim("scope", "mcp:user mcp")), http.StatusForbidden},
		"a program's, scoped": {adminKey, http.StatusForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			status, header, body := kit.HttpDo(t, http.MethodPost, g.public+"/mcp",
				kit.Headers(c.token, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/list"), kit.ListTools)
			challenge := header.Get("Www-Authenticate")
			if status != c.status {
				t.Errorf("%d %s", status, body)
			}
			for _, want := range []string{`resource_metadata="` + g.public + metadataPath + `"`, `scope="mcp:use"`} {
				if !strings.HasPrefix(challenge, "Bearer ") || !strings.Contains(challenge, want) {
					t.Errorf("the challenge %q has no %s", challenge, want)
				}
			}
			if strings.Contains(string(body), "shop__") {
				t.Errorf("and yet: %s", body)
			}
		})
	}
	g.wares.carriedOut(t, map[string]int{"look": 1})
}

func TestATokenIsTakenFromTheHeaderAlone(t *testing.T) {
	g := guardedGate(t, "")
	token := g.token(t, "alice")
	for name, c := range map[string]struct{ query, body string }{
		"query":          {query: "?access_token=" + token, body: kit.ListTools},
		"query, another": {query: "?token=" + token, body: kit.ListTools},
		"body":           {body: `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"access_token":"` + token + `"}}`},
	} {
		status, header, body := kit.HttpDo(t, http.MethodPost, g.public+"/mcp"+c.query, kit.Headers(""), c.body)
		if status != http.StatusUnauthorized || header.Get("Www-Authenticate") != `Bearer resource_metadata="`+g.public+metadataPath+`"` {
			t.Errorf("%s: %d %q %s", name, status, header.Get("Www-Authenticate"), body)
		}
	}
	// And with a token in the header, another one in the query changes nothing.
	bob := g.token(t, "bob")
	session := kit.BeginSession(t, g.public, token)
	r := kit.Headers(token, "Mcp-Session-Id", session, "Mcp-Protocol-Version", "2025-11-25")
	if status, _, body := kit.HttpDo(t, http.MethodPost, g.public+"/mcp?access_token="+bob, r, kit.ListTools); status != http.StatusOK || !strings.Contains(string(body), "shop__look") {
		t.Errorf("%d %s", status, body)
	}
}

func TestTheGatewayDescribesItselfToClients(t *testing.T) {
	g := guardedGate(t, `scopes: ["mcp:use"], issuers: ["https://login.example", "https://other.example"]`)
	for _, path := range []string{metadataPath, "/.well-known/oauth-protected-resource"} {
		status, _, body := kit.HttpDo(t, http.MethodGet, g.public+path, nil, "")
		var got oauthex.ProtectedResourceMetadata
		if err := json.Unmarshal(body, &got); err != nil || status != http.StatusOK {
			t.Fatalf("%s: %d %s: %v", path, status, body, err)
		}
		want := oauthex.ProtectedResourceMetadata{
			Resource: g.public + "/mcp", AuthorizationServers: []string{"https://login.example", "https://other.example"},
			ScopesSupported: []string{"mcp:use"}, BearerMethodsSupported: []string{"header"}, ResourceName: got.ResourceName,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestASessionIsThePersonsWhoBeganIt(t *testing.T) {
	g := guardedGate(t, "")
	alice := g.token(t, "alice")
	session := kit.BeginSession(t, g.public, alice)
	for name, c := range map[string]struct {
		token string
		may   bool
	}{
		"alice":                      {alice, true},
		"alice, with another token":  {g.token(t, "alice", claim("jti", "2")), true},
		"bob":                        {g.token(t, "bob"), false},
		"a program":                  {adminKey, false},
		"somebody without any token": {"", false},
	} {
		for _, message := range []string{kit.ListTools, kit.CallTool("shop__look")} {
			status, _, body := kit.InSession(t, g.public, c.token, session, message)
			if (status == http.StatusOK) != c.may {
				t.Errorf("%s: %s: %d %s", name, message, status, body)
			}
			if !c.may && (status < 400 || status >= 500) {
				t.Errorf("%s: refused with %d", name, status)
			}
		}
	}
	status, _, body := kit.HttpDo(t, http.MethodDelete, g.public+"/mcp", kit.Headers(g.token(t, "bob"), "Mcp-Session-Id", session), "")
	if status < 400 {
		t.Errorf("bob ended the session: %d %s", status, body)
	}
	if status, _, body := kit.InSession(t, g.public, alice, session, kit.ListTools); status != http.StatusOK {
		t.Errorf("alice's session ended: %d %s", status, body)
	}
	g.wares.carriedOut(t, map[string]int{"look": 2})
}

func TestPeopleOfTheSameNameInTwoTenantsShareNoSession(t *testing.T) {
	g := guardedGate(t, "")
	session := kit.BeginSession(t, g.public, g.token(t, "alice", claim("tenant", "acme")))
	for _, tenant := range []string{"globex", "default"} {
		other := g.token(t, "alice", claim("tenant", tenant))
		for _, message := range []string{kit.ListTools, kit.CallTool("shop__look")} {
			if status, _, body := kit.InSession(t, g.public, other, session, message); status < 400 || status >= 500 {
				t.Errorf("alice of %s: %s: %d %.200s", tenant, message, status, body)
			}
		}
	}
	g.wares.carriedOut(t, map[string]int{})
}

func TestAProgramsSessionIsNobodyElses(t *testing.T) {
	g := guardedGate(t, "")
	session := kit.BeginSession(t, g.public, adminKey)
	if status, _, body := kit.InSession(t, g.public, adminKey, session, kit.CallTool("shop__look")); status != http.StatusOK {
		t.Errorf("the program itself: %d %s", status, body)
	}
	for _, token := range []string{g.token(t, "bob"), g.token(t, "bob", claim("tenant", "globex"))} {
		if status, _, body := kit.InSession(t, g.public, token, session, kit.CallTool("shop__look")); status < 400 || status >= 500 {
			t.Errorf("bob: %d %.200s", status, body)
		}
	}
	g.wares.carriedOut(t, map[string]int{"look": 1})
}

// RFC 6750 and the protocol's step-up flow: a client asks for more only when it
// is told that a scope is what its token lacks.
func TestAClientIsToldWhatItsTokenLacks(t *testing.T) {
	g := guardedGate(t, `scopes: ["mcp:use"]`)
	for token, want := range map[string]string{
		g.token(t, "alice"): `error="insufficient_scope"`,
		g.token(t, "alice", claim("scope", "mcp:use"), claim("exp", time.Now().Add(-time.Hour).Unix())): `error="invalid_token"`,
	} {
		status, header, _ := kit.HttpDo(t, http.MethodPost, g.public+"/mcp", kit.Headers(token), kit.ListTools)
		if challenge := header.Get("Www-Authenticate"); !strings.Contains(challenge, want) {
			t.Errorf("%d %q; want %s", status, challenge, want)
		}
	}
}

// signInGate is a site whose tokens come from the provider itself.
func signInGate(t *testing.T) (g *gate, callback string, back <-chan url.Values) {
	t.Helper()
	program, address := withParley(t), kit.FreeAddresses(t, 1)[0]
	mux := http.NewServeMux()
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	queries := make(chan url.Values, 1)
	mux.HandleFunc("/back", func(_ http.ResponseWriter, r *http.Request) { queries <- r.URL.Query() })
	provider, err := demoprovider.New(&demoprovider.Options{
		Issuer: web.URL, Resources: []string{"http://" + address + "/mcp"},
		Clients: []demoprovider.Client{{ID: "editor", Secret: "the editor's secret", RedirectURIs: []string{web.URL + "/back"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle("/", provider)
	var known struct {
		Keys string `json:"jwks_uri"`
	}
	if _, _, body := kit.HttpDo(t, http.MethodGet, web.URL+"/.well-known/openid-configuration", nil, ""); json.Unmarshal(body, &known) != nil || known.Keys == "" {
		t.Fatalf("the provider says %s", body)
	}
	g = newGate(t, program, "memory:", address, "")
	g.issuer, g.audience, g.keys = web.URL, g.public+"/mcp", known.Keys
	g.open = false
	g.more = `
servers:
  shop: {url: "{wares}/modern/mcp", approve: never}
gateway: {scopes: [read]}
`
	g.start(t, address)
	return g, web.URL + "/back", queries
}

func TestAClientFindsItsWayToTheAuthorizationServer(t *testing.T) {
	g, callback, back := signInGate(t)
	for era := range eras {
		t.Run(era, func(t *testing.T) {
			links, results := make(chan string), make(chan *auth.AuthorizationResult)
			handler, err := auth.NewAuthorizationCodeHandler(&auth.AuthorizationCodeHandlerConfig{
				PreregisteredClient: &oauthex.ClientCredentials{
					ClientID: "editor", ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: "the editor's secret"},
				},
				RedirectURL: callback,
				AuthorizationCodeFetcher: func(_ context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
					links <- args.URL
					return <-results, nil
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			type connected struct {
				session *mcp.ClientSession
				err     error
			}
			there := make(chan connected, 1)
			go func() {
				client := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, nil)
				session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: g.public + "/mcp", OAuthHandler: handler},
					&mcp.ClientSessionOptions{ProtocolVersion: era})
				there <- connected{session, err}
			}()
			link := <-links
			if u, err := url.Parse(link); err != nil || u.Query().Get("resource") != g.public+"/mcp" || !slices.Contains(strings.Fields(u.Query().Get("scope")), "read") {
				t.Errorf("the client asks for another token: %s", link)
			}
			person := kit.NewVisitor(t)
			person.Open(t, link)
			person.Press(t, "alice")
			person.Press(t, "Allow")
			query := <-back
			results <- &auth.AuthorizationResult{Code: query.Get("code"), State: query.Get("state"), Iss: query.Get("iss")}
			c := <-there
			if c.err != nil {
				t.Fatal(c.err)
			}
			defer c.session.Close()
			result, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__look", Arguments: kit.Fields{}})
			if err != nil || result.IsError {
				t.Errorf("%+v, %v", result, err)
			}
			source, err := handler.TokenSource(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			token, err := source.Token()
			if err != nil {
				t.Fatal(err)
			}
			g.tokens = append(g.tokens, token.AccessToken)
		})
	}
	g.wares.carriedOut(t, map[string]int{"look": 2})
}

package oidc_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/interop/kit"
)

// connectors is a server whose people come by the connectors of hosts, with the
// operator's provider as the authorization server.
type connectors struct {
	*oidcProvider
	site string // the server
	host string // where hosts have people sent back to
	node *kit.Node
}

// document is where a host describes itself as a client, as Claude and ChatGPT do.
const document = "https://host.example/oauth/client"

func startConnectors(t *testing.T) connectors {
	t.Helper()
	address := kit.FreeAddresses(t, 1)[0]
	c := connectors{site: "http://" + address}
	host := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<p>Back again.</p>") }))
	t.Cleanup(host.Close)
	c.host = host.URL + "/callback"
	c.oidcProvider = startProvider(t, kit.Fields{
		"host": "localhost", "registration": true, "accessTokenFormat": "jwt", "scopes": []string{"mcp:use"},
		"resources": []string{c.site + "/mcp", c.site + "/mcp/servers/shop"},
		"documents": kit.Fields{document: kit.Fields{
			"client_id": document, "client_name": "A host", "redirect_uris": []string{c.host}, "token_endpoint_auth_method": "none",
			"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"}, "application_type": "native",
		}},
		"clients": []kit.Fields{
			{"client_id": "parley", "client_secret": "the-clients-secret", "redirect_uris": []string{c.site + "/login/callback"}},
			{"client_id": "host", "client_secret": "the-hosts-secret", "redirect_uris": []string{c.host}},
		},
	})
	shop := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	mcp.AddTool(shop, &mcp.Tool{Name: "buy"}, func(context.Context, *mcp.CallToolRequest, struct {
		For string `json:"for"`
	}) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Bought."}}}, nil, nil
	})
	upstream := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return shop }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(upstream.Close)
	file := filepath.Join(t.TempDir(), "parley.yaml")
	text := fmt.Sprintf(`listen: %[1]s
public_url: %[2]s
store: "memory:"
secrets: ["a secret for tests, thirty-two bytes or more"]
auth:
  jwt: {issuer: %[3]q, audience: "%[2]s/mcp", jwks_url: "%[3]s/jwks"}
  oidc: {issuer: %[3]q, client_id: parley, client_secret: the-clients-secret}
servers: {shop: {url: %[4]q}, other: {url: %[4]q}}
gateway: {scopes: ["mcp:use"]}
`, address, c.site, c.Issuer, upstream.URL)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	parley := kit.BuildParley(t)
	c.node = &kit.Node{Url: c.site, Cmd: exec.Command(parley, "serve", "-c", file), Ended: make(chan struct{})}
	c.node.Run(t)
	if out, err := exec.CommandContext(t.Context(), parley, "check", "-c", file, "--online").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
	return c
}

// signIn has a person sign in at the provider, or only consent where they have
// signed in before, until they are at the address.
func (c connectors) signIn(t *testing.T, v *kit.Visitor, name, from, to string) {
	t.Helper()
	v.Open(t, from)
	for range 3 {
		if strings.HasPrefix(v.At.String(), to) {
			return
		}
		button, fields := "Sign-in", url.Values{"login": {name}, "password": {"whatever " + name + " typed"}}
		if strings.Contains(v.Text(), "Authorize") {
			button, fields = "Continue", nil
		}
		if err := v.Visitor.Press(t.Context(), button, fields); err != nil {
			t.Fatal(err)
		}
	}
	t.Fatalf("%s is at %s: %s", name, v.At, v.Text())
}

// What hosts do with a connector: by nothing but the URL they find out where people sign in, become a
// client there in one of three ways, get a token for the endpoint, and call. They cannot ask, so the
// person allows the call on its page, where the same provider signs them in as the same person.
func TestAHostConnectsByTheAuthorizationServerOfTheOperator(t *testing.T) {
	kit.NeedNode(t)
	c := startConnectors(t)
	const apps = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	for name, h := range map[string]struct {
		program []string
		client  kit.Fields // how it becomes a client of the provider's
		at      string     // the endpoint
		tool    string
	}{
		"SDK 1, registered, at the gateway":                  {[]string{"client1.mjs"}, nil, "/mcp", "shop__buy"},
		"SDK 2, by its document, at a server's endpoint":     {[]string{"client2.mjs", "--era", "modern"}, kit.Fields{"document": document}, "/mcp/servers/shop", "buy"},
		"SDK 1, by its document, at a server's endpoint":     {[]string{"client1.mjs"}, kit.Fields{"document": document}, "/mcp/servers/shop", "buy"},
		"SDK 2, a client of the operator's, at the gateway":  {[]string{"client2.mjs"}, kit.Fields{"client": kit.Fields{"client_id": "host", "client_secret": "the-hosts-secret", "issuer": c.Issuer}}, "/mcp", "shop__buy"},
		"SDK 2, registered, at a server's endpoint, any era": {[]string{"client2.mjs", "--era", "auto"}, nil, "/mcp/servers/shop", "buy"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			how := kit.Fields{"redirect": c.host}
			for k, v := range h.client {
				how[k] = v
			}
			raw, _ := json.Marshal(how)
			host := kit.BeginClient(t, kit.With(h.program, "--url", c.site+h.at, "--capabilities", apps, "--sign-in", string(raw)))
			asked, err := url.Parse(host.Event("sign-in").URL)
			if err != nil {
				t.Fatal(err)
			}
			q := asked.Query()
			got := kit.Fields{"resource": q.Get("resource"), "scopes": strings.Contains(" "+q.Get("scope")+" ", " mcp:use "), "challenge": q.Get("code_challenge_method"), "redirect": q.Get("redirect_uri")}
			if diff := cmp.Diff(kit.Fields{"resource": c.site + h.at, "scopes": true, "challenge": "S256", "redirect": c.host}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", asked, diff)
			}
			alice := kit.NewVisitor(t)
			c.signIn(t, alice, "alice", asked.String(), c.host)
			host.Send(kit.Fields{"back": alice.At.String()})
			host.Event("ready")

			// The card's two tools are the app's; here the test is both app and model.
			asks := host.Result(host.Call(h.tool, kit.Fields{"for": name})) // the same call of the same person would be the same
			id := kit.Fields{"elicitId": asks.Meta.Pending.ElicitID}
			host.Result(host.Call("showQuestion", id))
			var shown struct {
				Meta struct {
					Ask struct{ State, Answer, Page string } `json:"parley/ask"`
				} `json:"_meta"`
			}
			if line := host.End(host.Call("parley_open", id)); json.Unmarshal(line.Result, &shown) != nil || shown.Meta.Ask.Answer != "page" {
				t.Fatalf("%s", line.Text)
			}
			waits := host.Call("waitForElicitationResult", id)
			c.signIn(t, alice, "alice", shown.Meta.Ask.Page, c.site+"/answer/")
			alice.Press(t, "Allow once")
			if r := host.Result(waits); r.IsError || r.Content[0].Text != "Bought." {
				t.Errorf("%+v", r)
			}
		})
	}
	t.Run("its token is for the endpoint that it connected", c.theTokenIsForItsEndpoint)
}

// theTokenIsForItsEndpoint shows that what a host got for one server's endpoint is refused at the others.
func (c connectors) theTokenIsForItsEndpoint(t *testing.T) {
	raw, _ := json.Marshal(kit.Fields{"redirect": c.host})
	host := kit.BeginClient(t, []string{"client2.mjs", "--url", c.site + "/mcp/servers/shop", "--sign-in", string(raw)})
	asked := host.Event("sign-in").URL
	bob := kit.NewVisitor(t)
	c.signIn(t, bob, "bob", asked, c.host)
	host.Send(kit.Fields{"back": bob.At.String()})
	host.Event("ready")
	var token string
	for secret, kind := range c.secrets() { // the others have yet to begin
		if kind == "access_token" && strings.Count(secret, ".") == 2 {
			token = secret
		}
	}
	const begin = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
	for at, want := range map[string]int{"/mcp/servers/shop": http.StatusOK, "/mcp/servers/other": http.StatusUnauthorized, "/mcp": http.StatusUnauthorized} {
		status, header, body := kit.HttpDo(t, http.MethodPost, c.site+at, kit.Headers(token), begin)
		if status != want || want == http.StatusUnauthorized && strings.Count(string(body), `"`+c.site+`/mcp"`) != 1 {
			t.Errorf("%s: %d %s %s", at, status, header.Get("WWW-Authenticate"), body)
		}
	}
	bob.Open(t, strings.Replace(asked, url.QueryEscape(c.site+"/mcp/servers/shop"), url.QueryEscape(c.site+"/mcp/servers/other"), 1))
	if got := bob.At.Query().Get("error"); got != "invalid_target" {
		t.Errorf("for an endpoint that the provider was not told of: %q at %s", got, bob.At)
	}
}

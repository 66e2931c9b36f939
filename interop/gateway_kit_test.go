package interop_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"golang.org/x/net/html"
)

// gatewaySite is a `parley serve` with a gateway.
type gatewaySite struct {
	gatewaySettings
	url string
}

// gatewaySettings are those that differ between the gateways of the matrix.
type gatewaySettings struct {
	fallback string // default deny
	expose   string // default tools
}

func (s gatewaySettings) String() string {
	var all []string
	if s.fallback != "" {
		all = append(all, "fallback: "+s.fallback)
	}
	if s.expose != "" {
		all = append(all, "expose: "+s.expose)
	}
	return strings.Join(all, ", ")
}

// gatewayPerson is somebody with a client and a browser. Every client of the
// matrix has its own person: what one gave up another could take up.
type gatewayPerson struct {
	*visitor // signed in
	site     *gatewaySite
	token    string
}

const (
	gatewayIssuer   = "https://app.example"
	gatewayAudience = "parley"
	gatewayKey      = "the key that signs tokens for tests, long enough"
)

// startGateway starts a server with a gateway to all servers, until the test
// ends.
func startGateway(t *testing.T, program string, servers []*matrixServer, settings gatewaySettings) *gatewaySite {
	t.Helper()
	address := freeAddresses(t, 1)[0]
	g := &gatewaySite{url: "http://" + address, gatewaySettings: settings}
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(gatewayConfiguration(address, servers, settings)), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &node{url: g.url, cmd: exec.Command(program, "serve", "-c", file), ended: make(chan struct{})}
	n.cmd.Stdout, n.cmd.Stderr = &n.said, &n.said
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		n.err = n.cmd.Wait()
		close(n.ended)
	}()
	t.Cleanup(func() { n.end(t) })
	browser := newVisitor(t).Browser
	eventually(t, "the gateway serves", func() bool {
		select {
		case <-n.ended:
			t.Fatalf("the gateway ended: %v\n%s", n.err, n.said.String())
		default:
		}
		answer, err := browser.Get(g.url + "/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	g.stocked(t, servers)
	return g
}

// stocked waits until the gateway knows the tools of all servers. A list does not
// wait for long for one that is not known yet, and some take their time to start.
func (g *gatewaySite) stocked(t *testing.T, servers []*matrixServer) {
	t.Helper()
	token := tokenOf(t, "stocktaker")
	for _, s := range servers {
		eventually(t, "the gateway knows "+s.name, func() bool {
			if g.expose == "execute" {
				found := wireCall{tool: findTools, arguments: fmt.Sprintf(`{"server":%q}`, s.name)}.send(t, g.url, token)
				return strings.Contains(found.text(), `"`+s.name+"__")
			}
			return slices.ContainsFunc(toolsAt(t, g.url, token), func(tool string) bool { return strings.HasPrefix(tool, s.name+"__") })
		})
	}
}

// person signs somebody in.
func (g *gatewaySite) person(t *testing.T, name string) *gatewayPerson {
	t.Helper()
	p := &gatewayPerson{visitor: newVisitor(t), site: g, token: tokenOf(t, name)}
	p.Stays = true // some questions lead to sites that are not ours
	p.send(t, g.url+"/login", url.Values{"user": {name}})
	return p
}

func gatewayConfiguration(address string, servers []*matrixServer, settings gatewaySettings) string {
	var entries strings.Builder
	var names []string
	for _, s := range servers {
		names = append(names, s.name)
		where := fmt.Sprintf("url: %q", s.url)
		if s.command != nil {
			where = "command: [" + quoted(s.command) + "]"
		}
		fmt.Fprintf(&entries, "  %s: {%s, approve: never}\n", s.name, where)
	}
	return fmt.Sprintf(`
listen: %[1]q
public_url: "http://%[1]s"
store: "memory:"
dev: true
secrets: [%[2]q]
auth:
  jwt: {issuer: %[3]q, audience: %[4]q, hmac_key: %[5]q}
servers:
%[6]sgateway: {%[7]s}
`, address, secret, gatewayIssuer, gatewayAudience, gatewayKey, entries.String(),
		strings.TrimSuffix("servers: ["+strings.Join(names, ", ")+"], "+settings.String(), ", "))
}

func quoted(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, fmt.Sprintf("%q", w))
	}
	return strings.Join(all, ", ")
}

// tokenOf signs a person's bearer token.
func tokenOf(t *testing.T, person string) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(gatewayKey)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: gatewayIssuer, Audience: jwt.Audience{gatewayAudience}, Subject: person,
		IssuedAt: jwt.NewNumericDate(time.Now()), Expiry: jwt.NewNumericDate(time.Now().Add(time.Hour)),
	}).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// entryNames are the fields of a page's form, in their order.
func entryNames(page *html.Node) []string {
	all := []string{}
	for n := range page.Descendants() {
		for _, a := range n.Attr {
			name, ok := strings.CutPrefix(a.Val, "field.")
			if a.Key == "name" && ok && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// connect connects a client to the gateway, as this person.
func (p *gatewayPerson) connect(t *testing.T, kind matrixKind) matrixClient {
	t.Helper()
	if kind.command != nil {
		return startScriptClient(t, with(with(kind.command, "--url", p.site.url+"/mcp"), as(p.token)...))
	}
	return startGoClient(t, overHTTP(t, p.site.url+"/mcp", p.token), kind.modern, !kind.silent)
}

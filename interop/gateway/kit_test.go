package gateway_test

import (
	"cmp"
	"fmt"
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

	"github.com/parley-hq/parley/interop/kit"
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

	ttl   time.Duration // how long questions stay open, with testserve as its program; 0: parley serve
	store string        // default memory:
}

// command are the first words of the program that serves.
func (s gatewaySettings) command() []string {
	if s.ttl != 0 {
		return []string{"-ttl", s.ttl.String()}
	}
	return []string{"serve"}
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
	*kit.Visitor // signed in
	site         *gatewaySite
	token        string
}

// startGateway is serveGateway that knows what all servers offer.
func startGateway(t *testing.T, program string, servers []*matrixServer, settings gatewaySettings) *gatewaySite {
	t.Helper()
	g := serveGateway(t, program, servers, settings)
	g.stocked(t, servers)
	return g
}

// serveGateway starts a server with a gateway to all servers, until the test
// ends.
func serveGateway(t *testing.T, program string, servers []*matrixServer, settings gatewaySettings) *gatewaySite {
	t.Helper()
	address := kit.FreeAddresses(t, 1)[0]
	g := &gatewaySite{url: "http://" + address, gatewaySettings: settings}
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(gatewayConfiguration(address, servers, settings)), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &kit.Node{Url: g.url, Cmd: exec.Command(program, append(settings.command(), "-c", file)...), Ended: make(chan struct{})}
	n.Run(t)
	return g
}

// stocked waits until the gateway knows the tools of all servers. A list does not
// wait for long for one that is not known yet, and some take their time to start.
func (g *gatewaySite) stocked(t *testing.T, servers []*matrixServer) {
	t.Helper()
	token := tokenOf(t, "stocktaker")
	for _, s := range servers {
		kit.Eventually(t, "the gateway knows "+s.name, func() bool {
			if g.expose == "execute" {
				found := kit.WireCall{Tool: findTools, Arguments: fmt.Sprintf(`{"server":%q}`, s.name)}.Send(t, g.url, token)
				return strings.Contains(found.Text(), `"`+s.name+"__")
			}
			return slices.ContainsFunc(kit.ToolsAt(t, g.url, token), func(tool string) bool { return strings.HasPrefix(tool, s.name+"__") })
		})
	}
}

// person signs somebody in.
func (g *gatewaySite) person(t *testing.T, name string) *gatewayPerson {
	t.Helper()
	p := &gatewayPerson{Visitor: kit.NewVisitor(t), site: g, token: tokenOf(t, name)}
	p.Stays = true // some questions lead to sites that are not ours
	p.Send(t, g.url+"/login", url.Values{"user": {name}})
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
store: %[8]q
dev: true
secrets: [%[2]q]
auth:
  jwt: {issuer: %[3]q, audience: %[4]q, hmac_key: %[5]q}
servers:
%[6]sgateway: {%[7]s}
`, address, kit.Secret, kit.GatewayIssuer, kit.GatewayAudience, kit.GatewayKey, entries.String(),
		strings.TrimSuffix("servers: ["+strings.Join(names, ", ")+"], "+settings.String(), ", "), cmp.Or(settings.store, "memory:"))
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
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(kit.GatewayKey)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: kit.GatewayIssuer, Audience: jwt.Audience{kit.GatewayAudience}, Subject: person,
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
func (p *gatewayPerson) connect(t *testing.T, kind matrixKind) kit.MatrixClient {
	t.Helper()
	if kind.command != nil {
		return kit.StartScriptClient(t, kit.With(kit.With(kind.command, "--url", p.site.url+"/mcp"), kit.As(p.token)...))
	}
	return kit.StartGoClient(t, kit.OverHTTP(t, p.site.url+"/mcp", p.token), kind.modern, !kind.silent)
}

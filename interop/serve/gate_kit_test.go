package serve_test

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/parley-hq/parley/interop/kit"
)

// gate is a site whose nodes run `parley serve` with a gateway, and the server
// behind it.
type gate struct {
	program  string
	store    string
	public   string // where people and clients go, unless they name a node
	wares    *wareServer
	more     string // of the configuration
	programs string // further keys, each after a comma
	open     bool   // for development: without a token one is nobody in particular
	tokens   []string

	// Whose tokens are taken; issuer empty: ours.
	issuer, audience, keys string
}

// adminKey is the key of a program that manages the site.
const adminKey = "the-key-of-a-program"

// withParley lets a test run beside the others and returns the program.
func withParley(t *testing.T) string {
	t.Helper()
	program := kit.BuildParley(t)
	t.Parallel()
	return program
}

// newGate makes a site without nodes, whose people go to the address public.
func newGate(t *testing.T, program, store, public, more string) *gate {
	t.Helper()
	g := &gate{program: program, store: store, public: "http://" + public, more: more, open: true}
	g.wares = newWareServer(t, g.public+"/oauth/callback/acme")
	t.Cleanup(func() { g.wares.sawNone(t, g.tokens) })
	return g
}

// startGate starts a site of one node that forgets everything when it ends.
func startGate(t *testing.T, more string) *gate {
	t.Helper()
	g := newGate(t, withParley(t), "memory:", kit.FreeAddresses(t, 1)[0], more)
	g.start(t, strings.TrimPrefix(g.public, "http://"))
	return g
}

func (g *gate) configuration(address string) string {
	text := fmt.Sprintf(`
listen: %[1]q
public_url: %[2]q
store: %[3]q
secrets: [%[4]q]
auth:
  jwt: {%[5]s}
  api_keys: [{name: ci, sha256: %[6]s}%[7]s]
`, address, g.public, g.store, kit.Secret, g.believed(), kit.DigestOf(adminKey), g.programs)
	if g.open {
		text += "dev: true\n"
	} else {
		text += "  verifier: {url: \"https://app.example/who\", key: \"" + kit.Secret + "\"}\n"
	}
	return text + strings.NewReplacer("{wares}", g.wares.url, "{public}", g.public).Replace(g.more)
}

// believed is whose tokens are taken.
func (g *gate) believed() string {
	if g.issuer != "" {
		return fmt.Sprintf("issuer: %q, audience: %q, jwks_url: %q", g.issuer, g.audience, g.keys)
	}
	return fmt.Sprintf("issuer: %q, audience: %q, hmac_key: %q", kit.GatewayIssuer, kit.GatewayAudience, kit.GatewayKey)
}

// start starts a node and waits until it serves. It runs until the test ends,
// unless it is killed.
func (g *gate) start(t *testing.T, address string) *kit.Node {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(g.configuration(address)), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(g.program, "serve", "-c", file), Ended: make(chan struct{})}
	n.Cmd.Stdout, n.Cmd.Stderr = &n.Said, &n.Said
	if err := n.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		n.Err = n.Cmd.Wait()
		close(n.Ended)
	}()
	t.Cleanup(func() { n.End(t) })
	kit.Eventually(t, "the node serves", func() bool {
		select {
		case <-n.Ended:
			t.Fatalf("the node ended: %v\n%s", n.Err, n.Said.String())
		default:
		}
		status, _, _, err := kit.HttpTry(t.Context(), http.MethodGet, n.Url+"/readyz", nil, "")
		return err == nil && status == http.StatusOK
	})
	return n
}

// token signs a person's token, with changes to its claims. No server behind the
// gateway may ever see it.
func (g *gate) token(t *testing.T, person string, change ...func(map[string]any)) string {
	t.Helper()
	claims := map[string]any{"iss": kit.GatewayIssuer, "aud": kit.GatewayAudience, "sub": person, "exp": time.Now().Add(time.Hour).Unix()}
	for _, c := range change {
		c(claims)
	}
	raw := signed(t, kit.GatewayKey, claims)
	g.tokens = append(g.tokens, raw)
	return raw
}

func signed(t *testing.T, key string, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(key)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(claims).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// claim sets one claim of a token.
func claim(name string, value any) func(map[string]any) {
	return func(all map[string]any) { all[name] = value }
}

// gateClient is a client on the go-sdk with its person at a browser.
type gateClient struct {
	*kit.GoClient
	*kit.Talk
	person *kit.Visitor
}

// client connects a client of an era to the site, as somebody who is signed in at
// the pages.
func (g *gate) client(t *testing.T, person string, modern bool) *gateClient {
	t.Helper()
	c := kit.StartGoClient(t, kit.OverHTTP(t, g.public+"/mcp", g.token(t, person)), modern, true)
	return &gateClient{GoClient: c, Talk: kit.NewTalk(t, c), person: g.visitor(t, person)}
}

// visitor is somebody at a browser who is signed in.
func (g *gate) visitor(t *testing.T, person string) *kit.Visitor {
	t.Helper()
	v := kit.NewVisitor(t)
	v.Send(t, g.public+"/login", url.Values{"user": {person}})
	return v
}

// begin makes a call and leaves it open.
func (c *gateClient) begin(tool string, arguments kit.Fields) { c.Talk.Call(tool, arguments) }

// do makes a call that ends without a question.
func (c *gateClient) do(tool string, arguments kit.Fields) kit.MatrixEnd {
	c.T.Helper()
	c.begin(tool, arguments)
	return c.End()
}

// reply answers a question.
func (c *gateClient) reply(q *kit.MatrixQuestion, action string, content kit.Fields) {
	c.T.Helper()
	c.Talk.Answer(q, action, content)
}

// listed are the names of the tools.
func (c *gateClient) listed() []string {
	c.T.Helper()
	all, err := c.Session.ListTools(c.T.Context(), nil)
	if err != nil {
		c.T.Fatal(err)
	}
	names := []string{}
	for _, tool := range all.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// eras are those of clients.
var eras = map[string]bool{"2025-11-25": false, "2026-07-28": true}

func inBothEras(t *testing.T, test func(t *testing.T, modern bool)) {
	for era, modern := range eras {
		t.Run(era, func(t *testing.T) { test(t, modern) })
	}
}

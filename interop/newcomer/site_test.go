package newcomer_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	hmacKey    = "a-key-for-tokens-of-32-bytes-or-more"
	programKey = "the-key-of-a-program"   // as docs/api.md has it
	releaseKey = "the-key-of-the-release" // as docs/asking.md has it
)

// tokenOf is a bearer token at the site that stands for https://parley.example.
func tokenOf(user string) string {
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(hmacKey)}, nil)
	if err != nil {
		panic(err)
	}
	claims, _ := json.Marshal(map[string]any{"iss": "https://id.example", "aud": "parley", "sub": user, "exp": time.Now().Add(time.Hour).Unix()})
	signed, err := signer.Sign(claims)
	if err != nil {
		panic(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return token
}

// needSite starts what stands for https://parley.example: an agent, the gateway,
// people with tokens and a program with a key. origin is whose pages may use it.
func (d *desk) needSite(t *testing.T, origin string) {
	t.Helper()
	if d.site != "" {
		return
	}
	d.begin(t, d.tools, "delete-account")
	address := freeAddress(t)
	file := filepath.Join(t.TempDir(), "site.yaml")
	config := fmt.Sprintf(`listen: %q
dev: true
secrets: [a-secret-that-has-32-bytes-or-more]
store: "memory:"
origins: [%q]
auth:
  jwt: {issuer: "https://id.example", audience: parley, hmac_key: %q}
  api_keys: [{name: setup, sha256: %x}, {name: release, sha256: %[6]x, may_ask: [alice, "group:oncall"]}]
models: {demo: {kind: demo}}
agents: {assistant: {model: demo}}
servers:
  accounts: {url: "http://%[5]s/mcp", approve: never}
  desk: {url: "http://%[5]s/mcp", auth: {type: api_key, scope: mentor}}
gateway: {fallback: page}
channels: {web_push: {subject: "mailto:ops@example.com"}, smtp: {host: smtp.example.com, from: parley@example.com}}
groups: {oncall: [alice, bob]}
`, address, origin, hmacKey, sha256.Sum256([]byte(programKey)), d.tools, sha256.Sum256([]byte(releaseKey)))
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	d.begin(t, address, "parley serve -c "+file)
	d.site = "http://" + address
}

// withToken sends a token with every request.
type withToken string

func (w withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(w))
	return http.DefaultTransport.RoundTrip(r)
}

// openQuestion has Alice asked something, and returns the question's id.
func (d *desk) openQuestion(t *testing.T) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	transport := &mcp.StreamableClientTransport{Endpoint: d.site + "/mcp", HTTPClient: &http.Client{Transport: withToken(tokenOf("alice"))}}
	session, err := mcp.NewClient(&mcp.Implementation{Name: "newcomer", Version: "1"}, nil).Connect(ctx, transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "accounts__delete-account", Arguments: map[string]any{"userId": "7"}}); err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, d.site+"/api/elicitations?state=pending", nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := (&http.Client{Transport: withToken(programKey)}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var list struct{ Items []struct{ ID string } }
	if err := json.NewDecoder(response.Body).Decode(&list); err != nil || len(list.Items) != 1 {
		t.Fatalf("%d questions: %v", len(list.Items), err)
	}
	return list.Items[0].ID
}

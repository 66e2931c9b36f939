package mcphttp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
)

// rawClient speaks HTTP as no SDK would.
type rawClient struct {
	t       *testing.T
	http    *http.Client
	modern  bool
	session string
	header  http.Header // added to every request
}

func newRawClient(t *testing.T, modern bool) *rawClient {
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &rawClient{t: t, http: &http.Client{Transport: transport}, modern: modern, header: http.Header{}}
}

// do sends a request.
func (c *rawClient) do(ctx context.Context, method, url, body string) *http.Response {
	c.t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		c.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if c.session != "" {
		req.Header.Set(mcpclient.SessionHeader, c.session)
	}
	if c.modern {
		var message struct {
			Method string
			Params struct{ Name string }
		}
		_ = json.Unmarshal([]byte(body), &message)
		req.Header.Set(mcpclient.VersionHeader, mcpclient.ModernVersion)
		req.Header.Set("Mcp-Method", message.Method)
		req.Header.Set("Mcp-Name", message.Params.Name)
	}
	for name, values := range c.header {
		req.Header[name] = values
		if name == "Host" {
			req.Host = values[0]
		}
	}
	res, err := c.http.Do(req)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { res.Body.Close() })
	return res
}

// send sends a request and returns the status and the body of the response.
func (c *rawClient) send(method, url, body string) (int, string) {
	c.t.Helper()
	res := c.do(c.t.Context(), method, url, body)
	all, err := io.ReadAll(res.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	return res.StatusCode, string(all)
}

func (c *rawClient) expect(status int, method, url, body string) string {
	c.t.Helper()
	got, answer := c.send(method, url, body)
	if got != status {
		c.t.Errorf("%s %.100s: got %d, want %d: %s", method, body, got, status, answer)
	}
	return answer
}

// expectNoSession expects the answer after which clients begin a new session.
func (c *rawClient) expectNoSession(method, url, body string) {
	c.t.Helper()
	answer := c.expect(http.StatusNotFound, method, url, body)
	if want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"session not found: begin a new one with initialize"}}`; answer != want {
		c.t.Errorf("got %s", answer)
	}
}

const (
	initializeMessage = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"raw","version":"1"}}}`
	listMessage       = `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}`
	acceptMessage     = `{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{"n":7}}}`
)

func (c *rawClient) callMessage(tool string, n int) string {
	meta := ""
	if c.modern {
		meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":%q,"arguments":{"n":%d}%s}}`, tool, n, meta)
}

func (c *rawClient) initialize(url string) {
	c.t.Helper()
	res := c.do(c.t.Context(), http.MethodPost, url, initializeMessage)
	_, _ = io.Copy(io.Discard, res.Body)
	if c.session = res.Header.Get(mcpclient.SessionHeader); res.StatusCode != http.StatusOK || c.session == "" {
		c.t.Fatalf("initialize: %d %v", res.StatusCode, res.Header)
	}
	c.expect(http.StatusAccepted, http.MethodPost, url, `{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}`)
}

// Package exampletest plays MCP clients to the examples: of both protocol eras,
// over HTTP and over stdio.
package exampletest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
)

// asProgram makes a test binary run the example instead of its tests.
const asProgram = "PARLEY_EXAMPLE"

// Main is the TestMain of an example.
func Main(m *testing.M, program func()) {
	if os.Getenv(asProgram) != "" {
		program()
		return
	}
	goleak.VerifyTestMain(m)
}

// Person answers a question.
type Person func(*mcp.ElicitParams) *mcp.ElicitResult

// Client calls tools of an example.
type Client struct {
	t       *testing.T
	session *mcp.ClientSession
}

// InBothEras runs a test with each protocol version.
func InBothEras(t *testing.T, test func(t *testing.T, era string)) {
	for _, era := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(era, func(t *testing.T) { test(t, era) })
	}
}

// OverHTTP connects to a handler in this process, with a token if there is one.
func OverHTTP(t *testing.T, era string, handler http.Handler, token string, person Person) *Client {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return connect(t, era, person, &mcp.StreamableClientTransport{
		Endpoint: server.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer{token, transport}}, MaxRetries: -1,
	})
}

// OverStdio starts the example as a program of its own.
func OverStdio(t *testing.T, era string, person Person, args ...string) *Client {
	t.Helper()
	program := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-stdio"}, args...)...)
	program.Env = append(os.Environ(), asProgram+"=1")
	return connect(t, era, person, &mcp.CommandTransport{Command: program})
}

func connect(t *testing.T, era string, person Person, transport mcp.Transport) *Client {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return person(req.Params), nil
		},
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}},
	})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return &Client{t, session}
}

// Call calls a tool and decodes its structured result into result.
func (c *Client) Call(tool string, arguments map[string]any, result any) {
	c.t.Helper()
	r, err := c.session.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		c.t.Fatal(err)
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, result)
	}
	if err != nil || r.IsError {
		c.t.Fatalf("%s: %s, %v, %v", tool, raw, r.GetError(), err)
	}
}

// Say returns an answer.
func Say(action string, content map[string]any) *mcp.ElicitResult {
	return &mcp.ElicitResult{Action: action, Content: content}
}

// bearer sends a token with every request.
type bearer struct {
	token string
	next  http.RoundTripper
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

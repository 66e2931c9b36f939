package kit

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// GoClient is a client on the go-sdk.
type GoClient struct {
	Session *mcp.ClientSession
	seen    chan matrixEvent
	closed  chan struct{}
	running sync.WaitGroup

	mu      sync.Mutex
	last    int                            // number of the last call or question
	answers map[int]chan *mcp.ElicitResult // open questions
	cancels map[int]context.CancelFunc     // calls
}

// StartGoClient connects a client that speaks one era. Without asks it declares
// no elicitation.
func StartGoClient(t *testing.T, transport mcp.Transport, modern, asks bool) *GoClient {
	t.Helper()
	c := &GoClient{
		seen: make(chan matrixEvent, 64), closed: make(chan struct{}),
		answers: map[int]chan *mcp.ElicitResult{}, cancels: map[int]context.CancelFunc{},
	}
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	if asks {
		options.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return c.ask(ctx, req.Params, false)
		}
		options.Capabilities.Elicitation = &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{},
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "parley-interop-go", Version: "1.0.0"}, options)
	version := "2026-07-28"
	if !modern {
		version = "2025-11-25"
		if asks {
			client.AddSendingMiddleware(c.goThereFirst)
		}
	}
	var err error
	if c.Session, err = client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: version}); err != nil {
		t.Fatal(err)
	}
	if got := c.Session.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("they agreed on %s, not %s", got, version)
	}
	t.Cleanup(func() {
		close(c.closed)
		c.mu.Lock()
		for _, cancel := range c.cancels {
			cancel()
		}
		c.mu.Unlock()
		c.running.Wait()
		_ = c.Session.Close() // of a server that ended first it is an error
	})
	return c
}

// OverHTTP returns a transport of its own connections, with a bearer token if
// there is one.
func OverHTTP(t *testing.T, endpoint, token string) mcp.Transport {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &mcp.StreamableClientTransport{Endpoint: endpoint, HTTPClient: &http.Client{Transport: bearing{token, transport}}}
}

// bearing sends a bearer token along.
type bearing struct {
	token string
	next  http.RoundTripper
}

func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}

func (c *GoClient) events() <-chan matrixEvent { return c.seen }

func (c *GoClient) tell(e matrixEvent) {
	select {
	case c.seen <- e:
	case <-c.closed:
	}
}

// ask shows a question and waits for its answer.
func (c *GoClient) ask(ctx context.Context, p *mcp.ElicitParams, required bool) (*mcp.ElicitResult, error) {
	schema, err := json.Marshal(p.RequestedSchema)
	if err != nil {
		return nil, err
	}
	answer := make(chan *mcp.ElicitResult, 1)
	c.mu.Lock()
	c.last++
	n := c.last
	c.answers[n] = answer
	c.mu.Unlock()
	c.tell(matrixEvent{Asked: &MatrixQuestion{n: n, Required: required, TsParams: TsParams{
		Mode: p.Mode, Message: p.Message, RequestedSchema: schema, URL: p.URL, ElicitationID: p.ElicitationID,
	}}})
	select {
	case result := <-answer:
		return result, nil
	case <-ctx.Done():
		c.tell(matrixEvent{withdrawn: n})
		return nil, ctx.Err()
	case <-c.closed:
		return nil, errors.New("the client is closed")
	}
}

// goThereFirst shows the questions of -32042 and calls again when the person has
// been there: the go-sdk leaves that to its users.
func (c *GoClient) goThereFirst(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		var failed *jsonrpc.Error
		if method != "tools/call" || !errors.As(err, &failed) || failed.Code != urlRequired {
			return result, err
		}
		var data struct {
			Elicitations []*mcp.ElicitParams `json:"elicitations"`
		}
		if bad := json.Unmarshal(failed.Data, &data); bad != nil {
			return nil, bad
		}
		for _, p := range data.Elicitations {
			answer, bad := c.ask(ctx, p, true)
			if bad != nil {
				return nil, bad
			}
			if answer.Action != "accept" {
				return nil, err
			}
		}
		return next(ctx, method, req)
	}
}

func (c *GoClient) call(_ *testing.T, tool string, arguments Fields) int {
	ctx, cancel := context.WithCancel(context.Background())
	c.mu.Lock()
	c.last++
	n := c.last
	c.cancels[n] = cancel
	c.mu.Unlock()
	c.running.Go(func() {
		defer cancel()
		result, err := c.Session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: arguments})
		c.tell(matrixEvent{Ended: goEnd(n, result, err)})
	})
	return n
}

func goEnd(n int, result *mcp.CallToolResult, err error) *MatrixEnd {
	end := &MatrixEnd{call: n}
	var raw []byte
	if err == nil {
		if raw, err = json.Marshal(result); err == nil {
			err = json.Unmarshal(raw, &end.TsResult)
		}
		end.Schema = pendingSchema(raw)
	}
	var failed *jsonrpc.Error
	switch {
	case errors.As(err, &failed):
		end.Err = &TsError{Code: float64(failed.Code), Message: failed.Message, Data: failed.Data}
	case err != nil:
		end.Err = &TsError{Message: err.Error()}
	}
	return end
}

// pendingSchema is the form in a result that tells the model of a question.
func pendingSchema(result []byte) json.RawMessage {
	var told struct {
		Meta struct {
			Pending struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"elicitationPending"`
		} `json:"_meta"`
	}
	_ = json.Unmarshal(result, &told) // a result without one is no error here
	return told.Meta.Pending.Schema
}

func (c *GoClient) answer(t *testing.T, n int, action string, content Fields) {
	t.Helper()
	c.mu.Lock()
	answer := c.answers[n]
	delete(c.answers, n)
	c.mu.Unlock()
	if answer == nil {
		t.Fatalf("no open question %d", n)
	}
	answer <- &mcp.ElicitResult{Action: action, Content: content}
}

func (c *GoClient) GiveUp(_ *testing.T, call int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancels[call]()
}

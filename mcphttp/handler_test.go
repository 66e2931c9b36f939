package mcphttp

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// stage is a node with a server whose tools the tests direct.
type stage struct {
	node      *parley.Node
	server    *mcp.Server
	handler   *Handler
	http      *httptest.Server
	forwarded atomic.Int64 // requests that came from another node

	steps   chan struct{} // lets the tool "stepwise" take a step
	started chan struct{} // the tool "wait" tells that it runs
	ended   chan error    // and how it ended
}

var silent = slog.New(slog.NewTextHandler(io.Discard, nil))

const (
	idA = "aaaaaaaaaaaaaaaa"
	idB = "bbbbbbbbbbbbbbbb"
	idC = "cccccccccccccccc"
)

// newStage starts a node. Requests with "Authorization: Bearer NAME" are NAME's.
func newStage(t *testing.T, records parley.Records, opts *Options) *stage {
	t.Helper()
	return newStageFor(t, records, 0, opts)
}

// share is whose share a request takes from, by an asker with the defaults.
func share(t *testing.T) func(*mcp.RequestExtra) string {
	t.Helper()
	asker, err := mcptool.New(parley.New(parley.NewMemoryStore(), nil), &mcptool.Options{Logger: silent})
	if err != nil {
		t.Fatal(err)
	}
	return asker.Share
}

// newBriefStage is of a node that soon notices what it no longer hears of.
func newBriefStage(t *testing.T, records parley.Records) *stage {
	t.Helper()
	return newStageFor(t, records, 40*time.Millisecond, nil)
}

func newStageFor(t *testing.T, records parley.Records, lease time.Duration, opts *Options) *stage {
	t.Helper()
	s := &stage{steps: make(chan struct{}), started: make(chan struct{}, 100), ended: make(chan error, 100)}
	s.server = mcp.NewServer(&mcp.Implementation{Name: "stage", Version: "1"}, &mcp.ServerOptions{Logger: silent})
	s.addTools()
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.node = parley.NewNode(records, &parley.NodeOptions{URL: "http://" + s.http.Listener.Addr().String(), Lease: lease, Logger: silent})
	if opts == nil {
		opts = &Options{}
	}
	if opts.Logger == nil {
		opts.Logger = silent
	}
	s.handler = newHandler(s.server, s.node, share(t), opts)
	s.http.Start()
	t.Cleanup(func() {
		for session := range s.server.Sessions() {
			if live := s.handler.sessions.get(session.ID()); live != nil {
				live.end(false)
			}
		}
		s.http.CloseClientConnections()
		s.http.Close()
		s.handler.peers.CloseIdleConnections()
	})
	return s
}

func (s *stage) serve(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get(forwardedHeader) != "" {
		s.forwarded.Add(1)
	}
	if r.Header.Get("Authorization") == "" {
		s.handler.ServeHTTP(w, r)
		return
	}
	auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(s.handler).ServeHTTP(w, r)
}

// run makes the node known and able to forward.
func (s *stage) run(t *testing.T) *stage {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := s.node.Run(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("run: %v", err)
		}
	})
	t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	for !s.node.Joined() {
		time.Sleep(time.Millisecond)
	}
	return s
}

type asking struct {
	N int `json:"n"`
}

var okSchema = map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer"}}}

func said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func (s *stage) addTools() {
	mcp.AddTool(s.server, &mcp.Tool{Name: "echo"}, func(_ context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		return said(fmt.Sprintf("%d %v", in.N, req.Extra.Header[forwardedHeader])), nil, nil
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		answer, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: fmt.Sprint(in.N), RequestedSchema: okSchema})
		if err != nil {
			return nil, nil, err
		}
		return said(fmt.Sprint(answer.Content["n"])), nil, nil
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		if in.N == 1 {
			ctx = context.WithoutCancel(ctx)
		}
		s.started <- struct{}{}
		_, err := req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "?", RequestedSchema: okSchema})
		if err != nil && in.N == 0 {
			err = errors.Join(err, context.Cause(ctx))
		}
		s.ended <- err
		return nil, nil, err
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "stepwise"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		for range in.N {
			<-s.steps
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p"}); err != nil {
				return nil, nil, err
			}
		}
		<-s.steps
		return said("done"), nil, nil
	})
	mcp.AddTool(s.server, &mcp.Tool{Name: "chatter"}, func(ctx context.Context, req *mcp.CallToolRequest, in asking) (*mcp.CallToolResult, any, error) {
		for range in.N {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "p"}); err != nil {
				return nil, nil, err
			}
		}
		return said("done"), nil, nil
	})
	s.server.AddTool(&mcp.Tool{Name: "refuse", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		<-s.steps
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no"}
	})
}

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

// block is one comment or one message of an event stream.
type block struct {
	comment string
	message struct {
		ID     any
		Method string
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
}

// blockReader reads an event stream and accepts nothing but whole comments and
// whole messages.
type blockReader struct {
	t  *testing.T
	in *bufio.Reader
}

func (r *blockReader) line() (string, bool) {
	line, err := r.in.ReadString('\n')
	if errors.Is(err, io.EOF) && line == "" {
		return "", false
	}
	if err != nil {
		r.t.Fatalf("the stream broke after %q: %v", line, err)
	}
	return strings.TrimSuffix(line, "\n"), true
}

// next returns the next block, or false at the end of the stream.
func (r *blockReader) next() (b block, ok bool) {
	r.t.Helper()
	first, ok := r.line()
	if !ok {
		return b, false
	}
	if strings.HasPrefix(first, ": ") {
		b.comment = first
	} else {
		if first != "event: message" {
			r.t.Fatalf("an event begins with %q", first)
		}
		data, _ := r.line()
		raw, found := strings.CutPrefix(data, "data: ")
		if err := json.Unmarshal([]byte(raw), &b.message); !found || err != nil {
			r.t.Fatalf("the data of an event is %q: %v", data, err)
		}
	}
	if end, _ := r.line(); end != "" {
		r.t.Fatalf("%q goes on with %q", first, end)
	}
	return b, true
}

// comments reads n comments and nothing else.
func (r *blockReader) comments(n int) {
	r.t.Helper()
	for range n {
		if b, ok := r.next(); !ok || b.comment != ": waiting" {
			r.t.Fatalf("got %+v, %v; want a comment", b, ok)
		}
	}
}

// messageAfterComments skips comments.
func (r *blockReader) messageAfterComments() block {
	r.t.Helper()
	for {
		b, ok := r.next()
		if !ok {
			r.t.Fatal("the stream ended")
		}
		if b.comment == "" {
			return b
		}
	}
}

// end expects no message any more. A comment may slip in before the handler
// returns; that none does afterwards is TestSilenceIsFilledWithComments.
func (r *blockReader) end() {
	r.t.Helper()
	for b, ok := r.next(); ok; b, ok = r.next() {
		if b.comment == "" {
			r.t.Fatalf("got %+v, want the end", b)
		}
	}
}

func streamOf(t *testing.T, res *http.Response) *blockReader {
	t.Helper()
	if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") != eventStream || res.Header.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("no event stream: %d %v", res.StatusCode, res.Header)
	}
	return &blockReader{t, bufio.NewReader(res.Body)}
}

// inBothEras runs a test with clients that are ready to call tools at url.
func inBothEras(t *testing.T, opts Options, test func(*testing.T, *stage, *rawClient)) {
	for _, modern := range []bool{false, true} {
		t.Run(fmt.Sprint("modern ", modern), func(t *testing.T) {
			opts := opts
			s := newStage(t, nil, &opts)
			c := newRawClient(t, modern)
			if !modern {
				c.initialize(s.http.URL)
			}
			test(t, s, c)
		})
	}
}

func TestAWaitingCallSendsCommentsBetweenEvents(t *testing.T) {
	inBothEras(t, Options{KeepAlive: time.Millisecond}, func(t *testing.T, s *stage, c *rawClient) {
		stream := streamOf(t, c.do(t.Context(), http.MethodPost, s.http.URL, c.callMessage("stepwise", 2)))
		stream.comments(3) // before the first event
		for range 2 {
			s.steps <- struct{}{}
			if b := stream.messageAfterComments(); b.message.Method != "notifications/progress" {
				t.Fatalf("got %+v", b)
			}
			stream.comments(3)
		}
		s.steps <- struct{}{}
		if b := stream.messageAfterComments(); b.message.Result == nil {
			t.Fatalf("got %+v", b)
		}
		stream.end()
	})
}

func TestCommentsDoNotDisturbABusyStream(t *testing.T) {
	inBothEras(t, Options{KeepAlive: time.Microsecond}, func(t *testing.T, s *stage, c *rawClient) {
		var wg sync.WaitGroup
		for range 4 {
			stream := streamOf(t, c.do(t.Context(), http.MethodPost, s.http.URL, strings.Replace(c.callMessage("chatter", 500), `"id":3`, fmt.Sprintf(`"id":%q`, parley.NewID()), 1)))
			wg.Go(func() {
				for n := 0; ; n++ {
					b := stream.messageAfterComments()
					if b.message.Result == nil {
						continue
					}
					if n != 500 {
						t.Errorf("%d events before the result", n)
					}
					stream.end()
					return
				}
			})
		}
		wg.Wait()
	})
}

func TestTheStandaloneStreamGetsComments(t *testing.T) {
	s := newStage(t, nil, &Options{KeepAlive: time.Millisecond})
	c := newRawClient(t, false)
	c.initialize(s.http.URL)
	stream := streamOf(t, c.do(t.Context(), http.MethodGet, s.http.URL, ""))
	if b, _ := stream.next(); b.comment != ": ok" {
		t.Fatalf("got %+v", b)
	}
	stream.comments(5)
}

func TestAnErrorOfACallThatWaitedIsAnEvent(t *testing.T) {
	inBothEras(t, Options{KeepAlive: time.Millisecond}, func(t *testing.T, s *stage, c *rawClient) {
		stream := streamOf(t, c.do(t.Context(), http.MethodPost, s.http.URL, c.callMessage("refuse", 0)))
		stream.comments(2)
		s.steps <- struct{}{}
		if b := stream.messageAfterComments(); b.message.Error == nil || b.message.Error.Code != jsonrpc.CodeInvalidParams || b.message.ID != 3.0 {
			t.Errorf("got %+v", b)
		}
		stream.end()
	})
}

func TestAnErrorAtOnceKeepsItsStatus(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, true)
	go func() { s.steps <- struct{}{} }()
	c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, c.callMessage("refuse", 0))
}

func TestOneURLServesBothEras(t *testing.T) {
	s := newStage(t, nil, nil)
	modern, old := newRawClient(t, true), newRawClient(t, false)
	if answer := modern.expect(http.StatusOK, http.MethodPost, s.http.URL, modern.callMessage("echo", 1)); !strings.Contains(answer, `"text":"1 []"`) {
		t.Errorf("got %s", answer)
	}
	old.initialize(s.http.URL)
	if !strings.HasPrefix(old.session, s.node.ID()+"-") {
		t.Errorf("session %q", old.session)
	}
	if answer := old.expect(http.StatusOK, http.MethodPost, s.http.URL, old.callMessage("echo", 1)); !strings.Contains(answer, `"text":"1 []"`) {
		t.Errorf("got %s", answer)
	}
	for _, method := range []string{http.MethodGet, http.MethodDelete} {
		modern.expect(http.StatusMethodNotAllowed, method, s.http.URL, "")
	}
}

func TestARequestOfTheNewEraWithoutItsHeaderIsRefused(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, true)
	message := c.callMessage("echo", 1)
	c.modern = false
	for _, version := range []string{"", "2025-11-25"} {
		if version != "" {
			c.header.Set(mcpclient.VersionHeader, version)
		}
		answer := c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, message)
		if !strings.Contains(answer, `"code":-32020`) || !strings.Contains(answer, `"id":3`) {
			t.Errorf("got %s", answer)
		}
	}
	if n := len(slices.Collect(s.server.Sessions())); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestANameMayBeEncodedInItsHeader(t *testing.T) {
	s := newStage(t, nil, nil)
	mcp.AddTool(s.server, &mcp.Tool{Name: "bücher"}, func(context.Context, *mcp.CallToolRequest, asking) (*mcp.CallToolResult, any, error) {
		return said("found"), nil, nil
	})
	for _, c := range []struct {
		tool, header string
		status       int
	}{
		{"bücher", "=?base64?YsO8Y2hlcg==?=", http.StatusOK},
		{"echo", "=?base64?ZWNobw==?=", http.StatusOK},
		{"echo", "=?base64?YsO8Y2hlcg==?=", http.StatusBadRequest},
		{"echo", "=?base64?ZWNobw?=", http.StatusBadRequest},
		{"echo", "=?base64?ZWNobw==", http.StatusBadRequest},
		{"echo", "=?base64??=", http.StatusBadRequest},
	} {
		client := newRawClient(t, true)
		client.header.Set("Mcp-Name", c.header)
		answer := client.expect(c.status, http.MethodPost, s.http.URL, client.callMessage(c.tool, 1))
		if c.status != http.StatusOK && !strings.Contains(answer, `"code":-32020`) {
			t.Errorf("%s as %s: %s", c.tool, c.header, answer)
		}
	}
}

func TestARequestWithoutASessionIsRefused(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, false)
	for _, message := range []string{listMessage, c.callMessage("echo", 1), `{"jsonrpc":"2.0","method":"notifications/initialized"}`} {
		if answer := c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, message); !strings.Contains(answer, "Mcp-Session-Id is missing") {
			t.Errorf("got %s", answer)
		}
	}
	if n := len(slices.Collect(s.server.Sessions())); n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestMalformedAndUnknownSessionsAreNotFound(t *testing.T) {
	s := newStage(t, parley.NewMemoryStore(), nil).run(t)
	c := newRawClient(t, false)
	c.initialize(s.http.URL)
	_, inner, _ := strings.Cut(c.session, "-")
	for _, id := range []string{
		inner, idA, idA + "-", "-" + inner, idA + inner, "-", "--",
		idA + "-" + inner + "x", strings.ToUpper(idA) + "-" + inner, idA + "x-" + inner, idA[1:] + "-" + inner,
		idB + "-" + inner, idA + "-" + strings.Repeat("x", 1000), "../" + idA + "-" + inner, idA + "-" + idA + "-" + inner,
	} {
		c.session = id
		c.expectNoSession(http.MethodPost, s.http.URL, listMessage)
		c.expectNoSession(http.MethodGet, s.http.URL, "")
		c.expectNoSession(http.MethodDelete, s.http.URL, "")
	}
}

func TestPagesOfOtherOriginsAreRefused(t *testing.T) {
	s := newStage(t, nil, &Options{TrustedOrigins: []string{"https://app.example", "not an origin"}})
	for _, test := range []struct {
		header map[string]string
		status int
	}{
		{nil, http.StatusOK},
		{map[string]string{"Origin": s.http.URL}, http.StatusOK},
		{map[string]string{"Origin": "https://app.example"}, http.StatusOK},
		{map[string]string{"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}, http.StatusOK},
		{map[string]string{"Origin": "https://evil.example"}, http.StatusForbidden},
		{map[string]string{"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		{map[string]string{"Origin": "null"}, http.StatusForbidden},
		{map[string]string{"Sec-Fetch-Site": "cross-site"}, http.StatusForbidden},
		{map[string]string{"Host": "evil.example"}, http.StatusForbidden}, // DNS rebinding
	} {
		c := newRawClient(t, false)
		c.initialize(s.http.URL)
		for name, value := range test.header {
			c.header.Set(name, value)
		}
		c.expect(test.status, http.MethodPost, s.http.URL, listMessage)
		if test.status == http.StatusForbidden {
			c.expect(test.status, http.MethodGet, s.http.URL, "")
			c.expect(test.status, http.MethodDelete, s.http.URL, "")
		}
		c.modern, c.session = true, ""
		c.expect(test.status, http.MethodPost, s.http.URL, c.callMessage("echo", 1))
	}
}

func TestARequestThatIsTooLargeIsRefused(t *testing.T) {
	store := parley.NewMemoryStore()
	a := newStage(t, store, &Options{MaxBodyBytes: 1000}).run(t)
	b := newStage(t, store, &Options{MaxBodyBytes: 1000}).run(t)
	c := newRawClient(t, false)
	large := `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{"x":"` + strings.Repeat("x", 1000) + `"}}`
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, a.http.URL, large)
	c.initialize(a.http.URL)
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, a.http.URL, large)
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, b.http.URL, large)
	c.modern = true
	c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, a.http.URL, large)
}

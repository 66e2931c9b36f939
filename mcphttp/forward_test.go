package mcphttp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/readfirst"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// twoNodes returns two nodes on one store and a proxy in front of them that
// sends each request to the other node than the one before.
func twoNodes(t *testing.T, opts Options) (a, b *stage, front string) {
	t.Helper()
	store := parley.NewMemoryStore()
	optsA, optsB := opts, opts
	a, b = newStage(t, store, &optsA).run(t), newStage(t, store, &optsB).run(t)
	return a, b, roundRobin(t, a.http.URL, b.http.URL)
}

// announce has a store say that a node is there which does not run.
func announce(t *testing.T, store parley.Records, id, url string) {
	t.Helper()
	_, err := store.Save(t.Context(), parley.Record{
		Address: nodeAddress(id), Data: []byte(`{"url":"` + url + `"}`), Expires: time.Now().Add(10 * time.Second),
	})
	if err != nil {
		t.Fatal(err)
	}
}

func nodeAddress(id string) parley.Address { return parley.Address{Kind: "mcp.node", Key: id} }

func roundRobin(t *testing.T, urls ...string) string {
	t.Helper()
	var turn atomic.Int64
	transport := &http.Transport{MaxIdleConnsPerHost: 100}
	proxy := httptest.NewServer(readfirst.Handler(&httputil.ReverseProxy{
		FlushInterval: -1,
		Transport:     transport,
		Rewrite: func(p *httputil.ProxyRequest) {
			target, err := url.Parse(urls[turn.Add(1)%int64(len(urls))])
			if err != nil {
				t.Error(err)
			}
			p.SetURL(target)
		},
	}))
	t.Cleanup(func() {
		proxy.CloseClientConnections()
		proxy.Close()
		transport.CloseIdleConnections()
	})
	return proxy.URL
}

// connectGo connects a Go client that answers every question with its message.
func connectGo(t *testing.T, endpoint, version string) *mcp.ClientSession {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		Logger: silent,
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			var n int
			_, err := fmt.Sscan(req.Params.Message, &n)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"n": n}}, err
		},
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: endpoint, HTTPClient: &http.Client{Transport: transport}, MaxRetries: -1,
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func callN(ctx context.Context, session *mcp.ClientSession, tool string, n int) (string, error) {
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: asking{n}})
	if err != nil {
		return "", err
	}
	text := result.Content[0].(*mcp.TextContent).Text
	if result.IsError {
		return "", errors.New(text)
	}
	return text, nil
}

func TestACallAsksWhicheverNodesItsRequestsReach(t *testing.T) {
	a, b, front := twoNodes(t, Options{})
	const sessions, rounds = 16, 25
	var wg sync.WaitGroup
	for s := range sessions {
		session := connectGo(t, front, "2025-11-25")
		wg.Go(func() {
			for round := range rounds {
				n := s*rounds + round
				if answer, err := callN(t.Context(), session, "ask", n); answer != fmt.Sprint(n) || err != nil {
					t.Errorf("session %d, round %d: %q, %v", s, round, answer, err)
					return
				}
			}
		})
	}
	wg.Wait()
	if a.forwarded.Load() == 0 || b.forwarded.Load() == 0 {
		t.Errorf("%d and %d requests were forwarded", a.forwarded.Load(), b.forwarded.Load())
	}
}

func TestACallOfTheNewEraIsServedByAnyNode(t *testing.T) {
	a, b, front := twoNodes(t, Options{})
	session := connectGo(t, front, mcpclient.ModernVersion)
	for n := range 20 {
		if answer, err := callN(t.Context(), session, "echo", n); answer != fmt.Sprintf("%d []", n) || err != nil {
			t.Errorf("%q, %v", answer, err)
		}
	}
	if a.forwarded.Load()+b.forwarded.Load() != 0 {
		t.Error("requests were forwarded")
	}
}

func TestTheStandaloneStreamReachesItsSessionThroughTheOtherNode(t *testing.T) {
	a, b, _ := twoNodes(t, Options{})
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	ctx, leave := context.WithCancel(t.Context())
	stream := streamOf(t, c.do(ctx, http.MethodGet, b.http.URL, ""))
	if first, _ := stream.next(); first.comment != ": ok" {
		t.Fatalf("got %+v", first)
	}
	for session := range a.server.Sessions() {
		if err := session.NotifyProgress(t.Context(), &mcp.ProgressNotificationParams{ProgressToken: "p"}); err != nil {
			t.Fatal(err)
		}
	}
	if got := stream.messageAfterComments(); got.message.Method != "notifications/progress" {
		t.Errorf("got %+v", got)
	}
	leave()
	// The owner lets the next stream in as soon as it knows that this one is gone.
	for {
		res := c.do(t.Context(), http.MethodGet, b.http.URL, "")
		if res.StatusCode == http.StatusOK {
			break
		}
		if res.StatusCode != http.StatusConflict {
			t.Fatalf("got %d", res.StatusCode)
		}
		res.Body.Close()
	}
}

func TestDeletingASessionThroughTheOtherNode(t *testing.T) {
	a, b, _ := twoNodes(t, Options{})
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	stream := streamOf(t, c.do(t.Context(), http.MethodGet, b.http.URL, ""))
	var call sync.WaitGroup
	defer call.Wait()
	call.Go(func() { c.expect(http.StatusOK, http.MethodPost, b.http.URL, c.callMessage("wait", 1)) })
	<-a.started
	c.expect(http.StatusNoContent, http.MethodDelete, b.http.URL, "")
	if err := <-a.ended; !errors.Is(err, mcptool.ErrSessionEnded) {
		t.Errorf("the call ended with %v", err)
	}
	stream.end()
	for _, s := range []*stage{a, b} {
		c.expectNoSession(http.MethodPost, s.http.URL, listMessage)
		c.expectNoSession(http.MethodGet, s.http.URL, "")
		c.expectNoSession(http.MethodDelete, s.http.URL, "")
	}
}

func TestTheOwnerJudgesWhoseSessionItIs(t *testing.T) {
	a, b, _ := twoNodes(t, Options{})
	ann, bob, nobody := newRawClient(t, false), newRawClient(t, false), newRawClient(t, false)
	ann.header.Set("Authorization", "Bearer ann")
	bob.header.Set("Authorization", "Bearer bob")
	ann.initialize(a.http.URL)
	bob.session, nobody.session = ann.session, ann.session
	ann.expect(http.StatusOK, http.MethodPost, b.http.URL, listMessage)
	bob.expect(http.StatusForbidden, http.MethodPost, b.http.URL, listMessage)
	nobody.expect(http.StatusForbidden, http.MethodDelete, b.http.URL, "")
	ann.expect(http.StatusOK, http.MethodPost, b.http.URL, listMessage)
}

func TestPathAndQueryAreForwarded(t *testing.T) {
	store := parley.NewMemoryStore()
	a, b := newStage(t, store, nil).run(t), newStage(t, store, nil).run(t)
	seen := make(chan string, 1)
	owner := a.http.Config.Handler
	a.http.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get(forwardedHeader) != "" {
			seen <- fmt.Sprint(r.Method, " ", r.RequestURI, " ", r.Header.Get("X-Forwarded-For"), " ", r.Header.Get("Origin"))
		}
		owner.ServeHTTP(w, r)
	})
	b.http.Config.Handler = http.StripPrefix("/mcp", b.http.Config.Handler)
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	c.header.Set("X-Forwarded-For", "192.0.2.1")
	c.header.Set("Origin", b.http.URL)
	c.expect(http.StatusOK, http.MethodPost, b.http.URL+"/mcp/%2fx?a=1;b&c=%zz", listMessage)
	if got := <-seen; got != "POST /mcp/%2fx?a=1;b&c=%zz 192.0.2.1 " {
		t.Errorf("got %s", got)
	}
}

func TestAForgedForwardedHeaderGrantsNothing(t *testing.T) {
	a, b, _ := twoNodes(t, Options{})
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	for _, forged := range []string{a.node.ID(), b.node.ID(), idC, "x", ""} {
		c.header[forwardedHeader] = []string{forged}
		c.expectNoSession(http.MethodPost, b.http.URL, listMessage)
		answer := c.expect(http.StatusOK, http.MethodPost, a.http.URL, c.callMessage("echo", 1))
		if !strings.Contains(answer, `"text":"1 []"`) {
			t.Errorf("the tool saw %s", answer)
		}
		modern := newRawClient(t, true)
		modern.header = c.header
		answer = modern.expect(http.StatusOK, http.MethodPost, b.http.URL, modern.callMessage("echo", 1))
		if !strings.Contains(answer, `"text":"1 []"`) {
			t.Errorf("the tool saw %s", answer)
		}
	}
}

func TestAReboundNameIsNotForwarded(t *testing.T) {
	a, b, _ := twoNodes(t, Options{})
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	c.header.Set("Host", "evil.example")
	c.expect(http.StatusForbidden, http.MethodPost, b.http.URL, listMessage)
	if a.forwarded.Load() != 0 {
		t.Error("it was forwarded")
	}
}

func TestASingleNodeForwardsNothing(t *testing.T) {
	store := parley.NewMemoryStore()
	a := newStage(t, store, nil).run(t)
	b := newStage(t, store, nil) // does not run
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	c.expectNoSession(http.MethodPost, b.http.URL, listMessage)
	c.session = ""
	c.initialize(b.http.URL)
	c.expect(http.StatusOK, http.MethodPost, b.http.URL, listMessage)
	c.expectNoSession(http.MethodPost, a.http.URL, listMessage) // nobody knows b
}

func TestWhoTookTheAddressOfADeadNodeForwardsNothing(t *testing.T) {
	store := parley.NewMemoryStore()
	b := newStage(t, store, nil).run(t)
	c := newStage(t, store, nil).run(t)
	announce(t, store, idA, c.http.URL)
	client := newRawClient(t, false)
	client.session = idA + "-session"
	client.expectNoSession(http.MethodPost, b.http.URL, listMessage)
	if c.forwarded.Load() != 1 || b.forwarded.Load() != 0 {
		t.Errorf("%d and %d forwarded", c.forwarded.Load(), b.forwarded.Load())
	}
}

// shaky is a store that can fail.
type shaky struct {
	parley.Records
	down atomic.Bool
}

func (s *shaky) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	if s.down.Load() {
		return parley.Record{}, errors.New("the store is down")
	}
	return s.Records.Load(ctx, at)
}

func TestAStoreThatFailsIsNotALostSession(t *testing.T) {
	memory := parley.NewMemoryStore()
	store := &shaky{Records: memory}
	a, b := newStage(t, memory, nil).run(t), newStage(t, store, nil).run(t)
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	store.down.Store(true)
	c.expect(http.StatusServiceUnavailable, http.MethodPost, b.http.URL, listMessage)
	store.down.Store(false)
	c.expect(http.StatusOK, http.MethodPost, b.http.URL, listMessage)
}

// kill makes the node's server die; its record lives on until its lease ends.
func (s *stage) kill() {
	s.http.Listener.Close()
	s.http.CloseClientConnections()
}

func TestTheOwnerIsKilled(t *testing.T) {
	store := parley.NewMemoryStore()
	a, b := newStage(t, store, nil), newStage(t, store, nil).run(t)
	announce(t, store, a.node.ID(), a.http.URL)
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	session := connectGo(t, roundRobin(t, b.http.URL, a.http.URL), "2025-11-25") // initialize goes to a
	if answer, err := callN(t.Context(), session, "ask", 1); answer != "1" || err != nil {
		t.Fatalf("%q, %v", answer, err)
	}
	get := c.do(t.Context(), http.MethodGet, b.http.URL, "")
	stream := streamOf(t, c.do(t.Context(), http.MethodPost, b.http.URL, c.callMessage("wait", 0)))
	if got := stream.messageAfterComments(); got.message.Method != "elicitation/create" {
		t.Fatalf("got %+v", got)
	}

	a.kill()
	got := stream.messageAfterComments()
	if got.message.ID != 3.0 || got.message.Error == nil || got.message.Error.Message != nodeDidNotAnswer {
		t.Errorf("the open call got %+v", got)
	}
	stream.end()
	for _, err := get.Body.Read(make([]byte, 1)); ; _, err = get.Body.Read(make([]byte, 1)) {
		if err != nil {
			break
		}
	}
	c.expectNoSession(http.MethodPost, b.http.URL, listMessage)
	c.expectNoSession(http.MethodPost, b.http.URL, listMessage)
	c.session = ""
	c.initialize(b.http.URL)
	c.expect(http.StatusOK, http.MethodPost, b.http.URL, listMessage)
}

// The owner's machine takes connections, and nothing comes of them.
func TestTheOwnerDoesNotAnswer(t *testing.T) {
	store := parley.NewMemoryStore()
	a, b := newStage(t, store, nil), newStage(t, store, nil).run(t)
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(silent.Close)
	announce(t, store, a.node.ID(), silent.URL)
	answer := c.expect(http.StatusBadGateway, http.MethodPost, b.http.URL, listMessage)
	if want := fmt.Sprintf(`{"jsonrpc":"2.0","id":2,"error":{"code":-32000,"message":%q}}`, nodeDidNotAnswer); answer != want {
		t.Errorf("got %s", answer)
	}
	c.expect(http.StatusBadGateway, http.MethodDelete, b.http.URL, "")

	// The lease ends.
	if err := store.Delete(t.Context(), nodeAddress(a.node.ID()), 0); err != nil {
		t.Fatal(err)
	}
	c.expectNoSession(http.MethodPost, b.http.URL, listMessage)
}

// The owner's machine hangs: it has the request, and its lease ends.
func TestTheOwnerHangs(t *testing.T) {
	store := parley.NewMemoryStore()
	a, b := newStage(t, store, nil), newBriefStage(t, store).run(t)
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	hanging := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if err := store.Delete(r.Context(), nodeAddress(a.node.ID()), 0); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	}))
	t.Cleanup(hanging.Close)
	announce(t, store, a.node.ID(), hanging.URL)
	c.expectNoSession(http.MethodPost, b.http.URL, listMessage)
}

func TestAGoClientLearnsThatItsSessionIsGone(t *testing.T) {
	store := parley.NewMemoryStore()
	a, b := newStage(t, store, nil), newStage(t, store, nil).run(t)
	announce(t, store, a.node.ID(), a.http.URL)
	urls := []string{a.http.URL}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target, _ := url.Parse(urls[len(urls)-1])
		readfirst.Handler(httputil.NewSingleHostReverseProxy(target)).ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	t.Cleanup(http.DefaultTransport.(*http.Transport).CloseIdleConnections)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{Logger: silent})
	connect := func() *mcp.ClientSession {
		session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: front.URL, HTTPClient: &http.Client{Transport: transport}, DisableStandaloneSSE: true,
		}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		return session
	}
	session := connect()
	a.kill()
	if err := store.Delete(t.Context(), nodeAddress(a.node.ID()), 0); err != nil {
		t.Fatal(err)
	}
	urls = append(urls, b.http.URL)
	if _, err := callN(t.Context(), session, "echo", 1); !errors.Is(err, mcp.ErrSessionMissing) {
		t.Errorf("got %v", err)
	}
	if answer, err := callN(t.Context(), connect(), "echo", 1); answer != "1 []" || err != nil {
		t.Errorf("%q, %v", answer, err)
	}
}

func TestCommentsComeThroughTheOtherNode(t *testing.T) {
	a, b, _ := twoNodes(t, Options{KeepAlive: time.Millisecond})
	c := newRawClient(t, false)
	c.initialize(a.http.URL)
	stream := streamOf(t, c.do(t.Context(), http.MethodPost, b.http.URL, c.callMessage("stepwise", 1)))
	stream.comments(3)
	for range 2 {
		a.steps <- struct{}{}
		stream.messageAfterComments()
	}
	stream.end()
}

func FuzzCutSessionID(f *testing.F) {
	for _, id := range []string{idA + "-x", "-", "", idA, idA + "-" + idA + "-"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		node, session, ok := cutSessionID(id)
		if ok && (node+"-"+session != id || len(node) != parley.NodeIDLength || session == "") {
			t.Errorf("%q is cut into %q and %q", id, node, session)
		}
	})
}

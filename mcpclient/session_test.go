package mcpclient_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcpclient"
)

func TestAListIsReadOverAllItsPages(t *testing.T) {
	for name, opts := range streaming {
		t.Run(name, func(t *testing.T) {
			f := newFixture(&mcp.ServerOptions{PageSize: 3})
			c := connect(t, mcpclient.Options{URL: f.serve(t, opts)})
			items, err := c.List(t.Context(), "tools/list", "tools")
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, item := range items {
				name, _ := mcpclient.Member(item, "name")
				names = append(names, string(name))
			}
			if diff := cmp.Diff([]string{`"ask"`, `"big"`, `"cancelled"`, `"cut"`, `"grow"`, `"hang"`, `"plain"`, `"steps"`, `"visit"`}, names); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAListWithoutEndIsGivenUp(t *testing.T) {
	for name, result := range map[string]string{
		"the same page again": `{"tools":[],"nextCursor":"x"}`,
		"no list":             `{"tools":{}}`,
	} {
		c := connect(t, mcpclient.Options{URL: serveHandler(t, fixed(true, false, result), nil)})
		if items, err := c.List(t.Context(), "tools/list", "tools"); !errors.Is(err, mcpclient.ErrProtocol) {
			t.Errorf("%s: %v, %v", name, items, err)
		}
	}
}

func TestAListSaysHowLongItIsFresh(t *testing.T) {
	c := connect(t, mcpclient.Options{URL: serveHandler(t, fixed(true, false, `{"tools":[{}],"ttlMs":1500}`), nil)})
	items, fresh, err := c.ListFresh(t.Context(), "tools/list", "tools")
	if err != nil || len(items) != 1 || fresh.Milliseconds() != 1500 {
		t.Errorf("%v, %v, %v", items, fresh, err)
	}
}

func TestAChangedListIsReported(t *testing.T) {
	whereStreams(t, func(t *testing.T, connect connecting) {
		came := make(chan string, 16)
		c := connect(mcpclient.Options{Notify: func(m mcpclient.Message) { came <- m.Method }})
		// The subscription may come up after the first change, and the server waits
		// for a quiet moment before it reports one.
		for {
			textOf(t, next(t, call(t, c, "grow", `{}`)))
			select {
			case got := <-came:
				if got != "notifications/tools/list_changed" {
					t.Errorf("got %s", got)
				}
				return
			case <-c.Done():
				t.Fatal(c.Err())
			case <-time.After(300 * time.Millisecond):
			}
		}
	})
}

func TestASessionThatIsGoneIsReportedAndConnectedAgain(t *testing.T) {
	f := newFixture(nil)
	opts := mcpclient.Options{URL: f.serve(t, nil)}
	c := connect(t, opts)
	textOf(t, next(t, call(t, c, "plain", `{}`)))
	for session := range f.Sessions() {
		_ = session.Close()
	}
	_, err := c.Call(t.Context(), mcpclient.Request{Method: "tools/call", Params: json.RawMessage(`{"name":"plain","arguments":{}}`)})
	if !errors.Is(err, mcpclient.ErrSessionGone) {
		t.Errorf("the call ended with %v", err)
	}
	<-c.Done()
	if !errors.Is(c.Err(), mcpclient.ErrSessionGone) {
		t.Errorf("the connection ended with %v", c.Err())
	}
	if _, err := c.List(t.Context(), "tools/list", "tools"); !errors.Is(err, mcpclient.ErrSessionGone) {
		t.Errorf("the list ended with %v", err)
	}
	again := connect(t, opts)
	if got := textOf(t, next(t, call(t, again, "plain", `{"word":"again"}`))); got != "hello again" {
		t.Errorf("got %q", got)
	}
}

func TestCloseEndsTheSession(t *testing.T) {
	f := newFixture(nil)
	c := connect(t, mcpclient.Options{URL: f.serve(t, nil)})
	textOf(t, next(t, call(t, c, "plain", `{}`)))
	x := call(t, c, "ask", `{}`)
	next(t, x)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for range f.Sessions() {
		t.Error("a session is left")
	}
	if _, err := x.Next(); !errors.Is(err, mcpclient.ErrClosed) {
		t.Errorf("the call ended with %v", err)
	}
	if _, err := c.Call(t.Context(), mcpclient.Request{Method: "ping"}); !errors.Is(err, mcpclient.ErrClosed) {
		t.Errorf("a new call ended with %v", err)
	}
}

func TestAStreamThatTheServerEndsEarlyIsResumed(t *testing.T) {
	f := newFixture(nil)
	c := connect(t, mcpclient.Options{URL: f.serve(t, &mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)})})
	x := call(t, c, "cut", `{}`, func(r *mcpclient.Request) { r.Progress = json.RawMessage("1") })
	if m := next(t, x); m.Method != "notifications/progress" || !strings.Contains(string(m.Params), "after the cut") {
		t.Errorf("got %s %s", m.Method, m.Params)
	}
	if got := textOf(t, next(t, x)); got != "whole" {
		t.Errorf("got %q", got)
	}
}

// cutting breaks the connection of each answer after so many bytes of events.
type cutting struct {
	http.RoundTripper
	mu    sync.Mutex
	after int
	cuts  int
	left  int
}

func (c *cutting) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := c.RoundTripper.RoundTrip(r)
	if err == nil && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.left > 0 {
			c.left--
			c.cuts++
			resp.Body = &cutBody{resp.Body, c.after}
		}
	}
	return resp, err
}

type cutBody struct {
	io.ReadCloser
	left int
}

func (b *cutBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errors.New("the cable was cut")
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}

// replaying is an older server whose one call has a stream of four events, each
// with an id; it goes on after the last one that the client has.
func replaying(t *testing.T) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last := r.Header.Get("Last-Event-ID")
		if r.Method == http.MethodGet && last == "" {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		id := "2" // that of the call: discover was 1, initialize 2
		if r.Method == http.MethodPost {
			body, _ := io.ReadAll(r.Body)
			m, err := mcpclient.Envelope(body)
			if err != nil {
				t.Error(err)
			}
			if m.Method != "tools/call" {
				r.Body = io.NopCloser(strings.NewReader(string(body)))
				fixed(false, false, "{}").ServeHTTP(w, r)
				return
			}
			id = string(m.ID)
		} else {
			id = strings.Split(last, "/")[1]
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for i := range 4 {
			at := fmt.Sprintf("%d/%s", i, id)
			if at <= last {
				continue
			}
			fmt.Fprintf(w, ": a comment\nid: %s\nretry: 1\ndata: ", at)
			if i < 3 {
				fmt.Fprintf(w, `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress":%d}}`, i)
			} else {
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"text":"whole"}]}}`, id)
			}
			fmt.Fprint(w, "\n\n")
		}
	})
}

func TestAStreamThatIsCutIsResumedWithoutLossOrRepetition(t *testing.T) {
	for _, after := range []int{130, 200, 250, 300} {
		cut := &cutting{RoundTripper: &http.Transport{}, after: after, left: 2}
		t.Cleanup(cut.RoundTripper.(*http.Transport).CloseIdleConnections)
		c := connect(t, mcpclient.Options{URL: serveHandler(t, replaying(t), nil), Client: &http.Client{Transport: cut}})
		x := call(t, c, "any", `{}`)
		var got []string
		for {
			m := next(t, x)
			if m.Response() {
				got = append(got, textOf(t, m))
				break
			}
			got = append(got, string(m.Params))
		}
		if diff := cmp.Diff([]string{`{"progress":0}`, `{"progress":1}`, `{"progress":2}`, "whole"}, got); diff != "" {
			t.Errorf("cut after %d: %s", after, diff)
		}
		if cut.cuts == 0 {
			t.Errorf("nothing was cut after %d", after)
		}
	}
}

func TestAStreamThatCannotBeResumedIsUnreachable(t *testing.T) {
	for _, modern := range []bool{true, false} {
		cut := &cutting{RoundTripper: &http.Transport{}, after: 20, left: 0}
		t.Cleanup(cut.RoundTripper.(*http.Transport).CloseIdleConnections)
		c := connect(t, mcpclient.Options{URL: serveHandler(t, fixed(modern, true, smallResult), nil), Client: &http.Client{Transport: cut}})
		cut.mu.Lock()
		cut.left = 1
		cut.mu.Unlock()
		x := call(t, c, "any", `{}`)
		if m, err := x.Next(); !errors.Is(err, mcpclient.ErrUnreachable) || !strings.Contains(err.Error(), "cable") {
			t.Errorf("got %v, %v", m, err)
		}
	}
}

// askingElsewhere is an older server that asks by its GET stream, and answers a
// call only then, in one piece of JSON.
func askingElsewhere(t *testing.T) http.Handler {
	questions, answers := make(chan string), make(chan string, 1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			w.(http.Flusher).Flush()
			for {
				select {
				case q := <-questions:
					fmt.Fprintf(w, "data: %s\n\n", q)
					w.(http.Flusher).Flush()
				case <-r.Context().Done():
					return
				}
			}
		}
		body, _ := io.ReadAll(r.Body)
		m, err := mcpclient.Envelope(body)
		switch {
		case err != nil:
			t.Error(err)
		case m.Response():
			answers <- string(m.ID) + " " + string(m.Result)
			w.WriteHeader(http.StatusAccepted)
		case m.Method == "tools/call":
			questions <- `{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{}}`
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"text":%q}]}}`, m.ID, <-answers)
		default:
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			fixed(false, false, "{}").ServeHTTP(w, r)
		}
	})
}

func TestAQuestionByTheGETStreamReachesTheOpenCall(t *testing.T) {
	c := connect(t, mcpclient.Options{URL: serveHandler(t, askingElsewhere(t), nil)})
	x := call(t, c, "any", `{}`)
	m := next(t, x)
	if m.Method != "elicitation/create" {
		t.Fatalf("got %s", m.Method)
	}
	if err := x.Reply(t.Context(), m.ID, json.RawMessage(`{"action":"decline"}`), nil); err != nil {
		t.Fatal(err)
	}
	if got := textOf(t, next(t, x)); got != `"q" {"action":"decline"}` {
		t.Errorf("got %q", got)
	}
}

func TestARequestOfNoCallIsAnsweredByTheOwner(t *testing.T) {
	f := newFixture(nil)
	asked := make(chan string, 1)
	c := connect(t, mcpclient.Options{URL: f.serve(t, nil), Request: func(m mcpclient.Message) (json.RawMessage, *mcpclient.Error) {
		asked <- m.Method
		return json.RawMessage(`{"action":"cancel"}`), nil
	}})
	textOf(t, next(t, call(t, c, "plain", `{}`)))
	var session *mcp.ServerSession
	for n := 0; session == nil; n++ { // until its stream is there; sessions that only asked for the era end meanwhile
		for one := range f.Sessions() {
			if one.Ping(context.Background(), nil) == nil {
				session = one
			}
		}
		if n == 1000 {
			t.Fatal("nobody answers")
		}
		time.Sleep(10 * time.Millisecond)
	}
	got, err := session.Elicit(context.Background(), &mcp.ElicitParams{Message: "Anybody?", RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
	if err != nil || got.Action != "cancel" || <-asked != "elicitation/create" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestAnHTTPStatusIsAnErrorOfItsOwn(t *testing.T) {
	for _, code := range []int{401, 403, 404, 500, 503} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://x.example"`)
			w.WriteHeader(code)
		}))
		_, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: web.URL})
		var status *mcpclient.StatusError
		if !errors.As(err, &status) || status.Code != code || len(status.WWWAuthenticate) != 1 {
			t.Errorf("%d: %v", code, err)
		}
		http.DefaultClient.CloseIdleConnections()
		web.Close()
	}
}

type failing struct{ err error }

func (f failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

func TestAnErrorOfTheTransportIsWrappedWithoutTheAddress(t *testing.T) {
	mine := errors.New("no credential")
	_, err := mcpclient.Connect(t.Context(), &mcpclient.Options{URL: "https://x.example/mcp?key=secret", Client: &http.Client{Transport: failing{mine}}})
	if !errors.Is(err, mine) || !errors.Is(err, mcpclient.ErrUnreachable) || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestListsMayHaveChangedWhileNobodyListened(t *testing.T) {
	inner := fixed(false, false, "{}")
	url := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch m, _ := mcpclient.Envelope(body); {
		case r.Method == http.MethodGet: // each stream ends at once
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "retry: 1\n\n")
		case m.Method == "initialize":
			write(200, asJSON, `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-11-25","capabilities":{"prompts":{"listChanged":true}}}}`)(w, m.ID)
		default:
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			inner.ServeHTTP(w, r)
		}
	}), nil)
	came := make(chan string, 1)
	connect(t, mcpclient.Options{URL: url, Notify: func(m mcpclient.Message) {
		select {
		case came <- m.Method:
		default:
		}
	}})
	if got := <-came; got != "notifications/prompts/list_changed" {
		t.Errorf("got %s", got)
	}
}

func TestAServerIsAskedForChangesOnlyWhereSomebodyHearsOfThem(t *testing.T) {
	inner := fixed(true, false, smallResult)
	asked := make(chan string, 10)
	url := serveHandler(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch m, _ := mcpclient.Envelope(body); m.Method {
		case "server/discover":
			write(200, asJSON, `{"jsonrpc":"2.0","id":ID,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{"listChanged":true}}}}`)(w, m.ID)
		case "subscriptions/listen":
			meta, _ := mcpclient.Member(m.Params, "_meta")
			client, _ := mcpclient.Member(meta, "io.modelcontextprotocol/clientInfo")
			name, _ := mcpclient.Member(client, "name")
			asked <- string(name)
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			r.Body = io.NopCloser(strings.NewReader(string(body)))
			inner.ServeHTTP(w, r)
		}
	}), nil)
	deaf := connect(t, mcpclient.Options{URL: url, Name: "deaf"})
	next(t, call(t, deaf, "any", `{}`))
	connect(t, mcpclient.Options{URL: url, Name: "hearing", Notify: func(mcpclient.Message) {}})
	if got := <-asked; got != `"hearing"` {
		t.Errorf("%s asked", got)
	}
}

func TestAnAnswerThatCannotBeSentIsRefused(t *testing.T) {
	modern := connect(t, mcpclient.Options{URL: serveHandler(t, fixed(true, false, smallResult), nil)})
	if err := call(t, modern, "any", `{}`).Reply(t.Context(), json.RawMessage("1"), nil, nil); !errors.Is(err, mcpclient.ErrProtocol) {
		t.Errorf("to a server that is answered by a new call: %v", err)
	}
	legacy := connect(t, mcpclient.Options{URL: newFixture(nil).serve(t, nil)})
	x := call(t, legacy, "ask", `{"word":"Ann"}`)
	m := next(t, x)
	if err := x.Reply(t.Context(), m.ID, json.RawMessage(`{},"id":1`), nil); !errors.Is(err, mcpclient.ErrProtocol) {
		t.Errorf("what is no JSON: %v", err)
	}
	_ = legacy.Close()
	if err := x.Reply(t.Context(), m.ID, nil, nil); !errors.Is(err, mcpclient.ErrClosed) {
		t.Errorf("on a closed connection: %v", err)
	}
}

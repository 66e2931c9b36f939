package mcptool_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var update = flag.Bool("update", false, "record the transcripts of testdata anew")

// patience is how long a test waits for what must come before it fails.
const patience = 20 * time.Second

// wire is a client made by hand: it sends what it is told, right or wrong, and
// shows what comes as it comes.
type wire struct {
	t            *testing.T
	url          string
	era          string // default 2025-11-25
	user         string // of the bearer token; empty for none
	capabilities string // as JSON; default none
	session      string
	http         *http.Client
	ids          *atomic.Int64
	transcript   *transcript // nil: nobody writes it down
}

// message is a JSON-RPC message of any kind.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int64           `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// What the capabilities of a client may be.
const (
	canAsk    = `{"elicitation":{"form":{},"url":{}}}`
	cannotAsk = `{}`
)

// dial connects a client made by hand; fields that are set are kept.
func (s *site) dial(t *testing.T, w *wire) *wire {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	w.t, w.url, w.http, w.ids = t, s.http.URL, &http.Client{Transport: transport}, new(atomic.Int64)
	w.era, w.capabilities = cmp.Or(w.era, "2025-11-25"), cmp.Or(w.capabilities, cannotAsk)
	if w.era >= modern {
		return w
	}
	x := w.begin("initialize", map[string]any{
		"protocolVersion": w.era, "capabilities": json.RawMessage(w.capabilities),
		"clientInfo": map[string]any{"name": "wire", "version": "1"},
	})
	if m := x.end(); m.Error != nil {
		t.Fatalf("initialize: %+v", m.Error)
	}
	w.session = x.header.Get("Mcp-Session-Id")
	t.Cleanup(func() {
		if w.close() == 0 { // the node was killed, but what it held is in our memory
			r := httptest.NewRequest(http.MethodDelete, s.http.URL, nil)
			w.identify(r)
			s.http.Config.Handler.ServeHTTP(httptest.NewRecorder(), r)
		}
	})
	w.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return w
}

// through returns the same client, as a load balancer may send its requests.
func (w *wire) through(n *node) *wire {
	return &wire{t: w.t, url: n.http.URL, era: w.era, user: w.user, capabilities: w.capabilities, session: w.session, http: w.http, ids: w.ids}
}

// request is a POST with what every request of the client has.
func (w *wire) request(ctx context.Context, body []byte) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	w.identify(r)
	return r
}

func (w *wire) identify(r *http.Request) {
	if w.user != "" {
		r.Header.Set("Authorization", "Bearer "+w.user)
	}
	if w.session != "" {
		r.Header.Set("Mcp-Session-Id", w.session)
	}
	if w.session != "" || w.era >= modern {
		r.Header.Set("Mcp-Protocol-Version", w.era)
	}
}

// send posts what is no request and returns the HTTP status.
func (w *wire) send(m map[string]any) int {
	w.t.Helper()
	body, err := json.Marshal(m)
	if err != nil {
		w.t.Fatal(err)
	}
	w.transcript.note("client", body, 0)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	response, err := w.http.Do(w.request(ctx, body))
	if err != nil {
		w.t.Fatal(err)
	}
	defer response.Body.Close()
	w.transcript.note("server", nil, response.StatusCode)
	return response.StatusCode
}

// answer answers a request of the server, whatever its id.
func (w *wire) answer(id json.RawMessage, result string) int {
	w.t.Helper()
	return w.send(map[string]any{"jsonrpc": "2.0", "id": id, "result": json.RawMessage(result)})
}

// close ends the session and returns the HTTP status; 0 when the node is gone.
func (w *wire) close() int {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodDelete, w.url, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	w.identify(r)
	response, err := w.http.Do(r)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	return response.StatusCode
}

// exchange is a request and what comes on its stream.
type exchange struct {
	wire     *wire
	id       int64
	came     chan message
	drop     context.CancelFunc // as if the network broke
	header   http.Header        // once a message came
	status   int
	finished chan struct{}
}

// begin makes a request and does not wait for what comes.
func (w *wire) begin(method string, params map[string]any) *exchange {
	w.t.Helper()
	params = maps.Clone(params)
	if w.era >= modern {
		params["_meta"] = map[string]any{
			"io.modelcontextprotocol/protocolVersion":    w.era,
			"io.modelcontextprotocol/clientInfo":         map[string]any{"name": "wire", "version": "1"},
			"io.modelcontextprotocol/clientCapabilities": json.RawMessage(w.capabilities),
		}
	}
	x := &exchange{wire: w, id: w.ids.Add(1), came: make(chan message, 100), finished: make(chan struct{})}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": x.id, "method": method, "params": params})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	x.drop = cancel
	r := w.request(ctx, body)
	if w.era >= modern {
		r.Header.Set("Mcp-Method", method)
		if name, ok := cmp.Or(params["name"], params["taskId"]).(string); ok {
			r.Header.Set("Mcp-Name", name)
		}
	}
	w.transcript.note("client", body, 0)
	go x.read(r)
	w.t.Cleanup(func() {
		cancel()
		<-x.finished
	})
	return x
}

// read passes on what comes until the stream ends.
func (x *exchange) read(r *http.Request) {
	defer close(x.finished)
	defer close(x.came)
	response, err := x.wire.http.Do(r)
	if err != nil {
		return
	}
	defer response.Body.Close()
	x.header, x.status = response.Header, response.StatusCode
	if !strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream") {
		body, _ := io.ReadAll(response.Body)
		x.pass(body)
		return
	}
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && data != "" {
			x.pass([]byte(data))
		}
	}
}

func (x *exchange) pass(body []byte) {
	var m message
	if json.Unmarshal(body, &m) != nil {
		return
	}
	x.wire.transcript.note("server", body, x.status)
	x.came <- m
}

// next returns the next message.
func (x *exchange) next() message {
	x.wire.t.Helper()
	select {
	case m, ok := <-x.came:
		if !ok {
			x.wire.t.Fatalf("the stream ended with status %d", x.status)
		}
		return m
	case <-time.After(patience):
		x.wire.t.Fatal("nothing came")
		panic("not reached")
	}
}

// question returns the next question on the stream.
func (x *exchange) question() (json.RawMessage, *mcp.ElicitParams) {
	x.wire.t.Helper()
	for {
		m := x.next()
		switch {
		case m.Method == "elicitation/create":
			params := &mcp.ElicitParams{}
			if err := json.Unmarshal(m.Params, params); err != nil {
				x.wire.t.Fatal(err)
			}
			return m.ID, params
		case m.Method == "":
			x.wire.t.Fatalf("no question but the end: %s, error %+v", m.Result, m.Error)
		}
	}
}

// end returns the answer to the request.
func (x *exchange) end() message {
	x.wire.t.Helper()
	for {
		if m := x.next(); m.Method == "" {
			return m
		}
	}
}

// result returns the result of a tool call.
func (x *exchange) result() *mcp.CallToolResult {
	x.wire.t.Helper()
	m := x.end()
	if m.Error != nil {
		x.wire.t.Fatalf("error %d %s", m.Error.Code, m.Error.Message)
	}
	r := &mcp.CallToolResult{}
	if err := json.Unmarshal(m.Result, r); err != nil {
		x.wire.t.Fatal(err)
	}
	return r
}

// call begins a tool call.
func (w *wire) call(tool, arguments string) *exchange {
	w.t.Helper()
	return w.begin("tools/call", map[string]any{"name": tool, "arguments": json.RawMessage(cmp.Or(arguments, "{}"))})
}

// transcript writes down what goes over the wire, in the txtar format: a section
// for each message, named by who sent it.
type transcript struct {
	mu       sync.Mutex
	sections []string
	names    map[string]string // of ids and the like, which differ from run to run
}

// varying is what differs from run to run, and what it is called instead.
var varying = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"TASK", regexp.MustCompile(`[A-Za-z0-9_-]{43}\.[0-9a-v]{32}`)},
	{"ID", regexp.MustCompile(`\b[0-9a-v]{32}\b`)},
	{"STATE", regexp.MustCompile(`"requestState": "([^"]+)"`)},
	{"TIME", regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)},
}

func (r *transcript) note(who string, body []byte, status int) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	section := "-- " + who + " --\n"
	if status != 0 && status != http.StatusOK {
		section += fmt.Sprintf("HTTP %d\n", status)
	}
	if len(body) > 0 {
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, sorted(body), "", "  "); err != nil {
			section += err.Error()
		}
		section += r.normal(pretty.String()) + "\n"
	}
	r.sections = append(r.sections, section)
}

// sorted writes JSON with sorted keys: the order is nobody's promise.
func sorted(body []byte) []byte {
	var v any
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if dec.Decode(&v) != nil {
		return body
	}
	out := &bytes.Buffer{}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return body
	}
	return bytes.TrimSpace(out.Bytes())
}

// normal gives everything that differs from run to run a name. The same thing
// keeps the same name.
func (r *transcript) normal(text string) string {
	if r.names == nil {
		r.names = map[string]string{}
	}
	for _, v := range varying {
		text = v.pattern.ReplaceAllStringFunc(text, func(found string) string {
			parts := v.pattern.FindStringSubmatch(found)
			thing := parts[len(parts)-1]
			if r.names[thing] == "" {
				n := 1
				for _, name := range r.names {
					if strings.HasPrefix(name, v.name) {
						n++
					}
				}
				r.names[thing] = fmt.Sprintf("%s-%d", v.name, n)
			}
			return strings.Replace(found, thing, r.names[thing], 1)
		})
	}
	return text
}

// check compares with what was recorded before.
func (r *transcript) check(t *testing.T, name, about string) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	got := about + "\n" + strings.Join(r.sections, "")
	file := filepath.Join("testdata", name+".txtar")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Errorf("the wire changed; if that is intended, record it with -update (-recorded +now):\n%s", diff)
	}
}

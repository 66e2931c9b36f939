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

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
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
	if response.StatusCode != http.StatusAccepted { // which comes sooner or later than what it brings about
		w.transcript.note("server", nil, response.StatusCode)
	}
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
	leaveOut string            // what may come or not
}

// varying is what differs from run to run, and what it is called instead.
var varying = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"TASK", regexp.MustCompile(`[A-Za-z0-9_-]{43}\.[0-9a-v]{32}`)},
	{"ID", regexp.MustCompile(`\b[0-9a-v]{32}\b`)},
	{"ERROR", regexp.MustCompile(`err_[a-z2-7]{16}`)},
	{"STATE", regexp.MustCompile(`"requestState": "([^"]+)"`)},
	{"TIME", regexp.MustCompile(`\d{4}-\d\d-\d\dT[0-9:.]+Z`)},
}

func (r *transcript) note(who string, body []byte, status int) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.leaveOut != "" && bytes.Contains(body, []byte(r.leaveOut)) {
		return
	}
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
			if v.name == "TIME" { // two may be the same or not
				return v.name
			}
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

// recorded connects a client whose every message is written down.
func recorded(t *testing.T, s *site, w *wire) *wire {
	t.Helper()
	w.transcript = &transcript{}
	return s.dial(t, w)
}

func TestTheWireOfALegacyForm(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addDelete(s, nil)
	w := recorded(t, s, &wire{capabilities: canAsk})
	for _, answer := range []string{yes, `{"action":"decline"}`, `{"action":"accept","content":{"confirmed":"perhaps"}}`} {
		x := w.call("delete-account", deletion)
		id, _ := x.question()
		w.answer(id, answer)
		x.end()
	}
	w.transcript.check(t, "legacy_form", "A form on the open call: accepted, declined, and filled in wrongly.")
}

func TestTheWireOfALegacyURL(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addConnect(s, nil)
	w := recorded(t, s, &wire{capabilities: canAsk, user: "alice"})
	w.transcript.leaveOut = "notifications/cancelled" // when the page is faster than the client's report
	x := w.call("connect", "")
	id, shown := x.question()
	w.answer(id, `{"action":"accept"}`)
	visit(t, s, parley.ID(shown.ElicitationID))
	x.end()
	w.transcript.check(t, "legacy_url", "The person goes to a URL, and the answer comes from there.")
}

// visit answers a question as its page does.
func visit(t *testing.T, s *site, id parley.ID) {
	t.Helper()
	if err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, id, parley.Answer{Action: parley.Accept, Via: "page"}); err != nil {
		t.Fatal(err)
	}
}

func TestTheWireOfAURLThatIsRequiredFirst(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	addConnect(s, &mcptool.URLOptions{Required: true})
	w := recorded(t, s, &wire{capabilities: canAsk, user: "alice"})
	if m := w.call("connect", "").end(); m.Error == nil || m.Error.Code != -32042 {
		t.Fatalf("result %s, error %+v", m.Result, m.Error)
	}
	visit(t, s, openQuestions(t, s)[0].ID)
	w.call("connect", "").result()
	w.transcript.check(t, "legacy_url_required", "Error -32042 sends the person to a URL; the same call then goes through.")
}

func TestTheWireOfTwoModernRounds(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "two-step"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		link, err := mcptool.ElicitURL(ctx, call, "Connect your account", "https://example.com/connect?id={elicitation_id}", &mcptool.URLOptions{Required: true})
		if err != nil {
			return "", err
		}
		who, err := mcptool.Elicit[name](ctx, call, "Your name?", nil)
		return string(link.Action) + " " + who.Content.Name, err
	})
	w := recorded(t, s, &wire{era: modern, capabilities: canAsk, user: "alice"})
	retry := func(state, answers string) *mcp.CallToolResult {
		return w.begin("tools/call", map[string]any{
			"name": "two-step", "arguments": map[string]any{}, "requestState": state, "inputResponses": json.RawMessage(answers),
		}).result()
	}
	first := w.call("two-step", "").result()
	visit(t, s, openQuestions(t, s)[0].ID)
	second := retry(first.RequestState, `{"q1":{"action":"accept"}}`)
	third := retry(second.RequestState, `{"q2":{"action":"accept","content":{"name":7}}}`)
	last := retry(third.RequestState, `{"q2":{"action":"accept","content":{"name":"Ada"}}}`)
	if got := structured[string](t, last); got != "accept Ada" {
		t.Errorf("got %q", got)
	}
	w.transcript.check(t, "modern_two_rounds", "A URL, then a form that is filled in wrongly first: input_required each time.")
	w.transcript.nothingOld(t)
}

func TestTheWireOfTheModelFallback(t *testing.T) {
	for _, era := range []string{legacy, modern} {
		s := newSite(t, mcptool.Options{Fallback: mcptool.Model})
		addWizard(s)
		w := recorded(t, s, &wire{era: era, user: "alice"})
		send := func(p pending, content string) *mcp.CallToolResult {
			return w.call("sendElicitationResult", `{"elicitId":"`+p.ElicitID+`","action":"accept","content":`+content+`}`).result()
		}
		w.begin("tools/list", map[string]any{}).end()
		p := pendingOf(t, w.call("wizard", "").result())
		send(p, `{"name":7}`)
		p = pendingOf(t, send(p, `{"name":"Ada"}`))
		send(p, `{"colour":"red"}`)
		if m := w.call("sendElicitationResult", `{"elicitId":"elicit-1234-abc","action":"cancel"}`).end(); m.Error == nil {
			t.Errorf("an unknown question: %s", m.Result)
		}
		kind := map[string]string{legacy: "legacy", modern: "modern"}[era]
		w.transcript.check(t, kind+"_model_fallback", "A client that cannot ask: the model asks, and sends the answers on.")
		if era == modern {
			w.transcript.nothingOld(t)
		}
	}
}

func TestTheWireOfATaskThatNeedsInput(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "order"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (string, error) {
		which, err := mcptool.Elicit[colour](ctx, call, "Your colour?", nil)
		return which.Content.Colour, err
	}, &mcptool.ToolOptions{Task: mcptool.TaskAllowed})
	w := recorded(t, s, &wire{era: modern, user: "alice", capabilities: `{"elicitation":{"form":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`})
	var task struct {
		TaskID string `json:"taskId"`
	}
	if err := json.Unmarshal(w.call("order", "").end().Result, &task); err != nil {
		t.Fatal(err)
	}
	soon(t, "it asks", func() bool { return len(openQuestions(t, s)) == 1 })
	w.begin("tasks/get", map[string]any{"taskId": task.TaskID}).end()
	w.begin("tasks/update", map[string]any{"taskId": task.TaskID, "inputResponses": json.RawMessage(`{"q1":{"action":"accept","content":{"colour":"red"}}}`)}).end()
	soon(t, "it is done", func() bool {
		left, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "mcp.call"}, "", 0)
		return err == nil && len(left) == 1 && strings.Contains(string(left[0].Data), `"completed"`)
	})
	w.begin("tasks/get", map[string]any{"taskId": task.TaskID}).end()
	w.begin("tasks/get", map[string]any{"taskId": "no-such-task"}).end()
	w.transcript.check(t, "modern_task", "A task that asks while it works.")
	w.transcript.nothingOld(t)
}

// nothingOld checks that nothing of the era before 2026-07-28 was on the wire.
func (r *transcript) nothingOld(t *testing.T) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, section := range r.sections {
		for _, old := range []string{"elicitationId", "-32042", "-32002", "elicitation/complete", "notifications/cancelled"} {
			if strings.Contains(section, old) {
				t.Errorf("%s is of the old era:\n%s", old, section)
			}
		}
		// A message's own members are indented once.
		if strings.HasPrefix(section, "-- server --") && strings.Contains(section, "\n  \"method\":") {
			t.Errorf("the server sent a request or a notification:\n%s", section)
		}
	}
}

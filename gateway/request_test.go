package gateway_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// program is a server of an older era that notes in the file LOG when it starts,
// is called and ends. Its tool "pay" ends it; while the file GATE is there it
// says nothing.
const program = `echo hello >> "$LOG"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  while [ -n "$GATE" ] && [ -e "$GATE" ]; do sleep 0.02; done
  case "$line" in
  *'"server/discover"'*) echo '{"jsonrpc":"2.0","id":'$id',"error":{"code":-32601,"message":"no"}}';;
  *'"initialize"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"till","version":"1"}}}';;
  *'"tools/list"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"tools":[{"name":"pay","inputSchema":{"type":"object"}},{"name":"look","inputSchema":{"type":"object"}}]}}';;
  *'"pay"'*) echo paid >> "$LOG"; exit 1;;
  *'"look"'*) echo '{"jsonrpc":"2.0","id":'$id',"result":{"content":[{"type":"text","text":"seen"}]}}';;
  esac
done
echo bye >> "$LOG"`

func till(log, gate string) gateway.Server {
	return gateway.Server{
		Name: "till", Command: []string{"sh", "-c", program}, Approve: permit.Never,
		Env: map[string]string{"LOG": log, "GATE": gate},
	}
}

// noted counts what a program has noted.
func noted(t *testing.T, log, word string) int {
	t.Helper()
	text, err := os.ReadFile(log)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(text), word)
}

func TestACallThatAProgramHasTakenIsNotMadeAgainWhenTheProgramDies(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	h := newHouse(t, catalogue{till(log, "")}, nil)
	v := visit(t, h.url, "alice", legacy, nil)
	text, err := v.call(t, "till__pay", map[string]any{})
	if n := noted(t, log, "paid"); n != 1 {
		t.Errorf("one call was carried out %d times (%q, %v)", n, text, err)
	}
}

// session is a server of an older era whose session is forgotten by the tool
// "lose". Its tool "pay" takes its time.
type session struct {
	paid  atomic.Int64
	lost  atomic.Int64
	begun atomic.Int64
	began chan struct{}
	over  chan struct{}
}

func (s *session) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Name string }
	}
	_ = json.NewDecoder(r.Body).Decode(&m)
	w.Header().Set("Content-Type", "application/json")
	result := func(text string) { fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text) }
	switch {
	case r.Method != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("s", s.begun.Add(1)))
		result(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"till","version":"1"}}`)
	case m.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == "tools/list":
		result(`{"tools":[{"name":"pay","inputSchema":{"type":"object"}},{"name":"lose","inputSchema":{"type":"object"}}]}`)
	case m.Params.Name == "pay":
		if s.paid.Add(1) == 1 {
			close(s.began)
			<-s.over
		}
		result(`{"content":[{"type":"text","text":"paid"}]}`)
	case m.Params.Name == "lose":
		s.lost.Add(1)
		w.WriteHeader(http.StatusNotFound)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	}
}

// What one call is refused with takes nothing from another: it gets what its
// server says on its own connection, and is not made again.
func TestACallThatIsUnderWayIsNotMadeAgainWhenAnotherFindsTheSessionGone(t *testing.T) {
	s := &session{began: make(chan struct{}), over: make(chan struct{})}
	h := newHouse(t, catalogue{{Name: "till", URL: serve(t, s), Approve: permit.Never}}, nil)
	v := visit(t, h.url, "alice", legacy, nil)
	var calls sync.WaitGroup
	var got string
	calls.Go(func() { got, _ = v.call(t, "till__pay", map[string]any{}) })
	<-s.began
	if lost, err := v.call(t, "till__lose", map[string]any{}); err != nil || lost != "ERROR till refused the call: HTTP status 404." {
		t.Errorf("the call that is refused: %q, %v", lost, err)
	}
	close(s.over)
	calls.Wait()
	if n := s.paid.Load(); n != 1 || got != "paid" {
		t.Errorf("one call was carried out %d times, and its result is %q", n, got)
	}
}

// A server that answers every call with 404 has not lost every session: a call is
// sent to it again once at most, whatever its person has allowed.
func TestACallThatIsAlwaysNotFoundIsNotSentOverAndOver(t *testing.T) {
	for _, rule := range []permit.Rule{permit.Never, permit.Always} {
		for _, era := range []string{legacy, modern} {
			s := &session{}
			h := newHouse(t, catalogue{{Name: "till", URL: serve(t, s), Approve: rule}}, nil)
			got, err := visit(t, h.url, "alice", era, agreeing).call(t, "till__lose", map[string]any{})
			if err != nil || got != "ERROR till refused the call: HTTP status 404." {
				t.Errorf("%s, %s: %q, %v", rule, era, got, err)
			}
			if n := s.lost.Load(); n > 2 {
				t.Errorf("%s, %s: it was sent %d times", rule, era, n)
			}
		}
	}
}

// A call is for the address that was configured and approved.
func TestACallIsNotSentOnToAnotherAddress(t *testing.T) {
	elsewhere := &session{began: make(chan struct{}), over: make(chan struct{})}
	close(elsewhere.over)
	var sent atomic.Int32
	front := http.NewServeMux()
	front.Handle("/other/mcp", elsewhere)
	front.Handle("/mcp", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !bytes.Contains(body, []byte(`"tools/call"`)) {
			r.Body = io.NopCloser(bytes.NewReader(body))
			elsewhere.ServeHTTP(w, r)
			return
		}
		sent.Add(1)
		http.Redirect(w, r, "/other/mcp", http.StatusTemporaryRedirect)
	}))
	server := httptest.NewServer(front)
	defer server.Close()
	h := newHouse(t, catalogue{{Name: "till", URL: server.URL + "/mcp", Approve: permit.Always}}, nil)
	got, err := visit(t, h.url, "alice", modern, agreeing).call(t, "till__pay", map[string]any{})
	if err != nil || !strings.HasPrefix(got, "ERROR till sends calls on to another address (HTTP status 307)") {
		t.Errorf("%q, %v", got, err)
	}
	if n := elsewhere.paid.Load(); n != 0 || sent.Load() != 1 {
		t.Errorf("it was sent %d times, and carried out elsewhere %d times", sent.Load(), n)
	}
}

// Time that passes before there is a connection to the server is not the server's, and the
// words say that the call never left.
func TestACallThatNeverLeftIsNotSaidToBeUnknown(t *testing.T) {
	behind := &session{began: make(chan struct{}), over: make(chan struct{})}
	var stuck atomic.Bool
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if stuck.Load() && bytes.Contains(body, []byte(`"initialize"`)) {
			<-r.Context().Done()
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		behind.ServeHTTP(w, r)
	}))
	h := newHouse(t, catalogue{{Name: "till", URL: url, Approve: permit.Never}}, func(o *gateway.Options) { o.CallTime = 300 * time.Millisecond })
	v := visit(t, h.url, "alice", legacy, nil)
	if _, err := v.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	stuck.Store(true)
	got, err := v.call(t, "till__pay", map[string]any{})
	if err != nil || got != "ERROR till could not be spoken to for 300ms; the call was not sent." || behind.paid.Load() != 0 {
		t.Errorf("%q, %v; carried out %d times", got, err, behind.paid.Load())
	}
}

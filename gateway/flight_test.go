package gateway_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

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
		w.WriteHeader(http.StatusNotFound)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	}
}

func TestACallThatIsUnderWayIsNotMadeAgainWhenAnotherFindsTheSessionGone(t *testing.T) {
	s := &session{began: make(chan struct{}), over: make(chan struct{})}
	h := newHouse(t, catalogue{{Name: "till", URL: serve(t, s), Approve: permit.Never}}, nil)
	defer close(s.over)
	v := visit(t, h.url, "alice", legacy, nil)
	var calls sync.WaitGroup
	calls.Go(func() { _, _ = v.call(t, "till__pay", map[string]any{}) })
	<-s.began
	_, _ = v.call(t, "till__lose", map[string]any{})
	calls.Wait()
	if n := s.paid.Load(); n != 1 {
		t.Errorf("one call was carried out %d times", n)
	}
}

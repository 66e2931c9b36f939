package toolbox_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
)

// hand is a server by hand, of one era: it says what a test wants it to.
type hand struct {
	modern bool
	calls  atomic.Int64 // of tools/call
	lists  atomic.Int64 // of tools/list

	// tell answers a request other than those of the greeting; n is the how
	// manieth of its method it is.
	tell func(w http.ResponseWriter, method string, id json.RawMessage, n int64)
	// wait answers tools/call instead, and has the request.
	wait func(w http.ResponseWriter, r *http.Request, id json.RawMessage)
}

const greeting = `"capabilities":{"tools":{}},"serverInfo":{"name":"hand","version":"1"}`

func (h *hand) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil || m.Method == "" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	switch {
	case m.Method == "server/discover" && h.modern:
		sayJSON(w, m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],`+greeting+`}`)
	case m.Method == "initialize" && !h.modern:
		w.Header().Set("Mcp-Session-Id", "s1")
		sayJSON(w, m.ID, `{"protocolVersion":"2025-11-25",`+greeting+`}`)
	case m.Method == "tools/call" && h.wait != nil:
		h.wait(w, r, m.ID)
	case m.Method == "tools/call":
		h.tell(w, m.Method, m.ID, h.calls.Add(1))
	case m.Method == "tools/list":
		h.tell(w, m.Method, m.ID, h.lists.Add(1))
	default:
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, m.ID)
	}
}

func sayJSON(w http.ResponseWriter, id json.RawMessage, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

// serve offers it.
func (h *hand) serve(t *testing.T) string { return serveHandler(t, h) }

func serveHandler(t *testing.T, h http.Handler) string {
	web := httptest.NewServer(h)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	return web.URL
}

// eras runs a test for a server by hand of each era.
func eras(t *testing.T, test func(t *testing.T, h *hand)) {
	for name, modern := range map[string]bool{"modern": true, "legacy": false} {
		t.Run(name, func(t *testing.T) { test(t, &hand{modern: modern}) })
	}
}

// bomb is text that is small only as gzip. ID in it stands for the request's id.
type bomb struct {
	before, after string
	size          int64
}

func (b bomb) send(w http.ResponseWriter, kind string, id json.RawMessage) {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Encoding", "gzip")
	z, _ := gzip.NewWriterLevel(w, gzip.BestSpeed)
	fmt.Fprint(z, strings.ReplaceAll(b.before, "ID", string(id)))
	block := bytes.Repeat([]byte("x"), 64<<10)
	for n := int64(0); n < b.size; n += int64(len(block)) {
		if _, err := z.Write(block); err != nil {
			return // it was not taken
		}
	}
	fmt.Fprint(z, b.after)
	_ = z.Close()
}

// allocated is how much memory f takes in all, garbage included.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// runHand is a server by hand over stdio: of the era, and with the manners, that
// its name says.
func runHand(name string) error {
	era, manner, _ := strings.Cut(name, " ")
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		switch {
		case m.Method == "server/discover" && era == "modern":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],%s}}`+"\n", m.ID, greeting)
		case m.Method == "initialize" && era == "legacy":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25",%s}}`+"\n", m.ID, greeting)
		case m.Method == "tools/call" && !bytes.Contains(lines.Bytes(), []byte(`"plain"`)), m.Method == "tools/call" && manner != "asking":
			misbehave(manner, m.ID)
		case m.Method == "tools/call":
			misbehave("plain", m.ID)
		case m.Method == "tools/list":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"tools":[]}}`+"\n", m.ID)
		case m.Method == "":
		default:
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`+"\n", m.ID)
		}
	}
	return lines.Err()
}

func misbehave(manner string, id json.RawMessage) {
	switch manner {
	case "endless": // a line that is longer than anybody wants to read
		out := bufio.NewWriter(os.Stdout)
		fmt.Fprintf(out, `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, id)
		for range 12 << 10 {
			fmt.Fprint(out, strings.Repeat("x", 1<<10))
		}
		fmt.Fprintln(out, `"}]}}`)
		_ = out.Flush()
	case "loud": // it says a lot that nobody asked
		for range 1 << 10 {
			fmt.Fprint(os.Stderr, strings.Repeat("x", 16<<10))
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"said"}]}}`+"\n", id)
	case "dying":
		note, err := os.OpenFile(os.Getenv("MCPBOX_TEST_NOTE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err == nil {
			fmt.Fprintln(note, "call")
		}
		os.Exit(1)
	case "asking": // it waits for an answer
		fmt.Println(`{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Sure?"}}`)
	default:
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"plain"}]}}`+"\n", id)
	}
}

package gateway_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// warehouse is a server of one era by hand, whose tool returns what result writes.
func warehouse(t *testing.T, modernEra bool, result func(w io.Writer)) string {
	return warehouseOf(t, modernEra, "", result)
}

// warehouseOf is a warehouse with these members in its tool's entry.
func warehouseOf(t *testing.T, modernEra bool, entry string, result func(w io.Writer)) string {
	return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m wireMessage
		_ = json.NewDecoder(r.Body).Decode(&m)
		w.Header().Set("Content-Type", "application/json")
		text := ""
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
			return
		case m.Method == "tools/call":
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":`, m.ID)
			result(w)
			fmt.Fprint(w, "}")
			return
		case m.Method == "server/discover" && modernEra:
			text = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}`
		case m.Method == "initialize" && !modernEra:
			text = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"w","version":"1"}}`
		case m.Method == "tools/list":
			text = `{"resultType":"complete","tools":[{"name":"fetch","inputSchema":{"type":"object"}` + entry + `}]}`
		}
		if text == "" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, text)
	}))
}

// fetch calls the tool as a client of 2026-07-28 and returns the response.
func fetch(t *testing.T, url string) (*http.Response, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(
		`{"jsonrpc":"2.0","id":"mine","method":"tools/call","params":{"name":"w__fetch","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Authorization": "Bearer token-of-alice",
		"Mcp-Protocol-Version": modern, "Mcp-Method": "tools/call", "Mcp-Name": "w__fetch",
	} {
		r.Header.Set(name, value)
	}
	return http.DefaultClient.Do(r)
}

const manyBytes = 5 << 19

// largeResults are what servers return, with what clients get of it.
var largeResults = map[string]struct{ from, to string }{
	"text":           {`{"content":[{"type":"text","text":"@"}]}`, `{"content":[{"type":"text","text":"@"}],"resultType":"complete"}`},
	"it says so":     {`{"content":[{"type":"text","text":"@"}],"resultType":"complete"}`, `{"content":[{"type":"text","text":"@"}],"resultType":"complete"}`},
	"an error":       {`{"isError":true, "content" : [ {"text":"@","type":"text"} , {"type":"text","text":""} ] }`, `{"isError":true,"content":[{"type":"text","text":"@"},{"type":"text","text":""}],"resultType":"complete"}`},
	"structured":     {`{"content":[],"structuredContent":{"ui://a":["@",1e400]}}`, `{"content":[],"structuredContent":{"ui://a":["@",1e400]},"resultType":"complete"}`},
	"no list":        {`{"content":"@"}`, `{"content":"@","resultType":"complete"}`},
	"an interface":   {`{"content":[{"type":"resource","resource":{"uri":"ui://a/b","text":"@"}}]}`, `{"content":[{"type":"resource","resource":{"uri":"ui://w/a/b","text":"@"}}],"resultType":"complete"}`},
	"after its text": {`{"content":[{"resource":{"blob":"@","uri":"ui://a/b"},"type":"resource"}]}`, `{"content":[{"type":"resource","resource":{"uri":"ui://w/a/b","blob":"@"}}],"resultType":"complete"}`},
	"a link beside":  {`{"content":[{"type":"text","text":"@"},{"type":"resource_link","uri":"file:///x","name":"x"}]}`, `{"content":[{"type":"text","text":"@"},{"type":"resource_link","uri":"file:///x","name":"x"}],"resultType":"complete"}`},
	"a long link":    {`{"content":[{"uri":"file:///x","text":"@","type":"resource_link","name":"x"}]}`, `{"content":[{"uri":"file:///x","text":"@","type":"resource_link","name":"x"}],"resultType":"complete"}`},
	"in its meta":    {`{"content":[{"type":"text","text":"@"}],"_meta":{"ui":{"resourceUri":"ui://a/b"}}}`, `{"content":[{"type":"text","text":"@"}],"_meta":{"ui":{"resourceUri":"ui://w/a/b"}},"resultType":"complete"}`},
	"a long name":    {`{"content":[],"_meta":{"@":1},"x":["ui://a/b"]}`, `{"content":[],"_meta":{"@":1},"x":["ui://a/b"],"resultType":"complete"}`},
}

func TestALargeResultIsWhatASmallOneIs(t *testing.T) {
	for era, isModern := range map[string]bool{legacy: false, modern: true} {
		var text atomic.Pointer[string]
		h := newHouse(t, catalogue{{Name: "w", URL: warehouse(t, isModern, func(w io.Writer) { _, _ = io.WriteString(w, *text.Load()) }), Approve: permit.Never}}, nil)
		toolNames(t, visit(t, h.url, "alice", legacy, nil))
		for what, c := range largeResults {
			for size, fill := range map[string]string{"small": "x", "large": strings.Repeat(`é\"`, manyBytes/4)} {
				from := strings.Replace(c.from, "@", fill, 1)
				text.Store(&from)
				response, err := fetch(t, h.url)
				if err != nil {
					t.Fatal(err)
				}
				var got struct {
					ID     string
					Result any
				}
				err = json.NewDecoder(response.Body).Decode(&got)
				response.Body.Close()
				if strings.Contains(from, "1e400") {
					if err == nil {
						t.Errorf("%s: 1e400 was read", what)
					}
					continue
				}
				var want any
				_ = json.Unmarshal([]byte(strings.Replace(c.to, "@", fill, 1)), &want)
				if diff := cmp.Diff(want, got.Result); err != nil || got.ID != "mine" || diff != "" {
					t.Errorf("%s, %s, server %s: %v, id %q, (-want +got) %.2000s", what, size, era, err, got.ID, diff)
				}
			}
		}
	}
}

func TestALargeResultThatBreaksIsNeverWhole(t *testing.T) {
	long := strings.Repeat("x", manyBytes)
	for what, text := range map[string]string{
		"a question after all":   `{"content":[{"type":"text","text":"` + long + `"}],"resultType":"input_required"}`,
		"a task after all":       `{"content":[{"type":"text","text":"` + long + `"}],"resultType":"task","taskId":"T","status":"working"}`,
		"its content twice":      `{"content":[{"type":"text","text":"` + long + `"}],"content":[]}`,
		"brackets":               `{"content":[{"type":"text","text":"` + long + `"]}}`,
		"what is no member":      `{"content":[],"a":"` + long + `", 7}`,
		"a second result":        `{"content":[{"type":"text","text":"` + long + `"}]},"result":{}`,
		"more than there may be": `{"content":[{"type":"text","text":"` + strings.Repeat("y", 33<<20) + `"}]}`,
	} {
		h := newHouse(t, catalogue{{Name: "w", URL: warehouse(t, true, func(w io.Writer) { _, _ = io.WriteString(w, text) }), Approve: permit.Never}}, nil)
		toolNames(t, visit(t, h.url, "alice", legacy, nil))
		response, err := fetch(t, h.url)
		if err != nil {
			continue // it broke before its header
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err == nil || json.Valid(body) {
			t.Errorf("%s: %v, %d bytes", what, err, len(body))
		}
	}
}

// What cannot be read shows before anything of it was passed on: the client is told, as
// it is of a small one.
func TestALargeResultThatBreaksBeforeAnythingWasWrittenIsToldInWords(t *testing.T) {
	name, deep := strings.Repeat("n", manyBytes), strings.Repeat("[", 3_000_000)
	for what, text := range map[string]string{
		"twice":            `{"isError":false,"isError":true,"content":[{"type":"text","text":"` + name + `"}]}`,
		"twice, and small": `{"content":[],"isError":false,"isError":true}`,
		"a long name":      `{"` + name + `":1,"content":[]}`,
		"nested deeply":    `{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":` + deep + strings.Repeat("]", len(deep)) + `}}`,
		"a task after all": `{"_meta":{"a":"` + name[:60_000] + `"},"resultType":"task","taskId":"T","status":"working"` + strings.Repeat(" ", manyBytes) + `}`,
	} {
		h := newHouse(t, catalogue{{Name: "w", URL: warehouse(t, true, func(w io.Writer) { _, _ = io.WriteString(w, text) }), Approve: permit.Never}}, nil)
		older := visit(t, h.url, "alice", legacy, nil)
		toolNames(t, older)
		const want = "w answered with what cannot be read: whether the call was carried out is not known. Find out before you call it again."
		if a := post(t, h.url, "alice", "w__fetch", `{}`, "", ""); !a.Result.IsError || a.text() != want {
			t.Errorf("%s: %+v", what, a)
		}
		if got, err := older.call(t, "w__fetch", map[string]any{}); err != nil || got != "ERROR "+want {
			t.Errorf("%s, %s: %q, %v", what, legacy, got, err)
		}
	}
}

func TestLargeResultsTakeNoMemory(t *testing.T) {
	const each, many = 16 << 20, 8
	piece := strings.Repeat("x", 1<<20)
	var together sync.WaitGroup
	together.Add(many)
	var peak atomic.Uint64
	measure := func() {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		for old := peak.Load(); m.HeapAlloc > old && !peak.CompareAndSwap(old, m.HeapAlloc); old = peak.Load() {
		}
	}
	url := warehouse(t, false, func(w io.Writer) {
		_, _ = io.WriteString(w, `{"content":[{"type":"text","text":"`)
		for n := range each / len(piece) {
			_, _ = io.WriteString(w, piece)
			if n == each/len(piece)-2 {
				together.Done()
				together.Wait() // all have nearly all of it
				measure()
			}
		}
		_, _ = io.WriteString(w, `"}]}`)
	})
	h := newHouse(t, catalogue{{Name: "w", URL: url, Approve: permit.Never}}, func(o *gateway.Options) {})
	toolNames(t, visit(t, h.url, "alice", legacy, nil))
	measure()
	before := peak.Load()
	var clients sync.WaitGroup
	for range many {
		clients.Go(func() {
			response, err := fetch(t, h.url)
			if err != nil {
				t.Error(err)
				return
			}
			defer response.Body.Close()
			if n, err := io.Copy(io.Discard, response.Body); err != nil || n < each {
				t.Errorf("%d bytes, %v", n, err)
			}
		})
	}
	clients.Wait()
	t.Logf("%d MB at once", (peak.Load()-before)>>20)
	if took := peak.Load() - before; took > many*each/3 {
		t.Errorf("%d results of %d MB took %d MB at once", many, each>>20, took>>20)
	}
}

package mcphttp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func initializeWith(capabilities, info string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":%s,"clientInfo":%s}}`, capabilities, info)
}

const anybody = `{"name":"n","version":"1"}`

func TestOfInitializeOnlyWhatIsUsedIsKept(t *testing.T) {
	s := newStage(t, nil, nil)
	c := newRawClient(t, false)
	long := strings.Repeat("n", 1000)
	c.expect(http.StatusOK, http.MethodPost, s.http.URL, initializeWith(
		`{"elicitation":{"url":{}},"roots":{"listChanged":true},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}},"experimental":{"x":{"y":"`+strings.Repeat("e", 20_000)+`"}},"later":{"a":"`+strings.Repeat("l", 20_000)+`"}}`,
		`{"name":"`+long+`","title":"T","version":"1","icons":[{"src":"data:image/png;base64,`+strings.Repeat("A", 20_000)+`"}]}`))
	for session := range s.server.Sessions() {
		kept, err := json.Marshal(session.InitializeParams())
		if err != nil {
			t.Fatal(err)
		}
		var got, want any
		_ = json.Unmarshal(kept, &got)
		_ = json.Unmarshal([]byte(`{"protocolVersion":"2025-06-18","clientInfo":{"name":"`+long[:256]+`","title":"T","version":"1"},
			"capabilities":{"elicitation":{"url":{}},"roots":{"listChanged":true},"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}}`), &want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAnInitializeThatIsTooLargeIsRefused(t *testing.T) {
	s := newStage(t, nil, nil)
	for name, body := range map[string]string{
		"the whole":    initializeWith(`{"experimental":{"x":"`+strings.Repeat("e", 64<<10)+`"}}`, anybody),
		"what is kept": initializeWith(`{"extensions":{"x":"`+strings.Repeat("e", 5000)+`"}}`, anybody),
	} {
		c := newRawClient(t, false)
		if got := c.expect(http.StatusRequestEntityTooLarge, http.MethodPost, s.http.URL, body); !strings.Contains(got, "initialize") || !strings.Contains(got, "KiB at most") {
			t.Errorf("%s: %s", name, got)
		}
	}
	for name, body := range map[string]string{
		"a batch":         "[" + initializeWith(`{}`, anybody) + "]",
		"two methods":     `{"jsonrpc":"2.0","id":0,"method":"initialize","METHOD":"ping","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":` + anybody + `}}`,
		"a method twice":  `{"jsonrpc":"2.0","id":0,"method":"ping","method":"initialize","params":{}}`,
		"something else":  `{"jsonrpc":"2.0","id":0,"method":"tools/list"}`,
		"no JSON":         `{`,
		"too many levels": initializeWith(strings.Repeat(`{"extensions":`, 100)+"{}"+strings.Repeat("}", 100), anybody),
	} {
		c := newRawClient(t, false)
		if got := c.expect(http.StatusBadRequest, http.MethodPost, s.http.URL, body); !strings.Contains(got, `"error"`) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if len(s.handler.sessions.all()) != 0 {
		t.Error("a session was begun")
	}
}

// What sessions cost is what they keep.
func TestSessionsTakeLittleMemory(t *testing.T) {
	s := newStage(t, nil, nil)
	live := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	body := initializeWith(`{"elicitation":{},"experimental":{"x":{"y":"`+strings.Repeat("e", 60_000)+`"}}}`, anybody)
	newRawClient(t, false).expect(http.StatusOK, http.MethodPost, s.http.URL, body)
	before := live()
	const sessions = 200
	c := newRawClient(t, false)
	for range sessions {
		c.expect(http.StatusOK, http.MethodPost, s.http.URL, body)
	}
	each := (live() - before) / sessions
	t.Logf("%d bytes a session", each)
	if each > 30_000 {
		t.Errorf("a session keeps %d bytes of an initialize of %d", each, len(body))
	}
}

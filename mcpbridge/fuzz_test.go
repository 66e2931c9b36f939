package mcpbridge_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpbridge"
)

// FuzzInput gives a bridge anything. Only messages may come out, and each line
// that is a request, of whatever size, must be answered under its id.
func FuzzInput(f *testing.F) {
	f.Add([]byte(initialize + "\n" + initialized + "\n" + request("1", "tools/list")))
	f.Add([]byte(`{"params":{"a":[1,"}\\\"",{}],"b":"` + strings.Repeat("x", 300) + `"},"id":"\u0061","method":"m","jsonrpc":"2.0"}`))
	f.Add([]byte("hello\r\n\r\n[]\n{}\n\"\n" + ofNow(3, "tools/call", `,"name":"ü"`)))
	f.Add([]byte(`{"jsonrpc":"2.0","id":5,"result":"` + strings.Repeat("x", 300) + `"}`))
	f.Fuzz(func(t *testing.T, input []byte) {
		opts := inProcess(nil, http.HandlerFunc(echo))
		opts.MaxMessage = 256
		var out bytes.Buffer
		if err := mcpbridge.Run(t.Context(), bytes.NewReader(input), &out, opts); err != nil {
			t.Fatal(err)
		}
		answered := map[string]bool{}
		for line := range bytes.Lines(out.Bytes()) {
			var m struct{ ID any }
			if err := json.Unmarshal(line, &m); err != nil {
				t.Fatalf("%q is not JSON: %v", line, err)
			}
			id, _ := json.Marshal(m.ID)
			answered[string(id)] = true
		}
		for line := range bytes.Lines(input) {
			if id := requestID(line); id != "" && !answered[id] {
				t.Errorf("%q was not answered:\n%s", line, out.Bytes())
			}
		}
	})
}

// requestID returns the id of a line that is a request beyond doubt.
func requestID(line []byte) string {
	var members map[string]json.RawMessage
	if json.Unmarshal(line, &members) != nil || len(members) != bytes.Count(line, []byte(`":`)) {
		return "" // or one with inner or double members, which is another matter
	}
	var method, version string
	var id any
	if json.Unmarshal(members["method"], &method) != nil || method == "" || members["result"] != nil || members["error"] != nil ||
		json.Unmarshal(members["jsonrpc"], &version) != nil || version != "2.0" || json.Unmarshal(members["id"], &id) != nil {
		return ""
	}
	text, ok := id.(string)
	if !ok || len(text) > 30 {
		return ""
	}
	raw, _ := json.Marshal(text)
	return string(raw)
}

// echo answers every request with its id.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var m wireMessage
	if json.Unmarshal(body, &m) != nil || m.ID == nil || m.Method == "" {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	respond(w, m, `{}`)
}

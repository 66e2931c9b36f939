package mcpbridge_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// ofNow is a message of the new era with more members in its params.
func ofNow(id int, method, more string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}%s}}`, id, method, more)
}

func TestMessagesOfTheNewEraAreRepeatedInHeaders(t *testing.T) {
	const tools = `{"tools":[{"name":"query","inputSchema":{"type":"object","properties":{
		"region":{"type":"string","x-mcp-header":"Region"},
		"limit":{"type":"integer","x-mcp-header":"Limit"},
		"in":{"type":"object","properties":{"dry":{"type":"boolean","x-mcp-header":"Dry"}}},
		"absent":{"type":"string","x-mcp-header":"Absent"},
		"text":{"type":"string"}}}}]}`
	got := make(chan map[string]string, 1)
	k := newTalk(t, overHTTP(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mcp := map[string]string{}
		for name := range r.Header {
			if rest, ok := strings.CutPrefix(name, "Mcp-"); ok {
				mcp[rest] = r.Header.Get(name)
			}
		}
		got <- mcp
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":`+tools+`}`)
	})))
	for _, test := range []struct {
		method, more string
		want         map[string]string
	}{
		{"server/discover", ``, map[string]string{}},
		{"tools/list", ``, map[string]string{}},
		{"tools/call", `,"name":"other","arguments":{"region":"eu"}`, map[string]string{"Name": "other"}},
		{"tools/call", `,"name":"query","arguments":{"region":"Zürich","limit":10,"in":{"dry":true},"absent":null,"text":"t"}`,
			map[string]string{"Name": "query", "Param-Region": "=?base64?WsO8cmljaA==?=", "Param-Limit": "10", "Param-Dry": "true"}},
		{"prompts/get", `,"name":" x"`, map[string]string{"Name": "=?base64?IHg=?="}},
		{"prompts/get", `,"name":"=?base64?eA==?="`, map[string]string{"Name": "=?base64?PT9iYXNlNjQ/ZUE9PT89?="}},
		{"resources/read", `,"uri":"file:///a"`, map[string]string{"Name": "file:///a"}},
		{"tasks/get", `,"taskId":"t1"`, map[string]string{"Name": "t1"}},
	} {
		k.say(ofNow(1, test.method, test.more))
		k.result(1.0)
		test.want["Method"], test.want["Protocol-Version"] = test.method, modern
		if diff := cmp.Diff(test.want, <-got); diff != "" {
			t.Errorf("%s%s: %s", test.method, test.more, diff)
		}
	}
}

func TestCancellingInTheNewEraEndsTheConnectionAndSendsNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, way way) {
		methods, ended := make(chan string, 10), make(chan struct{})
		k := newTalk(t, way(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			methods <- r.Header.Get("Mcp-Method")
			stream(w)
			<-r.Context().Done()
			close(ended)
		})))
		k.say(ofNow(1, "tools/call", `,"name":"slow"`))
		if got := <-methods; got != "tools/call" {
			t.Errorf("got %s", got)
		}
		k.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
		<-ended
		if err := k.end(); err != nil {
			t.Error(err)
		}
		if len(methods) != 0 {
			t.Errorf("posted %q", <-methods)
		}
	})
}

func TestAMethodThatIsNotFoundInTheNewEraIsAnAnswer(t *testing.T) {
	k := newTalk(t, inProcess(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusNotFound)
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"none"}}`)
	})))
	k.say(ofNow(1, "no/such", ""))
	k.failure(1.0, -32601)
}

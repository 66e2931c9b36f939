package mcpbridge_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpbridge"
)

func TestAFailureIsSaidInASentence(t *testing.T) {
	const at = "http://parley.internal/mcp"
	for name, test := range map[string]struct {
		token   string
		handler http.HandlerFunc
		want    string
	}{
		"no token":       {"", status(401), "not signed in: run parley login, or set PARLEY_TOKEN"},
		"a bad token":    {"t", status(401), "not signed in: run parley login, or set PARLEY_TOKEN to a token that " + at + " accepts"},
		"forbidden":      {"", status(403), "not allowed: " + at + " refuses the request"},
		"not found":      {"", status(404), "there is no MCP server at " + at},
		"another method": {"", status(405), "there is no MCP server at " + at},
		"too large":      {"", status(413), "the message is too large for " + at},
		"too many":       {"", status(429), at + " has too many requests: try again later"},
		"bad request":    {"", status(400), at + " does not accept the request (400 Bad Request)"},
		"a dead upstream": {"", status(502),
			at + " does not work at the moment (502 Bad Gateway)"},
		"nothing": {"", status(202), at + " did not answer the request"},
		"moved": {"", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://parley.internal/new", http.StatusFound)
		}, at + " has moved to http://parley.internal/new"},
		"an answer to something else": {"", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":3,"result":{}}`)
		}, at + " did not answer the request"},
		"a stream without an answer": {"", func(w http.ResponseWriter, _ *http.Request) {
			stream(w)(": nothing\n\n")
		}, "the connection to " + at + " broke before the answer came"},
		"a crash": {"", func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			panic(http.ErrAbortHandler)
		}, "the connection to " + at + " broke before the answer came"},
	} {
		t.Run(name, func(t *testing.T) {
			opts := inProcess(t, test.handler)
			if test.token != "" {
				opts.Header = http.Header{"Authorization": {"Bearer " + test.token}}
			}
			k := newTalk(t, opts)
			k.say(initialize)
			if got := k.failure("i", -32000); got != test.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "a text that is not for the client", code)
	}
}

func TestAServerThatIsNotThereIsSaidToBeOutOfReach(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	k := newTalk(t, &mcpbridge.Options{URL: "http://ann:secret@" + address + "/mcp", Logger: quiet})
	k.say(initialize)
	if got, want := k.failure("i", -32000), "cannot reach http://ann:xxxxx@"+address+"/mcp"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	k.say(request("1", "tools/list"))
	k.failure(1.0, -32000)
	if err := k.end(); err != nil {
		t.Error(err)
	}
}

func TestAnErrorOfTheServerIsPassedOnWithTheIDOfItsRequest(t *testing.T) {
	for _, id := range []string{`null`, `"i"`} {
		k := newTalk(t, inProcess(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":`+id+`,"error":{"code":-32022,"message":"old"}}`)
		})))
		k.say(initialize)
		if got := k.failure("i", -32022); got != "old" {
			t.Errorf("got %q", got)
		}
	}
}

func TestAnAddressThatIsNoneIsAnError(t *testing.T) {
	for _, url := range []string{"", "parley.example/mcp", "ftp://parley.example", "http://", "http://%"} {
		if err := mcpbridge.Run(t.Context(), strings.NewReader(""), io.Discard, &mcpbridge.Options{URL: url}); err == nil {
			t.Errorf("%q was accepted", url)
		}
	}
}

package mcphttp

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/seal"
)

// A letter that never arrived is refused when it comes late, unused as it is.
func TestALetterIsGoodForAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		keys, err := seal.New([]byte("a secret of thirty-two bytes, all"))
		if err != nil {
			t.Fatal(err)
		}
		ring := func(context.Context) (*seal.Keyring, error) { return keys, nil }
		here, there := &letters{node: idA, keys: ring}, &letters{node: idB, keys: ring}
		for after, good := range map[time.Duration]bool{letterTime - time.Millisecond: true, letterTime: false} {
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/mcp", strings.NewReader("{}"))
			sealed, err := here.write(r, idB, r.URL, []byte("{}"))
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(after)
			if _, err := there.open(r, sealed); (err == nil) != good {
				t.Errorf("after %v: %v", after, err)
			}
		}
	})
}

// Each letter is unused: what does not fit is that it is sent with another request.
func TestALetterIsForItsRequest(t *testing.T) {
	keys, err := seal.New([]byte("a secret of thirty-two bytes, all"))
	if err != nil {
		t.Fatal(err)
	}
	ring := func(context.Context) (*seal.Keyring, error) { return keys, nil }
	here, there := &letters{node: idA, keys: ring}, &letters{node: idB, keys: ring}
	for name, sent := range map[string]struct {
		method, uri, session, body string
		good                       bool
	}{
		"the same":        {"POST", "/mcp?x=1", "s", `{"a":1}`, true},
		"another method":  {"DELETE", "/mcp?x=1", "s", `{"a":1}`, false},
		"another path":    {"POST", "/mcp/servers/bank?x=1", "s", `{"a":1}`, false},
		"another query":   {"POST", "/mcp?x=2", "s", `{"a":1}`, false},
		"another session": {"POST", "/mcp?x=1", "t", `{"a":1}`, false},
		"no session":      {"POST", "/mcp?x=1", "", `{"a":1}`, false},
		"another body":    {"POST", "/mcp?x=1", "s", `{"a":2}`, false},
		"a longer body":   {"POST", "/mcp?x=1", "s", `{"a":1} `, false},
		"no body":         {"POST", "/mcp?x=1", "s", ``, false},
	} {
		written := httptest.NewRequestWithContext(t.Context(), "POST", "/mcp?x=1", nil)
		written.Header.Set(mcpclient.SessionHeader, "s")
		sealed, err := here.write(written, idB, written.URL, []byte(`{"a":1}`))
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), sent.method, sent.uri, strings.NewReader(sent.body))
		if sent.session != "" {
			r.Header.Set(mcpclient.SessionHeader, sent.session)
		}
		if _, err := there.open(r, sealed); (err == nil) != sent.good {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What is remembered of letters is forgotten when they are no longer good.
func TestUsedLettersAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ls letters
		for i := range 5000 {
			if !ls.first(letter{Nonce: strings.Repeat("x", i), Until: time.Now().Add(letterTime)}) {
				t.Fatalf("letter %d was not the first", i)
			}
			time.Sleep(time.Second)
		}
		if n := len(ls.seen); n > 1000 {
			t.Errorf("%d are remembered", n)
		}
	})
}

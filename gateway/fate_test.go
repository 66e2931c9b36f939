package gateway_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

const unknown = "Find out before you call it again."

// How a server may fail to answer a call that it has carried out.
var failures = map[string]struct {
	end  func(w http.ResponseWriter, id json.RawMessage)
	want string
}{
	"it dies":       {func(w http.ResponseWriter, _ json.RawMessage) { hangUp(w) }, "shop went away during the call: whether it was carried out is not known. " + unknown},
	"nonsense":      {func(w http.ResponseWriter, _ json.RawMessage) { say(w, "{]") }, "shop answered with what cannot be read: whether the call was carried out is not known. " + unknown},
	"another's":     {func(w http.ResponseWriter, _ json.RawMessage) { say(w, `{"jsonrpc":"2.0","id":"x","result":{}}`) }, "whether"},
	"a bare result": {func(w http.ResponseWriter, id json.RawMessage) { tell(w, id, `"paid"`) }, "shop answered with what cannot be read: whether the call was carried out is not known. " + unknown},
}

// say writes a message as it is.
func say(w http.ResponseWriter, text string) {
	if w.Header().Get("Content-Type") == "text/event-stream" {
		text = "data: " + text + "\n\n"
	}
	_, _ = io.WriteString(w, text)
}

func TestTheWordsForACallWithoutAnAnswerAreWhatIsKnown(t *testing.T) {
	for name, f := range failures {
		for asks, when := range map[bool]string{false: "", true: " after the person answered"} {
			t.Run(name+when, func(t *testing.T) {
				eachEra(t, func(t *testing.T, client, server string) {
					s := &bank{era: server, asks: asks, end: f.end}
					h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
					text, err := visit(t, h.url, "alice", client, agreeing).call(t, "shop__pay", map[string]any{})
					if err != nil || !strings.HasPrefix(text, "ERROR ") || !strings.Contains(text, f.want) || !strings.Contains(text, unknown) {
						t.Errorf("%q, %v", text, err)
					}
					if s.calls.Load() != 1 || s.done.Load() != 1 {
						t.Errorf("%d calls, %d carried out", s.calls.Load(), s.done.Load())
					}
				})
			})
		}
	}
}

func TestACallThatTheServerRefusedIsNotUnknown(t *testing.T) {
	eachEra(t, func(t *testing.T, client, server string) {
		s := &bank{era: server, end: func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusTooManyRequests) }}
		h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
		text, err := visit(t, h.url, "alice", client, nil).call(t, "shop__pay", map[string]any{})
		if got := says(text, err); got != "ERROR shop refused the call: HTTP status 429." {
			t.Errorf("%q", got)
		}
	})
}

func TestAStatusOfWhatStandsBeforeAServerLeavesTheCallUnknown(t *testing.T) {
	eachEra(t, func(t *testing.T, client, server string) {
		s := &bank{era: server, end: func(w http.ResponseWriter, _ json.RawMessage) { w.WriteHeader(http.StatusBadGateway) }}
		h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
		text, err := visit(t, h.url, "alice", client, nil).call(t, "shop__pay", map[string]any{})
		if got := says(text, err); got != "ERROR shop answered with HTTP status 502: whether the call was carried out is not known. "+unknown {
			t.Errorf("%q", got)
		}
	})
}

func TestACallThatDoesNoHarmMayBeMadeAgain(t *testing.T) {
	eachEra(t, func(t *testing.T, client, server string) {
		s := &bank{era: server, hint: `"readOnlyHint":true`, end: func(w http.ResponseWriter, _ json.RawMessage) { hangUp(w) }}
		h := newHouse(t, catalogue{shopAt(serve(t, s))}, nil)
		text, err := visit(t, h.url, "alice", client, nil).call(t, "shop__pay", map[string]any{})
		if got := says(text, err); got != "ERROR shop went away during the call. It may be called again." {
			t.Errorf("%q", got)
		}
	})
}

// A list that breaks off is no call.
func TestACallThatWasNotSentIsNotUnknown(t *testing.T) {
	eachEra(t, func(t *testing.T, client, server string) {
		s := &bank{era: server}
		var away atomic.Bool
		url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() {
				hangUp(w)
				return
			}
			s.ServeHTTP(w, r)
		}))
		h := newHouse(t, catalogue{{Name: "shop", URL: url, Approve: permit.Always}}, func(o *gateway.Options) { o.Fallback = "allow"; o.Approvals = "allow" })
		away.Store(true)
		text, err := visit(t, h.url, "alice", client, nil).call(t, "shop__pay", map[string]any{})
		if got := says(text, err); got != "ERROR shop cannot be reached just now; the call was not sent." {
			t.Errorf("%q", got)
		}
	})
}

package mcphttp

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// heardSession is a session with a POST that is answered by a stream.
func heardSession(t *testing.T) (*liveSession, http.Header, *httptest.ResponseRecorder) {
	t.Helper()
	session := &liveSession{all: &liveSessions{}, busy: 1, open: 1}
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	t.Cleanup(session.hears(r))
	under := httptest.NewRecorder()
	stream := newStreamWriter(under, 0, nil)
	stream.Header().Set("Content-Type", eventStream)
	_ = stream.Header() // as the SDK does
	session.hearsBy(r.Header, stream)
	t.Cleanup(stream.stop)
	return session, r.Header, under
}

// answers posts a message to a session, and reports whether it was for us.
func answers(t *testing.T, session *liveSession, body string) (ours bool, status int) {
	t.Helper()
	message, err := mcpclient.Envelope([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	r, w := httptest.NewRequest(http.MethodPost, "/", nil), httptest.NewRecorder()
	r.Header.Set("Content-Type", "application/json; charset=utf-8")
	ours = session.reply(w, r, []byte(body), message)
	return ours, w.Code
}

func TestAPromptIsAnsweredOnceAndKeepsItsSessionBusyUntilThen(t *testing.T) {
	session, request, stream := heardSession(t)
	var said []string
	takeBack, err := session.Prompt(request, "elicitation/create", []byte(`{"message":"Sure?"}`), func(result json.RawMessage, err error) {
		said = append(said, string(result))
	})
	if err != nil || session.busy != 2 {
		t.Fatalf("busy %d, %v", session.busy, err)
	}
	const sent = `data: {"jsonrpc":"2.0","id":1000000001,"method":"elicitation/create","params":{"message":"Sure?"}}`
	if !strings.Contains(stream.Body.String(), sent) {
		t.Errorf("sent %q", stream.Body)
	}
	for range 3 {
		if ours, status := answers(t, session, `{"jsonrpc":"2.0","id":1000000001,"result":{"action":"cancel"}}`); !ours || status != http.StatusAccepted {
			t.Errorf("ours: %v, HTTP %d", ours, status)
		}
	}
	before := stream.Body.Len()
	takeBack()
	if len(said) != 1 || session.busy != 1 || stream.Body.Len() != before {
		t.Errorf("said %q, busy %d, then sent %q", said, session.busy, stream.Body.String()[before:])
	}
	for _, theirs := range []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":"1000000001","result":{}}`, `{"jsonrpc":"2.0","id":1000000001,"method":"ping"}`} {
		if ours, _ := answers(t, session, theirs); ours {
			t.Errorf("%s is taken for ours", theirs)
		}
	}
}

func TestAClientsErrorIsTold(t *testing.T) {
	session, request, _ := heardSession(t)
	var told error
	if _, err := session.Prompt(request, "elicitation/create", []byte(`{}`), func(_ json.RawMessage, err error) { told = err }); err != nil {
		t.Fatal(err)
	}
	answers(t, session, `{"jsonrpc":"2.0","id":1000000001,"error":{"code":-32603,"message":"no screen"}}`)
	if told == nil || !strings.Contains(told.Error(), "no screen") {
		t.Errorf("told %v", told)
	}
}

func TestNobodyIsAskedOnARequestThatIsOverOrInASessionThatHasEnded(t *testing.T) {
	session, request, _ := heardSession(t)
	never := func(json.RawMessage, error) { t.Error("something was said") }
	if _, err := session.Prompt(http.Header{requestHeader: {"7"}}, "x", []byte(`{}`), never); !errors.Is(err, errUnheard) {
		t.Errorf("another request: %v", err)
	}
	session.streamOf(request).stop()
	if _, err := session.Prompt(request, "x", []byte(`{}`), never); !errors.Is(err, errUnheard) || session.busy != 1 {
		t.Errorf("a stream that has ended: %v, busy %d", err, session.busy)
	}
	session, request, _ = heardSession(t)
	session.ended = true
	if _, err := session.Prompt(request, "x", []byte(`{}`), never); !errors.Is(err, mcptool.ErrSessionEnded) || len(session.prompts) != 0 {
		t.Errorf("a session that has ended: %v, %d prompts", err, len(session.prompts))
	}
}

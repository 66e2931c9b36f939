package toolbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall/toolbox"
)

// A form that nobody can be shown is the server's fault: it is told so in the
// protocol's words, and the call is its to end.
func TestAFormThatCannotBeShownIsRefusedToTheServer(t *testing.T) {
	told := make(chan string, 1)
	h := &hand{wait: func(w http.ResponseWriter, r *http.Request, id json.RawMessage) {
		w.Header().Set("Content-Type", "text/event-stream")
		event(w, question("q", `{"message":"Well?","requestedSchema":{"type":"object","properties":{"x":{"type":"object"}}}}`))
		select {
		case <-told:
			event(w, strings.ReplaceAll(done, "ID", string(id)))
		case <-r.Context().Done():
		}
	}}
	answers := make(chan string, 1)
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var m struct {
			Method string
			ID     any
		}
		if json.Unmarshal(body, &m) == nil && m.Method == "" && m.ID == "q" {
			answers <- string(body)
			told <- ""
			w.WriteHeader(http.StatusAccepted)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
	result, err := newBox(t, toolbox.Options{URL: web.URL}).Call(t.Context(), &agent.Invocation{
		Caller: alice, ID: "1", Tool: agent.Tool{Name: "any"}, Args: json.RawMessage(`{}`),
		Ask: func(context.Context, string, parley.Request) (parley.Outcome, error) {
			return parley.Outcome{}, fmt.Errorf("%w: nested", agent.ErrUnaskable)
		},
	})
	if err != nil || result.Text != "done" {
		t.Errorf("%+v, %v", result, err)
	}
	if answer := <-answers; !strings.Contains(answer, `"code":-32602`) || !strings.Contains(answer, "this question cannot be shown: nested") {
		t.Errorf("the server was told %s", answer)
	}
}

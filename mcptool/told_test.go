package mcptool_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// crowded is a store in which everybody has too many questions open.
type crowded struct{ *parley.MemoryStore }

func (crowded) Put(_ context.Context, r parley.Request, _ int) error {
	return fmt.Errorf("request %s: %w", r.ID, parley.ErrTooManyPending)
}

// Whose person has too many questions open is told so in words for clients: no ids,
// and no limits of the operator's.
func TestWhoAsksTooMuchIsToldSoInWordsForClients(t *testing.T) {
	s := newSiteOver(t, crowded{parley.NewMemoryStore()}, mcptool.Options{}, nil)
	mcptool.AddTool(s.asker, s.server, &mcp.Tool{Name: "work"}, func(ctx context.Context, call *mcptool.Call, _ struct{}) (int64, error) {
		_, err := mcptool.Elicit[confirm](ctx, call, "Sure?", nil)
		return 0, err
	})
	m := s.dial(t, &wire{capabilities: canAsk, user: "alice"}).call("work", "").next()
	const want = "too many questions wait for this person: call again when some are answered"
	if got := string(m.Result); !strings.Contains(got, `"text":"`+want+`"`) {
		t.Errorf("got %s, want the text %q alone", got, want)
	}
}

// Anybody can send headers of nodes: the log does not grow with them.
func TestForgedLettersDoNotFillTheLog(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	asker, err := mcptool.New(parley.New(parley.NewMemoryStore(), nil), &mcptool.Options{Logger: logger})
	if err != nil {
		t.Fatal(err)
	}
	nobody := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was served") })
	h := mcphttp.NewPeers(asker, logger).Entrance(nobody, nobody)
	for range 50 {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader("{}"))
		r.Header.Set("Parley-Forwarded", strings.Repeat("x", 80))
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != http.StatusForbidden {
			t.Fatal(w.Code)
		}
	}
	if n := strings.Count(log.String(), "forwarded request refused"); n != 1 {
		t.Errorf("%d lines for 50 requests", n)
	}
}

package server_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

const callbackSecret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// A program asks, goes away, and is called with the answer: the call is signed with
// the secret of its key, and says what its GET would say.
func TestAProgramIsCalledWithTheAnswerToItsQuestion(t *testing.T) {
	calls := make(chan []byte, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		check, err := webhooks.NewWebhook(callbackSecret)
		if err == nil {
			err = check.Verify(body, r.Header)
		}
		if err != nil {
			t.Error(err)
		}
		calls <- body
	}))
	defer receiver.Close()
	s, site := callbackServer(t)
	ask := func(callback string) (int, string) {
		t.Helper()
		body := fmt.Sprintf(`{"to":"alice","message":"Deploy?","requested_schema":{"type":"object","properties":{"ok":{"type":"boolean"}}},"callback_url":%q}`, callback)
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, site+"/api/elicitations", strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer release")
		r.Header.Set("Content-Type", "application/json")
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer got.Body.Close()
		text, _ := io.ReadAll(got.Body)
		return got.StatusCode, string(text)
	}
	if status, text := ask("ftp://nowhere.example"); status != http.StatusUnprocessableEntity || !strings.Contains(text, "callback_url") {
		t.Errorf("%d %s", status, text)
	}
	for _, inside := range []string{"http://10.0.0.1/cb", "https://10.0.0.1/cb"} {
		if status, text := ask(inside); status != http.StatusUnprocessableEntity || !strings.Contains(text, "it is called by https at a public address") || strings.Contains(text, "servers.NAME.url") {
			t.Errorf("%s: %d %s", inside, status, text)
		}
	}
	status, text := ask(receiver.URL)
	var asked struct{ ID parley.ID }
	if err := json.Unmarshal([]byte(text), &asked); err != nil || status != http.StatusCreated {
		t.Fatalf("%d %s", status, text)
	}
	if err := s.Hub.Answer(t.Context(), parley.Principal{User: "alice"}, asked.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"ok":true}`), Via: "test"}); err != nil {
		t.Fatal(err)
	}
	var event struct {
		Type string
		Data struct {
			ID      parley.ID
			State   string
			Outcome struct {
				Action, By string
				Content    json.RawMessage
			}
		}
	}
	if err := json.Unmarshal(<-calls, &event); err != nil {
		t.Fatal(err)
	}
	o := event.Data.Outcome
	if event.Type != "question.settled" || event.Data.ID != asked.ID || event.Data.State != "settled" || o.Action != "accept" || o.By != "alice" || string(o.Content) != `{"ok":true}` {
		t.Errorf("it was told %+v", event)
	}
}

func callbackServer(t *testing.T) (*server.Server, string) {
	t.Helper()
	cfg, err := config.Parse(fmt.Appendf(nil, `dev: true
listen: 127.0.0.1:0
public_url: http://127.0.0.1:1
store: "memory:"
auth: {api_keys: [{name: release, sha256: %x, may_ask: [alice], webhook_secret: %q}]}
`, sha256.Sum256([]byte("release")), callbackSecret), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, err := server.New(t.Context(), cfg, &server.Options{Listener: listener, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { _ = s.Run(ctx) })
	t.Cleanup(func() {
		stop()
		done.Wait()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s, "http://" + listener.Addr().String()
}

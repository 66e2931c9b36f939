package gateway_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/permit"
)

// logged is a log that can be read while it is written.
type logged struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// misnamed are tokens that were verified and name nobody who can be.
var misnamed = map[string]auth.TokenInfo{
	"a tenant that is a number":       {UserID: "alice", Extra: map[string]any{"tenant": 7}},
	"a tenant that is a list":         {UserID: "alice", Extra: map[string]any{"tenant": []string{"acme"}}},
	"an empty tenant":                 {UserID: "alice", Extra: map[string]any{"tenant": ""}},
	"a user that is a number":         {UserID: "alice", Extra: map[string]any{"user": 7}},
	"a user that is a session":        {UserID: "alice", Extra: map[string]any{"user": "mcp-session:x"}},
	"a session":                       {UserID: "mcp-session:x"},
	"a call":                          {UserID: "mcp-call:x"},
	"a program of a tenant's number":  {Extra: map[string]any{"tenant": 7}},
	"a program of a tenant of spaces": {Extra: map[string]any{"tenant": "  ", "user": ""}},
}

func TestATokenThatNamesNobodyWhoCanBeIsRefused(t *testing.T) {
	s := newShop(t, modern)
	for what, info := range misnamed {
		info.Expiration = time.Now().Add(time.Hour)
		verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return &info, nil }
		log := &logged{}
		logger := slog.New(slog.NewTextHandler(log, nil))
		servers := catalogue{{Name: "shop", URL: s.url, Approve: permit.Never}}
		for who, h := range map[string]http.Handler{
			"the gateway":        newHouse(t, servers, func(o *gateway.Options) { o.Verify, o.Logger = verify, logger }),
			"somebody before it": auth.RequireBearerToken(verify, nil)(newHouse(t, servers, func(o *gateway.Options) { o.Verify, o.Logger = nil, logger })),
		} {
			r := anonymous(t.Context(), "shop__buy")
			r.Header.Set("Authorization", "Bearer its-secret")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != http.StatusUnauthorized {
				t.Errorf("%s, verified by %s: status %d: %s", what, who, w.Code, w.Body)
			}
			if !strings.Contains(log.String(), `level=WARN msg="token refused"`) || strings.Contains(log.String(), "its-secret") {
				t.Errorf("%s, verified by %s: the log says %s", what, who, log.String())
			}
		}
	}
	if n := s.done.Load(); n != 0 {
		t.Errorf("the server was called %d times", n)
	}
}

func TestWhoHasNoNameIsNotAskedForAnApproval(t *testing.T) {
	s := newShop(t, modern)
	h := newHouse(t, catalogue{{Name: "shop", URL: s.url, Approve: permit.Always}}, func(o *gateway.Options) {
		o.Anonymous = true
		o.Verify = func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{UserID: "default//ci", Extra: map[string]any{"user": "", "key": "ci"}, Expiration: time.Now().Add(time.Hour)}, nil
		}
	})
	for token, want := range map[string]string{
		"":                 "it is not known who asks: sign in with a token of yours; parley mcp takes it from PARLEY_TOKEN, and at a development server --user NAME is enough.",
		"Bearer key-of-ci": "This call needs a person's approval, and a program makes it: nobody can be asked. Do not repeat the call.",
	} {
		r := anonymous(t.Context(), "shop__buy")
		if token != "" {
			r.Header.Set("Authorization", token)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q: %d %s", token, w.Code, w.Body)
		}
	}
	open, err := h.store.List(t.Context(), parley.Query{})
	if err != nil || len(open) != 0 || s.done.Load() != 0 {
		t.Errorf("%d questions, %d calls, %v", len(open), s.done.Load(), err)
	}
}

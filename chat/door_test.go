package chat_test

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/chat"
)

func TestADoorLetsInWhoActsForSomebodyAndSaysWhyNot(t *testing.T) {
	for name, c := range map[string]struct {
		who       parley.Principal
		err       error
		status    int
		challenge string
	}{
		"a person":             {who: parley.Principal{User: "alice"}},
		"nobody":               {parley.Principal{}, chat.ErrUnauthenticated, http.StatusUnauthorized, `Bearer resource_metadata="https://x/one"`},
		"who acts for none":    {parley.Principal{}, nil, http.StatusUnauthorized, `Bearer resource_metadata="https://x/one"`},
		"a token without more": {parley.Principal{User: "alice"}, chat.ErrScope, http.StatusForbidden, `error="insufficient_scope", scope="use more"`},
		"whom nobody can tell": {parley.Principal{}, errors.New("the store is away"), http.StatusServiceUnavailable, ""},
	} {
		d := chat.Door{
			Principal: func(*http.Request) (parley.Principal, error) { return c.who, c.err },
			Scopes:    []string{"use", "more"}, Metadata: "https://x/{agent}", Logger: slog.New(slog.DiscardHandler),
		}
		w := httptest.NewRecorder()
		who, ok := d.Admit(w, httptest.NewRequest(http.MethodPost, "/", nil), "one")
		if ok != (c.status == 0) || ok && (who.User != "alice" || who.Tenant != parley.DefaultTenant) {
			t.Errorf("%s: %+v, %v", name, who, ok)
		}
		if !ok && (w.Code != c.status || !strings.Contains(w.Header().Get("WWW-Authenticate"), c.challenge)) {
			t.Errorf("%s: %d %q", name, w.Code, w.Header().Get("WWW-Authenticate"))
		}
	}
}

func TestWhoIsSomebodyElseByNowIsLetInNoMore(t *testing.T) {
	alice := parley.Principal{Tenant: parley.DefaultTenant, User: "alice"}
	for name, c := range map[string]struct {
		who  parley.Principal
		err  error
		over bool
	}{
		"the same":       {parley.Principal{User: "alice"}, nil, false},
		"another":        {parley.Principal{User: "bob"}, nil, true},
		"a namesake":     {parley.Principal{Tenant: "other", User: "alice"}, nil, true},
		"nobody":         {parley.Principal{}, fmt.Errorf("expired: %w", chat.ErrUnauthenticated), true},
		"fewer scopes":   {alice, chat.ErrScope, true},
		"the store away": {parley.Principal{}, errors.New("away"), false},
	} {
		d := chat.Door{Principal: func(*http.Request) (parley.Principal, error) { return c.who, c.err }}
		if err := d.Still(httptest.NewRequest(http.MethodGet, "/", nil), alice); (err != nil) != c.over {
			t.Errorf("%s: %v", name, err)
		}
	}
}

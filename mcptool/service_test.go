package mcptool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// asks has a client without abilities call the tool, and returns the question that
// waits at the page.
func asks(t *testing.T, s *site, era string) parley.Request {
	t.Helper()
	addDelete(s, nil)
	pendingOf(t, call(t, s.connect(t, clientOptions{era: era, user: "alice"}), "delete-account", account{"7"}))
	open := openQuestions(t, s)
	if len(open) != 1 {
		t.Fatalf("%d questions", len(open))
	}
	return open[0]
}

func TestAServerAsksInItsOwnName(t *testing.T) {
	inEveryEra(t, func(t *testing.T, era string) {
		if q := asks(t, newSite(t, mcptool.Options{PageURL: pageURL}), era); q.From != "test" || q.Text()[:7] != "[test] " {
			t.Errorf("asked by %q: %s", q.From, q.Text())
		}
		if q := asks(t, newSite(t, mcptool.Options{PageURL: pageURL, Service: "Accounts"}), era); q.From != "Accounts" {
			t.Errorf("asked by %q", q.From)
		}
	})
}

func TestATitleIsTheNameForPeople(t *testing.T) {
	s := newSite(t, mcptool.Options{})
	titled := mcp.NewServer(&mcp.Implementation{Name: "acct-2", Title: "Accounts", Version: "1"}, &mcp.ServerOptions{Logger: quiet})
	asker, err := mcptool.New(s.hub, &mcptool.Options{PageURL: pageURL, Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	known := auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)
	web := httptest.NewServer(known(mcphttp.New(asker, titled, nil)))
	defer web.Close()
	other := &site{asker: asker, hub: s.hub, store: s.store, server: titled, http: web}
	if q := asks(t, other, modern); q.From != "Accounts" {
		t.Errorf("asked by %q", q.From)
	}
}

func TestOfSeveralServersOfOneAskerNoneIsNamed(t *testing.T) {
	s := newSite(t, mcptool.Options{PageURL: pageURL})
	mcptool.AddTool(s.asker, mcp.NewServer(&mcp.Implementation{Name: "other", Version: "1"}, nil), &mcp.Tool{Name: "x"},
		func(context.Context, *mcptool.Call, struct{}) (string, error) { return "", nil })
	if q := asks(t, s, modern); q.From != "" {
		t.Errorf("asked by %q", q.From)
	}
}

// experimenting says on the way what a client can ask in another place.
type experimenting struct {
	said any
	next http.RoundTripper
}

func (e experimenting) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		return e.next.RoundTrip(r)
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	var m map[string]any
	if json.Unmarshal(raw, &m) == nil {
		if params, ok := m["params"].(map[string]any); ok {
			e.change(params["capabilities"])
			if meta, ok := params["_meta"].(map[string]any); ok {
				e.change(meta["io.modelcontextprotocol/clientCapabilities"])
			}
		}
		if raw, err = json.Marshal(m); err != nil {
			return nil, err
		}
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(raw)), int64(len(raw))
	return e.next.RoundTrip(r)
}

func (e experimenting) change(capabilities any) {
	if c, ok := capabilities.(map[string]any); ok {
		delete(c, "elicitation")
		c["experimental"] = map[string]any{"elicitation": e.said}
	}
}

func TestAClientMayDeclareElicitationAsExperimental(t *testing.T) {
	for name, c := range map[string]struct {
		said      any
		form, url bool
	}{
		"empty":     {map[string]any{}, true, false},
		"true":      {true, true, false},
		"forms":     {map[string]any{"form": map[string]any{}}, true, false},
		"both":      {map[string]any{"form": map[string]any{}, "url": map[string]any{}}, true, true},
		"not it":    {false, false, false},
		"something": {nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			inEveryEra(t, func(t *testing.T, era string) {
				s := newSite(t, mcptool.Options{})
				addDelete(s, nil)
				addConnect(s, &mcptool.URLOptions{Consent: true})
				client := s.connect(t, clientOptions{era: era, user: "alice",
					person: func(_ context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
						if p.Mode == "url" {
							return &mcp.ElicitResult{Action: "accept"}, nil
						}
						return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"confirmed": true}}, nil
					},
					wire: func(next http.RoundTripper) http.RoundTripper { return experimenting{c.said, next} },
				})
				for tool, can := range map[string]bool{"delete-account": c.form, "connect": c.url} {
					var arguments any
					if tool == "delete-account" {
						arguments = account{"7"}
					}
					r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
					if can && (err != nil || r.IsError) {
						t.Errorf("%s: %+v, %v", tool, r, err)
					}
					if !can {
						notSupported(t, r, err, era, map[string]string{"delete-account": "form", "connect": "url"}[tool])
					}
				}
			})
		})
	}
}

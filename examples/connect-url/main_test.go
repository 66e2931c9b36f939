package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/examples/internal/exampletest"
	"github.com/parley-hq/parley/mcphttp"
)

func TestMain(m *testing.M) { exampletest.Main(m, main) }

// press presses a button on the page and returns the status.
func press(t *testing.T, user, password, address, action string) int {
	t.Helper()
	link, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	body := url.Values{"id": {link.Query().Get("id")}, "action": {action}}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(body.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth(user, password)
	req.Close = true // no connection stays behind
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

func TestOnlyThePersonWhoWasAskedCanConnect(t *testing.T) {
	exampletest.InBothEras(t, func(t *testing.T, era string) {
		s := &site{hub: parley.New(parley.NewMemoryStore(), nil)}
		pages := httptest.NewServer(s.page())
		defer pages.Close()
		s.url = pages.URL
		asker, server := newServer(s)
		for action, want := range map[string]result{"accept": {true, "alice"}, "decline": {}} {
			client := exampletest.OverHTTP(t, era, withToken(mcphttp.New(asker, server, nil)), "wonderland", func(p *mcp.ElicitParams) *mcp.ElicitResult {
				for who, c := range map[string]struct {
					user, password string
					want           int
				}{
					"a stranger": {"mallory", "guess", http.StatusUnauthorized},
					"no name":    {"", "guess", http.StatusUnauthorized},
					"bob":        {"bob", "builder", http.StatusNotFound},
				} {
					if got := press(t, c.user, c.password, p.URL, "accept"); got != c.want {
						t.Errorf("%s got %d, want %d", who, got, c.want)
					}
				}
				if got := press(t, "alice", "wonderland", p.URL, action); got != http.StatusOK {
					t.Errorf("alice got %d", got)
				}
				return exampletest.Say("accept", nil) // she went there
			})
			var got result
			if client.Call("connect-calendar", nil, &got); got != want {
				t.Errorf("%s: got %+v, want %+v", action, got, want)
			}
		}
	})
}

func TestConnectOverStdio(t *testing.T) {
	exampletest.InBothEras(t, func(t *testing.T, era string) {
		var got result
		exampletest.OverStdio(t, era, func(p *mcp.ElicitParams) *mcp.ElicitResult {
			if status := press(t, "", "", p.URL, "accept"); status != http.StatusOK {
				t.Errorf("the page answered %d", status)
			}
			return exampletest.Say("accept", nil)
		}, "-addr", "127.0.0.1:0").Call("connect-calendar", nil, &got)
		if !got.Connected {
			t.Errorf("got %+v", got)
		}
	})
}

package server_test

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// Who is signed in manages the tenant that the configuration names with them, and a
// token of theirs does not.
func TestWhoIsSignedInManagesTheTenantOnlyIfTheConfigurationSaysSo(t *testing.T) {
	base := started(t, "people: {ada: {admin: true}, bob: {}, eve: {tenant: globex, admin: true}}\n")
	for _, c := range []struct {
		name, user string
		may        bool
	}{{"an administrator", "ada", true}, {"a person", "bob", false}, {"another tenant's administrator", "eve", false}, {"somebody unknown", "zoe", false}} {
		jar, err := cookiejar.New(nil)
		if err != nil {
			t.Fatal(err)
		}
		browser := &http.Client{Jar: jar}
		defer browser.CloseIdleConnections()
		signedIn, err := browser.PostForm(base+"/login", url.Values{"user": {c.user}})
		if err != nil {
			t.Fatal(err)
		}
		signedIn.Body.Close()
		status, said := visited(t, browser, base+"/api/servers")
		if c.may && status != http.StatusOK || !c.may && status != http.StatusForbidden {
			t.Errorf("%s: %d %s", c.name, status, said)
		}
		if _, page := visited(t, browser, base+"/inbox"); strings.Contains(page, ` admin></parley-inbox>`) != c.may {
			t.Errorf("%s: the inbox is %s", c.name, page)
		}
	}
	for name, bearer := range map[string]string{
		"a token":       token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["sub"] = "ada" })),
		"a dev's token": server.DevToken("ada"),
	} {
		if status, said := sent(t, http.MethodGet, base+"/api/servers", bearer, ""); status != http.StatusForbidden {
			t.Errorf("%s of an administrator, without the scope: %d %s", name, status, said)
		}
	}
}

func visited(t *testing.T, browser *http.Client, address string) (int, string) {
	t.Helper()
	answer, err := browser.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

// A person has what is their own. The tenant is managed by programs, and by the
// people whose token says so.
func TestAPersonManagesTheTenantOnlyIfTheirTokenSaysSo(t *testing.T) {
	base := started(t, "gateway: {}\n")
	person := func(claim string, value any) string {
		return token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) {
			if claim != "" {
				m[claim] = value
			}
		}))
	}
	for name, c := range map[string]struct {
		bearer string
		may    bool
	}{
		"a person":                   {person("", nil), false},
		"a person by name":           {server.DevToken("alice"), false},
		"other scopes":               {person("scope", "admin parley parley:administrator"), false},
		"other scopes, as a list":    {person("scp", []string{"parley:admin parley"}), false},
		"the scope in another claim": {person("roles", "parley:admin"), false},
		"the scope":                  {person("scope", "openid parley:admin"), true},
		"the scope, as a list":       {person("scp", []string{"openid", "parley:admin"}), true},
		"scp alone, as a text":       {person("scp", "openid parley:admin"), true},
		"scp beside scope": {token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) {
			m["scope"], m["scp"] = "openid", []string{"parley:admin"}
		})), false},
		"scp beside a scope that is none": {token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) {
			m["scope"], m["scp"] = nil, []string{"parley:admin"}
		})), false},
		"a program": {"the-key-of-a-program", true},
	} {
		const one, all = "/api/servers/one", "/api/servers"
		for _, step := range []struct {
			method, path, body string
			want               int
		}{
			{http.MethodPost, all, `{"name":"one","url":"https://mcp.example/"}`, http.StatusCreated},
			{http.MethodGet, all, "", http.StatusOK},
			{http.MethodPatch, one, `{"url":"https://evil.example/"}`, http.StatusOK},
			{http.MethodGet, "/api/connections?user=bob", "", http.StatusOK},
			{http.MethodDelete, one, "", http.StatusNoContent},
		} {
			status, said := sent(t, step.method, base+step.path, c.bearer, step.body)
			if c.may && status != step.want {
				t.Errorf("%s: %s %s: %d %s", name, step.method, step.path, status, said)
			}
			if !c.may && (status != http.StatusForbidden || !strings.Contains(string(said), "for administrators")) {
				t.Errorf("%s, who manages nothing: %s %s: %d %s", name, step.method, step.path, status, said)
			}
		}
	}
	if _, said := sent(t, http.MethodGet, base+"/api/servers", "the-key-of-a-program", ""); strings.Contains(string(said), `"one"`) {
		t.Errorf("somebody who manages nothing has left %s", said)
	}
}

func TestAKeyThatMayAskNobodyDoesNotManageTheTenant(t *testing.T) {
	text := "listen: ADDRESS\nstore: \"memory:\"\ndev: true\nauth:\n  api_keys:\n"
	for name, more := range map[string]string{"plain": "", "nobody": ", may_ask: []", "both": ", may_ask: [], manage: true"} {
		text += fmt.Sprintf("  - {name: %s, sha256: \"%x\"%s}\n", name, sha256.Sum256([]byte("the-key-of-"+name)), more)
	}
	base := listening(t, text)
	for name, want := range map[string]int{"plain": http.StatusOK, "nobody": http.StatusForbidden, "both": http.StatusOK} {
		if status, said := sent(t, http.MethodGet, base+"/api/servers", "the-key-of-"+name, ""); status != want {
			t.Errorf("%s: %d %s", name, status, said)
		}
	}
}

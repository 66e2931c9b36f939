package vault_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/vault"
)

func TestConnectionsAndTheirEndsAreLogged(t *testing.T) {
	var out bytes.Buffer
	w := newWorld(t, func(o *vault.Options) { o.Logger = slog.New(slog.NewTextHandler(&out, nil)) })
	line := func(want ...string) {
		t.Helper()
		said := out.String()
		out.Reset()
		for _, one := range append(want, "tenant=default") {
			if !strings.Contains(said, one) {
				t.Errorf("said %q, which lacks %s", said, one)
			}
		}
		if strings.Contains(said, "key-7") {
			t.Errorf("the log has a credential: %s", said)
		}
	}
	w.connect(alice, "tracker", w.acme, "acme")
	line(`msg="account connected"`, "service=tracker", "scope=user", "user=alice", "provider=acme")
	if err := w.EnterKey(t.Context(), alice, w.ask(alice, "keyed").ID, "key-7"); err != nil {
		t.Fatal(err)
	}
	line(`msg="account connected"`, "service=keyed", "user=alice", "entered=key")
	if err := w.Provide(t.Context(), vault.Need{Server: "coach", Agent: "helper"}, "key-7"); err != nil {
		t.Fatal(err)
	}
	line(`msg="account connected"`, "service=coach", "agent=helper", "provided=key")
	if err := w.Disconnect(t.Context(), vault.Key{Scope: vault.User, Owner: "alice", Server: "keyed"}); err != nil {
		t.Fatal(err)
	}
	line(`msg="account disconnected"`, "service=keyed", "user=alice", "revoked=true")
}

// A platform's credential is the operator's: nobody else is asked for another one.
func TestAnOperatorIsWarnedOfAPlatformsCredentialThatIsRefused(t *testing.T) {
	var out bytes.Buffer
	w := newWorld(t, func(o *vault.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&out, nil))
		o.Servers = append(o.Servers,
			vault.Server{Name: "given", URL: "https://given.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.Platform, Token: "key-7"}},
			vault.Server{Name: "own", URL: "https://own.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User}})
	})
	if err := w.EnterKey(t.Context(), alice, w.ask(alice, "own").ID, "key-7"); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	for _, c := range []struct{ server, want, also string }{{"given", "level=WARN", "reason=\"not taken\""}, {"given", "", ""}, {"own", "level=INFO", "scope=user"}} {
		cred, err := w.Credential(t.Context(), needs(c.server))
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Reject(t.Context(), cred, &http.Response{StatusCode: http.StatusUnauthorized}); err != nil {
			t.Fatal(err)
		}
		said := out.String()
		out.Reset()
		if (c.want == "") != (said == "") || !strings.Contains(said, c.want) || !strings.Contains(said, c.also) || strings.Contains(said, "key-7") {
			t.Errorf("%s: %q", c.server, said)
		}
		if said != "" && (!strings.Contains(said, `msg="credential refused by the server"`) || !strings.Contains(said, "server="+c.server)) {
			t.Errorf("%s: %q", c.server, said)
		}
	}
}

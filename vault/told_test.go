package vault_test

import (
	"bytes"
	"log/slog"
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

package vault_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/vault"
)

// What the operator changes counts: a provider that has moved is asked where it
// is now.
func TestATokenIsRefreshedWhereTheOperatorSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		w.connect(alice, "tracker", w.acme, "acme")
		first := token(t, w.Vault)
		w.web.hosts["tokens.acme.example"] = w.acme
		w.opts.Providers[0].TokenURL = "https://tokens.acme.example/token"
		time.Sleep(2 * time.Hour)
		if got := token(t, w.another()); got == first || w.web.count("tokens.acme.example/token") != 1 {
			t.Errorf("refreshed %t, asked %d times", got != first, w.web.count("tokens.acme.example/token"))
		}
	})
}

// Only a person's own credential says whose question it answers: that an agent's
// came settles nobody's.
func TestACredentialOfNobodyInParticularSettlesNoQuestion(t *testing.T) {
	w := newWorld(t, nil)
	_, err := w.Credential(t.Context(), vault.Need{Server: "coach", Agent: "alice", User: "alice"}) // an agent that is called like her
	q, err := w.hub.Open(t.Context(), w.Question(required(t, err), alice, "conversation"))
	if err != nil {
		t.Fatal(err)
	}
	key := vault.Key{Tenant: "default", Server: "coach", Scope: vault.Mentor, Owner: "alice"}
	if err := w.Connected(t.Context(), key, q.ID); !errors.Is(err, vault.ErrNotConnecting) || w.outcome(q.ID) != nil {
		t.Errorf("%v, %+v", err, w.outcome(q.ID))
	}
}

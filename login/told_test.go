package login_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/login"
)

func TestTheEndOfALoginIsLogged(t *testing.T) {
	var out bytes.Buffer
	l := login.New(parley.NewMemoryStore(), &login.Options{Logger: slog.New(slog.NewTextHandler(&out, nil))})
	token, made := allowed(t, l, alice, login.Wish{Program: "one"})
	if err := l.End(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	said := out.String()
	for _, one := range []string{`msg="login revoked"`, "user=alice", "login=" + made.ID} {
		if !strings.Contains(said, one) {
			t.Errorf("said %q, which lacks %s", said, one)
		}
	}
	if strings.Contains(said, token) {
		t.Error("the log has the token")
	}
}

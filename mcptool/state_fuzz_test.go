package mcptool

import (
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/parley-hq/parley"
)

// FuzzRequestState: whoever has whatever token goes on with a call only if the
// token is ours, for this very call, and theirs. The token is either any bytes, or
// one that is sealed with the right key and says anything: what somebody with an
// old token of another call could have.
func FuzzRequestState(f *testing.F) {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	store := parley.NewMemoryStore()
	a, err := New(parley.New(store, &parley.Options{Logger: quiet}), &Options{Logger: quiet, Secrets: []string{"0123456789abcdef0123456789abcdef"}, Records: store})
	if err != nil {
		f.Fatal(err)
	}
	alice := parley.Principal{Tenant: "acme", User: "alice"}
	about, digest, err := target{Method: "tools/call", Name: "pay", Arguments: json.RawMessage(`{"amount":1}`)}.read()
	if err != nil {
		f.Fatal(err)
	}
	p := newPage(alice, about, digest, client{})
	p.Nonce = "nonce"
	p.keepUntil(now().Add(time.Hour))
	if err := a.save(f.Context(), p); err != nil {
		f.Fatal(err)
	}
	right := state{Tenant: alice.Tenant, Key: p.record.Key, User: alice.User, Digest: digest, Nonce: p.Nonce}
	token, err := a.sealState(f.Context(), right, time.Now().Add(time.Hour))
	if err != nil {
		f.Fatal(err)
	}
	add := func(raw string, s state, tenant, user, program, asked string) {
		f.Add(raw, s.Tenant, s.Key, s.User, s.Program, s.Digest, s.Nonce, tenant, user, program, asked)
	}
	add("", right, "acme", "alice", "", digest)
	add(token, right, "acme", "alice", "", digest)
	add("", right, "globex", "alice", "", digest)
	add("", right, "acme", "bob", "", digest)
	add("", right, "acme", "", "ci", digest)
	add("", right, "acme", "alice", "", "another")
	add("", state{Tenant: "globex", Key: right.Key, User: "alice", Digest: digest, Nonce: "nonce"}, "globex", "alice", "", digest)
	add("", state{Tenant: "acme", Key: right.Key, User: "alice", Digest: digest}, "acme", "alice", "", digest)
	add("", state{Tenant: "acme", Key: right.Key, User: "bob", Digest: digest, Nonce: "nonce"}, "acme", "bob", "", digest)
	add("", state{Tenant: "acme", Key: right.Key, User: "alice", Digest: "another", Nonce: "nonce"}, "acme", "alice", "", "another")
	add("AXQn", right, "acme", "alice", "", digest)
	f.Fuzz(func(t *testing.T, raw, sTenant, sKey, sUser, sProgram, sDigest, sNonce, tenant, user, program, asked string) {
		s := state{Tenant: sTenant, Key: sKey, User: sUser, Program: sProgram, Digest: sDigest, Nonce: sNonce}
		given := raw
		if raw == "" {
			if given, err = a.sealState(t.Context(), s, time.Now().Add(time.Hour)); err != nil {
				return // nobody has a token that says so much
			}
		}
		who := parley.Principal{Tenant: tenant, User: user, Key: program}
		found, as, err := a.resume(t.Context(), given, who, asked)
		may := who == alice && asked == digest && (raw == token || raw == "" && s == right)
		switch {
		case may && err != nil:
			t.Fatalf("whose it is cannot go on: %v", err)
		case may:
			if as != alice || found.Digest != digest || string(found.Target.Arguments) != `{"amount":1}` {
				t.Fatalf("%+v goes on with %+v", as, found.journal)
			}
			// So that the next one finds it as this one did.
			found.Node = ""
			if err := a.save(t.Context(), found); err != nil {
				t.Fatal(err)
			}
		case err == nil:
			t.Fatalf("%+v with %+v goes on with the call of %+v", who, s, as)
		case !errors.Is(err, ErrState):
			t.Fatalf("%v is no ErrState", err)
		}
	})
}

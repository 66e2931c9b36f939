package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/seal"
)

var quiet = slog.New(slog.DiscardHandler)

func keyring(t testing.TB) *seal.Keyring {
	t.Helper()
	keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

// site is a hub with its log.
type site struct {
	t   testing.TB
	hub *parley.Hub
	log *audit.Log
}

// options are those of tests: whatever another process left is found at once.
func options() *audit.Options {
	return &audit.Options{Name: "parley.example", Age: 1, Unknown: 1, Logger: quiet, About: func(r parley.Request) parley.Deed {
		return parley.Deed{Tool: r.Labels["tool"], Call: r.Labels["call"], Digest: r.Labels["digest"], Decision: chosen(r)}
	}}
}

func chosen(r parley.Request) string {
	var said struct{ Decision string }
	if r.Outcome != nil {
		_ = json.Unmarshal(r.Outcome.Content, &said)
	}
	return said.Decision
}

func open(t testing.TB, store audit.Store, opts *audit.Options) *site {
	t.Helper()
	keys := keyring(t)
	log, err := audit.New(store, keys, opts)
	if err != nil {
		t.Fatal(err)
	}
	hub := parley.New(store, &parley.Options{Sealer: keys, Logger: quiet, Hooks: log.Hooks()})
	log.Reads(hub)
	return &site{t, hub, log}
}

var alice = parley.Principal{Tenant: "default", User: "alice"}

const secretWord = "the launch code is 0000"

// ask opens a question for an approval of the call with that id.
func (s *site) ask(ctx context.Context, call string) (parley.Request, error) {
	return s.hub.Open(ctx, parley.Request{
		To: "alice", From: "files", Message: "Delete everything? " + secretWord, Trigger: parley.TriggerApproval,
		Schema: json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string"}}}`),
		Labels: map[string]string{"tool": "delete", "call": call, "digest": "digest-of-" + call},
	})
}

var yes = parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow_once"}`), Via: "inbox"}

// decided is a question that alice has answered, with its call.
func (s *site) decided(call string) parley.Request {
	s.t.Helper()
	q, err := s.ask(s.t.Context(), call)
	if err == nil {
		err = s.hub.Answer(s.t.Context(), alice, q.ID, yes)
	}
	for _, what := range []string{"call.sent", "call.ended"} {
		if err == nil {
			err = s.log.Record(s.t.Context(), parley.Deed{What: what, Outcome: map[string]string{"call.ended": "ok"}[what], By: "alice", Server: "files", Tool: "delete", Call: call, Digest: "digest-of-" + call})
		}
	}
	if err == nil {
		err = s.log.Flush(s.t.Context())
	}
	if err != nil {
		s.t.Fatal(err)
	}
	if q, err = s.hub.Get(s.t.Context(), alice, q.ID); err != nil {
		s.t.Fatal(err)
	}
	return q
}

func (s *site) key() audit.Key {
	s.t.Helper()
	public, err := s.log.PublicKey(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	key, err := audit.ParseKey(public)
	if err != nil {
		s.t.Fatal(err)
	}
	return key
}

func (s *site) receipt(q parley.Request) []byte {
	s.t.Helper()
	data, err := s.log.Receipt(s.t.Context(), q.Tenant, q.ID, &q)
	if err != nil {
		s.t.Fatal(err)
	}
	return data
}

func (s *site) export(tenant string) string {
	s.t.Helper()
	var out bytes.Buffer
	if err := s.log.Export(s.t.Context(), tenant, &out); err != nil {
		s.t.Fatal(err)
	}
	return out.String()
}

// entries are those of the default tenant, oldest first, after the whole chain was
// verified.
func (s *site) entries() (all []audit.Entry) {
	s.t.Helper()
	out := s.export("default")
	if _, err := audit.VerifyExport(strings.NewReader(out), s.key()); err != nil {
		s.t.Fatalf("%v\n%s", err, out)
	}
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, `{"index":`) {
			var e audit.Entry
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				s.t.Fatal(err)
			}
			all = append(all, e)
		}
	}
	return all
}

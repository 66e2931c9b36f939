package audit_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/internal/testkit/softkey"
)

// parts is a receipt in its parts.
type parts struct {
	Version    int               `json:"parley_receipt"`
	Checkpoint string            `json:"checkpoint"`
	Entries    []json.RawMessage `json:"entries"`
	Shown      json.RawMessage   `json:"shown"`
	More       bool              `json:"more,omitempty"`
	Whole      string            `json:"whole,omitempty"`
}

// Whoever has a receipt takes nothing out of it, and adds nothing, unseen: without the
// signature over all of it, it does not pass for whole.
func TestAReceiptIsSignedAsAWhole(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	q, other := s.decided("call-1"), s.decided("call-2")
	var whole, foreign parts
	for into, one := range map[*parts]parley.Request{&whole: q, &foreign: other} {
		if err := json.Unmarshal(s.receipt(one), into); err != nil {
			t.Fatal(err)
		}
	}
	p, err := audit.Verify([]byte(jsonOf(whole)), s.key())
	if err != nil || !p.Whole || len(p.Calls) != 2 {
		t.Fatalf("as it was: %+v, %v", p, err)
	}
	for name, change := range map[string]func(*parts){
		"without the call":         func(r *parts) { r.Entries = r.Entries[:1] },
		"without its end":          func(r *parts) { r.Entries = r.Entries[:2] },
		"in another order":         func(r *parts) { r.Entries = []json.RawMessage{r.Entries[0], r.Entries[2], r.Entries[1]} },
		"without what was shown":   func(r *parts) { r.Shown = json.RawMessage("null") },
		"with more":                func(r *parts) { r.More = true },
		"with another's signature": func(r *parts) { r.Whole = foreign.Whole },
		"with the checkpoint's":    func(r *parts) { r.Whole = r.Checkpoint },
	} {
		r := whole
		r.Entries = slices.Clone(whole.Entries)
		change(&r)
		if _, err := audit.Verify([]byte(jsonOf(r)), s.key()); !strings.Contains(said(err), "not the one that was signed") {
			t.Errorf("%s: %s", name, said(err))
		}
	}
	whole.Whole, whole.Entries = "", whole.Entries[:1]
	if p, err := audit.Verify([]byte(jsonOf(whole)), s.key()); err != nil || p.Whole {
		t.Errorf("it passes for whole: %+v, %v", p, err)
	}
}

// A decision is signed with a passkey whose adding is not in the chain yet, since its
// process has died, or has not said that it was done: it stands before the decision all the
// same.
func TestThePasskeyStandsBeforeWhatItSigned(t *testing.T) {
	for name, dies := range map[string]func(*site, parley.Deed) error{
		"before its entry": func(s *site, d parley.Deed) error {
			end, err := s.log.Begin(t.Context(), d)
			if err == nil {
				err = end(t.Context(), "", true)
			}
			return err
		},
		"before it said so": func(s *site, d parley.Deed) error {
			_, err := s.log.Begin(t.Context(), d)
			return err
		},
	} {
		store, phone := parley.NewMemoryStore(), softkey.New(t, "https://parley.example", "parley.example")
		_, added := signedBy(t, phone)
		dead := open(t, store, options())
		if err := dies(dead, parley.Deed{What: added.What, By: "alice", Target: added.Target, Digest: added.Digest}); err != nil {
			t.Fatal(err)
		}
		opts := options()
		opts.Unknown = time.Hour
		about := opts.About
		opts.About = func(r parley.Request) parley.Deed {
			d := about(r)
			e := audit.Entry{
				Question: string(r.ID), Tenant: "default", By: "alice", Server: "files", Tool: d.Tool, Call: d.Call, Digest: d.Digest, Decision: d.Decision,
				Shown: audit.ShownTo(r).Digest(),
			}
			sign(t, phone, &e)
			d.Signed = e.Signed
			return d
		}
		s := open(t, store, opts)
		q, err := s.ask(t.Context(), "c1")
		if err == nil {
			err = s.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: yes.Content, Via: "page"})
		}
		if err == nil {
			q, err = s.hub.Get(t.Context(), alice, q.ID)
		}
		if err != nil {
			t.Fatal(err)
		}
		p, err := audit.Verify(s.receipt(q), s.key())
		if err != nil || p.Enrolled.Index >= p.Question.Index || p.Enrolled.Outcome != "" {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if err := dead.log.Sync(t.Context()); err != nil {
			t.Fatal(err)
		}
		if all := s.entries(); len(all) != 2 || all[0].What != "passkey.added" {
			t.Errorf("%s: %+v", name, all)
		}
	}
}

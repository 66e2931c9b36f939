package audit_test

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
)

// forger has a key and signs what no log would.
type forger struct {
	t       *testing.T
	key     audit.Key
	signers []note.Signer
}

func newForger(t *testing.T) *forger {
	t.Helper()
	private, public, err := note.GenerateKey(rand.Reader, "parley.example")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := note.NewSigner(private)
	if err != nil {
		t.Fatal(err)
	}
	key, err := audit.ParseKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return &forger{t, key, []note.Signer{signer}}
}

func (f *forger) sign(origin string, size int, root tlog.Hash) string {
	f.t.Helper()
	signed, err := note.Sign(&note.Note{Text: fmt.Sprintf("%s\n%d\n%s\nat 2026-11-17T20:00:00Z\n", origin, size, root)}, f.signers...)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(signed)
}

func jsonOf(v any) string {
	var b bytes.Buffer
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	_ = to.Encode(v)
	return strings.TrimSpace(b.String())
}

const origin = "parley.example/audit/default"

var asked = audit.Shown{Question: "q1", To: "alice", Mode: "form", Message: "Pay?"}

func decision(change func(*audit.Entry)) audit.Entry {
	e := audit.Entry{
		Tenant: "default", At: time.Date(2026, 11, 17, 20, 0, 0, 0, time.UTC), What: "question", Outcome: "accept", By: "alice", Question: "q1",
		Prev: tlog.RecordHash(nil).String(), Shown: asked.Digest(),
	}
	if change != nil {
		change(&e)
	}
	return e
}

// receipt is that of a chain of one entry.
func (f *forger) receipt(origin string, e audit.Entry, shown audit.Shown) []byte {
	f.t.Helper()
	line := jsonOf(e)
	signed := f.sign(origin, 1, tlog.RecordHash([]byte(line)))
	return []byte(fmt.Sprintf(`{"parley_receipt":1,"checkpoint":%s,"entries":[{"line":%s,"proof":[]}],"shown":%s}`, jsonOf(signed), jsonOf(line), jsonOf(shown)))
}

// Not everything that is signed is a receipt.
func TestASignatureAloneProvesNothing(t *testing.T) {
	f := newForger(t)
	if _, err := audit.Verify(f.receipt(origin, decision(nil), asked), f.key); err != nil {
		t.Fatalf("as it should be: %v", err)
	}
	other := asked
	other.Question = "q2"
	for what, data := range map[string][]byte{
		"another tenant's":           f.receipt("parley.example/audit/acme", decision(nil), asked),
		"another site's":             f.receipt("elsewhere.example/audit/default", decision(nil), asked),
		"no question":                f.receipt(origin, decision(func(e *audit.Entry) { e.What = "sign_in" }), asked),
		"behind the end":             f.receipt(origin, decision(func(e *audit.Entry) { e.Index = 1 }), asked),
		"shown for another question": f.receipt(origin, decision(func(e *audit.Entry) { e.Shown = other.Digest() }), other),
	} {
		if _, err := audit.Verify(data, f.key); err == nil {
			t.Errorf("%s: it was taken", what)
		}
	}
	f.signers = append(f.signers, newForger(t).signers...)
	if _, err := audit.Verify(f.receipt(origin, decision(nil), asked), f.key); err == nil {
		t.Error("another signature besides: it was taken")
	}
}

// A tree that was signed is not enough either: each entry follows the one before it.
func TestASignedChainWhoseEntriesDoNotFollowEachOtherIsRefused(t *testing.T) {
	f := newForger(t)
	export := func(prev string) string {
		first := jsonOf(decision(nil))
		if prev == "" {
			prev = tlog.RecordHash([]byte(first)).String()
		}
		second := jsonOf(decision(func(e *audit.Entry) { e.Index, e.Prev = 1, prev }))
		root := tlog.NodeHash(tlog.RecordHash([]byte(first)), tlog.RecordHash([]byte(second)))
		return fmt.Sprintf(`{"parley_audit":1,"origin":%q,"start":{"size":0,"last":%q,"edge":[]}}`, origin, tlog.RecordHash(nil).String()) +
			"\n" + first + "\n" + second + "\n" + `{"checkpoint":` + jsonOf(f.sign(origin, 2, root)) + "}\n"
	}
	if _, err := audit.VerifyExport(strings.NewReader(export("")), f.key); err != nil {
		t.Fatalf("as it should be: %v", err)
	}
	if _, err := audit.VerifyExport(strings.NewReader(export(tlog.RecordHash(nil).String())), f.key); err == nil || !strings.Contains(err.Error(), "does not follow") {
		t.Errorf("%v", err)
	}
}

func TestAReceiptWithTheCallOfAnotherQuestionIsRefused(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	one, two := s.decided("call-1"), s.decided("call-2")
	var a, b parts
	for into, q := range map[*parts]parley.Request{&a: one, &b: two} {
		if err := json.Unmarshal(s.receipt(q), into); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := audit.Verify([]byte(jsonOf(a)), s.key()); err != nil {
		t.Fatalf("as it was: %v", err)
	}
	a.Entries[1] = b.Entries[1]
	if _, err := audit.Verify([]byte(jsonOf(a)), s.key()); err == nil || !strings.Contains(err.Error(), "another call") {
		t.Errorf("%v", err)
	}
}

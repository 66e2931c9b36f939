package audit_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/internal/testkit/softkey"
	"github.com/parley-hq/parley/passkey"
)

// signedBy is a decision that a device has signed, and how the person came by that device.
func signedBy(t *testing.T, d *softkey.Device) (question, added audit.Entry) {
	t.Helper()
	question = decision(func(e *audit.Entry) {
		e.Decision, e.Server, e.Tool, e.Call, e.Digest, e.Index, e.Via, e.Trigger = "changed", "bank", "transfer", "c1", "d1", 1, "page", parley.TriggerApproval
		e.Signed = &parley.Signed{Changes: passkey.Changes([]byte(`{"amount":50}`))}
	})
	sign(t, d, &question)
	added = audit.Entry{
		Tenant: "default", At: question.At.Add(-time.Hour), What: "passkey.added", By: "alice", Prev: tlog.RecordHash(nil).String(),
		Target: base64.RawURLEncoding.EncodeToString(d.ID), Digest: passkey.Fingerprint(d.PublicKey(t)),
	}
	return question, added
}

// sign has a device sign a decision as it is.
func sign(t *testing.T, d *softkey.Device, question *audit.Entry) {
	t.Helper()
	signed := parley.Signed{Rule: "transfers", Credential: d.ID, PublicKey: d.PublicKey(t)}
	if question.Signed != nil {
		signed.Changes = question.Signed.Changes
	}
	statement := passkey.Statement{
		Question: question.Question, Tenant: question.Tenant, Person: question.By, For: question.For, Server: question.Server, Tool: question.Tool, Call: question.Call,
		Digest: question.Digest, Changes: signed.Changes, Decision: question.Decision, Rule: "transfers", Shown: question.Shown,
	}
	var made struct {
		Response struct{ AuthenticatorData, ClientDataJSON, Signature string }
	}
	if err := json.Unmarshal(d.Sign(t, base64.RawURLEncoding.EncodeToString(statement.Challenge())), &made); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]*[]byte{
		made.Response.AuthenticatorData: &signed.AuthenticatorData, made.Response.ClientDataJSON: &signed.ClientData, made.Response.Signature: &signed.Signature,
	} {
		*to, _ = base64.RawURLEncoding.DecodeString(from)
	}
	question.Signed = &signed
}

// signedReceipt is that of a chain of both, signed by whoever has the key of the chain.
func (f *forger) signedReceipt(question, added audit.Entry, changes string) []byte {
	f.t.Helper()
	question.Prev = tlog.RecordHash([]byte(jsonOf(added))).String()
	lines := []string{jsonOf(added), jsonOf(question)}
	hashes := []tlog.Hash{tlog.RecordHash([]byte(lines[0])), tlog.RecordHash([]byte(lines[1]))}
	signed := f.sign(origin, 2, tlog.NodeHash(hashes[0], hashes[1]))
	return fmt.Appendf(nil, `{"parley_receipt":1,"checkpoint":%s,"entries":[{"line":%s,"proof":[%s]},{"line":%s,"proof":[%s]}],"shown":%s,"changes":%s}`,
		jsonOf(signed), jsonOf(lines[1]), jsonOf(hashes[0]), jsonOf(lines[0]), jsonOf(hashes[1]), jsonOf(asked), jsonOf(changes))
}

// Whoever has the database and the key of the chain makes it say what they like, and not
// what a person's device signed.
func TestAServerCannotMakeUpWhatAPersonSigned(t *testing.T) {
	f := newForger(t)
	phone := softkey.New(t, "https://parley.example", "parley.example")
	question, added := signedBy(t, phone)
	const changes = `{"amount":50}`
	p, err := audit.Verify(f.signedReceipt(question, added, changes), f.key)
	if err != nil || p.Signer == nil || p.Signer.Origin != "https://parley.example" || p.Enrolled.By != "alice" || p.Changes != changes {
		t.Fatalf("as it should be: %+v, %v", p, err)
	}
	thief := softkey.New(t, "https://parley.example", "parley.example")
	for name, change := range map[string]func(q, a *audit.Entry, changes *string){
		"another person":   func(q, a *audit.Entry, _ *string) { q.By, a.By = "bob", "bob" },
		"another decision": func(q, _ *audit.Entry, _ *string) { q.Decision = "allow_once" },
		"another tool":     func(q, _ *audit.Entry, _ *string) { q.Tool = "delete" },
		"another server":   func(q, _ *audit.Entry, _ *string) { q.Server = "files" },
		"another call":     func(q, _ *audit.Entry, _ *string) { q.Call = "c2" },
		"other arguments":  func(q, _ *audit.Entry, _ *string) { q.Digest = "d2" },
		"for somebody":     func(q, _ *audit.Entry, _ *string) { q.For = "carol" },
		"another rule":     func(q, _ *audit.Entry, _ *string) { q.Signed.Rule = "others" },
		"other changes": func(q, _ *audit.Entry, c *string) {
			*c = `{"amount":51}`
			q.Signed.Changes = passkey.Changes([]byte(*c))
		},
		"changes unlike":    func(_, _ *audit.Entry, c *string) { *c = `{"amount":51}` },
		"another key":       func(q, _ *audit.Entry, _ *string) { q.Signed.PublicKey = thief.PublicKey(t) },
		"no signature":      func(q, _ *audit.Entry, _ *string) { q.Signed.Signature = nil },
		"nobody's passkey":  func(_, a *audit.Entry, _ *string) { a.Digest = passkey.Fingerprint(thief.PublicKey(t)) },
		"another's passkey": func(_, a *audit.Entry, _ *string) { a.By = "bob" },
		"a later passkey":   func(q, a *audit.Entry, _ *string) { a.At = q.At.Add(time.Hour) },
	} {
		q, a, c := question, added, changes
		s := *question.Signed
		q.Signed = &s
		change(&q, &a, &c)
		if _, err := audit.Verify(f.signedReceipt(q, a, c), f.key); err == nil {
			t.Errorf("%s: it is valid", name)
		}
	}
	other, _ := signedBy(t, thief) // by a passkey that she never added
	if _, err := audit.Verify(f.signedReceipt(other, added, changes), f.key); err == nil || !strings.Contains(err.Error(), "not the one that the person had added") {
		t.Errorf("by another device: %v", err)
	}
}

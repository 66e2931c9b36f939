package server_test

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/internal/testkit/browser"
)

// signing is a bank whose transfers are allowed with a passkey, at the name that passkeys need.
func signing(t *testing.T, rule string) (base, site string, made *payments) {
	t.Helper()
	base, made = changing(t, "public_url: http://localhost:PORT\nrules: [{name: transfers, server: bank, "+rule+", sign: passkey}]\n")
	return base, strings.Replace(base, "127.0.0.1", "localhost", 1), made
}

// rawReceipt is a receipt as the API has it, once it tells of so many steps of a call.
func rawReceipt(t *testing.T, base, bearer, id string, calls int) []byte {
	t.Helper()
	receiptOf(t, base, bearer, id, calls)
	_, data := sent(t, http.MethodGet, base+"/api/elicitations/"+id+"/receipt", bearer, "")
	return data
}

// Alice has no passkey when her agent wants to transfer something. She adds one, changes the
// amount and signs that. Her receipt proves it to whoever has the public key of the chain,
// and no other receipt does.
func TestChromiumAPersonSignsACallWithTheirPasskey(t *testing.T) {
	chromium := browser.Start(t)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	base, site, made := signing(t, "approve: always")
	lines := streamed(t, base)
	alice := named(t, "alice")
	q := waitingFor(t, base, alice)
	for _, content := range []string{`{"decision":"allow_once"}`, `{"decision":"allow_once","signed":{}}`} { // with a token there is no yes
		status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", alice,
			fmt.Sprintf(`{"conversationId":"c1","elicitationId":%q,"action":"accept","content":%s}`, q.ID, content))
		if status == http.StatusOK {
			t.Fatalf("%s: %s", content, data)
		}
	}
	person := at(t, chromium, site, "alice", "/answer/"+q.ID)
	device := person.Authenticator()
	person.WaitFor("you have none here")
	person.WaitFor("Deny")
	if text := person.Text("main"); strings.Contains(text, "Allow once") || strings.Contains(text, "Always allow") || strings.Contains(text, "Change the arguments") {
		t.Errorf("without a passkey she is offered: %s", text)
	}
	person.CheckAccessible()
	person.Follow("Add a passkey")
	person.WaitFor("You have none here.")
	person.Fill("What do you call it?", "My phone")
	person.CheckAccessible()
	person.Screenshot("a passkey is added")
	person.Follow("Add a passkey")
	person.WaitForURL(site + "/answer/" + q.ID)
	person.WaitFor("Allow once")
	if text := person.Text("main"); strings.Contains(text, "Always allow") {
		t.Errorf("a permission that stays is offered: %s", text)
	}

	device.Forgets(true)
	person.Expect("403")
	person.Follow("Allow once")
	person.WaitFor("so nothing was decided")
	device.Forgets(false)
	person.Follow("Try again")

	person.WaitFor("Change the arguments")
	person.Click("Change the arguments")
	person.Fill("amount", "50")
	person.CheckAccessible()
	person.Screenshot("a call is signed")
	person.Follow("Allow with changes")
	person.WaitFor("with the arguments as you changed them")
	until(t, lines, "transferred")
	if got := made.all(); got != half {
		t.Errorf("the bank got %s", got)
	}
	person.Open(site + "/inbox/passkeys")
	person.WaitFor("My phone")

	receipt := rawReceipt(t, base, alice, q.ID, 2)
	key := auditKeyOf(t, base)
	p, err := audit.Verify(receipt, key)
	if err != nil {
		t.Fatal(err)
	}
	if p.Signer == nil || p.Signer.Origin != site || p.Changes != `{"amount":50}` || p.Question.Signed.Rule != "transfers" || p.Enrolled.By != "alice" || p.Question.Via != "page" {
		t.Errorf("%+v", p)
	}
	if text := person.Text("main"); !strings.Contains(text, p.Signer.Fingerprint) {
		t.Errorf("%s is not on her page: %s", p.Signer.Fingerprint, text)
	}
	for i := range receipt {
		if changed := bytes.Clone(receipt); i < len(receipt)-1 {
			changed[i] ^= 1
			if _, err := audit.Verify(changed, key); err == nil {
				t.Fatalf("with another byte %d it is valid: %s", i, changed)
			}
		}
	}
	keep(t, receipt, base)

	person.Follow("Remove")
	person.WaitFor("You have none here.")
	for what, want := range map[string]int{"passkey.added": 1, "passkey.removed": 1} {
		count := 0
		for _, e := range entriesOf(t, base, what) {
			if e.What == what && e.By == "alice" {
				count++
			}
		}
		if count != want {
			t.Errorf("%d entries %s", count, what)
		}
	}
}

// keep stores a receipt with its key, for the tests of parley verify, where a folder is named.
func keep(t *testing.T, receipt []byte, base string) {
	t.Helper()
	folder := os.Getenv("PARLEY_KEEP_RECEIPT")
	if folder == "" {
		return
	}
	_, key := sent(t, http.MethodGet, base+"/.well-known/parley-audit-key", "", "")
	for name, data := range map[string][]byte{"signed.json": receipt, "signed.key": key} {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

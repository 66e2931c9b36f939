package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/seal"
)

// proof has what a server gave away: its key, a receipt, an export, a checkpoint.
func proof(t *testing.T) (dir string) {
	t.Helper()
	keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
	if err != nil {
		t.Fatal(err)
	}
	store, ctx := parley.NewMemoryStore(), t.Context()
	log, err := audit.New(store, keys, &audit.Options{Name: "parley.example"})
	if err != nil {
		t.Fatal(err)
	}
	hub := parley.New(store, &parley.Options{Sealer: keys, Hooks: log.Hooks()})
	log.Reads(hub)
	alice := parley.Principal{User: "alice"}
	q, err := hub.Open(ctx, parley.Request{To: "alice", From: "bank", Message: "Pay 100?\nTo bob.", Schema: json.RawMessage(`{"type":"object","properties":{}}`)})
	if err == nil {
		err = hub.Answer(ctx, alice, q.ID, parley.Answer{Action: parley.Accept, Content: json.RawMessage(`{}`), Via: "inbox"})
	}
	if err != nil {
		t.Fatal(err)
	}
	receipt, err := log.Receipt(ctx, "default", q.ID, &q)
	if err != nil {
		t.Fatal(err)
	}
	public, err := log.PublicKey(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var export bytes.Buffer
	if err := log.Export(ctx, "default", &export); err != nil {
		t.Fatal(err)
	}
	if err := log.Record(ctx, parley.Deed{What: "sign_out", By: "alice"}); err != nil {
		t.Fatal(err)
	}
	if err := log.Flush(ctx); err != nil {
		t.Fatal(err)
	}
	later, err := log.Checkpoint(ctx, "default")
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for name, data := range map[string]string{"receipt.json": string(receipt), "key": public + "\n", "audit.jsonl": export.String(), "later": later, "bad.json": strings.Replace(string(receipt), "Pay 100?", "Pay 900?", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An export that leaves open whose passkey signed is not valid, unless the passkey is known,
// and known to be one person's.
func TestVerifySettlesWhatIsKnownOtherwise(t *testing.T) {
	signer := passkey.Signer{Fingerprint: "sha256:a", Origin: "https://new.example"}
	key, site := audit.Doubt{By: "alice", Signer: signer}, audit.Doubt{By: "alice", Signer: signer, Site: true}
	bobs := key
	bobs.By = "bob"
	for name, one := range map[string]struct {
		with verification
		open []audit.Doubt
		ok   bool
	}{
		"nothing is known":        {verification{}, []audit.Doubt{key}, false},
		"another passkey":         {verification{passkeys: []string{"sha256:b"}}, []audit.Doubt{key}, false},
		"the passkey":             {verification{passkeys: []string{"sha256:b", "sha256:a"}}, []audit.Doubt{key, key}, true},
		"the passkey of two":      {verification{passkeys: []string{"sha256:a"}}, []audit.Doubt{key, bobs}, false},
		"the passkey, elsewhere":  {verification{passkeys: []string{"sha256:a"}}, []audit.Doubt{key, site}, false},
		"the site":                {verification{origin: "https://new.example"}, []audit.Doubt{site}, true},
		"another site":            {verification{origin: "https://evil.example"}, []audit.Doubt{site}, false},
		"the site, not whose":     {verification{origin: "https://new.example"}, []audit.Doubt{site, key}, false},
		"the site and whose":      {verification{origin: "https://new.example", passkeys: []string{"sha256:a"}}, []audit.Doubt{site, key}, true},
		"something else is wrong": {verification{passkeys: []string{"sha256:a"}}, nil, false},
	} {
		var err error = errors.New("it was changed")
		if one.open != nil {
			err = &audit.Unproven{Doubts: one.open}
		}
		if err := one.with.settle(err); (err == nil) != one.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
	var out bytes.Buffer
	printExport(&out, audit.Verified{}, []audit.Doubt{key})
	if strings.Contains(out.String(), "valid") || !strings.Contains(out.String(), "not proven: decision 0") {
		t.Error(out.String())
	}
}

func TestVerifySaysWhatAReceiptProves(t *testing.T) {
	t.Chdir(proof(t))
	said := func(args ...string) (string, error) {
		var out bytes.Buffer
		err := verify(args, strings.NewReader(""), &out)
		return out.String(), err
	}
	public, err := os.ReadFile("key")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"receipt.json", "--key", "key"}, {"--key", strings.TrimSpace(string(public)), "receipt.json"}} {
		out, err := said(args...)
		for _, want := range []string{"valid\n", "accept", "alice", "inbox", "bank", "it has all that the chain said", "  | Pay 100?\n  | To bob."} {
			if err != nil || !strings.Contains(out, want) {
				t.Errorf("%v: no %q in %s, %v", args, want, out, err)
			}
		}
	}
	if out, err := said("bad.json", "--key", "key"); err == nil || !strings.Contains(err.Error(), "not what was shown") || out != "" {
		t.Errorf("a changed receipt: %s, %v", out, err)
	}
	if out, err := said("audit.jsonl", "--key", "key"); err != nil || !strings.Contains(out, "the decisions 0 to 0 of parley.example/audit/default") {
		t.Errorf("an export: %s, %v", out, err)
	}
	if out, err := said("audit.jsonl", "--key", "key", "--checkpoint", "later"); err == nil || !strings.Contains(err.Error(), "its end is missing") || out != "" {
		t.Errorf("an export that was cut off: %s, %v", out, err)
	}
	for _, args := range [][]string{{}, {"receipt.json"}, {"receipt.json", "--key", "nonsense"}, {"nowhere.json", "--key", "key"}, {"a", "b", "--key", "key"}} {
		if _, err := said(args...); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

// The receipt in testdata was made by parley serve and a device of Chromium's (see
// TestChromiumAPersonSignsACallWithTheirPasskey, which writes it where PARLEY_KEEP_RECEIPT
// names a folder). Neither is here, nor is a database.
func TestVerifyChecksWhatAPersonSignedWithTheirPasskey(t *testing.T) {
	receipt, err := os.ReadFile("testdata/signed.json")
	if err != nil {
		t.Fatal(err)
	}
	said := func(data []byte, more ...string) (string, error) {
		var out bytes.Buffer
		err := verify(append([]string{"-", "--key", "testdata/signed.key"}, more...), bytes.NewReader(data), &out)
		return out.String(), err
	}
	const fingerprint = "sha256:4zqhQ66UC93eRhITACljqV4MClNBpPb-R3TVRaD4r68"
	out, err := said(receipt, "--passkey", fingerprint)
	for _, want := range []string{
		"valid\n", "accept changed", "alice", `{"amount":50}`, fingerprint + ", on http://localhost:", "for the rule transfers", "by alice, decision 1",
		"whether it was removed before", "whether something was taken out of this receipt it does not say", // it was made before receipts were signed as a whole
	} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("no %q in %s, %v", want, out, err)
		}
	}
	if sent, ended := strings.Index(out, "\nsent "), strings.Index(out, "\nended "); sent < 0 || ended < sent {
		t.Errorf("it ends before it is sent: %s", out)
	}
	if out, err := said(receipt, "--passkey", "sha256:another"); err == nil || out != "" {
		t.Errorf("with another passkey: %s", out)
	}
	var r map[string]json.RawMessage
	var entries []json.RawMessage
	if err := errors.Join(json.Unmarshal(receipt, &r), json.Unmarshal(r["entries"], &entries)); err != nil {
		t.Fatal(err)
	}
	without := func(which ...int) []byte {
		var left []json.RawMessage
		for i, e := range entries {
			if !slices.Contains(which, i) {
				left = append(left, e)
			}
		}
		data, _ := json.Marshal(left)
		return bytes.Replace(receipt, r["entries"], data, 1)
	}
	// Whose passkey it is somebody took away: only who knows it goes on.
	if out, err := said(without(1)); err == nil || !strings.Contains(err.Error(), "not proven") || strings.Contains(out, "valid") || !strings.Contains(out, "alice") {
		t.Errorf("without the passkey's entry: %s, %v", out, err)
	}
	if out, err := said(without(1), "--passkey", fingerprint); err != nil || !strings.Contains(out, "valid\n") {
		t.Errorf("of a passkey that is known: %s, %v", out, err)
	}
	if out, err := said(without(2, 3)); err != nil || !strings.Contains(out, "whether the call was made this receipt does not say") {
		t.Errorf("without the call: %s, %v", out, err)
	}
	for i := 0; i < len(receipt)-1; i += 29 { // of all of them the test with Chromium makes sure
		changed := bytes.Clone(receipt)
		changed[i] ^= 1
		if out, err := said(changed); err == nil {
			t.Fatalf("with another byte %d: %s", i, out)
		}
	}
}

func TestVerifyNamesAKeyFileThatCannotBeRead(t *testing.T) {
	dir := proof(t)
	receipt, none := filepath.Join(dir, "receipt.json"), filepath.Join(dir, "nope")
	for key, want := range map[string]string{
		none:                    `--key: there is no file "` + none + `", and it is no public key itself: that has `,
		"parley.example+0+AAAA": `--key: there is no file "parley.example+0+AAAA", and it is no public key itself: that has `,
		dir:                     "--key: read " + dir + ": is a directory",
		filepath.Join(dir, "none", "of", "these"): `--key: there is no file "`,
		receipt: "--key: the file " + receipt + ": this is no public key of an audit log: ",
	} {
		if err := verify([]string{receipt, "--key", key}, strings.NewReader(""), io.Discard); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", key, err)
		}
	}
}

package audit_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/audit"
)

func TestAReceiptProvesWhatWasShownWhoDecidedAndWhatRan(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	for range 5 {
		s.decided("other" + string(parley.NewID()))
	}
	q := s.decided("call-1")
	s.decided("call-2")
	p, err := audit.Verify(s.receipt(q), s.key())
	if err != nil {
		t.Fatal(err)
	}
	e := p.Question
	if e.By != "alice" || e.Via != "inbox" || e.Outcome != "accept" || e.Decision != "allow_once" || !e.At.Equal(q.Outcome.At) || e.Digest != "digest-of-call-1" || e.Tool != "delete" {
		t.Errorf("the question: %+v", e)
	}
	if p.Shown == nil || p.Shown.Message != q.Message || p.Shown.To != "alice" {
		t.Errorf("shown: %+v", p.Shown)
	}
	if len(p.Calls) != 2 || p.Calls[0].Call != "call-1" || p.Calls[1].Call != "call-1" {
		t.Fatalf("the call: %+v", p.Calls)
	}
	if p.Checkpoint.Size != 21 {
		t.Errorf("the checkpoint is of %d entries", p.Checkpoint.Size)
	}
}

func TestAReceiptWithOneChangedByteIsRefused(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	data, key := s.receipt(s.decided("call-1")), s.key()
	for i := range len(data) - 1 {
		for _, flip := range []byte{1, 0x20, 0x80} {
			changed := slices.Clone(data)
			changed[i] ^= flip
			if _, err := audit.Verify(changed, key); err == nil {
				t.Errorf("byte %d, %q for %q, is not missed: …%s…", i, changed[i], data[i], data[max(0, i-20):min(len(data), i+20)])
			}
		}
	}
	for _, changed := range []string{
		string(data[:len(data)-2]), string(data) + "{}", strings.Replace(string(data), `"parley_receipt":1`, `"parley_receipt":1,"parley_receipt":1`, 1),
		strings.Replace(string(data), `"shown":{`, `"extra":1,"shown":{`, 1),
	} {
		if _, err := audit.Verify([]byte(changed), key); err == nil {
			t.Errorf("this was taken: %s", changed)
		}
	}
}

func TestAReceiptOfAnotherKeyOrPutTogetherFromTwoIsRefused(t *testing.T) {
	s, other := open(t, parley.NewMemoryStore(), options()), open(t, parley.NewMemoryStore(), options())
	q := s.decided("call-1")
	data := s.receipt(q)
	if _, err := audit.Verify(data, other.key()); err == nil || !strings.Contains(err.Error(), "not signed by this key") {
		t.Errorf("another key: %v", err)
	}
	q.Message = "Read a file?"
	if _, err := audit.Verify(s.receipt(q), s.key()); err == nil || !strings.Contains(err.Error(), "shown") {
		t.Errorf("another message: %v", err)
	}
	q.To = "bob"
	if _, err := audit.Verify(s.receipt(q), s.key()); err == nil {
		t.Error("shown to somebody else: it was taken")
	}
}

func TestEntriesHaveNoContentAndNoSecret(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	s.decided("call-1")
	q, err := s.ask(t.Context(), "call-2")
	if err == nil {
		err = s.hub.Cancel(t.Context(), q.ID, secretWord)
	}
	if err == nil {
		err = s.log.Flush(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if out := s.export("default"); strings.Contains(out, secretWord) || !strings.Contains(out, `"reason":"withdrawn"`) {
		t.Error(out)
	}
}

func TestALineThatIsTooLongIsNamed(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	s.decided("call-a")
	if err := s.log.Keep(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole, long := s.export("default"), strings.Repeat("x", 70_000)+"\n"
	first, rest, _ := strings.Cut(whole, "\n")
	for text, want := range map[string]string{
		"":                         "the export is empty",
		long + whole:               "line 1 has more than 65536 bytes",
		first + "\n" + long + rest: "line 2 has more than 65536 bytes",
		whole + long:               "line " + strconv.Itoa(strings.Count(whole, "\n")+1) + " has more than 65536 bytes",
	} {
		if _, err := audit.VerifyExport(strings.NewReader(text), s.key()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "bufio") {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestARemovedChangedMovedOrInsertedEntryIsFound(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	for i := range 4 {
		s.decided("call-" + string(rune('a'+i)))
		if err := s.log.Keep(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	whole, key := s.export("default"), s.key()
	v, err := audit.VerifyExport(strings.NewReader(whole), key)
	if err != nil || v.Checkpoint.Size != 12 || v.Checkpoints != 4 {
		t.Fatalf("%+v, %v", v, err)
	}
	lines := strings.SplitAfter(strings.TrimSuffix(whole, "\n"), "\n")
	lines[len(lines)-1] += "\n"
	check := func(what string, changed []string) {
		t.Helper()
		if _, err := audit.VerifyExport(strings.NewReader(strings.Join(changed, "")), key); err == nil {
			t.Errorf("%s: nothing was found", what)
		}
	}
	for i := range lines {
		if strings.HasPrefix(lines[i], `{"checkpoint":`) && i < len(lines)-1 {
			continue // one that is left out takes nothing away
		}
		check("removed "+lines[i], slices.Delete(slices.Clone(lines), i, i+1))
		if !strings.HasPrefix(lines[i], `{"checkpoint":`) { // to say one twice adds nothing
			check("twice "+lines[i], slices.Insert(slices.Clone(lines), i, lines[i]))
		}
		if i > 0 {
			moved := slices.Clone(lines)
			moved[i-1], moved[i] = moved[i], moved[i-1]
			check("moved "+lines[i], moved)
		}
		for at := range len(lines[i]) - 1 {
			changed := slices.Clone(lines)
			raw := []byte(changed[i])
			raw[at] ^= 1
			changed[i] = string(raw)
			if strings.HasPrefix(changed[i], `{"checkpoint":`) != strings.HasPrefix(lines[i], `{"checkpoint":`) {
				continue
			}
			check("changed", changed)
		}
	}
}

func TestAnExportThatWasCutOffIsFoundByWhoeverHasALaterCheckpoint(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	s.decided("call-1")
	early := s.export("default")
	s.decided("call-2")
	signed, err := s.log.Checkpoint(t.Context(), "default")
	if err != nil {
		t.Fatal(err)
	}
	later, err := audit.OpenCheckpoint(signed, s.key())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := audit.VerifyExport(strings.NewReader(early), s.key()); err != nil {
		t.Errorf("as it was then: %v", err)
	}
	if _, err := audit.VerifyExport(strings.NewReader(early), s.key(), later); err == nil {
		t.Error("its end is missing, and nobody noticed")
	}
	if _, err := audit.VerifyExport(strings.NewReader(s.export("default")), s.key(), later); err != nil {
		t.Errorf("the whole: %v", err)
	}
	later.Root[0] ^= 1
	if _, err := audit.VerifyExport(strings.NewReader(s.export("default")), s.key(), later); err == nil {
		t.Error("another chain of the same length, and nobody noticed")
	}
}

func TestChainsOfTenantsAreApart(t *testing.T) {
	s := open(t, parley.NewMemoryStore(), options())
	s.decided("call-1")
	if err := s.log.Record(t.Context(), parley.Deed{Tenant: "acme", What: "sign_in", By: "bob"}); err != nil {
		t.Fatal(err)
	}
	if err := s.log.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out := s.export("acme"); strings.Contains(out, "alice") || !strings.Contains(out, "bob") {
		t.Error(out)
	}
	// An entry of another tenant's does not pass for one of this, though the key is the same.
	foreign := strings.Replace(s.export("acme"), "/audit/acme", "/audit/default", 1)
	if _, err := audit.VerifyExport(strings.NewReader(foreign), s.key()); err == nil {
		t.Error("a chain of one tenant was taken for that of another")
	}
}

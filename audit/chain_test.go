package audit_test

import (
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

// forged is a chain that whoever has the key made: each entry follows the one before it, and
// all is signed.
type forged struct {
	*forger
	lines  []string
	hashes []tlog.Hash // as package tlog stores them
}

func (f *forger) chain(entries ...audit.Entry) *forged {
	f.t.Helper()
	c := &forged{forger: f}
	prev := tlog.RecordHash(nil)
	for i, e := range entries {
		e.Index, e.Prev, e.Tenant = int64(i), prev.String(), "default"
		line := jsonOf(e)
		prev = tlog.RecordHash([]byte(line))
		more, err := tlog.StoredHashes(int64(i), []byte(line), c)
		if err != nil {
			f.t.Fatal(err)
		}
		c.lines, c.hashes = append(c.lines, line), append(c.hashes, more...)
	}
	return c
}

// ReadHashes implements tlog.HashReader.
func (c *forged) ReadHashes(indexes []int64) (all []tlog.Hash, err error) {
	for _, i := range indexes {
		all = append(all, c.hashes[i])
	}
	return all, nil
}

// checkpoint is that of the first entries.
func (c *forged) checkpoint(size int) string {
	c.t.Helper()
	root, err := tlog.TreeHash(int64(size), c)
	if err != nil {
		c.t.Fatal(err)
	}
	return c.sign(origin, size, root)
}

// known is a checkpoint as somebody kept it.
func (c *forged) known(size int) audit.Checkpoint {
	c.t.Helper()
	k, err := audit.OpenCheckpoint(c.checkpoint(size), c.key)
	if err != nil {
		c.t.Fatal(err)
	}
	return k
}

// export is that of the entries from one on.
func (c *forged) export(from int) string {
	c.t.Helper()
	last, edge, signed := tlog.RecordHash(nil), []tlog.Hash{}, ""
	if from > 0 {
		last, signed = tlog.RecordHash([]byte(c.lines[from-1])), `,"signed":`+jsonOf(c.checkpoint(from))
	}
	for at, rest := 0, from; rest > 0; { // the complete subtrees, from the left
		level := 0
		for 2<<level <= rest {
			level++
		}
		edge = append(edge, c.hashes[tlog.StoredHashIndex(level, int64(at>>level))])
		at, rest = at+1<<level, rest-1<<level
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"parley_audit":1,"origin":%q,"start":{"size":%d,"last":%q,"edge":%s%s}}`+"\n", origin, from, last.String(), jsonOf(edge), signed)
	for _, line := range c.lines[from:] {
		b.WriteString(line + "\n")
	}
	return b.String() + `{"checkpoint":` + jsonOf(c.checkpoint(len(c.lines))) + "}\n"
}

// receipt has these entries of it, and what is given besides.
func (c *forged) receipt(more string, indexes ...int) []byte {
	c.t.Helper()
	var entries []string
	for _, i := range indexes {
		proof, err := tlog.ProveRecord(int64(len(c.lines)), int64(i), c)
		if err != nil {
			c.t.Fatal(err)
		}
		entries = append(entries, fmt.Sprintf(`{"line":%s,"proof":%s}`, jsonOf(c.lines[i]), jsonOf(append([]tlog.Hash{}, proof...))))
	}
	return fmt.Appendf(nil, `{"parley_receipt":1,"checkpoint":%s,"entries":[%s],%s}`, jsonOf(c.checkpoint(len(c.lines))), strings.Join(entries, ","), more)
}

// tale is how a call comes to be made that a person signed: the passkey is added, the
// decision signed, the call sent and ended.
type tale struct{ added, decided, sent, ended audit.Entry }

func signedTale(t *testing.T, d *softkey.Device) (s tale) {
	t.Helper()
	s.decided, s.added = signedBy(t, d)
	s.decided.Decision, s.decided.Signed = "allow_once", nil
	sign(t, d, &s.decided)
	s.sent = audit.Entry{At: s.decided.At.Add(time.Second), What: "call.sent", By: "alice", Server: "bank", Tool: "transfer", Call: "c1", Digest: "d1"}
	s.ended = s.sent
	s.ended.What, s.ended.Outcome, s.ended.At = "call.ended", "ok", s.sent.At.Add(time.Second)
	return s
}

// change makes it one of a call that nobody signed, in which an amount was allowed and another,
// or the same, was sent.
func (s *tale) change(allowed, sent string) {
	s.decided.Decision, s.decided.Signed, s.decided.Changes = "changed", nil, amount(allowed)
	for _, e := range []*audit.Entry{&s.sent, &s.ended} {
		e.Digest, e.Was, e.Changes = "d2", "d1", amount(sent)
	}
}

// amount is the digest of a change.
func amount(to string) string { return passkey.Changes([]byte(`{"amount":` + to + `}`)) }

func (s tale) chain(f *forger) *forged { return f.chain(s.added, s.decided, s.sent, s.ended) }

var shownToo = `"shown":` + jsonOf(asked)

func said(err error) string {
	if err == nil {
		return "nothing is wrong"
	}
	return err.Error()
}

// Whoever has the key of the chain makes entries as they like, and they must hang together
// with what the person signed.
func TestAReceiptWhoseEntriesDoNotHangTogetherIsRefused(t *testing.T) {
	f := newForger(t)
	phone := softkey.New(t, "https://parley.example", "parley.example")
	whole := signedTale(t, phone)
	p, err := audit.Verify(whole.chain(f).receipt(shownToo, 1, 0, 3, 2), f.key)
	if err != nil || len(p.Calls) != 2 || p.Calls[0].What != "call.sent" || p.Calls[1].What != "call.ended" || p.Whole {
		t.Fatalf("as it should be: %+v, %v", p, err)
	}
	for name, one := range map[string]struct {
		change func(s *tale)
		want   string
	}{
		"other arguments":          {func(s *tale) { s.sent.Digest, s.ended.Digest = "d2", "d2" }, "another call"},
		"changed, and not signed":  {func(s *tale) { s.sent.Digest, s.sent.Was, s.ended.Digest, s.ended.Was = "d2", "d1", "d2", "d1" }, "other arguments"},
		"another server":           {func(s *tale) { s.sent.Server = "prod" }, "another call"},
		"another tool":             {func(s *tale) { s.sent.Tool = "wipe" }, "another call"},
		"another call":             {func(s *tale) { s.sent.Call = "c2" }, "another call"},
		"another person":           {func(s *tale) { s.sent.By = "mallory" }, "another call"},
		"before the decision":      {func(s *tale) { s.sent.At = s.decided.At.Add(-time.Hour) }, "before it was decided"},
		"ended before it was sent": {func(s *tale) { s.sent.At = s.ended.At.Add(time.Hour) }, "ended before"},
		"ended otherwise": {func(s *tale) {
			s.decided.Decision = "changed"
			s.decided.Signed.Changes = passkey.Changes([]byte("{}"))
			sign(t, phone, &s.decided)
			s.sent.Digest, s.sent.Was, s.ended.Digest, s.ended.Was = "d2", "d1", "d3", "d1"
		}, "other arguments than it ended with"},
		"a decision of another kind": {func(s *tale) { s.sent.What, s.sent.Question = "question", "q2" }, "another call"},
		"a refusal":                  {func(s *tale) { s.decided.Outcome = "decline" }, "outcome is"},
		"about something else":       {func(s *tale) { s.decided.Trigger = "program" }, "allows a call"},
		"as it was, though changed": {func(s *tale) {
			s.decided.Decision = "changed"
			s.decided.Signed.Changes = passkey.Changes([]byte("{}"))
			sign(t, phone, &s.decided)
		}, "sent with those that were shown"},
		"changed into nothing": {func(s *tale) {
			s.decided.Decision = "changed"
			sign(t, phone, &s.decided)
			s.sent.Digest, s.sent.Was, s.ended.Digest, s.ended.Was = "d2", "d1", "d2", "d1"
		}, "none are signed"},
		"changes that are none": {func(s *tale) {
			s.decided.Signed.Changes = passkey.Changes([]byte("{}"))
			sign(t, phone, &s.decided)
		}, "changed arguments are signed"},
		"on another surface": {func(s *tale) { s.decided.Via = "slack" }, "on the page"},
		"for ever": {func(s *tale) {
			s.decided.Decision = "always_allow"
			sign(t, phone, &s.decided)
		}, "allows a call once"},
		"denied": {func(s *tale) { s.decided.Decision, s.decided.Signed = "deny", nil }, "and the call was sent"},
		"changed otherwise than it was signed": {func(s *tale) {
			s.change("50", "5000")
			s.decided.Changes = ""
			s.decided.Signed = &parley.Signed{Changes: amount("50")}
			sign(t, phone, &s.decided)
		}, "sent with others"},
		"signed otherwise than it was allowed": {func(s *tale) {
			s.change("50", "50")
			s.decided.Signed = &parley.Signed{Changes: amount("5000")}
			sign(t, phone, &s.decided)
			s.sent.Changes, s.ended.Changes = amount("5000"), amount("5000")
		}, "other arguments were changed"},
		"changed otherwise than it was allowed": {func(s *tale) { s.change("50", "5000") }, "sent with others"},
		"changed nobody knows how":              {func(s *tale) { s.change("50", "50"); s.sent.Changes = "" }, "sent with others"},
		"changed otherwise at its end":          {func(s *tale) { s.change("50", "50"); s.decided.Changes, s.ended.Changes = "", amount("5000") }, "other arguments than it ended with"},
		"changed, and allowed as it was":        {func(s *tale) { s.decided.Signed, s.decided.Changes = nil, amount("50") }, "arguments were changed, and the decision is"},
		"changed, and not with what":            {func(s *tale) { s.change("50", "50") }, "does not have them"},
	} {
		s := whole
		signed := *whole.decided.Signed
		s.decided.Signed = &signed
		one.change(&s)
		indexes := []int{1, 0, 2, 3}
		if s.decided.Signed == nil {
			indexes = []int{1, 2, 3}
		}
		if _, err := audit.Verify(s.chain(f).receipt(shownToo, indexes...), f.key); !strings.Contains(said(err), one.want) {
			t.Errorf("%s: %s", name, said(err))
		}
	}
	twice := f.chain(whole.added, whole.decided, whole.sent, whole.ended, whole.sent, whole.ended)
	for name, one := range map[string]struct {
		receipt []byte
		want    string
	}{
		"an entry twice":     {whole.chain(f).receipt(shownToo, 1, 0, 2, 3, 2), "twice"},
		"sent twice":         {twice.receipt(shownToo, 1, 0, 2, 3, 4), "twice"},
		"ended twice":        {twice.receipt(shownToo, 1, 0, 2, 3, 5), "twice"},
		"ended and not sent": {whole.chain(f).receipt(shownToo, 1, 0, 3), "does not say that it was sent"},
		"nothing shown":      {whole.chain(f).receipt(`"shown":null`, 1, 0, 2, 3), "which they signed, is not in the receipt"},
	} {
		if _, err := audit.Verify(one.receipt, f.key); !strings.Contains(said(err), one.want) {
			t.Errorf("%s: %s", name, said(err))
		}
	}
	changed, added := signedBy(t, phone)
	if _, err := audit.Verify(f.chain(added, changed).receipt(shownToo, 1, 0), f.key); !strings.Contains(said(err), "does not have them") {
		t.Errorf("without the changes: %s", said(err))
	}
}

// Whose a passkey is, and of which site, a receipt must prove: else it is not proven that the
// person signed, though everything else holds.
func TestAReceiptThatLeavesOpenWhosePasskeySignedIsNotProven(t *testing.T) {
	f := newForger(t)
	at := func(origin, host string) tale { return signedTale(t, softkey.New(t, origin, host)) }
	home := at("https://parley.example", "parley.example")
	unknown := home
	unknown.added.Outcome = "unknown"
	for name, one := range map[string]struct {
		receipt []byte
		want    string
		site    bool
	}{
		"nobody added it":     {home.chain(f).receipt(shownToo, 1, 2, 3), "does not say that they added it", false},
		"it was added behind": {f.chain(home.decided, home.added).receipt(shownToo, 0, 1), "behind it in the chain", false},
		"nobody knows":        {unknown.chain(f).receipt(shownToo, 1, 0), "does not know whether", false},
		"another site":        {at("https://evil.example", "evil.example").chain(f).receipt(shownToo, 1, 0), "signed on https://evil.example", true},
		"another port":        {at("https://parley.example:8443", "parley.example").chain(f).receipt(shownToo, 1, 0), "signed on", true},
	} {
		p, err := audit.Verify(one.receipt, f.key)
		open, ok := err.(*audit.Unproven)
		if !ok || !strings.Contains(err.Error(), one.want) || len(open.Doubts) != 1 || open.Doubts[0].Site != one.site || open.Doubts[0].By != "alice" ||
			open.Doubts[0].Signer.Fingerprint != p.Signer.Fingerprint || p.Question.Decision != "allow_once" {
			t.Errorf("%s: %s, %+v", name, said(err), p)
		}
	}
}

func TestAnExportInWhichAPasskeySignsThatThePersonDoesNotHaveIsRefused(t *testing.T) {
	f := newForger(t)
	phone, thiefs := softkey.New(t, "https://parley.example", "parley.example"), softkey.New(t, "https://parley.example", "parley.example")
	s, stolen := signedTale(t, phone), signedTale(t, thiefs)
	removed, removedLater, mallorys, again, unknown := s.added, s.added, s.added, s.decided, s.added
	removed.What, removed.At = "passkey.removed", s.decided.At.Add(-10*time.Minute)
	removedLater.What, removedLater.At = "passkey.removed", s.decided.At.Add(time.Second)
	mallorys.By = "mallory"
	later := s.added
	later.At = s.decided.At.Add(time.Hour)
	otherKey := s.added
	otherKey.Digest = stolen.added.Digest
	again.At = again.At.Add(time.Minute)
	unknown.Outcome = "unknown"
	otherwise, was, early := s.sent, s.sent, s.sent
	otherwise.Digest, was.Digest, was.Was, early.At = "d2", "d2", "d1", s.decided.At.Add(-time.Hour)
	elsewhere := signedTale(t, softkey.New(t, "https://evil.example", "evil.example"))
	connected := audit.Entry{Tenant: "default", At: s.decided.At, What: "connect.signed", Decision: "connect", By: "alice", Via: "oidc", Question: "q2", Server: "bank", Shown: asked.Digest()}
	sign(t, phone, &connected)
	const fine, open = "nothing is wrong", "not proven"
	for name, one := range map[string]struct {
		chain []audit.Entry
		from  int
		want  string
	}{
		"as it should be":           {[]audit.Entry{s.added, s.decided, s.sent, s.ended}, 0, fine},
		"removed afterwards":        {[]audit.Entry{s.added, s.decided, removedLater}, 0, fine},
		"an account, tried twice":   {[]audit.Entry{s.added, connected, connected}, 0, fine},
		"an account, never added":   {[]audit.Entry{connected}, 0, "none that the person had added"},
		"added again":               {[]audit.Entry{s.added, removed, s.added, s.decided}, 0, fine},
		"never added":               {[]audit.Entry{s.decided, s.sent, s.ended}, 0, "none that the person had added"},
		"another passkey":           {[]audit.Entry{s.added, stolen.decided}, 0, "none that the person had added"},
		"another key":               {[]audit.Entry{otherKey, s.decided}, 0, "not the one that the person had added"},
		"removed":                   {[]audit.Entry{s.added, removed, s.decided}, 0, "had removed"},
		"removed before in chain":   {[]audit.Entry{s.added, removedLater, s.decided}, 0, open},
		"added by somebody else":    {[]audit.Entry{mallorys, s.decided}, 0, "none that the person had added"},
		"added behind":              {[]audit.Entry{s.decided, s.added}, 0, open},
		"added later":               {[]audit.Entry{s.decided, later}, 0, "was added later"},
		"added later, it says":      {[]audit.Entry{later, s.decided}, 0, "was added later"},
		"nobody knows of it":        {[]audit.Entry{unknown, s.decided}, 0, open},
		"the export begins later":   {[]audit.Entry{s.added, s.decided}, 1, open},
		"begins later, and removed": {[]audit.Entry{s.added, removed, s.decided}, 1, "had removed"},
		"on another site":           {[]audit.Entry{elsewhere.added, elsewhere.decided}, 0, open},
		"decided twice":             {[]audit.Entry{s.added, s.decided, again}, 0, "decided before"},
		"sent otherwise":            {[]audit.Entry{s.added, s.decided, otherwise}, 0, "otherwise than the person signed"},
		"sent otherwise, in front":  {[]audit.Entry{s.added, otherwise, s.decided}, 0, "otherwise than the person signed"},
		"sent with changes":         {[]audit.Entry{s.added, s.decided, was}, 0, "otherwise than the person signed"},
		"sent before":               {[]audit.Entry{s.added, s.decided, early}, 0, "before the person signed"},
		"sent twice":                {[]audit.Entry{s.added, s.sent, s.sent}, 0, "was sent before"},
	} {
		_, err := audit.VerifyExport(strings.NewReader(f.chain(one.chain...).export(one.from)), f.key)
		_, unproven := err.(*audit.Unproven)
		if !strings.Contains(said(err), one.want) || unproven != (one.want == open) {
			t.Errorf("%s: %s", name, said(err))
		}
	}
}

// A kept checkpoint is compared, or the export is refused.
func TestAnExportThatSaysNothingAboutAKnownCheckpointIsRefused(t *testing.T) {
	f := newForger(t)
	var a, b []audit.Entry
	for i := range 20 {
		a = append(a, audit.Entry{What: "sign_in", By: fmt.Sprint("a", i)})
		b = append(b, audit.Entry{What: "sign_in", By: fmt.Sprint("b", i)})
	}
	kept, other := f.chain(a...), f.chain(b...)
	foreign := kept.known(12)
	foreign.Origin = "parley.example/audit/evil"
	for name, one := range map[string]struct {
		export string
		known  audit.Checkpoint
		want   string
	}{
		"the same":                      {kept.export(0), kept.known(12), "nothing is wrong"},
		"the same, from there":          {kept.export(8), kept.known(8), "nothing is wrong"},
		"the same, from before":         {kept.export(8), kept.known(12), "nothing is wrong"},
		"the same, of nothing":          {kept.export(0), kept.known(0), "nothing is wrong"},
		"another":                       {other.export(0), kept.known(5), "another than"},
		"another, from before":          {other.export(8), kept.known(12), "another than"},
		"another, from behind":          {other.export(8), kept.known(5), "begins behind your checkpoint"},
		"another, from there":           {other.export(8), kept.known(8), "another than"},
		"another tenant's":              {kept.export(8), foreign, "your checkpoint is of"},
		"nothing, from behind":          {other.export(20), kept.known(12), "begins behind your checkpoint"},
		"nothing, from there":           {kept.export(20), kept.known(20), "has no decisions"},
		"another, nothing, from there":  {other.export(20), kept.known(20), "another than"},
		"it is shorter":                 {f.chain(a[:10]...).export(0), kept.known(12), "its end is missing"},
		"nothing at all":                {f.chain().export(0), kept.known(0), "has no decisions"},
		"nothing at all, of a long one": {f.chain().export(0), kept.known(12), "its end is missing"},
	} {
		if _, err := audit.VerifyExport(strings.NewReader(one.export), f.key, one.known); !strings.Contains(said(err), one.want) {
			t.Errorf("%s: %s", name, said(err))
		}
	}
}

// A receipt of a call that was changed has what was shown, what was changed and the digest of
// what was sent, and they belong together, whether somebody signed it or not.
func TestAReceiptHasWhatWasChangedAndItIsWhatWasSent(t *testing.T) {
	f := newForger(t)
	s := signedTale(t, softkey.New(t, "https://parley.example", "parley.example"))
	s.change("50", "50")
	c := s.chain(f)
	p, err := audit.Verify(c.receipt(shownToo+`,"changes":"{\"amount\":50}"`, 1, 2, 3), f.key)
	if err != nil || p.Changes != `{"amount":50}` || len(p.Calls) != 2 || p.Calls[0].Was != "d1" || p.Calls[0].Digest != "d2" {
		t.Errorf("%+v, %v", p, err)
	}
	if _, err := audit.Verify(c.receipt(shownToo+`,"changes":"{\"amount\":5000}"`, 1, 2, 3), f.key); !strings.Contains(said(err), "the digest in the chain is another") {
		t.Error(said(err))
	}
	s.decided.Changes, s.sent.Changes, s.ended.Changes = "", "", "" // as entries of before
	if _, err := audit.Verify(s.chain(f).receipt(shownToo+`,"changes":"{\"amount\":50}"`, 1, 2, 3), f.key); !strings.Contains(said(err), "and the chain does not") {
		t.Error(said(err))
	}
	if _, err := audit.Verify(s.chain(f).receipt(shownToo, 1, 2, 3), f.key); err != nil {
		t.Error(said(err))
	}
	s.change("50", "50")
	s.decided.Changes = "" // decided before, and sent now
	if _, err := audit.Verify(s.chain(f).receipt(shownToo, 1, 2, 3), f.key); err != nil {
		t.Error(said(err))
	}
}

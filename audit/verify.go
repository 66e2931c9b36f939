package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley/passkey"
)

// Proven is what a receipt proves.
type Proven struct {
	Checkpoint Checkpoint
	Question   Entry
	Calls      []Entry // the call that the question allowed: that it was sent, and how it ended
	Shown      *Shown  // nil: the receipt has only its digest

	// Whole says that whoever signed the checkpoint signed the receipt too: then it has all
	// that there was about the question. Others may lack what somebody took away.
	Whole bool
	More  bool // and yet there were more entries about such calls than a receipt has

	Signer   *passkey.Signer // whose device signed the decision; nil: no rule wanted that
	Enrolled Entry           // how the person came by that passkey; empty: the receipt does not say
	Changes  string          // the arguments that whoever allowed the call changed, as JSON; empty: none, or the receipt has only their digest
}

// MaxReceipt is the size of the largest receipt that is read.
const MaxReceipt = 4 << 20

// Key is a public key, which verifies what an audit log has signed.
type Key = note.Verifier

// ParseKey reads a public key, as Log.PublicKey returns it.
func ParseKey(public string) (Key, error) {
	key, err := note.NewVerifier(strings.TrimSpace(public))
	if err != nil {
		return nil, errors.New("this is no public key of an audit log: it has a name, an id and a key with + in between")
	}
	return key, nil
}

// Verify checks a receipt with nothing but the public key. Its error says what is
// wrong with it; a receipt of which one byte was changed is refused. Where the error is
// Unproven, Proven is what holds all the same.
func Verify(data []byte, key Key) (p Proven, err error) {
	if len(data) > MaxReceipt {
		return p, fmt.Errorf("a receipt has at most %d bytes", MaxReceipt)
	}
	var r receipt
	if err := read(bytes.TrimSuffix(data, []byte("\n")), &r); err != nil {
		return p, fmt.Errorf("the receipt %w", err)
	}
	if r.Version != 1 || len(r.Entries) == 0 {
		return p, errors.New("this is no receipt of version 1")
	}
	if p.Checkpoint, err = OpenCheckpoint(r.Checkpoint, key); err != nil {
		return p, err
	}
	if err := p.takeEntries(r.Entries, key.Name()); err != nil {
		return p, err
	}
	if r.Shown != nil && (r.Shown.Question != p.Question.Question || r.Shown.Digest() != p.Question.Shown) {
		return p, errors.New("what the receipt says was shown is not what was shown: the digest in the chain is another")
	}
	if p.Whole = r.Whole != ""; p.Whole {
		text, err := openNote("receipt", r.Whole, key)
		if err != nil {
			return p, err
		}
		if text != r.wholeText(p.Checkpoint.Origin) {
			return p, errors.New("the receipt is not the one that was signed: something was added to it, taken away or changed")
		}
	}
	p.Shown, p.Changes, p.More = r.Shown, r.Changes, r.More
	return p, p.checkSigned(key.Name())
}

// takeEntries checks that the entries of a receipt are in the chain, once each, and that
// they tell of one decision and what became of it.
func (p *Proven) takeEntries(entries []proven, name string) error {
	seen := map[int64]bool{}
	for i, one := range entries {
		e, err := p.Checkpoint.check(one, name)
		if err == nil && seen[e.Index] {
			err = errors.New("it is in the receipt twice")
		}
		if err != nil {
			return fmt.Errorf("entry %d of the receipt: %w", i+1, err)
		}
		seen[e.Index] = true
		switch {
		case i == 0 && e.What != questionWhat:
			return errors.New("the first entry of the receipt is about no question")
		case i == 0:
			p.Question = e
		case e.What == passkeyAdded && p.Question.Signed != nil && p.Enrolled.What == "":
			p.Enrolled = e
		case !e.concerns(p.Question):
			return fmt.Errorf("entry %d of the receipt is about another call than the question", i+1)
		default:
			err := e.contradicts(p.Question)
			if err != nil && p.Question.Call != "" {
				return fmt.Errorf("entry %d of the receipt: %w", i+1, err)
			}
			if err == nil { // else it is of another call that is the same
				p.Calls = append(p.Calls, e)
			}
		}
	}
	if err := p.Question.plausible(); err != nil {
		return err
	}
	if p.Question.Call == "" {
		p.Calls = begun(p.Calls)
	}
	return checkCalls(p.Calls)
}

// check reads an entry and checks that the checkpoint is about it.
func (c Checkpoint) check(one proven, name string) (e Entry, err error) {
	if err := read([]byte(one.Line), &e); err != nil {
		return e, fmt.Errorf("it %w", err)
	}
	if c.Origin != OriginOf(name, e.Tenant) {
		return e, fmt.Errorf("it is of the tenant %q, and the checkpoint is of %q", e.Tenant, c.Origin)
	}
	if e.Index < 0 || e.Index >= c.Size {
		return e, fmt.Errorf("it has the number %d, and the checkpoint knows of %d", e.Index, c.Size)
	}
	if err := tlog.CheckRecord(tlog.RecordProof(one.Proof), c.Size, c.Root, e.Index, tlog.RecordHash([]byte(one.Line))); err != nil {
		return e, errors.New("it is not in the chain that was signed: it was changed, or its proof was")
	}
	return e, nil
}

// read decodes what encode has written, and nothing else: not with other letters in
// names, twice the same name, or anything besides. White space between values does not
// count.
func read(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, data); err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	if !bytes.Equal(compact.Bytes(), encode(into)) {
		return errors.New("is not written as parley writes it: it was changed")
	}
	return nil
}

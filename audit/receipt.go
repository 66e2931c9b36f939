package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/parley-hq/parley"
)

// receipt is what proves a decision to whoever has the public key.
type receipt struct {
	Version    int      `json:"parley_receipt"`
	Checkpoint string   `json:"checkpoint"`
	Entries    []proven `json:"entries"`           // the question's first, then that of the passkey which signed it, and those of the call that it allowed
	Shown      *Shown   `json:"shown"`             // null: it is not kept any more
	Changes    string   `json:"changes,omitempty"` // of a call that was allowed with other arguments: these, as JSON
	More       bool     `json:"more,omitempty"`    // there are more entries about such calls than a receipt has
	Whole      string   `json:"whole,omitempty"`   // what is above, signed: nothing was left out; see wholeText
}

// wholeText is what is signed of a receipt as a whole. It is no checkpoint: it has fewer
// lines.
func (r receipt) wholeText(origin string) string {
	r.Whole = ""
	return fmt.Sprintf("parley/receipt/v1\n%s\n%s\n", origin, digest(string(encode(r))))
}

// signWhole signs a receipt as it is, so that who has it cannot take a part of it away.
func (l *Log) signWhole(ctx context.Context, tenant string, r *receipt) error {
	key, err := l.key(ctx)
	if err != nil {
		return err
	}
	signed, err := note.Sign(&note.Note{Text: r.wholeText(OriginOf(key.signer.Name(), tenant))}, key.signer)
	r.Whole = string(signed)
	return err
}

// proven is an entry with the proof that the checkpoint is about it too.
type proven struct {
	Line  string      `json:"line"`
	Proof []tlog.Hash `json:"proof"`
}

// mostCalls is how many entries about calls a receipt has at most.
const mostCalls = 50

// Receipt is the receipt for a settled question of a tenant, as JSON for Verify. shown
// is the question as the hub returns it, nil where it is not kept any more: whoever
// calls has made sure that it may be seen. Errors: parley.ErrNotFound while there is no
// such decision, or after it was forgotten.
func (l *Log) Receipt(ctx context.Context, tenant string, id parley.ID, shown *parley.Request) ([]byte, error) {
	tenant = cmp.Or(tenant, parley.DefaultTenant)
	e, err := l.Find(ctx, tenant, id)
	if err != nil {
		return nil, err
	}
	calls, more, err := l.callsOf(ctx, tenant, e)
	if err != nil {
		return nil, err
	}
	enrolled, err := l.enrolmentOf(ctx, tenant, e)
	if err != nil {
		return nil, err
	}
	r := receipt{Version: 1, More: more}
	if r.Checkpoint, r.Entries, err = l.prove(ctx, tenant, slices.Concat([]int64{e.Index}, enrolled, calls)); err != nil {
		return nil, err
	}
	if shown != nil {
		s := ShownTo(*shown)
		r.Shown = &s
		if (e.Signed != nil || e.Changes != "") && l.opts.Changes != nil {
			r.Changes = string(l.opts.Changes(*shown))
		}
	}
	if err := l.signWhole(ctx, tenant, &r); err != nil {
		return nil, err
	}
	return append(encode(r), '\n'), nil
}

// Find reads the entry about a question. parley.ErrNotFound.
func (l *Log) Find(ctx context.Context, tenant string, id parley.ID) (Entry, error) {
	if err := l.hasten(ctx, id); err != nil {
		return Entry{}, err
	}
	index, err := l.lookUp(ctx, tenant, questionKey(string(id)))
	if err != nil {
		return Entry{}, err
	}
	return l.Entry(ctx, tenant, index)
}

// hasten puts the entry of a question into the chain if it is due, whoever wrote it.
func (l *Log) hasten(ctx context.Context, id parley.ID) error {
	if !id.Valid() {
		return fmt.Errorf("audit: %w", parley.ErrNotFound)
	}
	r, err := l.records.Load(ctx, dueAt(questionDue(id)))
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	d, err := decodeDue(r)
	if err != nil {
		return err
	}
	return l.add(ctx, []due{d})
}

// lookUp finds an entry by its key. parley.ErrNotFound.
func (l *Log) lookUp(ctx context.Context, tenant, key string) (index int64, err error) {
	r, err := l.records.Load(ctx, indexAt(tenant, key))
	if err == nil {
		err = json.Unmarshal(r.Data, &index)
	}
	return index, err
}

// Entry reads one entry of a tenant's chain. parley.ErrNotFound.
func (l *Log) Entry(ctx context.Context, tenant string, index int64) (e Entry, err error) {
	line, err := l.line(ctx, tenant, index)
	if err == nil {
		err = json.Unmarshal([]byte(line), &e)
	}
	return e, err
}

// callsOf finds the entries about the call that a question was about, oldest first. more
// says that there may be others.
func (l *Log) callsOf(ctx context.Context, tenant string, question Entry) (indexes []int64, more bool, err error) {
	if question.Digest == "" {
		return nil, false, nil
	}
	found, more, err := l.indexed(ctx, tenant, callKeys(question.Digest))
	if err != nil {
		return nil, false, err
	}
	for _, e := range begun(slices.DeleteFunc(found, func(e Entry) bool { return !e.concerns(question) || e.contradicts(question) != nil })) {
		indexes = append(indexes, e.Index)
	}
	slices.Sort(indexes)
	return indexes, more, nil
}

// indexed finds the entries below a key of the index. more says that there may be others.
func (l *Log) indexed(ctx context.Context, tenant, below string) (all []Entry, more bool, err error) {
	found, err := l.records.Scan(ctx, indexAt(tenant, below), "", mostCalls)
	if err != nil {
		return nil, false, err
	}
	for _, r := range found {
		var index int64
		if err := json.Unmarshal(r.Data, &index); err != nil {
			return nil, false, err
		}
		e, err := l.Entry(ctx, tenant, index)
		if err != nil {
			return nil, false, err
		}
		all = append(all, e)
	}
	return all, len(found) == mostCalls, nil
}

// prove signs what the chain is now, and proves that these entries are in it.
func (l *Log) prove(ctx context.Context, tenant string, indexes []int64) (signed string, all []proven, err error) {
	h, err := l.head(ctx, tenant)
	if err == nil {
		err = l.finish(ctx, tenant, h)
	}
	if err != nil {
		return "", nil, err
	}
	read, err := l.reader(ctx, tenant)
	if err != nil {
		return "", nil, err
	}
	for _, index := range indexes {
		line, err := l.line(ctx, tenant, index)
		if err != nil {
			return "", nil, err
		}
		proof, err := tlog.ProveRecord(h.Size, index, read)
		if err != nil {
			return "", nil, err
		}
		all = append(all, proven{line, append([]tlog.Hash{}, proof...)})
	}
	m, err := l.mark(ctx, tenant, h)
	return m.Signed, all, err
}

package audit

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"golang.org/x/mod/sumdb/tlog"
)

// Verified is what an export was found to be.
type Verified struct {
	Start       int64      // entries before this one were forgotten
	Checkpoint  Checkpoint // of its end
	Checkpoints int        // how many were checked in all
}

const maxLine = 64 << 10

// VerifyExport checks an exported chain with nothing but the public key: that each entry
// follows the one before it, and that each checkpoint is of what is before it. An entry
// that was removed, changed, inserted or moved is found; the error says where. An export
// that was cut off at an older checkpoint of its own is a chain, as it was then: whoever
// has a later checkpoint gives it as known, and the export must go at least as far. One that
// begins behind a known checkpoint says nothing about that, and is refused too.
//
// Each decision that is signed must be signed with a passkey that the person had added
// before, and not removed; and what was signed must be what was sent. Where the export leaves
// open whose passkey it was the error is Unproven, and Verified what it was found to be.
func VerifyExport(from io.Reader, key Key, known ...Checkpoint) (v Verified, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, maxLine)
	if !lines.Scan() {
		return v, cmp.Or(unreadLine(1, lines.Err()), errors.New("the export is empty"))
	}
	c, err := begin(lines.Bytes(), key)
	if err != nil {
		return v, err
	}
	v.Start = c.size
	if err := c.reaches(known); err != nil {
		return v, err
	}
	n := 2
	for ; lines.Scan(); n++ {
		if err := c.take(lines.Bytes()); err != nil {
			return v, fmt.Errorf("line %d: %w", n, err)
		}
		if err := c.compare(known); err != nil {
			return v, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if err := unreadLine(n, lines.Err()); err != nil {
		return v, err
	}
	if c.last == nil || c.last.Size != c.size {
		return v, errors.New("the export does not end with a checkpoint of its last entry: its end is missing")
	}
	for _, k := range known {
		if k.Size > c.size {
			return v, fmt.Errorf("the export ends after %d entries, and a checkpoint of %s knows of %d: its end is missing", c.size, k.At, k.Size)
		}
	}
	if len(known) > 0 && c.size == v.Start {
		return v, errors.New("the export has no decisions: it says nothing about your checkpoint")
	}
	doubts, err := c.holders.end(v.Start == 0)
	if err != nil {
		return v, err
	}
	v.Checkpoint, v.Checkpoints = *c.last, c.checked
	return v, unproven(doubts)
}

// unreadLine says why a line of an export could not be read; nil: it was its end.
func unreadLine(n int, err error) error {
	switch {
	case errors.Is(err, bufio.ErrTooLong):
		return fmt.Errorf("line %d has more than %d bytes: no entry and no checkpoint is so long", n, maxLine)
	case err != nil:
		return fmt.Errorf("line %d cannot be read: %w", n, err)
	}
	return nil
}

// walk goes along a chain.
type walk struct {
	key     Key
	origin  string
	tree    *tree
	size    int64
	prev    tlog.Hash
	last    *Checkpoint
	checked int
	holders *holders
	sent    *dispatches
}

func begin(line []byte, key Key) (*walk, error) {
	var first opening
	if err := read(line, &first); err != nil {
		return nil, fmt.Errorf("the first line %w", err)
	}
	if first.Version != 1 {
		return nil, errors.New("this is no export of version 1")
	}
	t, err := newTree(first.Start.Size, first.Start.Edge)
	if err != nil {
		return nil, err
	}
	w := &walk{key: key, origin: first.Origin, tree: t, size: first.Start.Size, prev: first.Start.Last, holders: newHolders(), sent: newDispatches()}
	if w.size == 0 {
		if w.prev != nothingBefore || first.Start.Signed != "" || first.Origin == "" {
			return nil, errors.New("the chain does not begin at its beginning")
		}
		return w, nil
	}
	return w, w.checkpoint(first.Start.Signed)
}

func (w *walk) take(line []byte) error {
	if bytes.HasPrefix(line, []byte(`{"checkpoint":`)) {
		var c between
		if err := read(line, &c); err != nil {
			return fmt.Errorf("the checkpoint %w", err)
		}
		return w.checkpoint(c.Checkpoint)
	}
	var e Entry
	if err := read(line, &e); err != nil {
		return fmt.Errorf("the entry %w", err)
	}
	switch {
	case !bytes.Equal(line, e.line()):
		return errors.New("the entry is not written as parley writes it: it was changed")
	case e.Index != w.size:
		return fmt.Errorf("entry %d stands where %d belongs: entries are missing, inserted or out of order", e.Index, w.size)
	case e.Prev != w.prev.String():
		return fmt.Errorf("entry %d does not follow the one before it: one of them was changed", e.Index)
	case OriginOf(w.key.Name(), e.Tenant) != w.origin:
		return fmt.Errorf("entry %d is of another tenant", e.Index)
	}
	err := e.plausible()
	if err == nil {
		err = w.holders.take(e, w.key.Name())
	}
	if err == nil {
		err = w.sent.take(e)
	}
	if err != nil {
		return fmt.Errorf("entry %d: %w", e.Index, err)
	}
	w.prev = tlog.RecordHash(line)
	if _, err := w.tree.add(w.size, w.prev); err != nil {
		return err
	}
	w.size++
	if w.size%prune == 0 { // a long chain is no reason to remember it
		hashes, err := w.tree.edgeOf(w.size)
		if err != nil {
			return err
		}
		w.tree, err = newTree(w.size, hashes)
		return err
	}
	return nil
}

// prune is after how many entries all is forgotten but what is needed to go on.
const prune = 1024

// checkpoint checks that a checkpoint is of what was seen.
func (w *walk) checkpoint(signed string) error {
	c, err := OpenCheckpoint(signed, w.key)
	if err != nil {
		return err
	}
	root, err := tlog.TreeHash(w.size, w.tree)
	if err != nil {
		return err
	}
	switch {
	case c.Origin != w.origin:
		return fmt.Errorf("the checkpoint is of %q", c.Origin)
	case c.Size != w.size:
		return fmt.Errorf("the checkpoint is of %d entries, and there are %d before it: entries are missing or inserted", c.Size, w.size)
	case c.Root != root:
		return fmt.Errorf("the checkpoint of %d entries is of others than these: one of them was changed", c.Size)
	}
	w.last, w.checked = &c, w.checked+1
	return nil
}

// reaches checks that a chain that begins here can say something about known checkpoints.
func (w *walk) reaches(known []Checkpoint) error {
	for _, k := range known {
		switch {
		case k.Origin != w.origin:
			return fmt.Errorf("your checkpoint is of %q, and the export of %q", k.Origin, w.origin)
		case k.Size < w.size:
			return fmt.Errorf("the export begins behind your checkpoint, after %d entries, and that is of %d: it says nothing about it", w.size, k.Size)
		}
	}
	return w.compare(known)
}

// compare checks what somebody knows of the chain otherwise.
func (w *walk) compare(known []Checkpoint) error {
	for _, k := range known {
		if k.Size != w.size {
			continue
		}
		root, err := tlog.TreeHash(w.size, w.tree)
		if err != nil {
			return err
		}
		if k.Origin != w.origin || k.Root != root {
			return fmt.Errorf("the chain of %d entries is another than the one of the known checkpoint", k.Size)
		}
	}
	return nil
}

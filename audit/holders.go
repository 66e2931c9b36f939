package audit

import (
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/parley-hq/parley/passkey"
)

// holders is who had which passkey, along an export.
type holders struct {
	known   map[holder]*held
	waiting []waits         // signed decisions whose passkey was not added so far
	signed  map[string]bool // questions that were decided with one
	doubts  []Doubt
}

// holder is a person with a passkey, by its id.
type holder struct{ by, passkey string }

// held is what the chain says of it so far.
type held struct{ added, removed *Entry }

type waits struct {
	entry Entry
	who   passkey.Signer
}

func newHolders() *holders { return &holders{known: map[holder]*held{}, signed: map[string]bool{}} }

// take goes on by one entry. name is that of the key.
func (h *holders) take(e Entry, name string) error {
	switch {
	case e.What == passkeyAdded || e.What == passkeyRemoved:
		at := holder{e.By, e.Target}
		if h.known[at] == nil {
			h.known[at] = &held{}
		}
		if e.What == passkeyAdded {
			h.known[at].added, h.known[at].removed = &e, nil
		} else {
			h.known[at].removed = &e
		}
		return nil
	case e.Signed == nil:
		return nil
	}
	who, err := e.signer()
	if err == nil && e.What == questionWhat && h.signed[e.Question] {
		err = errors.New("the question was decided before")
	}
	if err != nil {
		return err
	}
	h.signed[e.Question] = h.signed[e.Question] || e.What == questionWhat
	h.doubts = append(h.doubts, e.doubtSite(who, name)...)
	had := h.known[e.holder()]
	if had == nil || had.added == nil && had.removed == nil {
		h.waiting = append(h.waiting, waits{e, who})
		return nil
	}
	why, err := had.doubt(e)
	if err == nil && why != "" {
		h.doubts = append(h.doubts, Doubt{e.Index, e.By, who, false, why})
	}
	return err
}

// holder is who signed an entry, with what.
func (e Entry) holder() holder {
	return holder{e.By, base64.RawURLEncoding.EncodeToString(e.Signed.Credential)}
}

// doubt says what is open of a passkey that stands before a decision in the chain.
func (had held) doubt(e Entry) (why string, err error) {
	switch {
	case had.added != nil && !had.added.adds(e):
		return "", errors.New("the passkey that signed it is not the one that the person had added")
	case had.added != nil && had.added.At.After(e.At.Add(clocks)):
		return "", errors.New("the passkey that signed it was added later")
	case had.removed != nil && had.removed.Outcome == "" && e.At.After(had.removed.At.Add(clocks)):
		return "", fmt.Errorf("the person had removed the passkey that signed it, with entry %d", had.removed.Index)
	case had.removed != nil:
		return fmt.Sprintf("entry %d, which is before it in the chain, removes the passkey", had.removed.Index), nil
	case had.added != nil && had.added.Outcome != "":
		return fmt.Sprintf("entry %d does not know whether the passkey was added", had.added.Index), nil
	}
	return "", nil
}

// end says what is open when the chain has been seen, which begins at its beginning or at a
// checkpoint.
func (h *holders) end(whole bool) ([]Doubt, error) {
	for _, w := range h.waiting {
		why := "the export begins later than the passkey was added"
		if had := h.known[w.entry.holder()]; had != nil && had.added != nil {
			if _, err := had.doubt(w.entry); err != nil {
				return nil, fmt.Errorf("entry %d: %w", w.entry.Index, err)
			}
			why = fmt.Sprintf("entry %d, which is behind it in the chain, adds the passkey", had.added.Index)
		} else if whole {
			return nil, fmt.Errorf("entry %d: the passkey that signed it is none that the person had added", w.entry.Index)
		}
		h.doubts = append(h.doubts, Doubt{w.entry.Index, w.entry.By, w.who, false, why})
	}
	return h.doubts, nil
}

// Package quorum asks several people the same and hears what they say: the
// machine below approvers of a call, and below a question to a group.
//
// Its nouns: a [Panel] is who is asked, each by a question of their own, and what
// is known of it. A [Round] opens those questions and reads them.
//
// A Panel is plain data for a record of its owner's. The owner stores it before
// the first question is opened, so that whoever comes back after a crash opens
// the same questions, and stores what a Round finds by compare-and-swap with
// [Panel.Hear]. Any number of processes may do so at once.
package quorum

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// Asked is a question to one person. Its id is written down before it is opened:
// whoever comes back after a crash opens the same.
type Asked struct {
	ID      parley.ID `json:"id"`
	Expires time.Time `json:"expires,omitzero"` // zero: nobody has seen it open yet
	Created time.Time `json:"-"`                // of the stored question; set in News alone
	Said    time.Time `json:"said,omitzero"`    // zero: nothing so far
	By      string    `json:"by,omitempty"`     // who said it; empty: nobody did
	Yes     bool      `json:"yes,omitempty"`    // what was said counts for what is asked
	Why     string    `json:"why,omitempty"`    // in their own words
	// For is in whose place they are asked, such as whose deputy they are: both have
	// one voice. Empty: in their own.
	For string `json:"for,omitempty"`
	// Withdrawn is why the question was withdrawn before anybody answered it; empty: it
	// was not.
	Withdrawn string `json:"withdrawn,omitempty"`
	// Edit is what they made of what is asked, as its owner writes it; empty: nothing.
	Edit json.RawMessage `json:"edit,omitempty"`
}

// Word is what an answer means.
type Word struct {
	Yes  bool            // it counts for what is asked
	Why  string          // in their own words
	Edit json.RawMessage // of a yes: what they made of it; empty: nothing
}

// Panel is who is asked, by name.
type Panel map[string]Asked

// New asks each of these people once.
func New(people []string) Panel {
	p := Panel{}
	for _, name := range people {
		p[name] = Asked{ID: parley.NewID()}
	}
	return p
}

// Names returns who is asked, in order.
func (p Panel) Names() []string { return slices.Sorted(maps.Keys(p)) }

// Agreed returns whose yes counts, in order.
func (p Panel) Agreed() []string { return p.who(true) }

// Refused returns whose no counts, in order.
func (p Panel) Refused() []string { return p.who(false) }

func (p Panel) who(yes bool) (names []string) {
	for _, name := range p.Names() {
		if p[name].Yes == yes && p.speaker(p.voice(name)) == name {
			names = append(names, name)
		}
	}
	return names
}

// First returns who said yes first; of two in the same moment, whose name comes
// first. It is empty if nobody did.
func (p Panel) First() (name string) {
	for _, other := range p.Agreed() {
		if name == "" || p[other].Said.Before(p[name].Said) {
			name = other
		}
	}
	return name
}

// Is reports whether p asks the very questions that other does.
func (p Panel) Is(other Panel) bool {
	return maps.EqualFunc(p, other, func(a, b Asked) bool { return a.ID == b.ID })
}

// Lasts is until when one of its questions may be open, as far as that is known.
func (p Panel) Lasts() (until time.Time) {
	for _, a := range p {
		if a.Expires.After(until) {
			until = a.Expires
		}
	}
	return until
}

// Hear takes down what is new about the questions, and reports whether anything
// is. A word about a question that is no longer asked does not count.
func (p Panel) Hear(news Panel) (changed bool) {
	for name, next := range news {
		old := p[name]
		if old.ID != next.ID || !old.Said.IsZero() || next.Said.IsZero() && !old.Expires.IsZero() {
			continue
		}
		p[name], changed = next, true
	}
	return changed
}

// Dismiss withdraws the questions to which nobody has said anything. One for which it
// fails keeps no other open.
func (p Panel) Dismiss(ctx context.Context, hub *parley.Hub, reason string) error {
	var failed error
	for _, name := range p.Names() {
		a := p[name]
		if !a.Said.IsZero() {
			continue
		}
		err := hub.Cancel(ctx, a.ID, reason)
		if err != nil && !errors.Is(err, parley.ErrSettled) && !errors.Is(err, parley.ErrNotFound) {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

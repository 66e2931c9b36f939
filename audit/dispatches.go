package audit

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"time"
)

// dispatches is which calls were sent, along an export, so that each that a person signed
// is found to be the one that they signed. Entries may come late, so a call may stand before
// its decision. Of a call that nobody signed little is remembered.
type dispatches struct {
	sent   map[brief]dispatch // by the call
	signed map[brief]dispatch
}

// brief is a few texts, as a digest.
type brief [16]byte

func briefOf(texts ...string) brief {
	sum := sha256.Sum256(encode(texts))
	return brief(sum[:16])
}

func changesOf(digest string) (b brief) {
	if digest != "" {
		b = briefOf(digest)
	}
	return b
}

// dispatch is a call: as it was sent, or as it was signed.
type dispatch struct {
	what    brief // server, tool, the digest that was shown, and whether it was changed
	at      time.Time
	changes brief // the digest of what was changed; zero: it is not said
}

func newDispatches() *dispatches {
	return &dispatches{map[brief]dispatch{}, map[brief]dispatch{}}
}

func (d *dispatches) take(e Entry) error {
	changed := func(yes bool) string {
		if yes {
			return withChanges
		}
		return ""
	}
	switch {
	case e.What == callSent && e.Call != "":
		call := briefOf(e.By, e.Call)
		one := dispatch{briefOf(e.Server, e.Tool, cmp.Or(e.Was, e.Digest), changed(e.Was != "")), e.At, changesOf(e.Changes)}
		if was, twice := d.sent[call]; twice && was.what == one.what {
			return errors.New("the call was sent before")
		}
		d.sent[call] = one
		if signed, ok := d.signed[call]; ok {
			return one.fits(signed)
		}
	case e.What == questionWhat && e.Call != "" && e.allows():
		call := briefOf(cmp.Or(e.For, e.By), e.Call)
		if e.Signed == nil { // it was asked anew, and what is sent then is not what was signed
			delete(d.signed, call)
			return nil
		}
		one := dispatch{briefOf(e.Server, e.Tool, e.Digest, changed(e.Signed.Changes != "")), e.At, changesOf(e.Signed.Changes)}
		d.signed[call] = one
		if sent, ok := d.sent[call]; ok {
			return sent.fits(one)
		}
	}
	return nil
}

// fits checks that a call was sent as it was signed.
func (d dispatch) fits(signed dispatch) error {
	switch {
	case d.what != signed.what, d.changes != (brief{}) && d.changes != signed.changes:
		return errors.New("the call was sent otherwise than the person signed it")
	case d.at.Before(signed.at.Add(-clocks)):
		return errors.New("the call was sent before the person signed it")
	}
	return nil
}

package audit

import (
	"fmt"
	"strings"

	"github.com/parley-hq/parley/passkey"
)

// Unproven is the error for what holds as far as it goes, and leaves something open of the
// signatures of people. Whoever knows it otherwise may take it.
type Unproven struct {
	Doubts []Doubt
}

func (u *Unproven) Error() string {
	more := ""
	if len(u.Doubts) > 1 {
		more = fmt.Sprintf("; and %d more are not proven", len(u.Doubts)-1)
	}
	return u.Doubts[0].String() + more
}

// Doubt is what is left open of a signature.
type Doubt struct {
	Index  int64  // of the decision
	By     string // who is said to have signed it
	Signer passkey.Signer
	Site   bool   // it is about the site on which it was signed; else about whose the passkey is
	Why    string // what is missing
}

func (d Doubt) String() string {
	what := "that the passkey " + d.Signer.Fingerprint + " is theirs"
	if d.Site {
		what = "that they did it on this site"
	}
	return fmt.Sprintf("decision %d is signed for %q, but it is not proven %s: %s", d.Index, d.By, what, d.Why)
}

// unproven is the error of doubts, if there are any.
func unproven(doubts []Doubt) error {
	if len(doubts) == 0 {
		return nil
	}
	return &Unproven{doubts}
}

// doubtSite compares where a decision was signed with the name of the key, which is that
// of the site: it was when the first process made the key.
func (e Entry) doubtSite(who passkey.Signer, name string) []Doubt {
	for _, scheme := range []string{"https://", "http://"} { // without TLS on localhost only: see passkey.Host
		if strings.EqualFold(who.Origin, scheme+name) {
			return nil
		}
	}
	return []Doubt{{e.Index, e.By, who, true, fmt.Sprintf("it was signed on %s, and the key is that of %s", who.Origin, name)}}
}

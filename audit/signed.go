package audit

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/passkey"
)

// Entry.What of a passkey that a person added, and removed.
const (
	passkeyAdded   = "passkey.added"
	passkeyRemoved = "passkey.removed"
)

// passkeyKeys begins the keys of entries about a passkey that was added.
func passkeyKeys(id string) string { return "passkey/" + digest(id) + "/" }

// statement is what the person signed, by what the chain says.
func (e Entry) statement() passkey.Statement {
	return passkey.Statement{
		Question: e.Question, Tenant: e.Tenant, Person: e.By, For: e.For, Server: e.Server, Tool: e.Tool, Call: e.Call, Digest: e.Digest,
		Changes: e.Signed.Changes, Decision: e.Decision, Rule: e.Signed.Rule, Shown: e.Shown,
	}
}

// signer checks the signature of an entry that has one.
func (e Entry) signer() (passkey.Signer, error) {
	who, err := passkey.Check(*e.Signed, e.statement().Challenge())
	if err != nil {
		err = fmt.Errorf("the signature of the person's passkey does not hold: %w", err)
	}
	return who, err
}

// clocks is how far those of two servers may be apart.
const clocks = time.Minute

// checkSigned checks the signature of a receipt whose decision has one: that a passkey
// signed this very decision, on this site, and that the person had added it before. What the
// receipt leaves open of that is Unproven.
func (p *Proven) checkSigned(name string) error {
	q := p.Question
	if q.Signed == nil {
		switch {
		case p.Changes != "" && q.Changes == "":
			return errors.New("the receipt says what was changed, and the chain does not")
		case p.Changes != "" && passkey.Changes([]byte(p.Changes)) != q.Changes:
			return errors.New("what the receipt says was changed is not what was changed: the digest in the chain is another")
		case p.Changes == "" && q.Changes != "" && p.Shown != nil:
			return errors.New("the call was allowed with changed arguments, and the receipt does not have them")
		}
		return nil
	}
	who, err := q.signer()
	had := held{added: &p.Enrolled}
	why := "the receipt does not say that they added it"
	switch {
	case err != nil:
		return err
	case p.Changes != "" && passkey.Changes([]byte(p.Changes)) != q.Signed.Changes:
		return errors.New("what the receipt says was changed is not what was signed")
	case p.Changes == "" && q.Signed.Changes != "" && p.Shown != nil:
		return errors.New("the person signed changed arguments, and the receipt does not have them")
	case p.Shown == nil && !p.Whole:
		return errors.New("what was shown to the person, which they signed, is not in the receipt, and the server does not say that it is kept no longer")
	case p.Enrolled.What != "":
		if why, err = had.doubt(q); err != nil {
			return err
		}
		if why == "" && p.Enrolled.Index > q.Index {
			why = fmt.Sprintf("entry %d, which is behind it in the chain, adds the passkey", p.Enrolled.Index)
		}
	}
	p.Signer = &who
	doubts := q.doubtSite(who, name)
	if why != "" {
		doubts = append(doubts, Doubt{q.Index, q.By, who, false, why})
	}
	return unproven(doubts)
}

// adds reports whether e is about the passkey with which a question was answered.
func (e Entry) adds(question Entry) bool {
	return e.What == passkeyAdded && e.By == question.By && e.Tenant == question.Tenant &&
		e.Target == base64.RawURLEncoding.EncodeToString(question.Signed.Credential) && e.Digest == passkey.Fingerprint(question.Signed.PublicKey)
}

// enrolmentOf finds the entry about the passkey with which a question was answered, unless
// it was forgotten: of several the last before the question.
func (l *Log) enrolmentOf(ctx context.Context, tenant string, question Entry) ([]int64, error) {
	if question.Signed == nil {
		return nil, nil
	}
	if err := l.Flush(ctx); err != nil { // it may have been added a moment ago
		return nil, err
	}
	found, _, err := l.indexed(ctx, tenant, passkeyKeys(question.holder().passkey))
	var best []Entry
	for _, e := range found {
		if e.adds(question) {
			best = append(best, e)
		}
	}
	if err != nil || len(best) == 0 {
		return nil, err
	}
	before := func(e Entry) int { // those behind it, those of which nobody knows, the others
		switch {
		case e.Index > question.Index:
			return 0
		case e.Outcome != "":
			return 1
		}
		return 2
	}
	return []int64{slices.MaxFunc(best, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(before(a), before(b)), cmp.Compare(a.Index, b.Index))
	}).Index}, nil
}

// enrolling is the entry about the passkey that signed a decision, where that is still due:
// it comes first. The passkey was there, so it was added, though its process has not said so
// or has died before.
func (l *Log) enrolling(ctx context.Context, decision Entry) (first []ripe, err error) {
	found, _, err := l.indexed(ctx, decision.Tenant, passkeyKeys(decision.holder().passkey))
	if err != nil || slices.ContainsFunc(found, func(e Entry) bool { return e.adds(decision) }) {
		return nil, err
	}
	for r, err := range parley.Each(ctx, l.records, parley.Address{Kind: dueKind}, "") {
		if unreadable(err) {
			break // the decision does not wait for what cannot be read
		}
		if err != nil {
			return nil, err
		}
		if d, ok := l.read(ctx, r); ok && d.Entry != nil && d.Entry.adds(decision) {
			first = append(first, ripe{entry: *d.Entry, due: d.key, key: d.Entry.key(d.key)})
		}
	}
	return first, nil
}

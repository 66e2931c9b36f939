package audit

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley/passkey"
)

// passkeyAdded is Entry.What of a passkey that a person added.
const passkeyAdded = "passkey.added"

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
// signed this very decision, and that the person had added it before, if the receipt says
// that.
func (p *Proven) checkSigned() error {
	if p.Question.Signed == nil {
		if p.Changes != "" {
			return errors.New("the receipt says what was changed, and the chain has no signature of it")
		}
		return nil
	}
	who, err := p.Question.signer()
	switch {
	case err != nil:
		return err
	case p.Changes != "" && passkey.Changes([]byte(p.Changes)) != p.Question.Signed.Changes:
		return errors.New("what the receipt says was changed is not what was signed")
	case p.Enrolled.What != "" && (!p.Enrolled.adds(p.Question) || p.Enrolled.At.After(p.Question.At.Add(clocks))):
		return errors.New("the passkey that signed it is not the one that the person had added")
	}
	p.Signer = &who
	return nil
}

// adds reports whether e is about the passkey with which a question was answered.
func (e Entry) adds(question Entry) bool {
	return e.What == passkeyAdded && e.By == question.By && e.Tenant == question.Tenant &&
		e.Target == base64.RawURLEncoding.EncodeToString(question.Signed.Credential) && e.Digest == passkey.Fingerprint(question.Signed.PublicKey)
}

// enrolmentOf finds the entry about the passkey with which a question was answered, unless
// it was forgotten.
func (l *Log) enrolmentOf(ctx context.Context, tenant string, question Entry) ([]int64, error) {
	if question.Signed == nil {
		return nil, nil
	}
	if err := l.Flush(ctx); err != nil { // it may have been added a moment ago
		return nil, err
	}
	id := base64.RawURLEncoding.EncodeToString(question.Signed.Credential)
	found, err := l.indexed(ctx, tenant, passkeyKeys(id), func(e Entry) bool { return e.adds(question) })
	return found[:min(1, len(found))], err
}

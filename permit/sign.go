package permit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/passkey"
)

// SignPasskey is Condition.Sign of rules whose calls are allowed with a passkey.
const SignPasskey = "passkey"

// signedMember is where the content of an outcome has the assertion. No form of ours has
// such a field, and no answer brings one: see checkMembers.
const signedMember = "signed"

// Signatures knows the passkeys of people. *passkey.Keys is one.
type Signatures interface {
	// Verify checks that a passkey of the person's signed a challenge.
	Verify(ctx context.Context, who parley.Principal, challenge []byte, assertion json.RawMessage) (parley.Signed, error)
}

// Signing is a hook for the hub that takes a yes to a call whose rule wants a signature
// (parley.LabelSign) only with an assertion of a passkey of the person who answers, over
// what they were shown and what they say: see ToSign. Others get passkey.ErrNotSigned, and
// the question stays open. The assertion is kept with the outcome. With nil nobody can.
//
// A call is not allowed without it where the hook is missing, either: Record looks for the
// assertion, and checks it again.
func Signing(keys Signatures) parley.Hook {
	return parley.After(parley.AnsweringBuild, func(ctx context.Context, a *parley.Answering) error {
		if a.Outcome.Action != parley.Accept {
			return nil
		}
		statement, needed := ToSign(a.Request, a.Outcome.Content)
		if !needed {
			return nil
		}
		if keys == nil {
			return fmt.Errorf("request %s: %w: there are no passkeys on this site", a.ID, passkey.ErrNotSigned)
		}
		signed, err := keys.Verify(ctx, a.Principal, statement.Challenge(), a.Answer.Assertion)
		if err != nil {
			return fmt.Errorf("request %s: %w", a.ID, err)
		}
		signed.Rule, signed.Changes = statement.Rule, statement.Changes
		a.Outcome.Content, err = withSigned(a.Outcome.Content, signed)
		return err
	})
}

func withSigned(content json.RawMessage, s parley.Signed) (json.RawMessage, error) {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(content, &members); err != nil {
		return nil, err
	}
	var err error
	if members[signedMember], err = json.Marshal(s); err != nil {
		return nil, err
	}
	return json.Marshal(members)
}

// ToSign is what a person signs who answers q with this content, as the hub would keep it.
// It reports false where nothing has to be signed: where no rule wants it, and for what
// does not allow the call.
func ToSign(q parley.Request, content json.RawMessage) (passkey.Statement, bool) {
	rule := q.Labels[parley.LabelSign]
	if q.Trigger != parley.TriggerApproval || rule == "" {
		return passkey.Statement{}, false
	}
	q.Outcome = &parley.Outcome{Action: parley.Accept, Content: content}
	choice, _ := Decided(q)
	if choice == Refuse || choice == AskBack {
		return passkey.Statement{}, false
	}
	return passkey.Statement{
		Question: string(q.ID), Tenant: tenantOf(q.Tenant), Person: q.To, For: q.Labels[LabelAsker], Server: q.Labels[LabelServer], Tool: q.Labels[LabelTool],
		Call: q.Labels[LabelCall], Digest: q.Labels[LabelDigest], Changes: passkey.Changes(changes(q, choice)), Decision: string(choice), Rule: rule,
		Shown: parley.ShownTo(q).Digest(),
	}, true
}

// changes are the arguments that were changed in an answer that allows a call with them,
// as canonical JSON; nil where none were.
func changes(q parley.Request, choice Choice) []byte {
	changed, _ := edits(q.Schema, q.Outcome.Content)
	if choice != Changed || len(changed) == 0 {
		return nil
	}
	return appendCanonical(nil, changed)
}

// ChangesOf are the arguments that whoever allowed a call changed, with their values, as
// canonical JSON: the digest of it is signed. Nil where nothing was changed.
func ChangesOf(q parley.Request) []byte {
	choice, _ := Decided(q)
	if choice != Changed {
		return nil
	}
	return changes(q, choice)
}

// SignedBy is the assertion with which a question was answered, nil where there is none,
// or none that holds.
func SignedBy(q parley.Request) *parley.Signed {
	if checkSigned(q) != nil {
		return nil
	}
	return signedOf(q)
}

func signedOf(q parley.Request) *parley.Signed {
	var content struct {
		Signed *parley.Signed `json:"signed"`
	}
	if q.Outcome == nil || json.Unmarshal(q.Outcome.Content, &content) != nil {
		return nil
	}
	return content.Signed
}

var errUnsigned = errors.New("it is not signed")

// checkSigned checks the assertion of an answer that allows a call.
func checkSigned(q parley.Request) error {
	s := signedOf(q)
	if s == nil {
		return errUnsigned
	}
	statement, needed := ToSign(q, q.Outcome.Content)
	if !needed || s.Rule != statement.Rule || s.Changes != statement.Changes {
		return errUnsigned
	}
	_, err := passkey.Check(*s, statement.Challenge())
	return err
}

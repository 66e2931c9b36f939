package audit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/parley-hq/parley"
)

// Entry.What of calls, as package mcpcall tells of them.
const (
	callSent    = "call.sent"
	callEnded   = "call.ended"
	callRefused = "call.refused"
)

// What a person chose, as package permit has it.
const (
	allowOnce   = "allow_once"
	alwaysAllow = "always_allow"
	withChanges = "changed"
)

// viaPage is Entry.Via of what was decided on the page of the question. What is signed is
// signed there and nowhere else.
const viaPage = "page"

func (e Entry) allows() bool {
	return e.Decision == allowOnce || e.Decision == alwaysAllow || e.Decision == withChanges
}

// plausible checks that a decision can be one: that what it says agrees with itself.
func (e Entry) plausible() error {
	switch {
	case e.What != questionWhat:
		return nil
	case e.Decision != "" && e.Outcome != "accept":
		return fmt.Errorf("it was decided %q, and its outcome is %q", e.Decision, e.Outcome)
	case e.Changes != "" && e.Decision != withChanges:
		return fmt.Errorf("arguments were changed, and the decision is %q", e.Decision)
	case e.Signed == nil:
		return nil
	case e.Changes != "" && e.Changes != e.Signed.Changes:
		return errors.New("other arguments were changed than those that are signed")
	case !e.allows() || e.Decision == alwaysAllow:
		return fmt.Errorf("a signature allows a call once, and this decision is %q", e.Decision)
	case e.Trigger != parley.TriggerApproval:
		return fmt.Errorf("a signature allows a call, and this question is %q", e.Trigger)
	case e.Decision == withChanges && e.Signed.Changes == "":
		return errors.New("the call was allowed with changed arguments, and none are signed")
	case e.Decision != withChanges && e.Signed.Changes != "":
		return fmt.Errorf("changed arguments are signed, and the decision is %q", e.Decision)
	case e.Via != viaPage:
		return fmt.Errorf("a call is signed on the page of its question, and this was decided on %q", e.Via)
	}
	return nil
}

// concerns reports whether e is about the very call that a question was about: of an
// approver's, which is for a call of its arguments, about one of the same person's.
func (e Entry) concerns(question Entry) bool {
	switch {
	case e.What != callSent && e.What != callEnded && e.What != callRefused:
		return false
	case question.Digest == "" || cmp.Or(e.Was, e.Digest) != question.Digest || e.Call == "":
		return false
	case question.Call != "" && e.Call != question.Call, question.Call == "" && question.For == "":
		return false
	}
	return e.By == cmp.Or(question.For, question.By) && e.Server == question.Server && e.Tool == question.Tool
}

// contradicts says why e, which concerns a question, is not what became of its decision.
// Of a question that names no call it may then be about another call that is the same.
func (e Entry) contradicts(question Entry) error {
	own := question.Call != ""
	switch {
	case e.What == callRefused || !question.allows() && !(own && question.Decision != ""):
		return nil
	case !question.allows():
		return fmt.Errorf("the decision is %q, and the call was sent", question.Decision)
	case e.At.Before(question.At.Add(-clocks)):
		return errors.New("the call was sent before it was decided")
	case e.Was != "" && question.Decision != withChanges:
		return fmt.Errorf("the decision is %q, and the call was sent with other arguments than those that were shown", question.Decision)
	case e.Was == "" && question.Decision == withChanges:
		return errors.New("the call was allowed with changed arguments, and sent with those that were shown")
	case question.Decision == withChanges && !e.changedAs(question):
		return errors.New("the call was allowed with changed arguments, and sent with others")
	}
	return nil
}

// changedAs reports whether a call was sent with the changes that a decision allows. Entries
// of before do not say with which.
func (e Entry) changedAs(question Entry) bool {
	allowed := question.Changes
	if question.Signed != nil {
		allowed = question.Signed.Changes
	}
	return allowed == "" || e.Changes == allowed || question.Changes == "" && e.Changes == ""
}

// checkCalls checks that the entries about calls hang together, and puts them in order.
func checkCalls(calls []Entry) error {
	slices.SortStableFunc(calls, func(a, b Entry) int { return cmp.Or(cmp.Compare(b.What, a.What), a.At.Compare(b.At)) }) // what was sent first
	type step struct{ call, what string }
	seen := map[step]Entry{}
	for _, e := range calls {
		if _, twice := seen[step{e.Call, e.What}]; twice {
			return fmt.Errorf("the call %q has %s twice, and it was allowed once", e.Call, e.What)
		}
		seen[step{e.Call, e.What}] = e
		began, sent := seen[step{e.Call, callSent}]
		switch {
		case e.What != callEnded:
		case !sent:
			return fmt.Errorf("the call %q has ended, and the receipt does not say that it was sent", e.Call)
		case began.Digest != e.Digest || began.Was != e.Was || began.Changes != e.Changes:
			return fmt.Errorf("the call %q was sent with other arguments than it ended with", e.Call)
		case e.At.Before(began.At.Add(-clocks)):
			return fmt.Errorf("the call %q ended before it was sent", e.Call)
		}
	}
	slices.SortStableFunc(calls, func(a, b Entry) int { // call by call: clocks may differ
		return cmp.Or(seen[step{a.Call, callSent}].At.Compare(seen[step{b.Call, callSent}].At), cmp.Compare(a.Call, b.Call))
	})
	return nil
}

// begun leaves out the ends of calls that are not said to be sent.
func begun(calls []Entry) []Entry {
	sent := map[string]bool{}
	for _, e := range calls {
		sent[e.Call] = sent[e.Call] || e.What == callSent
	}
	return slices.DeleteFunc(calls, func(e Entry) bool { return e.What == callEnded && !sent[e.Call] })
}

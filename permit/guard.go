package permit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
)

// Guard is a hook for the hub that refuses every answer to a question for an
// approval that comes through a channel on which a model can write, with
// ErrModel: the question stays open for the person. channels are as in
// Options.ModelChannels.
//
// The same holds for what a page of an agent elsewhere settles: there no message says
// yes or no, and what a model said here would not be the person's word.
//
// Where a call is too long for most surfaces (parley.LabelBrief), it is accepted
// from the hosted page only; others get ErrNotShown.
//
// A question that only tells whom a call waits for cannot be accepted: ErrNotYours.
//
// Changed arguments beside another choice than Changed, and with it a field for an
// argument that is left out or cannot be used, are a *form.ContentError: what the
// person saw last is what is allowed, or nothing is. So is a yes with a member that the
// form does not have, and AskBack without words: nobody could answer that.
//
// It keeps a model from closing the question. That a model cannot approve does
// not hang on it: Record looks at the channel as well.
func Guard(channels ...string) parley.Hook {
	channels = slices.Clone(channels)
	return parley.After(parley.AnsweringLookup, func(_ context.Context, a *parley.Answering) error {
		if ofThePerson(a.Request) && modelWrites(a.Answer.Via, channels) {
			return fmt.Errorf("request %s: %w", a.ID, ErrModel)
		}
		if a.Answer.Action == parley.Accept && a.Request.OnlyTells() {
			return fmt.Errorf("request %s: %w", a.ID, ErrNotYours)
		}
		if a.Answer.Action == parley.Accept && !shownWhole(a.Request, a.Answer.Via) {
			return fmt.Errorf("request %s: %w", a.ID, ErrNotShown)
		}
		if a.Answer.Action == parley.Accept && a.Request.Trigger == parley.TriggerApproval {
			return cmp.Or(
				checkMembers(a.Request.Schema, a.Answer.Content), checkEdits(a.Request.Schema, a.Answer.Content), checkAskBack(a.Request.Schema, a.Answer.Content))
		}
		return nil
	})
}

// ofThePerson reports whether nobody answers a question in the person's place.
func ofThePerson(q parley.Request) bool {
	elsewhere := q.Trigger == parley.TriggerA2A && q.Labels["settled_by"] == "page" // as package remote asks it
	return q.Trigger == parley.TriggerApproval || q.OnlyTells() || elsewhere || q.Labels[parley.LabelPerson] != ""
}

// shownWhole reports whether whoever answers on a channel has seen all of a call.
func shownWhole(q parley.Request, via string) bool {
	const page = "page" // pages.Via
	return q.Trigger != parley.TriggerApproval || q.Labels[parley.LabelBrief] == "" || via == page
}

// modelWrites reports whether a model can write on a channel. A channel without
// a name could be any.
func modelWrites(via string, further []string) bool {
	return via == "" || via == "model" || strings.HasSuffix(via, "-model") || slices.Contains(further, via)
}

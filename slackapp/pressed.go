package slackapp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/slackapp/card"
)

// What people are told of a press that did nothing. It says nothing of a question that
// is not theirs.
const (
	notTheirs   = "This is for somebody else to answer, so nothing was done."
	onItsPage   = "This is answered on its page, and nowhere else: "
	notOffered  = "That is not offered here, so nothing was done. What is stands on its page: "
	pressAgain  = "That took too long. Press again."
	unknownUser = "I do not know who you are yet. Link your Slack account, then press again. The link is for you alone."
)

// pressed does what a press of a card's button asks for. It is called by whichever process
// has the job, soon after the press, and again after a death or an error: saying the same
// twice changes nothing.
func (a *App) pressed(ctx context.Context, in slack.InteractionCallback) error {
	for _, action := range in.ActionCallback.BlockActions {
		if p, ok := card.Pressed(*action); ok && p.Verb != card.Link {
			return a.pressedCard(ctx, in, p)
		}
	}
	return nil
}

func (a *App) pressedCard(ctx context.Context, in slack.InteractionCallback, p card.Press) error {
	who, err := a.person(ctx, in.Team.ID, in.User.ID)
	if errors.Is(err, ErrNotLinked) {
		return a.offerLink(ctx, in)
	}
	if err != nil {
		return err
	}
	q, err := a.Question(ctx, who, p.Question)
	if errors.Is(err, parley.ErrNotFound) {
		return a.whisper(ctx, in, notTheirs)
	}
	if err != nil {
		return err
	}
	shown := card.Question{Request: q, Public: a.opts.PublicURL}
	if p.Verb.Modal() && q.Pending() {
		return a.openModal(ctx, in, shown, p.Verb)
	}
	answer, ok := card.Says(shown, p.Verb)
	if !ok && q.Pending() {
		return a.whisper(ctx, in, a.unoffered(q))
	}
	if ok {
		err = a.hub.Answer(ctx, who, q.ID, answer)
	} else {
		err = parley.ErrSettled
	}
	said, err := a.refused(ctx, who, shown, err)
	if said == "" {
		return err
	}
	return a.whisper(ctx, in, said)
}

// unoffered is what a person is told who presses what their question does not offer.
func (a *App) unoffered(q parley.Request) string {
	words := notOffered
	if q.Labels[parley.LabelBrief] != "" {
		words = onItsPage
	}
	return words + a.opts.PublicURL + "/answer/" + string(q.ID)
}

// Question is the question that a card of a person's is about, by the one that it names: on
// a card for several their own. parley.ErrNotFound.
func (a *App) Question(ctx context.Context, who parley.Principal, id parley.ID) (parley.Request, error) {
	q, err := a.hub.Get(ctx, who, id)
	if !errors.Is(err, parley.ErrNotFound) {
		return q, err
	}
	round, missing := a.roundOf(ctx, id)
	if missing != nil {
		return q, missing
	}
	query := parley.Query{Newest: true, Limit: parley.MaxLimit}
	all, listErr := a.hub.List(ctx, who, query)
	if listErr != nil {
		return q, listErr
	}
	for _, one := range all {
		if one.Labels[permit.LabelQuorum] == round && !one.OnlyTells() {
			return one, nil
		}
	}
	return q, err
}

// onCard says of which round a question is that is on a card for several.
type onCard struct {
	Round string `json:"round"`
}

func aboutAt(id parley.ID) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: aboutKind, Key: string(id)}
}

func (a *App) keepAbout(ctx context.Context, q parley.Request) error {
	data, err := json.Marshal(onCard{q.Labels[permit.LabelQuorum]})
	if err == nil {
		_, err = parley.Put(ctx, a.records, parley.Record{Address: aboutAt(q.ID), Data: data, Expires: now().Add(cardTime)})
	}
	return err
}

// roundOf is the round of somebody else's question that is on a card for several.
// parley.ErrNotFound.
func (a *App) roundOf(ctx context.Context, id parley.ID) (string, error) {
	r, err := a.records.Load(ctx, aboutAt(id))
	if err != nil {
		return "", err
	}
	var on onCard
	if err := json.Unmarshal(r.Data, &on); err != nil {
		return "", err
	}
	if on.Round == "" {
		return "", parley.ErrNotFound
	}
	return on.Round, nil
}

// triggerTime is how long Slack opens a modal for a press.
const triggerTime = 3 * time.Second

// openModal opens the modal of a verb. It waits no longer than Slack would take it.
func (a *App) openModal(ctx context.Context, in slack.InteractionCallback, q card.Question, v card.Verb) error {
	view, ok := card.Modal(q, v)
	if !ok {
		return a.whisper(ctx, in, a.unoffered(q.Request))
	}
	api, err := a.client(ctx, in.Team.ID)
	if err != nil {
		return err
	}
	opening, stop := context.WithTimeout(ctx, triggerTime)
	defer stop()
	_, err = api.OpenViewContext(opening, in.TriggerID, view)
	var limited *slack.RateLimitedError
	if ctx.Err() == nil && (opening.Err() != nil || errors.As(err, &limited)) || is(err, "expired_trigger_id", "exchanged_trigger_id", "trigger_exchanged", "invalid_trigger_id") {
		return a.whisper(ctx, in, pressAgain)
	}
	return err
}

// refused is what a person is told of an answer that was not taken; empty with no error:
// it was. What cannot be told is an error, and tried again.
func (a *App) refused(ctx context.Context, who parley.Principal, q card.Question, err error) (said string, failed error) {
	var wrong *form.ContentError
	switch {
	case err == nil, errors.Is(err, parley.ErrRepeated):
		return "", nil
	case errors.Is(err, parley.ErrSettled), errors.Is(err, parley.ErrExpired):
		settled, getErr := a.hub.Get(ctx, who, q.ID)
		if getErr != nil {
			return "", getErr
		}
		q.Request = settled
		if settled.Outcome != nil && settled.Outcome.By == who.User {
			return "You have answered already, so nothing was done. " + card.Ending(q), nil
		}
		return "Nothing was done, since it is over. " + card.Ending(q), nil
	case errors.Is(err, parley.ErrNotFound):
		return notTheirs, nil
	case errors.Is(err, parley.ErrQueued):
		return "An earlier question of the same conversation is still open. Answer that one first.", nil
	case errors.Is(err, permit.ErrNotShown):
		return onItsPage + a.opts.PublicURL + "/answer/" + string(q.ID), nil
	case errors.Is(err, permit.ErrNotYours):
		return "Others decide about this call. You can take it back, and nothing else.", nil
	case errors.Is(err, parley.ErrTooLarge):
		return "That is more than can be sent" + parley.Allowed(err) + ". Shorten it.", nil
	case errors.As(err, &wrong), errors.Is(err, parley.ErrInvalid), errors.Is(err, permit.ErrModel), errors.Is(err, parley.ErrAction):
		return "This cannot be taken as it is. Answer on its page: " + a.opts.PublicURL + "/answer/" + string(q.ID), nil
	}
	return "", err
}

// whisper tells something to whoever pressed, and to nobody else.
func (a *App) whisper(ctx context.Context, in slack.InteractionCallback, text string, more ...slack.Block) error {
	m := message{Team: in.Team.ID, User: in.User.ID, Channel: in.Channel.ID, TS: in.Message.Timestamp}
	m.Thread = cmp.Or(in.Message.ThreadTimestamp, m.TS)
	err := a.answerWith(ctx, m, text, more...)
	if is(err, "user_not_in_channel", "channel_not_found", "not_in_channel", "is_archived") { // nobody can be told
		return nil
	}
	return err
}

// offerLink tells somebody whom nobody knows how to become known.
func (a *App) offerLink(ctx context.Context, in slack.InteractionCallback) error {
	url, err := a.wish(ctx, account{in.Team.ID, in.User.ID})
	if errors.Is(err, errForeign) {
		return a.whisper(ctx, in, "You are not a member of this workspace, so I cannot do anything for you here.")
	}
	if err != nil {
		return err
	}
	button := slack.NewButtonBlockElement(linkAction, "", slack.NewTextBlockObject(slack.PlainTextType, "Link your account", false, false)).WithURL(url).WithStyle(slack.StylePrimary)
	return a.whisper(ctx, in, unknownUser, slack.NewActionBlock("", button))
}

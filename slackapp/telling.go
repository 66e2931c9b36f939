package slackapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/slackapp/card"
)

// Panels knows who is asked about a call. *permit.Permits is one.
type Panels interface {
	Panel(ctx context.Context, q parley.Request) (permit.Panel, error)
}

// Times of telling.
const (
	tellTime   = 10 * time.Second    // for one attempt
	tellLease  = 20 * time.Second    // that one process has for a card that several questions are on
	cardTime   = 30 * 24 * time.Hour // that a card is remembered
	seekBefore = time.Minute         // clocks differ
)

// questionEvent is what the messages of cards carry, so that they are found again.
const questionEvent = "parley_question"

// told is one card: a message about a question, or about all that approvers are asked
// of one call.
type told struct {
	Tenant  string    `json:"tenant"`
	Round   string    `json:"round,omitempty"` // of a card for several
	Channel string    `json:"channel,omitempty"`
	Began   time.Time `json:"began"`
	TS      string    `json:"ts,omitempty"` // empty: it may have been posted, and nobody saw it

	Mentions map[string]string `json:"mentions,omitempty"` // of a card for several: people, and whom it mentions for them

	// Of a card for several, whose questions all want to have it changed:
	Says string `json:"says,omitempty"` // what it was made to say last, by a digest,
	Sure bool   `json:"sure,omitempty"` // and Slack has said that it does
}

const (
	toldKind  = "slack_card"
	turnKind  = "slack_card_turn"
	aboutKind = "slack_card_about" // which card a question is on that is for several
)

// Version implements notify.Messenger: what those who are asked besides have said.
func (a *App) Version(ctx context.Context, r parley.Request) (string, error) {
	panel, err := a.panel(ctx, r)
	if err != nil || panel == nil {
		return "", err
	}
	var said strings.Builder
	for _, p := range panel.People {
		fmt.Fprintf(&said, "%q %q %t;", p.Name, p.Said, p.At.IsZero())
	}
	return digest(said.String())[:16], nil
}

func (a *App) panel(ctx context.Context, r parley.Request) (*permit.Panel, error) {
	if a.opts.Panels == nil || r.Labels[permit.LabelQuorum] == "" {
		return nil, nil
	}
	panel, err := a.opts.Panels.Panel(ctx, r)
	if err != nil || panel.Need == 0 {
		return nil, err
	}
	return &panel, nil
}

// Tell implements notify.Messenger. There is one message for a question and a place,
// whoever dies: it is written down before it is posted, and found again by what it
// carries.
func (a *App) Tell(ctx context.Context, t notify.Telling) error {
	ctx, stop := context.WithTimeout(ctx, tellTime)
	defer stop()
	at, ok := spotNamed(t.Place)
	if !ok {
		return notify.Final(fmt.Errorf("%.100q is no place", t.Place))
	}
	q, err := a.hub.Get(ctx, parley.Principal{Tenant: t.Tenant, User: t.To}, t.Question)
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	if err != nil { // it was forgotten
		q = parley.Request{ID: t.Question, Tenant: t.Tenant, To: t.To}
	}
	if at.Kind != forCircle {
		return asNotices(a.tellAt(ctx, t, at, q, string(q.ID)))
	}
	round := q.Labels[permit.LabelQuorum]
	if round == "" {
		return nil // nothing is known of it any more, nor of the others
	}
	turn := parley.Address{Tenant: anyTenant, Kind: turnKind, Key: toldKey(round, at)}
	err = parley.Lease(ctx, a.records, turn, tellLease, func() error { return a.tellAt(ctx, t, at, q, round) })
	if err != nil {
		err = fmt.Errorf("the channel %s of the rule %q: %w: those whom it asks are told directly; invite the app there (/invite), or name another", at.Channel, q.Labels[permit.LabelRule], err)
	}
	return asNotices(err)
}

// asNotices says what the outbox makes of an error of Slack's.
func asNotices(err error) error {
	var limited *slack.RateLimitedError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &limited):
		return &notify.Later{After: limited.RetryAfter, Err: err}
	case errors.Is(err, ErrNoWorkspace), errors.Is(err, ErrNotLinked),
		is(err, "channel_not_found", "not_in_channel", "is_archived", "user_not_found", "user_disabled", "user_not_visible", "cannot_dm_bot", "account_inactive", "token_revoked",
			"restricted_action", "restricted_action_read_only_channel", "thread_not_found", "cannot_reply_to_message", "missing_scope", "invalid_blocks", "msg_too_long", "no_permission"):
		return notify.Final(err)
	}
	return err
}

func toldKey(about string, at spot) string { return digest(about + spotMark + at.name()) }

func toldAt(about string, at spot) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: toldKind, Key: toldKey(about, at)}
}

// tellAt brings a card up to date. Of all processes one is here for a card.
func (a *App) tellAt(ctx context.Context, t notify.Telling, at spot, q parley.Request, about string) error {
	record, err := a.records.Load(ctx, toldAt(about, at))
	known := err == nil
	if err != nil && !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	if !known && t.Event != notify.EventOpened {
		return nil // it was never told
	}
	card := told{Tenant: t.Tenant, Began: now(), Channel: at.Channel}
	if known {
		if err := json.Unmarshal(record.Data, &card); err != nil {
			return err
		}
	}
	if err := a.stillThere(ctx, t, at); err != nil && card.TS == "" {
		return err
	}
	api, err := a.client(ctx, at.Team)
	if err != nil {
		return err
	}
	if card.Channel == "" {
		if card.Channel, err = a.direct(ctx, api, account{at.Team, at.Last}); err != nil {
			return err
		}
	}
	if at.Kind == forCircle {
		card.Round = about
	}
	keep := func() error { return a.keepTold(ctx, &record, about, at, card) }
	if card.TS == "" && known {
		if card, err = a.seekCard(ctx, api, at, card, about); err != nil {
			return err
		}
		if card.TS != "" {
			if err := keep(); err != nil {
				return err
			}
			if t.Event == notify.EventOpened && q.Labels[permit.LabelQuorum] == "" {
				return nil // it says what it was posted with
			}
		}
	}
	if card.TS != "" {
		return a.updateCard(ctx, api, t, at, &card, q, about, keep)
	}
	if t.Event != notify.EventOpened {
		return nil
	}
	if !known {
		if at.Kind == forCircle {
			if card.Mentions, err = a.mentions(ctx, at, q); err != nil {
				return err
			}
		}
		if err := keep(); err != nil {
			return err
		}
	}
	if err := a.postCard(ctx, api, at, &card, q, about); err != nil {
		return err
	}
	return keep()
}

func (a *App) keepTold(ctx context.Context, record *parley.Record, about string, at spot, card told) error {
	data, err := json.Marshal(card)
	if err != nil {
		return err
	}
	record.Address, record.Data, record.Expires = toldAt(about, at), data, now().Add(cardTime)
	record.Version, err = a.records.Save(ctx, *record)
	return err
}

// stillThere reports with ErrNotLinked that a person is not any more whom a direct
// message would go to.
func (a *App) stillThere(ctx context.Context, t notify.Telling, at spot) error {
	if at.Kind != toPerson {
		return nil
	}
	who, err := a.person(ctx, at.Team, at.Last)
	if err == nil && (who.Tenant != t.Tenant || who.User != t.To) {
		err = ErrNotLinked
	}
	return err
}

// shows is what a card says now, and whether there is something to press.
func (a *App) shows(ctx context.Context, at spot, of told, q parley.Request) (card.Message, error) {
	c := card.Question{Request: q, Public: a.opts.PublicURL, Several: at.Kind == forCircle}
	var err error
	if c.Panel, err = a.panel(ctx, q); err != nil {
		return card.Message{}, err
	}
	if at.Kind == inThread {
		if user := a.mention(ctx, at, q.Tenant, q.To); user != "" {
			c.Mention = []string{user}
		}
	}
	if at.Kind == forCircle {
		for _, name := range slices.Sorted(maps.Keys(of.Mentions)) {
			c.Mention = append(c.Mention, of.Mentions[name])
		}
		c.Request, err = a.standsFor(ctx, c)
		if err == nil {
			err = a.keepAbout(ctx, c.Request) // before anybody can press
		}
		if err != nil {
			return card.Message{}, err
		}
	}
	if c.ID == "" || c.From == "" && c.Message == "" || !c.Pending() {
		return card.Settled(c), nil
	}
	return card.Open(c), nil
}

// mostMentions is how many of those who are asked a card mentions. Others are told
// directly, as is who is asked later: Slack tells nobody of a mention that is added.
const mostMentions = 20

// mentions are those who are asked besides, as the workspace of a card for several knows
// them.
func (a *App) mentions(ctx context.Context, at spot, q parley.Request) (map[string]string, error) {
	panel, err := a.panel(ctx, q)
	if err != nil || panel == nil {
		return nil, err
	}
	all := map[string]string{}
	for _, p := range panel.People {
		if user := a.mention(ctx, at, q.Tenant, p.Name); user != "" && p.At.IsZero() && len(all) < mostMentions {
			all[p.Name] = user
		}
	}
	return all, nil
}

// mention is a person as the workspace of a card knows them.
func (a *App) mention(ctx context.Context, at spot, tenant, name string) string {
	accounts, err := a.accounts(ctx, tenant, name)
	if err != nil {
		return ""
	}
	for _, of := range accounts {
		if of.Team == at.Team {
			return of.User
		}
	}
	return ""
}

// standsFor is the question that a card for several shows: the first that still waits, else
// the one that was answered last. Whichever of them it is asked for, it is the same.
func (a *App) standsFor(ctx context.Context, c card.Question) (parley.Request, error) {
	best := c.Request
	if c.Panel == nil {
		return best, nil
	}
	for _, p := range c.Panel.People {
		q, err := a.hub.Get(ctx, parley.Principal{Tenant: c.Tenant, User: p.Name}, p.Question)
		switch {
		case errors.Is(err, parley.ErrNotFound):
			continue
		case err != nil:
			return best, err
		case q.Pending():
			return q, nil
		case best.Pending(): // it is older than what they say
		case q.Outcome.By != "" && (best.Outcome.By == "" || q.Outcome.At.After(best.Outcome.At)):
			best = q
		}
	}
	return best, nil
}

// content is a card as a message. It carries which card it is, and what it says, by a digest.
func content(m card.Message, key, says string) []slack.MsgOption {
	return []slack.MsgOption{
		slack.MsgOptionText(m.Text, false), slack.MsgOptionBlocks(m.Blocks...), slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl(),
		slack.MsgOptionMetadata(slack.SlackMetadata{EventType: questionEvent, EventPayload: map[string]any{"card": key, "says": says}}),
	}
}

// saying is the digest of what a card says.
func saying(m card.Message) (string, error) {
	blocks, err := json.Marshal(m.Blocks)
	return digest(m.Text + "\x00" + string(blocks)), err
}

func (a *App) postCard(ctx context.Context, api *slack.Client, at spot, c *told, q parley.Request, about string) error {
	m, err := a.shows(ctx, at, *c, q)
	if err != nil {
		return err
	}
	says, err := saying(m)
	if err != nil {
		return err
	}
	opts := content(m, toldKey(about, at), says)
	if at.Kind == inThread {
		opts = append(opts, slack.MsgOptionTS(at.Last))
	}
	_, ts, err := api.PostMessageContext(ctx, c.Channel, opts...)
	if err == nil {
		c.TS, c.Says, c.Sure = ts, says, true
	}
	return err
}

// updateCard makes a card say how its question stands. Where an attempt may have come
// through, Slack is asked before what the card says. Of a card for several it is written
// down what it says: the same twice changes nothing.
func (a *App) updateCard(ctx context.Context, api *slack.Client, t notify.Telling, at spot, c *told, q parley.Request, about string, keep func() error) error {
	m, err := a.shows(ctx, at, *c, q)
	if err != nil {
		return err
	}
	says, err := saying(m)
	if err != nil {
		return err
	}
	if at.Kind != forCircle {
		return a.changeCard(ctx, api, at, *c, content(m, toldKey(about, at), says), says, t.Repeated)
	}
	tried := c.Says == says
	if tried && c.Sure {
		return nil
	}
	if !tried {
		c.Says, c.Sure = says, false
		if err := keep(); err != nil {
			return err
		}
	}
	if err := a.changeCard(ctx, api, at, *c, content(m, toldKey(about, at), says), says, tried); err != nil {
		return err
	}
	c.Sure = true
	return keep()
}

// changeCard changes a card, unless that was tried and has come through.
func (a *App) changeCard(ctx context.Context, api *slack.Client, at spot, c told, to []slack.MsgOption, says string, tried bool) error {
	if tried {
		if already, err := saysAlready(ctx, api, at, c, says); err != nil || already {
			return err
		}
	}
	_, _, _, err := api.UpdateMessageContext(ctx, c.Channel, c.TS, to...)
	if is(err, "message_not_found", "cant_update_message") { // somebody deleted it
		return nil
	}
	return err
}

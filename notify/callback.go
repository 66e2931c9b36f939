package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/parley-hq/parley"
)

// Callback is a URL of the program that asks a question. It is told when the
// question is settled.
type Callback struct {
	Question parley.ID
	Owner    string // the program, by parley.Principal.Owner
	URL      string // somebody else's: it is reached as strangers' URLs are
	Secret   string // "whsec_…"
}

// callback is a Callback as its notice has it.
type callback struct {
	Owner  string          `json:"owner"`
	URL    string          `json:"url"`
	Secret string          `json:"secret"`
	Since  time.Time       `json:"since"`          // when it was expected, or the question settled
	Data   json.RawMessage `json:"data,omitempty"` // of the event, since the first attempt
	At     time.Time       `json:"at,omitzero"`    // when the question was settled
	Told   progress        `json:"told"`

	Plain  bool              `json:"plain,omitempty"` // it is a Letter: Data is all of it
	Header map[string]string `json:"header,omitempty"`
}

// Times of callbacks.
const (
	unopened     = time.Hour          // for a question to be opened
	callbackTime = 3 * 24 * time.Hour // for a program to take its outcome
)

// Expect has the outbox tell a program at its URL when a question is settled. It is
// called before Hub.Open, with an id of parley.NewID: from then on a crash loses
// nothing. Expecting the same question again changes nothing. A question that is not
// opened within an hour is forgotten.
//
// Errors: parley.ErrInvalid for an id that is none, outbound.ErrForbidden, ErrSecret,
// parley.ErrTooLarge.
func (o *Outbox) Expect(ctx context.Context, c Callback) error {
	if !c.Question.Valid() {
		return fmt.Errorf("%w: an id comes from parley.NewID", parley.ErrInvalid)
	}
	if err := o.CheckCallback(c); err != nil {
		return err
	}
	for {
		n, err := o.loadNotice(ctx, c.Question)
		if err != nil || n.Callback != nil {
			return err
		}
		n.Callback = &callback{Owner: c.Owner, URL: c.URL, Secret: c.Secret, Since: now()}
		if err = o.saveNotice(ctx, &n); err == nil {
			o.schedule.noticed(n)
			return nil
		}
		if !parley.Overtaken(err) {
			return err
		}
	}
}

// CheckCallback reports why a URL would not be called: the errors of Expect but for its
// question.
func (o *Outbox) CheckCallback(c Callback) error {
	if err := o.CheckAddress(c.URL); err != nil {
		return err
	}
	return CheckWebhookSecret(c.Secret)
}

// settledData is what a program is told of its question.
func (o *Outbox) settledData(ctx context.Context, owner string, r parley.Request) (json.RawMessage, error) {
	plain, err := o.hub.Get(ctx, parley.OwnerOf(r.Tenant, r.To), r.ID)
	if err != nil {
		return nil, err
	}
	if plain.Outcome == nil {
		return nil, errors.New("the question is pending")
	}
	if o.opts.Settled != nil {
		return o.opts.Settled(ctx, owner, plain)
	}
	return json.Marshal(map[string]any{"id": plain.ID, "action": plain.Outcome.Action, "at": plain.Outcome.At})
}

// planCallback says whether a program is to be told now.
func (o *Outbox) planCallback(ctx context.Context, p *plan, r parley.Request) error {
	c := p.n.Callback
	if c == nil || c.Told.over() {
		return nil
	}
	switch {
	case p.gone && len(c.Data) == 0:
		if p.now.Before(c.Since.Add(unopened)) {
			p.later(c.Since.Add(unopened)) // it is about to be opened
		} else {
			c.Told.Failed = "there is no such question"
		}
		return nil
	case !p.gone && r.Pending():
		return nil // until it is settled
	}
	if len(c.Data) == 0 {
		data, err := o.settledData(ctx, c.Owner, r)
		if err != nil {
			return err
		}
		c.Data, c.At, c.Since = data, r.Outcome.At, p.now
	}
	if p.now.After(c.Since.Add(callbackTime)) {
		c.Told.Failed = "nobody took it for three days"
		o.opts.Logger.WarnContext(ctx, "callback given up", "question", p.n.id, "owner", c.Owner, "attempts", c.Told.Attempts)
		return nil
	}
	p.attempt(&c.Told, EventSettled, job{callback: true})
	return nil
}

func (o *Outbox) tellProgram(ctx context.Context, n notice) error {
	c := n.Callback
	if c.Plain {
		return o.deliverLetter(ctx, c)
	}
	return hook(ctx, o.stranger, c.URL, c.Secret, messageID(n.id, EventSettled), hooked{Type: EventSettled, Timestamp: c.At, Data: c.Data})
}

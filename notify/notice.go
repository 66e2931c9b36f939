package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/parley-hq/parley"
)

// noticeKind is the kind of the records of what was done about questions. They are
// of no tenant, so that one scan finds them all; their key is the question's id.
const noticeKind = "notify_notice"

// notice is what was done about a question. It is made with the first attempt, or
// by Expect, and deleted when there is nothing left to do.
type notice struct {
	Tenant   string     `json:"tenant,omitempty"`
	To       string     `json:"to,omitempty"`
	From     string     `json:"from,omitempty"`
	Title    string     `json:"title,omitempty"`
	Round    string     `json:"round,omitempty"` // that others are asked in about the same call
	Created  time.Time  `json:"created,omitzero"`
	Expires  time.Time  `json:"expires,omitzero"`
	Started  []string   `json:"started,omitempty"` // channels
	Sent     []delivery `json:"sent,omitempty"`
	Callback *callback  `json:"callback,omitempty"`

	Next  time.Time `json:"next,omitzero"`   // when there is something to do; zero: when the question is settled
	Claim string    `json:"claim,omitempty"` // the process that is sending
	Until time.Time `json:"until,omitzero"`  // and for how long nobody else does

	id      parley.ID
	version int64
}

// delivery is what one address was told.
type delivery struct {
	Channel string   `json:"channel"`
	Target  string   `json:"target,omitempty"` // the id of a browser, an e-mail address, or a place of a messenger
	Opened  progress `json:"opened"`
	Changed progress `json:"changed,omitzero"` // to Want
	Closed  progress `json:"closed"`
	Want    string   `json:"want,omitempty"`  // the version that is told,
	Shown   string   `json:"shown,omitempty"` // and the one that was
}

// takenBack reports whether a channel can be told that a question is closed.
func (d delivery) takenBack() bool { return d.Channel != Email }

// progress is how far one event has got to one address.
type progress struct {
	Attempts int       `json:"attempts,omitempty"` // recorded before each is made
	Next     time.Time `json:"next,omitzero"`
	Done     time.Time `json:"done,omitzero"`
	Failed   string    `json:"failed,omitempty"` // why nobody tries again
}

func (p progress) over() bool { return !p.Done.IsZero() || p.Failed != "" }

// due reports whether an attempt is to be made, and if not so far, when.
func (p progress) due(now time.Time) (bool, time.Time) {
	switch {
	case p.over():
		return false, time.Time{}
	case p.Next.After(now):
		return false, p.Next
	}
	return true, time.Time{}
}

// begin records an attempt.
func (p *progress) begin(now time.Time) {
	p.Next = now.Add(backoff(p.Attempts))
	p.Attempts++
}

// end records how an attempt went.
func (p *progress) end(err error, now time.Time) {
	var later *Later
	switch {
	case err == nil:
		p.Done, p.Failed = now, ""
	case errors.As(err, &later):
		p.Attempts, p.Next = p.Attempts-1, now.Add(max(later.After, time.Second))
	case isFinal(err):
		p.Failed = brief(err)
	}
}

// pauses are between one attempt and the next.
var pauses = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute, 2 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

func backoff(attempts int) time.Duration {
	pause := pauses[min(attempts, len(pauses)-1)]
	return pause - pause/10 + rand.N(pause/5)
}

func brief(err error) string { return fmt.Sprintf("%.200s", err.Error()) }

func noticeAt(id parley.ID) parley.Address {
	return parley.Address{Kind: noticeKind, Key: string(id)}
}

// loadNotice returns the notice of a question, one with version 0 if there is none.
func (o *Outbox) loadNotice(ctx context.Context, id parley.ID) (notice, error) {
	record, err := o.records.Load(ctx, noticeAt(id))
	if errors.Is(err, parley.ErrNotFound) {
		return notice{id: id}, nil
	}
	if err != nil {
		return notice{}, err
	}
	return decodeNotice(record)
}

func decodeNotice(record parley.Record) (notice, error) {
	n := notice{id: parley.ID(record.Key), version: record.Version}
	if err := json.Unmarshal(record.Data, &n); err != nil {
		return n, fmt.Errorf("notice %s: %w", record.Key, err)
	}
	return n, nil
}

// remember is for how long a notice is kept whose question nobody ever settled.
const remember = 7 * 24 * time.Hour

// record is the notice as it is stored.
func (n notice) record() (parley.Record, error) {
	data, err := json.Marshal(n)
	r := parley.Record{Address: noticeAt(n.id), Owner: n.To, Data: data, Version: n.version}
	if n.Callback == nil && !n.Expires.IsZero() {
		r.Expires = n.Expires.Add(remember)
	}
	return r, err
}

// saveNotice stores a notice in place of the version that it was read from.
func (o *Outbox) saveNotice(ctx context.Context, n *notice) error {
	r, err := n.record()
	if err != nil {
		return err
	}
	n.version, err = o.records.Save(ctx, r)
	return err
}

func (o *Outbox) forgetNotice(ctx context.Context, n notice) error {
	err := o.records.Delete(ctx, noticeAt(n.id), n.version)
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	return err
}

// started reports whether a channel was begun with.
func (n *notice) started(channel string) bool { return slices.Contains(n.Started, channel) }

// about keeps of a question what is needed when it is gone.
func (n *notice) about(r parley.Request) {
	n.Tenant, n.To, n.From, n.Title = r.Tenant, r.To, fromOf(r), Title(r)
	n.Created, n.Expires, n.Round = r.Created, r.Expires, r.Labels[labelQuorum]
}

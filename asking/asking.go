// Package asking lets programs ask people: one person, or some of a group, in a
// form, at a URL, or for the approval of an action that the program describes. The
// program gets one id, and how it ended.
//
// Its nouns:
//
//   - Asker: who asks, as a verified key or token says, and whom they may ask.
//   - Question: what is asked, in the asker's own words.
//   - Standing: how it stands, as its asker sees it.
//
// One example:
//
//	asked, err := asking.New(hub, records, nil)
//	standing, _, err := asked.Ask(ctx, asker, asking.Question{To: "alice", Message: "Deploy now?"})
//	standing, err = asked.Wait(ctx, asker.Principal, standing.ID)
//
// A question to one person is an ordinary question of that person's, with the id
// that its asker got. A question to a group is one for each member, and one of the
// group's (parley.KindGroup), whose settling tells who waits. A record, sealed if
// the records are, says who asked and what was decided; it is written before
// anything is opened. So any process goes on with it, and each may die anywhere.
package asking

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/limit"
)

// The errors of this package, besides *Fault, parley.ErrNotFound, parley.ErrSettled
// and the store's.
var (
	// ErrMayNotAsk is why somebody cannot be asked by this asker.
	ErrMayNotAsk = errors.New("this asker may not ask them")
	// ErrOften means that this asker has asked somebody too much: wait.
	ErrOften = errors.New("too many questions of this asker")
	// ErrKeyUsed means that the idempotency key stands for another question.
	ErrKeyUsed = errors.New("the idempotency key was used for another question")
)

// Fault is what is wrong with a question.
type Fault struct {
	Member string // of the question, as clients call it
	Reason string
}

func (f *Fault) Error() string { return f.Member + ": " + f.Reason }

// Asker is who asks.
type Asker struct {
	parley.Principal        // from a verified key or token
	Name             string // as people are shown it; the operator's word, or the token's
	MayAsk           []string
	Secret           parley.Secret // signs what is sent to callback URLs; empty: there are none
	Sites            []string      // our own, by a URL of each: nobody is led there, for people trust what they see there
}

// Everybody in Asker.MayAsk is everybody of the tenant, and every group; a group's
// name stands behind GroupPrefix.
const (
	Everybody   = "*"
	GroupPrefix = "group:"
)

// may reports whether a may ask whoever is meant.
func (a Asker) may(to, group string) bool {
	whom := to
	if group != "" {
		whom = GroupPrefix + group
	}
	return slices.Contains(a.MayAsk, Everybody) || slices.Contains(a.MayAsk, whom)
}

// Callbacks has URLs called when a question is settled, durably.
type Callbacks interface {
	// Check reports why a URL cannot be called. Nothing is kept.
	Check(c Callback) error
	// Expect is called before the question is opened, and perhaps again.
	Expect(ctx context.Context, c Callback) error
}

// Callback is a URL to be called when a question is settled.
type Callback struct {
	Question parley.ID
	Owner    string // parley.Principal.Owner of who asks
	URL      string
	Secret   parley.Secret
}

// Options configures Questions. Nil and zero fields mean the defaults.
type Options struct {
	// Groups are people by the name of their group. Default: there are none.
	Groups map[string][]string
	// PerHour is how many questions one asker may ask one person in an hour, at this
	// process; default 60, negative: any number. How many may be open at once says parley.Limits.PendingOfAsker.
	PerHour int
	// Callbacks calls programs. Default: a question with a callback URL is refused.
	Callbacks Callbacks
	Logger    *slog.Logger // default slog.Default()
}

const (
	defaultTTL = 24 * time.Hour     // of a question that does not say how long it stays open
	keepFor    = 7 * 24 * time.Hour // its outcome is known, and that its key was used, as stores keep outcomes
	lookEvery  = 10 * time.Second   // for groups whose process died
)

// Questions are what programs ask. Make them with New. They are safe for
// concurrent use, in any number of processes.
type Questions struct {
	hub     *parley.Hub
	records parley.Records
	opts    Options
	rates   *limit.Rates // by asker and person
}

// New returns the questions over a hub. Give it sealed records where others can
// write to the store. The caller has the hub call Settled, and runs Run.
func New(hub *parley.Hub, records parley.Records, opts *Options) *Questions {
	q := &Questions{hub: hub, records: records}
	if opts != nil {
		q.opts = *opts
	}
	q.opts.PerHour = cmp.Or(q.opts.PerHour, 60)
	if q.opts.Logger == nil {
		q.opts.Logger = slog.Default()
	}
	q.rates = limit.NewRates(limit.Rate{PerSecond: max(0, float64(q.opts.PerHour)) / time.Hour.Seconds(), Burst: q.opts.PerHour})
	return q
}

// Run goes on with groups whose process died between an answer and what follows
// from it. It blocks until ctx ends and returns its error.
func (s *Questions) Run(ctx context.Context) error {
	var trouble quietlog.Trouble
	for patience.Sleep(ctx, lookEvery) {
		var failed error
		for record, err := range parley.Each(ctx, s.records, parley.Address{Tenant: everywhere, Kind: openKind}, "") {
			if err == nil {
				err = s.goOn(ctx, record)
			}
			if err != nil {
				failed = err
			}
		}
		trouble.Note(ctx, s.opts.Logger, "group question not looked at", failed)
	}
	return ctx.Err()
}

// Settled is for a hook of the hub: after parley.AnsweringPublish. What is
// withdrawn is not looked at: a group withdraws the questions of its others itself.
func (s *Questions) Settled(ctx context.Context, a *parley.Answering) error {
	id := parley.ID(a.Request.Labels[labelAsk])
	if id == "" || id == a.Request.ID || a.Outcome.Action == parley.Cancel && a.Outcome.By == "" {
		return nil
	}
	_, err := s.look(context.WithoutCancel(ctx), addressOf(a.Request.Tenant, id))
	if errors.Is(err, parley.ErrNotFound) || errors.Is(err, parley.ErrTooManyPending) {
		return nil
	}
	return err
}

// Package permit asks people before tools are called, and remembers what they
// said.
//
// Its nouns:
//
//   - Call: one tool call that is about to be made, with its arguments.
//   - Rule: which calls need an approval.
//   - Condition: an entry of the rules, for calls of a kind or with certain
//     arguments.
//   - Approvers: people of whom some must allow a call that is not theirs.
//   - Question: a request that shows the whole call and offers to allow it
//     once, to allow its tool always, or to deny it.
//   - Permission: what a person said, as an entry of a table.
//   - Decision: what the table says about a call now.
//
// A call goes through five steps. Any of them may be repeated after a crash, by
// another process, with the same Call:
//
//	d, err := permits.Check(ctx, permit.Unsafe, call)
//	if d.Ask() {
//		q, err := permits.Question(call) // write q.ID down, then open it
//		q, err = hub.Open(ctx, q)
//		_, err = hub.Wait(ctx, q.ID)
//		d, err = permits.Record(ctx, call, q.ID)
//	}
//	if d.Status != permit.Granted {
//		return d.Reason
//	}
//	err = permits.Consume(ctx, permit.Unsafe, call) // then, and only then, make the call
//
// Where d.Approvers is set, [Permits.Gather] takes the place of Question and
// Record: it asks them, and is called again when one of its questions is settled.
//
// Whatever is checked, asked and recorded before, only Consume lets a call
// through. An allow_once is good for the one call whose canonical arguments were
// shown, of that person, in that session, and for one success of Consume. An
// always_allow is looked up again by each. Nothing that a model can write is an
// approval: see [Guard].
//
// A Permits keeps no state of its own but a copy, a second old at most, of the
// conditions that are stored. Any number of goroutines and processes
// may use one store: of all that consume one call exactly one succeeds.
package permit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/seal"
)

// Options configures Permits. Nil and zero fields mean the defaults.
type Options struct {
	// TTL is how long a question stays open. Default: the hub's.
	TTL time.Duration

	// ServerTTL is that of questions about calls of single servers, by their names.
	// Default: TTL.
	ServerTTL map[string]time.Duration

	// OnceTTL is how long after the answer an allow_once can be used. Default
	// one hour: a program that was down for longer asks again.
	OnceTTL time.Duration

	// AlwaysTTL is how long an always_allow holds. Default: until it is revoked.
	AlwaysTTL time.Duration

	// WholeServer makes always_allow cover every tool of the server, and the
	// question says so. Default: the tool that was shown.
	WholeServer bool

	// Conditions are rules that come before the one that Check and Consume are
	// given, for every tenant. A tenant's own, of PutCondition, can be stricter
	// and never laxer.
	Conditions []Condition

	// Servers are the rules, by the server's name, that hold against a tenant's
	// conditions where none of Conditions fits. A server that is not here has no
	// rule but the one that Check and Consume are given, and a tenant's condition
	// takes its place.
	Servers map[string]Rule

	// Groups are people by the name of their group: no condition names a group as an
	// approver. Default: there are none.
	Groups map[string][]string

	// Quiet is for how long a call that the person or its approvers refused is
	// denied without asking when it comes again: the same arguments, in the same
	// session or circle. Lift ends the person's own of a session sooner, and Revoke
	// any. Default ten minutes; a negative one asks each time.
	Quiet time.Duration

	// Deputy names who is asked besides an approver from the beginning, such as the
	// deputy of one who is absent; empty: nobody. Their word counts like an approver's,
	// and the person whose call it is is left out. Whom it cannot name for an error can
	// be asked later: see Extend. Default: nobody has one.
	Deputy func(ctx context.Context, tenant, approver string) (string, error)

	// MessageBytes is the longest message that the hub takes: give it the same
	// as parley.Limits.MessageBytes. Default 16 KiB, as there.
	MessageBytes int
	// CallBytes is the longest message of a call that only the hosted page shows,
	// as parley.Limits.CallBytes: other surfaces say how long it is and lead
	// there. Default MessageBytes: longer calls are refused with ErrTooLong.
	CallBytes int

	// ModelChannels are further surfaces (Outcome.Via) on which a model can
	// write. Those named "model" or "…-model" are known.
	ModelChannels []string

	// Patience is how long a failing store is tried again before its error is
	// reported. Default 10 s; a negative one reports it at once.
	Patience time.Duration

	// SweepEvery is how often Run looks after calls that wait for approvers. Default
	// 15 s: it finds what a process left that died; others are noticed at once.
	SweepEvery time.Duration
	Logger     *slog.Logger // default slog.Default()
}

// Permits asks for approvals and keeps the permission table.
type Permits struct {
	hub   *parley.Hub
	table table
	rules *rules
	opts  Options

	// The forms of questions, as the hub stores them.
	schema, approverSchema []byte
}

// New returns Permits that keep their table in records, sealed with keys, and
// read the outcomes of questions from hub.
func New(hub *parley.Hub, records parley.Records, keys *seal.Keyring, opts *Options) (*Permits, error) {
	if hub == nil || records == nil || keys == nil {
		return nil, errors.New("permit: a hub, records and a keyring are needed: permissions are never stored in plain")
	}
	p := &Permits{hub: hub}
	if opts != nil {
		p.opts = *opts
	}
	p.opts.OnceTTL = cmp.Or(p.opts.OnceTTL, time.Hour)
	p.opts.Quiet = cmp.Or(p.opts.Quiet, 10*time.Minute)
	p.opts.MessageBytes = cmp.Or(p.opts.MessageBytes, 16<<10)
	p.opts.CallBytes = max(p.opts.CallBytes, p.opts.MessageBytes)
	p.opts.Patience = cmp.Or(p.opts.Patience, 10*time.Second)
	p.opts.SweepEvery = cmp.Or(p.opts.SweepEvery, 15*time.Second)
	if p.opts.Logger == nil {
		p.opts.Logger = slog.Default()
	}
	p.opts.ModelChannels = slices.Clone(p.opts.ModelChannels)
	p.opts.Servers = maps.Clone(p.opts.Servers)
	for name, rule := range p.opts.Servers {
		if _, err := ParseRule(string(rule)); err != nil {
			return nil, fmt.Errorf("permit: server %.50q: %w", name, err)
		}
	}
	if p.opts.TTL < 0 || p.opts.OnceTTL < 0 || p.opts.AlwaysTTL < 0 || p.opts.MessageBytes < 0 {
		return nil, errors.New("permit: no time but Quiet and Patience, and no size, may be negative")
	}
	schema, err := form.Parse(questionSchema(p.opts, nil), nil)
	if err != nil {
		return nil, err
	}
	p.schema = schema.JSON()
	if schema, err = form.Parse(approverSchema(), nil); err != nil {
		return nil, err
	}
	p.approverSchema = schema.JSON()
	p.table = table{records: seal.Records(records, keys, nil), patience: p.opts.Patience}
	if p.rules, err = newRules(&p.table, p.opts.Conditions, p.opts.Groups); err != nil {
		return nil, err
	}
	p.opts.Conditions = nil // the caller's; ours are compiled
	return p, nil
}

// now is the present as stores keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// ttl is how long a question about a call of a server stays open; zero: as the hub says.
func (p *Permits) ttl(server string) time.Duration {
	return cmp.Or(p.opts.ServerTTL[server], p.opts.TTL)
}

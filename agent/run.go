package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
)

// Ref names a run.
type Ref struct {
	Tenant       string `json:"tenant"`
	User         string `json:"user"` // whose: parley.Principal.Owner
	Conversation string `json:"conversation"`
	Run          string `json:"run"`
}

const runKind = "run"

// refOf names a conversation of p's, and no run of it yet. Who is neither a person
// nor somebody with things of their own has none: ErrNoPerson.
func refOf(p parley.Principal, conversation string) (Ref, error) {
	if p.Owner() == "" || p.Validate() != nil {
		return Ref{}, ErrNoPerson
	}
	return Ref{Tenant: cmp.Or(p.Tenant, parley.DefaultTenant), User: p.Owner(), Conversation: conversation}, nil
}

// address sorts the runs of a person by conversation and time. The person is
// part of it: nobody reaches another's conversation by naming it.
func (r Ref) address() parley.Address {
	return parley.Address{Tenant: r.Tenant, Kind: runKind, Key: r.prefix() + r.Run}
}

func (r Ref) prefix() string {
	return url.PathEscape(r.User) + "/" + url.PathEscape(r.Conversation) + "/"
}

// String is the ref as labels and keys have it.
func (r Ref) String() string { return url.PathEscape(r.Tenant) + "/" + r.prefix() + r.Run }

func parseRef(s string) (Ref, bool) {
	parts := strings.Split(s, "/")
	if len(parts) != 4 {
		return Ref{}, false
	}
	for i := range parts {
		var err error
		if parts[i], err = url.PathUnescape(parts[i]); err != nil {
			return Ref{}, false
		}
	}
	return Ref{Tenant: parts[0], User: parts[1], Conversation: parts[2], Run: parts[3]}, true
}

// Status is how a run stands.
type Status string

// The statuses.
const (
	Working Status = "working" // a process has it, or will
	Waiting Status = "waiting" // for a person, or for a run that it delegated to
	Ended   Status = "ended"
)

// phase is where in its course a run is.
type phase string

const (
	phaseBefore phase = "before"
	phaseModel  phase = "model"
	phaseTools  phase = "tools"
	phaseAfter  phase = "after"
	phaseEnd    phase = "end"
)

// Run is one turn of a conversation, as it is stored.
type Run struct {
	Ref     Ref           `json:"ref"`
	Method  string        `json:"method"` // how we know the person
	Agent   string        `json:"agent"`
	Message string        `json:"message"` // the id of the person's message
	Text    string        `json:"text"`    // what the person said
	CanAsk  bool          `json:"can_ask,omitempty"`
	Circle  string        `json:"circle,omitempty"`
	Chain   []string      `json:"chain,omitempty"` // of agents, up to this one
	TTL     time.Duration `json:"ttl,omitempty"`   // of its questions
	Parent  *parent       `json:"parent,omitempty"`
	Trail   *trail        `json:"trail,omitempty"`
	Depth   int           `json:"depth,omitempty"`

	Status Status           `json:"status"`
	Phase  phase            `json:"phase"`
	Reason Reason           `json:"reason,omitempty"`
	Stop   bool             `json:"stop,omitempty"` // the person wants it to end
	Reply  string           `json:"reply,omitempty"`
	Steps  []step           `json:"steps,omitempty"`
	Calls  map[string]*call `json:"calls,omitempty"`
	Waits  map[string]*wait `json:"waits,omitempty"` // the questions of Before and After
	Log    []Event          `json:"log,omitempty"`

	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`

	version int64
}

// parent is the call that a run was started by.
type parent struct {
	Run  Ref    `json:"run"`
	Call string `json:"call"`
}

// step is one message of the model.
type step struct {
	Text   string   `json:"text,omitempty"`
	Native []byte   `json:"native,omitempty"`
	Calls  []string `json:"calls,omitempty"`
	Cut    Cut      `json:"cut,omitempty"`
}

// cut is why the last words of a run are not all of them.
func (r *Run) cut() Cut {
	if len(r.Steps) == 0 {
		return ""
	}
	return r.Steps[len(r.Steps)-1].Cut
}

// callState is how far a call is. It only ever moves down the list, but for
// paused and started, which alternate.
type callState string

const (
	requested callState = "requested"
	started   callState = "started" // saved before the call is made: from here on it may have happened
	paused    callState = "paused"  // it was made, and goes on with the answers
	finished  callState = "finished"
)

type call struct {
	ID    string           `json:"id"`
	Model string           `json:"model"` // the id that the model gave it
	Name  string           `json:"name"`  // the tool as the model knows it
	Box   string           `json:"box,omitempty"`
	Label string           `json:"label,omitempty"` // the box's title
	Tool  Tool             `json:"tool"`
	Kind  callKind         `json:"kind,omitempty"`
	Args  json.RawMessage  `json:"args"`            // as the model wrote them, and nobody can read them in two ways
	Wrong string           `json:"wrong,omitempty"` // why the model's arguments cannot be used
	State callState        `json:"state"`
	Waits map[string]*wait `json:"waits,omitempty"`
	Pause []byte           `json:"pause,omitempty"`
	Any   bool             `json:"any,omitempty"`   // of the last pause
	Heard int              `json:"heard,omitempty"` // how many questions were settled then
	Child *Ref             `json:"child,omitempty"`
	Part  int              `json:"part,omitempty"` // of its run, that it began in: see trail

	Result *Result `json:"result,omitempty"`

	kept []string // what the call asked in line, and nobody could be shown
	asks bool     // it has just asked, and nobody has looked for answers since
}

// box is how people know the box of a call.
func (c *call) box() string { return first(c.Label, c.Box) }

// callKind says who answers a call.
type callKind string

const (
	toTool      callKind = ""
	toStandIn   callKind = "stand_in" // of a box whose tools cannot be listed yet
	toDelegate  callKind = "delegate"
	unknownTool callKind = "nobody" // the model made the tool up
)

// wait is a question of a call. It is written down before it is opened, so that
// nobody sees it twice.
type wait struct {
	Question parley.Request `json:"question"`

	refused error // the hub did not take it
}

func (w *wait) settled() bool { return !w.Question.Pending() }

func unsettled(waits map[string]*wait) (open []*wait) {
	for _, w := range waits {
		if !w.settled() {
			open = append(open, w)
		}
	}
	slices.SortFunc(open, func(a, b *wait) int { return strings.Compare(string(a.Question.ID), string(b.Question.ID)) })
	return open
}

// news reports whether a call that waits for any of its questions has something to go
// on with.
func (c *call) news() bool { return c.Any && c.settled() > c.Heard }

// settled is how many of its questions are.
func (c *call) settled() int { return len(c.Waits) - len(unsettled(c.Waits)) }

func answers(waits map[string]*wait) map[string]parley.Request {
	all := map[string]parley.Request{}
	for key, w := range waits {
		if w.settled() {
			all[key] = w.Question.Clone()
		}
	}
	return all
}

// principal is the person of a run, or the program.
func (r *Run) principal() parley.Principal {
	p := parley.OwnerOf(r.Ref.Tenant, r.Ref.User)
	p.Method = r.Method
	return p
}

// caller is on whose behalf a run calls tools. A delegate acts in the conversation
// that the person sees: what they allow and refuse there holds for it too.
func (r *Run) caller() Caller {
	return Caller{Principal: r.principal(), Agent: r.Agent, Conversation: r.conversation(), Circle: r.Circle, Chain: r.Chain, CanAsk: r.CanAsk}
}

func (rt *Runtime) load(ctx context.Context, ref Ref) (*Run, error) {
	record, err := rt.records.Load(ctx, ref.address())
	if err != nil {
		return nil, err
	}
	return decode(record)
}

func decode(record parley.Record) (*Run, error) {
	var r Run
	if err := json.Unmarshal(record.Data, &r); err != nil {
		return nil, fmt.Errorf("run %s: %w", record.Key, err)
	}
	r.version = record.Version
	for _, c := range r.Calls {
		r.tidy(c.Waits)
	}
	r.tidy(r.Waits)
	for _, e := range r.Log {
		tidy(e.Question)
	}
	return &r, nil
}

func (r *Run) tidy(waits map[string]*wait) {
	for _, w := range waits {
		tidy(&w.Question)
	}
}

// tidy makes nothing of what JSON made null of: a question without a schema is
// not one whose schema is null.
func tidy(q *parley.Request) {
	if q == nil {
		return
	}
	if string(q.Schema) == "null" {
		q.Schema = nil
	}
	if q.Outcome != nil && string(q.Outcome.Content) == "null" {
		q.Outcome.Content = nil
	}
}

// record is r as it is stored next.
func (rt *Runtime) record(r *Run) (parley.Record, error) {
	r.Updated = rt.stamp(r.Updated)
	data, err := json.Marshal(r)
	return parley.Record{Address: r.Ref.address(), Owner: r.Ref.User, Data: data, Version: r.version, Expires: rt.forgotten(r)}, err
}

// save writes r over the version that it was loaded with. parley.ErrConflict
// when somebody else has changed it. A save whose reply was lost recognises
// itself by the time it was made.
func (rt *Runtime) save(ctx context.Context, r *Run) error {
	record, err := rt.record(r)
	if err != nil {
		return err
	}
	unsure := false
	return rt.persist(ctx, func() error {
		version, err := rt.records.Save(ctx, record)
		switch {
		case err == nil:
			r.version = version
			return nil
		case !parley.Overtaken(err):
			unsure = true
			return err
		case unsure:
			now, loadErr := rt.load(ctx, r.Ref)
			if loadErr != nil && !errors.Is(loadErr, parley.ErrNotFound) {
				return loadErr
			}
			if loadErr == nil && now.Updated.Equal(r.Updated) && now.Status == r.Status {
				r.version = now.version
				return nil
			}
		}
		return permanent{err}
	})
}

// forgotten is when the record of a run may go: never while it waits for another
// run, and not before what it waits for is over.
func (rt *Runtime) forgotten(r *Run) time.Time {
	if rt.opts.Keep < 0 || r.Status != Ended && delegating(r) {
		return time.Time{}
	}
	last := r.Updated
	if r.Status != Ended {
		open := unsettled(r.Waits)
		for _, c := range r.Calls {
			open = append(open, unsettled(c.Waits)...)
		}
		for _, w := range open {
			if w.Question.Expires.After(last) {
				last = w.Question.Expires
			}
		}
	}
	return last.Add(rt.opts.Keep).UTC().Truncate(time.Millisecond)
}

// stamp is now, and later than before.
func (rt *Runtime) stamp(before time.Time) time.Time {
	now := time.Now().UTC()
	if !now.After(before) {
		now = before.Add(time.Nanosecond)
	}
	return now
}

// permanent marks an error that trying again does not mend.
type permanent struct{ error }

func (p permanent) Unwrap() error { return p.error }

// persist calls op until it succeeds, fails for good, or has failed for as long
// as a lease lasts: by then somebody else has the run.
func (rt *Runtime) persist(ctx context.Context, op func() error) error {
	var final permanent
	plan := patience.Plan{For: rt.opts.Lease, Final: func(err error) bool { return errors.As(err, &final) }}
	err := plan.Do(ctx, op)
	if errors.As(err, &final) {
		return final.error
	}
	return err
}

package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/tracing"
)

// Options configures a Runtime. Nil and zero fields mean the defaults.
type Options struct {
	Agents []*Agent

	// Lease is how long a run stays with a process that no longer says that it
	// is there. Default 10 s.
	Lease time.Duration
	// Grace is how long calls and models that are under way may go on once Run's
	// context has ended. Default 3 s; negative: they end at once.
	Grace time.Duration
	// TTL is how long the questions of a run stay open, unless its message says
	// otherwise. Default ten minutes.
	TTL time.Duration
	// ListTime is how long a toolbox may take to list its tools. One that takes
	// longer, or fails for all of Retries, is left out of turns and tried beside
	// them. Default 15 s; negative: no limit.
	ListTime time.Duration
	// Retries is when a toolbox that fails to list its tools is asked again.
	// Default after 1 s, 2 s and 4 s.
	Retries []time.Duration
	// Keep is how long a run is remembered after its last change, and after the
	// end of the last question that it waits for. Default 30 days; negative: for
	// ever.
	Keep time.Duration
	// Limits is how many turns may be in progress here at once.
	Limits Limits
	// Depth is how deep runs may delegate. Default 5.
	Depth int
	// Site tells this installation from others whose agents ours talk to, such as by its
	// address: see Caller.Chain. Default: its secret alone does.
	Site string
	// OnMessage is told of each new message of the person before its run begins: what
	// they said before may no longer be what they want. One that somebody else
	// wrote, in a circle, says nothing about that. Default: nobody is.
	OnMessage func(ctx context.Context, p parley.Principal, conversation string) error

	// Node is this process among those that share the records. Whoever makes it runs
	// it, until Run has returned, and gives it to one runtime alone. Default: one of the
	// runtime's own, which Run runs.
	Node *parley.Node

	// Tracer is told of runs: of what each process did with one, of the model's
	// messages and of calls. Default: nobody is.
	Tracer tracing.Tracer

	Logger *slog.Logger // default slog.Default()
}

// Runtime runs agents. The caller runs Run for as long as it is used.
type Runtime struct {
	hub     *parley.Hub
	records parley.Records
	opts    Options
	agents  map[string]*Agent
	keyID   string // of the secret, which is no secret

	unreadLeases, unreadParked quietlog.Trouble

	node    *parley.Node
	ownNode bool // it is nobody else's

	work  chan task // runs that this process is to go on with
	fresh fresh     // those of them that it has just begun
	noted noted     // conversations that it has written down

	progress *progress
	notices  *limit.Notices

	outages outages

	mu      sync.Mutex
	live    map[Ref]*live
	running bool
	ending  bool          // Run was told to end: it drives nothing more
	orphans map[Ref]int64 // runs of dead processes, and the version of their leases
}

// New returns a runtime that keeps its runs in records, sealed with keys unless
// they are nil.
func New(hub *parley.Hub, records parley.Records, keys *seal.Keyring, opts *Options) (*Runtime, error) {
	rt := &Runtime{
		hub: hub, records: records, agents: map[string]*Agent{},
		work: make(chan task, 1024), live: map[Ref]*live{}, orphans: map[Ref]int64{},
	}
	if keys != nil {
		rt.records, rt.keyID = seal.Records(records, keys, nil), keys.ID()
	}
	if opts != nil {
		rt.opts = *opts
	}
	rt.opts.Lease = cmp.Or(rt.opts.Lease, 10*time.Second)
	rt.opts.ListTime = cmp.Or(rt.opts.ListTime, 15*time.Second)
	rt.opts.Grace = cmp.Or(rt.opts.Grace, 3*time.Second)
	rt.opts.TTL = cmp.Or(rt.opts.TTL, 10*time.Minute)
	rt.opts.Keep = cmp.Or(rt.opts.Keep, 30*24*time.Hour)
	rt.opts.Depth = cmp.Or(rt.opts.Depth, 5)
	if rt.opts.Retries == nil {
		rt.opts.Retries = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}
	}
	if rt.opts.Logger == nil {
		rt.opts.Logger = slog.Default()
	}
	if rt.node = rt.opts.Node; rt.node == nil {
		rt.ownNode = true
		attendance, _ := records.(parley.Attendance)
		rt.node = parley.NewNode(rt.records, &parley.NodeOptions{Lease: rt.opts.Lease, Attendance: attendance, Logger: rt.opts.Logger})
		rt.node.OnDeath(rt.hub.LookAgain)
	}
	rt.progress = newProgress(rt.opts.Limits)
	rt.notices = limit.NewNotices(rt.opts.Logger, 0)
	var problems []error
	for _, a := range rt.opts.Agents {
		if rt.agents[a.Name] != nil {
			problems = append(problems, &InvalidError{Agent: a.Name, Problem: errors.New("it is there twice")})
		}
		rt.agents[a.Name] = a
	}
	for _, a := range rt.opts.Agents {
		problems = append(problems, a.validate(rt.agents))
	}
	return rt, errors.Join(problems...)
}

// Agents returns the agents by name.
func (rt *Runtime) Agents() map[string]*Agent { return rt.agents }

// ttl is how long questions of the run that a message starts stay open.
func (rt *Runtime) ttl(m Message) time.Duration {
	if a := rt.agents[m.Agent]; a != nil && m.TTL == 0 {
		return cmp.Or(a.TTL, rt.opts.TTL)
	}
	return cmp.Or(m.TTL, rt.opts.TTL)
}

// Message is what a person says to an agent.
type Message struct {
	Agent        string
	Conversation string // chosen by the client; of this person alone
	ID           string // of the message; the same one twice starts one run. Default: a new one
	Text         string //
	CanAsk       bool   // the client shows questions; without it they become errors of the tools
	// Circle says who writes it, where that is not the person: see Caller.Circle. Default for
	// who has a token: that of the conversation's first.
	Circle string
	Chain  []string      // the agents that it comes through, where it comes from one: see Caller.Chain
	TTL    time.Duration // how long questions stay open; default Options.TTL
	List   bool          // the conversation is to be found again: see Runtime.Conversations
}

// MaxText is how many bytes a message may have.
const MaxText = 256 << 10

// Start stores a new run; Run goes on with it, here or in another process. A
// message that was sent before returns the run that it started then.
func (rt *Runtime) Start(ctx context.Context, p parley.Principal, m Message) (Ref, error) {
	ref, err := refOf(p, m.Conversation)
	if err != nil {
		return Ref{}, err
	}
	if rt.agents[m.Agent] == nil {
		return Ref{}, fmt.Errorf("agent %.50q: %w", m.Agent, ErrUnknownAgent)
	}
	if strings.ContainsFunc(m.Conversation, unicode.IsControl) {
		return Ref{}, fmt.Errorf("%w: the conversation's name has control characters", parley.ErrInvalid)
	}
	if m.Conversation == "" || len(m.Conversation) > 200 || len(m.ID) > 200 {
		return Ref{}, fmt.Errorf("%w: a conversation and a message have names of at most 200 bytes", parley.ErrTooLarge)
	}
	if len(m.Text) > MaxText {
		return Ref{}, &parley.SizeError{What: "the message", Size: len(m.Text), Most: MaxText}
	}
	if m.Circle == "" && p.ByToken() {
		if m.Circle, err = rt.circle(ctx, ref); err != nil {
			return Ref{}, err
		}
	}
	ref.Run = string(parley.NewID())
	if started, err := rt.admit(ctx, p, ref, m); err != nil || started.Run != "" {
		return started, err
	}
	begun, err := rt.start(ctx, p, ref, m)
	if err != nil || begun != ref {
		rt.progress.abandon(ref)
	}
	return begun, err
}

// circle is that of a conversation which a model began. Whoever goes on with it by a token may
// be that model's client: what the person refused there stays refused.
func (rt *Runtime) circle(ctx context.Context, ref Ref) (string, error) {
	first, err := rt.records.Scan(ctx, parley.Address{Tenant: ref.Tenant, Kind: runKind, Key: ref.prefix()}, "", 1)
	if err != nil || len(first) == 0 {
		return "", err
	}
	r, err := decode(first[0])
	if err != nil {
		return "", err
	}
	return r.Circle, nil
}

// start stores the run of a message that was let in.
func (rt *Runtime) start(ctx context.Context, p parley.Principal, ref Ref, m Message) (Ref, error) {
	if m.ID != "" {
		var started bool
		var err error
		if ref, started, err = rt.claim(ctx, ref, m); err != nil || started {
			return ref, err
		}
	}
	asked := p.Kind != parley.KindProgram // whom nobody can ask anything
	if rt.opts.OnMessage != nil && m.Circle == "" && asked {
		if err := rt.opts.OnMessage(ctx, p, m.Conversation); err != nil {
			return Ref{}, err
		}
	}
	r := &Run{
		Ref: ref, Method: p.Method, Agent: m.Agent, Message: cmp.Or(m.ID, ref.Run+"-user"), Text: m.Text, CanAsk: m.CanAsk && asked,
		Circle: m.Circle, Chain: rt.joined(m.Chain, m.Agent), TTL: rt.ttl(m), Status: Working, Phase: phaseBefore, Created: time.Now().UTC(), Trail: rt.trail(ctx),
	}
	if m.List {
		rt.noteConversation(ctx, ref, m)
	}
	return ref, rt.begin(ctx, r)
}

// begin stores a run and its lease, and sets out on it. The lease comes first:
// a run without one would be found by nobody if we died in between. What is
// there already was begun by somebody else, who may have died on the way.
func (rt *Runtime) begin(ctx context.Context, r *Run) error {
	r.log(Event{Type: Started, ID: r.Ref.Run})
	lease, err := rt.take(ctx, r.Ref)
	if err != nil {
		return err
	}
	err = rt.save(ctx, r)
	if err != nil && !errors.Is(err, parley.ErrExists) {
		return err
	}
	if err == nil && lease != 0 {
		rt.fresh.put(r, lease)
	}
	rt.enqueue(ctx, r.Ref)
	return nil
}

// task is a run to go on with.
type task struct {
	ref   Ref
	after time.Duration
}

// enqueue hands a run to Run. If that is far behind, the run's lease ends and
// somebody else takes it up.
func (rt *Runtime) enqueue(ctx context.Context, ref Ref) { rt.enqueueAfter(ctx, ref, 0) }

func (rt *Runtime) enqueueAfter(ctx context.Context, ref Ref, after time.Duration) {
	rt.mu.Lock()
	ending := rt.ending
	rt.mu.Unlock()
	if ending {
		rt.release(ctx, ref)
		return
	}
	select {
	case rt.work <- task{ref, after}:
	default:
		rt.progress.abandon(ref)
		rt.opts.Logger.WarnContext(ctx, "run not resumed: too many are", "run", ref.Run)
	}
}

// runs returns the runs of a conversation in their order.
func (rt *Runtime) runs(ctx context.Context, ref Ref) ([]*Run, error) {
	var all []*Run
	err := rt.scanRuns(ctx, ref, "", func(r *Run) bool {
		all = append(all, r)
		return true
	})
	return all, err
}

// scanRuns reads the runs of a conversation that come after one, in their order,
// until each says that it was enough.
func (rt *Runtime) scanRuns(ctx context.Context, ref Ref, after string, each func(*Run) bool) error {
	return rt.scanBefore(ctx, ref, after, "", each)
}

// scanBefore is scanRuns up to a run, which is not read; empty: up to the last.
func (rt *Runtime) scanBefore(ctx context.Context, ref Ref, after, before string, each func(*Run) bool) error {
	from := parley.Address{Tenant: ref.Tenant, Kind: runKind, Key: ref.prefix()}
	if after != "" {
		after = from.Key + after
	}
	for record, err := range parley.Each(ctx, rt.records, from, after) {
		if err != nil {
			return err
		}
		if before != "" && record.Key >= from.Key+before {
			break
		}
		r, err := decode(record)
		if err != nil {
			return err
		}
		if !each(r) {
			break
		}
	}
	return nil
}

// Known reports whether something was said in a conversation.
func (rt *Runtime) Known(ctx context.Context, p parley.Principal, conversation string) (bool, error) {
	ref, err := refOf(p, conversation)
	if err != nil {
		return false, err
	}
	page, err := rt.records.Scan(ctx, parley.Address{Tenant: ref.Tenant, Kind: runKind, Key: ref.prefix()}, "", 1)
	return len(page) > 0, err
}

// Current returns the newest run of a conversation that has not ended, or
// ErrNoRun.
func (rt *Runtime) Current(ctx context.Context, p parley.Principal, conversation string) (Ref, error) {
	runs, err := rt.conversation(ctx, p, conversation)
	if err != nil {
		return Ref{}, err
	}
	for i := len(runs) - 1; i >= 0; i-- {
		if runs[i].Status != Ended {
			return runs[i].Ref, nil
		}
	}
	return Ref{}, ErrNoRun
}

// Find returns a run of a conversation, or parley.ErrNotFound.
func (rt *Runtime) Find(ctx context.Context, p parley.Principal, conversation, run string) (Run, error) {
	ref, err := refOf(p, conversation)
	if err != nil {
		return Run{}, err
	}
	if run == "" || len(run) > 200 || strings.ContainsFunc(run, func(c rune) bool { return c <= ' ' || c == '/' || c > '~' }) {
		return Run{}, parley.ErrNotFound // no run is called so, and stores need not be asked
	}
	ref.Run = run
	r, err := rt.load(ctx, ref)
	if err != nil {
		return Run{}, err
	}
	return *r, nil
}

// History returns the runs of a conversation, oldest first: what the person
// said, and everything that happened then. Runs that were delegated to are not
// among them.
func (rt *Runtime) History(ctx context.Context, p parley.Principal, conversation string) ([]Run, error) {
	runs, err := rt.conversation(ctx, p, conversation)
	if err != nil {
		return nil, err
	}
	all := make([]Run, len(runs))
	for i, r := range runs {
		all[i] = *r
	}
	return all, nil
}

func (rt *Runtime) conversation(ctx context.Context, p parley.Principal, conversation string) ([]*Run, error) {
	ref, err := refOf(p, conversation)
	if err != nil {
		return nil, err
	}
	return rt.runs(ctx, ref)
}

// Events returns what a follower of the run would have been told so far.
func (r *Run) Events() []Event {
	var all []Event
	for _, e := range r.Log {
		all = append(all, r.expand(e)...)
	}
	return all
}

// Stop ends what runs in a conversation: its questions are withdrawn, and calls
// that are under way are not waited for. ErrNoRun when nothing does.
func (rt *Runtime) Stop(ctx context.Context, p parley.Principal, conversation string) error {
	runs, err := rt.conversation(ctx, p, conversation)
	if err != nil {
		return err
	}
	stopped := false
	for _, r := range runs {
		if r.Status == Ended {
			continue
		}
		stopped = true
		if err := rt.stop(ctx, r.Ref); err != nil {
			return err
		}
	}
	if !stopped {
		return ErrNoRun
	}
	return nil
}

// StopRun ends one run of a conversation, as Stop does all. ErrNoRun when it has ended
// already, parley.ErrNotFound when there is no such run.
func (rt *Runtime) StopRun(ctx context.Context, p parley.Principal, conversation, run string) error {
	r, err := rt.Find(ctx, p, conversation, run)
	if err != nil {
		return err
	}
	if r.Status == Ended {
		return ErrNoRun
	}
	return rt.stop(ctx, r.Ref)
}

func (rt *Runtime) stop(ctx context.Context, ref Ref) error {
	var open []*wait
	err := rt.change(ctx, ref, func(r *Run) bool {
		if r.Status == Ended || r.Stop {
			return false
		}
		r.Stop = true
		open = unsettled(r.Waits)
		for _, c := range r.Calls {
			open = append(open, unsettled(c.Waits)...)
		}
		return true
	})
	if err != nil {
		return err
	}
	for _, w := range open { // now, whoever drives the run and whatever it is at
		if err := rt.cancel(ctx, w, stoppedText); err != nil {
			return err
		}
	}
	if l := rt.liveRun(ref); l != nil {
		l.interrupt()
	}
	rt.enqueue(ctx, ref)
	return rt.nudge(ctx, ref)
}

// change changes a stored run from outside, whoever drives it: its driver sees
// a conflict and reads it again.
func (rt *Runtime) change(ctx context.Context, ref Ref, how func(*Run) bool) error {
	tried := false
	return rt.persist(ctx, func() error {
		_, err := parley.Update(ctx, rt.records, ref.address(), func(record *parley.Record) (bool, error) {
			if record.Version == 0 {
				return false, parley.ErrNotFound
			}
			r, err := decode(*record)
			if err != nil || !how(r) {
				return false, err
			}
			tried = true
			*record, err = rt.record(r)
			return true, err
		})
		if err != nil && !tried {
			return permanent{err}
		}
		return err
	})
}

// Package remote makes agents of ours of agents elsewhere that speak A2A: others may
// delegate to them, and people talk to them.
//
// Its nouns:
//
//   - Remote: an agent elsewhere, by the address of its card.
//   - Task: what it works on. There is one for each call, whatever dies on the way:
//     its id is written down, and so is every message before it is sent.
//   - Interruption: the agent elsewhere asks. What it asks becomes questions of ours
//     in its name, and the answers go to the same task, as data where the other side
//     speaks the extension of package elicitation, else as text.
//
// An example:
//
//	desk, err := remote.New(&remote.Options{Name: "travel", URL: "https://travel.example", Hub: hub, Records: records})
//	agents = append(agents, desk.Agent())
//	go desk.Run(ctx)
//
// A task may move on without us: its questions are looked after (Run), and withdrawn
// here when it does. A message of which it is not known whether it arrived is looked
// for at the other side, and never becomes a second task: if it is not found there,
// that is what the caller is told.
//
// A remote agent is not trusted with this process: its card, its messages and its
// tasks have limits, and it is only spoken to where it was said to be.
//
// A Remote is safe for concurrent use.
package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
)

// Options says where an agent is. Nil and zero fields mean the defaults.
type Options struct {
	Name        string // as programs and models see it
	Title       string // as people do; default: its name
	Description string // for agents that may delegate to it
	// URL is where it is: its card, or what /.well-known/agent-card.json is below. It
	// is spoken to at this origin and at no other.
	URL string
	// Access gets callers past its door. Default: it takes no credential.
	Access Access
	// Door tells the kind of credential from others that the agent may come to take: a
	// call that was begun at one door does not go on at another. Default: it stays.
	Door string
	// Tenant is whose the agent is: its questions are looked after by a Lookout, and its
	// name is unique among those of the tenant. Default: the operator's, and Run does it.
	Tenant string
	Leave  Leave             // has tasks allowed. Default: none needs to be
	Base   http.RoundTripper // the way there without Access; default http.DefaultTransport
	// Cards is the way to its card, which takes no credential. Default http.DefaultTransport.
	Cards http.RoundTripper

	Hub     *parley.Hub    // decides what can be shown, and settles what moved on. Needed
	Records parley.Records // of the questions that are looked after, sealed. Needed
	// PublicURL is where our own pages are. The agent may not send people there,
	// unless it is there itself: they trust what they see to be ours.
	PublicURL string

	TTL time.Duration // how long its questions stay open; default: the runtime's
	// CallTime is how long it may be silent while it works. Default 10 min; negative: for ever.
	CallTime time.Duration
	// MaxMessage is the largest answer of its that is taken, in bytes as it is when
	// unpacked. Default 4 MiB.
	MaxMessage int64
	// Away is how long the agent may be away while a task of its goes on. Default 30 s.
	Away time.Duration
	// Visit is how long it may take, after the person has been where it sent them, to
	// go on by itself before it is told of that. Default 10 s.
	Visit time.Duration
	// Look is how often a task is looked at whose question is new; older ones are
	// looked at less often. Default 2 s.
	Look time.Duration

	Logger *slog.Logger // default: nowhere
}

// Access gets callers past an agent's door, such as a *toolbox.Account.
type Access interface {
	// Enter is nil when there is what the agent wants of the caller of a call. Otherwise
	// it is an *agent.Pause with the questions for it, or an error. again says that the
	// agent refused what there was.
	Enter(ctx context.Context, c *agent.Invocation, again bool) error
	// Transport is the way to the agent with the caller's credential.
	Transport(who agent.Caller) http.RoundTripper
}

// way is how the agent is reached for somebody.
func (r *Remote) way(who agent.Caller) http.RoundTripper {
	if r.opts.Access == nil {
		return r.opts.Base
	}
	return r.opts.Access.Transport(who)
}

// Remote is an agent elsewhere.
type Remote struct {
	opts Options
	base *url.URL

	mu      sync.Mutex
	card    *known   // nil: not read yet
	broken  failure  // of the last time that it was read, if that failed
	reading *reading // that is under way; nil: none
}

var (
	_ agent.Toolbox   = (*Remote)(nil)
	_ agent.Titled    = (*Remote)(nil)
	_ agent.Abandoner = (*Remote)(nil)
)

// New returns a remote agent; it is spoken to when it is used.
func New(given *Options) (*Remote, error) {
	opts := *given
	base, err := url.Parse(opts.URL)
	if err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" || base.User != nil {
		return nil, fmt.Errorf("agent %q: its address is of the form https://host/path", opts.Name)
	}
	if opts.Name == "" || opts.Hub == nil || opts.Records == nil {
		return nil, errors.New("a remote agent has a name, a hub and records")
	}
	opts.Title = cmp.Or(opts.Title, opts.Name)
	opts.CallTime = cmp.Or(opts.CallTime, 10*time.Minute)
	opts.MaxMessage = cmp.Or(opts.MaxMessage, 4<<20)
	opts.Away = cmp.Or(opts.Away, 30*time.Second)
	opts.Visit = cmp.Or(opts.Visit, 10*time.Second)
	opts.Look = cmp.Or(opts.Look, usualLook)
	if opts.Cards == nil {
		opts.Cards = http.DefaultTransport
	}
	if opts.Base == nil {
		opts.Base = http.DefaultTransport
	}
	if opts.Logger == nil {
		opts.Logger = slog.New(slog.DiscardHandler)
	}
	return &Remote{opts: opts, base: base}, nil
}

// Agent is the remote agent as one of a runtime: it passes on what it is told.
func (r *Remote) Agent() *agent.Agent {
	return &agent.Agent{
		Name: r.opts.Name, Description: r.opts.Description, Model: relay{}, Toolboxes: []agent.Toolbox{r}, TTL: r.opts.TTL, Relays: true,
	}
}

// Name implements agent.Toolbox.
func (r *Remote) Name() string { return r.opts.Name }

// Title is how people know the agent.
func (r *Remote) Title() string { return r.opts.Title }

// taskSchema is that of the arguments of the only tool.
const taskSchema = `{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`

// Tools implements agent.Toolbox: there is one, to give the agent a task. It may be
// called again for the same call, and goes on with the task that there is.
func (r *Remote) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	yes := true
	return []agent.Tool{{
		Name: "task", Title: "Give " + r.opts.Title + " a task", Description: "Gives the agent a task and returns its answer.",
		Schema: json.RawMessage(taskSchema), Idempotent: &yes, OpenWorld: &yes,
	}}, nil
}

// Prepare implements agent.Toolbox. Nobody is asked for a credential of an agent that
// cannot be spoken to.
func (r *Remote) Prepare(ctx context.Context, c *agent.Invocation) error {
	s, _ := r.readState(c) // of what cannot be read Call says more
	begun := s.begun()     // by a process that has ended
	if !begun {
		if _, err := r.readCard(ctx); err != nil {
			return err
		}
	}
	if r.opts.Access != nil {
		if err := r.opts.Access.Enter(ctx, c, false); err != nil {
			return err
		}
	}
	if begun || r.opts.Leave == nil || s.Admitted {
		return nil
	}
	return s.allowed(ctx, c, r.opts.Leave.Clear)
}

// target is the agent for the words about what became of a call.
func (r *Remote) target() mcpcall.Target {
	return mcpcall.Target{Server: mcpcall.Server{Name: r.opts.Name, Title: r.opts.Title, URL: r.opts.URL}}
}

// failed is a sentence for the model, with the agent's name in front.
func (r *Remote) failed(cause error, format string, args ...any) error {
	return &agent.PublicError{Text: r.opts.Title + " " + fmt.Sprintf(format, args...), Cause: cause}
}

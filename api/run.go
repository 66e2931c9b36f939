package api

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/permit"
)

// Runs are the turns of conversations with agents. *agent.Runtime has them.
type Runs interface {
	Survey(ctx context.Context, tenant string, q agent.Survey, each func(*agent.Run)) (agent.Surveyed, error)
}

// panels is what Permits have that know who was asked about a call.
type panels interface {
	Panel(ctx context.Context, q parley.Request) (permit.Panel, error)
}

// maxSpans is how much of a run's timeline is shown.
const maxSpans = 200

// runWire is a turn of a conversation as it is shown: what it was spent on, and
// nothing of what was said in it.
type runWire struct {
	ID        string     `json:"id"`
	User      string     `json:"user" doc:"Whose: a person, or the kind of whoever else it is."`
	Agent     string     `json:"agent"`
	Parent    string     `json:"parent,omitempty" doc:"The run that delegated it."`
	Status    string     `json:"status" enum:"working,waiting,ended"`
	Reason    string     `json:"reason,omitempty" enum:"done,stopped,step_limit,failed" doc:"Why it ended."`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
	Trace     string     `json:"trace,omitempty" doc:"The id of the trace that it is told in, where there is one."`
	TraceURL  string     `json:"trace_url,omitempty" doc:"Where people look at that trace, where the operator says so."`
	Nodes     []stayWire `json:"nodes,omitempty" nullable:"false" doc:"The node that began it, and each that took it up from another, in this order."`
	Timeline  []spanWire `json:"timeline" nullable:"false" doc:"What it was spent on, in the order in which that began, the first 200."`
	Spans     int        `json:"timeline_count" doc:"How much that is."`
}

// stayWire is a node at which a run was.
type stayWire struct {
	Node  string    `json:"node" doc:"As logs and traces name it."`
	From  time.Time `json:"from"`
	After string    `json:"after,omitempty" enum:"waiting,left" doc:"How it came there: it had waited, or the node before died in the midst of it or handed it over. Absent: it began there."`
}

// spanWire is a part of a run.
type spanWire struct {
	Kind    string        `json:"kind" enum:"model,call,wait" doc:"The model thought, a tool or an agent was called, or somebody was asked."`
	Step    int           `json:"step" doc:"Which message of the model it belongs to, from 1; 0: it came before."`
	Server  string        `json:"server,omitempty" doc:"Of a call, and of what was asked for one: the server, or the agent that it was delegated to."`
	Tool    string        `json:"tool,omitempty"`
	From    *time.Time    `json:"from,omitempty" doc:"Absent: not known."`
	To      *time.Time    `json:"to,omitempty" doc:"Absent: it goes on, or it is not known."`
	How     string        `json:"how,omitempty" enum:"succeeded,failed,refused" doc:"How a call ended."`
	Asked   *askedWire    `json:"asked,omitempty" doc:"Of a wait: who was asked, and what came of it."`
	Panel   []decidedWire `json:"approvers,omitempty" doc:"Of a wait for approvers: each, with what they said and when."`
	Needed  int           `json:"needed,omitempty" doc:"And how many of them have to approve."`
	Pending bool          `json:"pending,omitempty" doc:"It goes on."`
}

type askedWire struct {
	ID       string     `json:"id" doc:"Of the question."`
	To       string     `json:"to"`
	Trigger  string     `json:"trigger"`
	Action   string     `json:"action,omitempty" enum:"accept,decline,cancel,expire"`
	Decision string     `json:"decision,omitempty" doc:"Of an approval: what was decided."`
	By       string     `json:"by,omitempty"`
	Via      string     `json:"via,omitempty"`
	At       *time.Time `json:"at,omitempty"`
}

type decidedWire struct {
	Name     string     `json:"name"`
	Decision string     `json:"decision,omitempty" doc:"Absent: nothing so far, or nothing in time."`
	At       *time.Time `json:"at,omitempty"`

	For       string `json:"for,omitempty" doc:"Whose deputy they are: both have one voice, which is that of who answers first."`
	Withdrawn string `json:"withdrawn,omitempty" doc:"Their question was withdrawn before they answered: why, or by whom."`
}

type runsWire struct {
	Items    []runWire `json:"items" nullable:"false"`
	Looked   int       `json:"looked_at" doc:"How many runs were looked at to find these."`
	Complete bool      `json:"complete" doc:"False: there are more runs than one request looks at, and newer ones may be missing. Name a user."`
}

type runQuery struct {
	User  string    `query:"user" maxLength:"512" doc:"Whose. Default: everybody's."`
	Agent string    `query:"agent" maxLength:"512" doc:"Of which agent. Default: any."`
	Since time.Time `query:"since" doc:"That began then or later."`
	Until time.Time `query:"until" doc:"That began before. For the next page: created_at of the last."`
	Limit int       `query:"limit" minimum:"1" maximum:"100" default:"20"`
}

func (a *API) runRoutes(to *huma.OpenAPI) {
	if a.opts.Runs == nil {
		return
	}
	add(a, to, operation{
		id: "list-runs", tag: "runs", summary: "Turns of conversations with agents, newest first, and what each was spent on", method: http.MethodGet, path: "/api/runs",
		who:   administrators,
		about: "What was said, called with and returned is private and not here.",
	}, a.listRuns)
}

// surveysAtOnce is how many go through the runs at a time, of all tenants.
const surveysAtOnce = 2

// survey goes through the runs of a tenant, when it is its turn.
func (a *API) survey(ctx context.Context, tenant string, q agent.Survey, each func(*agent.Run)) (agent.Surveyed, error) {
	select {
	case a.surveys <- struct{}{}:
		defer func() { <-a.surveys }()
		return a.opts.Runs.Survey(ctx, tenant, q, each)
	case <-ctx.Done():
		return agent.Surveyed{}, ctx.Err()
	}
}

func (a *API) listRuns(ctx context.Context, c Caller, in *runQuery) (*answer[runsWire], error) {
	var found []*agent.Run
	newest := func(x, y *agent.Run) int { return y.Created.Compare(x.Created) }
	so, err := a.survey(ctx, c.tenant(), agent.Survey{User: in.User, Since: in.Since, Until: in.Until}, func(r *agent.Run) {
		if in.Agent != "" && r.Agent != in.Agent {
			return
		}
		if found = append(found, r); len(found) > 2*in.Limit { // of the rest nobody is told
			slices.SortFunc(found, newest)
			found = slices.Delete(found, in.Limit, len(found))
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(found, newest)
	out := runsWire{Items: []runWire{}, Looked: so.Runs, Complete: so.Complete}
	for _, r := range found[:min(in.Limit, len(found))] {
		out.Items = append(out.Items, a.showRun(ctx, r))
	}
	return &answer[runsWire]{out}, nil
}

func (a *API) showRun(ctx context.Context, r *agent.Run) runWire {
	shown := runWire{
		ID: r.Ref.Run, User: person(r.Ref.User), Agent: r.Agent, Status: string(r.Status), Reason: string(r.Reason),
		CreatedAt: r.Created.UTC(), UpdatedAt: r.Updated.UTC(), Timeline: []spanWire{},
	}
	if r.Parent != nil {
		shown.Parent = r.Parent.Run.Run
	}
	if shown.Trace = r.Trace(); shown.Trace != "" {
		shown.TraceURL = strings.ReplaceAll(a.opts.TraceView, "{trace}", shown.Trace)
	}
	for _, stay := range r.Stays() {
		shown.Nodes = append(shown.Nodes, stayWire{Node: stay.Node, From: stay.From.UTC(), After: string(stay.After)})
	}
	spans := r.Timeline()
	shown.Spans = len(spans)
	for _, s := range spans[:min(maxSpans, len(spans))] {
		shown.Timeline = append(shown.Timeline, a.showSpan(ctx, s, r.Status == agent.Ended))
	}
	return shown
}

func (a *API) showSpan(ctx context.Context, s agent.Span, over bool) spanWire {
	shown := spanWire{Kind: string(s.Kind), Step: s.Step, Server: s.Box, Tool: s.Tool, From: moment(s.From), To: moment(s.To), How: string(s.How)}
	q := s.Question
	if q == nil {
		shown.Pending = !over && s.To.IsZero() && s.How == ""
		return shown
	}
	shown.Pending = !over && q.Pending()
	shown.Asked = &askedWire{ID: string(q.ID), To: person(q.To), Trigger: q.Trigger}
	if o := q.Outcome; o != nil {
		choice, _ := permit.Decided(*q)
		shown.Asked.Action, shown.Asked.Decision, shown.Asked.By, shown.Asked.Via, shown.Asked.At = string(o.Action), string(choice), person(o.By), o.Via, moment(o.At)
	}
	if from, ok := a.permits.(panels); ok && q.OnlyTells() {
		panel, err := from.Panel(ctx, *q)
		if err != nil {
			a.opts.Logger.WarnContext(ctx, "approvers of a call unknown", "question", q.ID, "err", err)
		}
		shown.Needed = panel.Need
		for _, one := range panel.People {
			shown.Panel = append(shown.Panel, decidedWire{Name: one.Name, Decision: string(one.Said), At: moment(one.At), For: one.For, Withdrawn: one.Withdrawn})
		}
	}
	return shown
}

package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// Bounds of a trial.
const (
	trialPeriod    = 7 * 24 * time.Hour // by default
	trialCalls     = 20_000             // that are judged
	trialShown     = 200
	trialTime      = 5 * time.Second // a condition may be made to take long
	trialQuestions = 2000            // that are looked through for calls of no run
	trialPage      = 100             // of these that are in memory at once
)

// trials is what Permits have that can try a rule.
type trials interface {
	Try(ctx context.Context, tenant string, c permit.Condition) (*permit.Trial, error)
}

type trialInput struct {
	Rule  ruleInput `json:"rule" doc:"As for a new rule. With the name of one of the tenant's it is tried in its place, else behind the others."`
	Since time.Time `json:"since,omitempty" doc:"Calls from then on. Default: of the last seven days."`
	Until time.Time `json:"until,omitempty" doc:"Calls before then. Default: now."`
}

// trialWire is what a rule would have done.
type trialWire struct {
	Since    time.Time      `json:"since"`
	Until    time.Time      `json:"until"`
	Looked   int            `json:"looked_at" doc:"How many calls were judged."`
	Counts   trialCounts    `json:"counts"`
	Items    []triedWire    `json:"items" nullable:"false" doc:"The calls for which it makes a difference, or for which that is unknown, newest first, at most 200."`
	Complete bool           `json:"complete" doc:"False: there was more to look at than one trial does."`
	Limits   []trialCaveats `json:"not_known" nullable:"false" doc:"What a trial cannot know."`
}

type trialCaveats struct {
	What string `json:"what" enum:"gateway,arguments,people,expired"`
	Text string `json:"text"`
}

type trialCounts struct {
	Unchanged int `json:"unchanged"`
	Ask       int `json:"ask" doc:"The person would have been asked, and is not by the rules of now."`
	Approvers int `json:"approvers" doc:"Approvers would have been asked, or others than by the rules of now."`
	Refuse    int `json:"refuse" doc:"It would have been refused."`
	Pass      int `json:"pass" doc:"Nobody would have been asked."`
	Unknown   int `json:"unknown" doc:"What was kept of the call does not say."`
}

// triedWire is a call that was judged. Its arguments stay where they are.
type triedWire struct {
	At        time.Time      `json:"at"`
	User      string         `json:"user"`
	Agent     string         `json:"agent,omitempty" doc:"Absent: it came through the gateway."`
	Server    string         `json:"server"`
	Title     string         `json:"server_title,omitempty" doc:"How people know the server, if otherwise."`
	Tool      string         `json:"tool"`
	How       string         `json:"how,omitempty" enum:"succeeded,failed,refused" doc:"How it ended."`
	Now       string         `json:"now" enum:"pass,ask,approvers,refuse,unknown" doc:"What the rules of now want."`
	Then      string         `json:"then" enum:"pass,ask,approvers,refuse,unknown" doc:"What they would want."`
	Rule      string         `json:"rule,omitempty" doc:"The rule that would decide."`
	Approvers *approversWire `json:"approvers,omitempty" doc:"Who would be asked."`
	Why       string         `json:"why,omitempty" doc:"Why nobody can tell whether that rule is about it, so that the strictest reading holds."`
}

func (a *API) trialRoutes(to *huma.OpenAPI) {
	if _, ok := a.permits.(trials); !ok {
		return
	}
	add(a, to, operation{
		id: "try-rule", tag: "rules", summary: "Which calls a rule would have stopped", method: http.MethodPost, path: "/api/rule-trials", who: administrators, quiet: true,
		about: "Judges the calls that were recorded by the rules as they are now, and as they would be. It stores nothing and asks nobody.",
	}, a.tryRule)
}

func (a *API) tryRule(ctx context.Context, c Caller, in *struct{ Body trialInput }) (*answer[trialWire], error) {
	rule, err := readRule(in.Body.Rule)
	if err != nil {
		return nil, inside("body.rule", err)
	}
	trial, err := a.permits.(trials).Try(ctx, c.tenant(), rule)
	if err != nil {
		return nil, inside("body.rule", err)
	}
	out := trialWire{Until: in.Body.Until.UTC(), Since: in.Body.Since.UTC(), Items: []triedWire{}, Complete: true, Limits: caveats}
	if in.Body.Until.IsZero() {
		out.Until = time.Now().UTC()
	}
	if in.Body.Since.IsZero() {
		out.Since = out.Until.Add(-trialPeriod)
	}
	if !out.Since.Before(out.Until) {
		return nil, invalid("body.since", "it must be before until")
	}
	b := &bench{api: a, tenant: c.tenant(), trial: trial, until: time.Now().Add(trialTime), rules: map[string]permit.Rule{}, out: &out}
	if err := b.runs(ctx); err != nil {
		return nil, err
	}
	if err := b.questions(ctx); err != nil {
		return nil, err
	}
	slices.SortStableFunc(out.Items, func(x, y triedWire) int { return y.At.Compare(x.At) })
	out.Items = out.Items[:min(trialShown, len(out.Items))]
	known := a.titles(c)
	for i := range out.Items {
		out.Items[i].Title = known(ctx, out.Items[i].Server)
	}
	return &answer[trialWire]{out}, nil
}

// inside moves what is wrong with a rule to where the rule is.
func inside(path string, err error) error {
	said := explain(err)
	for _, one := range said.Errors {
		if rest, ok := strings.CutPrefix(one.Location, "body"); ok {
			one.Location = path + rest
		}
	}
	return said
}

// bench judges calls, one after the other.
type bench struct {
	api    *API
	tenant string
	trial  *permit.Trial
	rules  map[string]permit.Rule // by server
	out    *trialWire
	until  time.Time // no call is judged later
	failed error
}

// runs judges what agents called.
func (b *bench) runs(ctx context.Context) error {
	if b.api.opts.Runs == nil {
		return nil
	}
	// A call may come long after its run began: a person was asked before it.
	so, err := b.api.survey(ctx, b.tenant, agent.Survey{Until: b.out.Until}, func(r *agent.Run) {
		if r.Updated.Before(b.out.Since) {
			return
		}
		for _, made := range r.Made() {
			call := permit.Call{
				Tenant: b.tenant, User: r.Ref.User, Server: made.Box, Tool: made.Tool.Name, Args: made.Args, ID: made.ID, Agent: r.Agent,
				ReadOnly: made.Tool.ReadOnly, Destructive: made.Tool.Destructive, Idempotent: made.Tool.Idempotent, OpenWorld: made.Tool.OpenWorld,
			}
			b.judge(ctx, call, made.At, string(made.How), b.trial.Judge)
		}
	})
	b.out.Complete = b.out.Complete && so.Complete
	return errors.Join(err, b.failed)
}

// questions judges what people were asked about besides: calls through the
// gateway, of which the arguments were not kept.
func (b *bench) questions(ctx context.Context) error {
	seen := map[string]bool{}
	q := parley.Query{Tenant: b.tenant, Newest: true, Limit: trialPage}
	for looked := 0; looked < trialQuestions; {
		some, err := b.api.requests.List(ctx, q)
		if err != nil {
			return err
		}
		for _, r := range some {
			looked++
			q.After = r.ID
			if r.Created.Before(b.out.Since) {
				return b.failed
			}
			call := outline(r)
			if call.ID == "" || seen[call.ID] || !r.Created.Before(b.out.Until) {
				continue
			}
			seen[call.ID] = true
			b.judge(ctx, call, r.Created, "", b.trial.JudgeOutline)
		}
		if len(some) < trialPage {
			return b.failed
		}
	}
	b.out.Complete = false
	return b.failed
}

// outline is what a question to whoever calls tells of the call; without an ID it
// tells of none, or of one that a run has. Approvers' questions name no call: whoever
// waits for them has one that does.
func outline(r parley.Request) permit.Call {
	if r.Trigger != parley.TriggerApproval && !r.OnlyTells() || agent.OfRun(r) {
		return permit.Call{}
	}
	return permit.Call{Tenant: r.Tenant, User: r.To, Server: r.Labels[permit.LabelServer], Tool: r.Labels[permit.LabelTool], ID: r.Labels[permit.LabelCall]}
}

func (b *bench) judge(ctx context.Context, call permit.Call, at time.Time, how string, by func(context.Context, permit.Rule, permit.Call) (permit.Tried, error)) {
	if b.failed != nil || at.Before(b.out.Since) || !at.Before(b.out.Until) {
		return
	}
	if b.out.Looked >= trialCalls || ctx.Err() != nil || !time.Now().Before(b.until) {
		b.out.Complete = false
		return
	}
	b.out.Looked++
	tried, err := by(ctx, b.rule(ctx, call.Server), call)
	if err != nil { // such as arguments that can be read in two ways
		tried = permit.Tried{Now: permit.Standing{Verdict: permit.Unknown}, Then: permit.Standing{Verdict: permit.Unknown, Why: "The call cannot be judged."}}
	}
	unknown := tried.Then.Verdict == permit.Unknown || tried.Now.Verdict == permit.Unknown
	if !unknown && !tried.Changed() {
		b.out.Counts.Unchanged++
		return
	}
	b.count(tried.Then.Verdict, unknown)
	b.out.Items = append(b.out.Items, showTried(call, at, how, tried))
}

func (b *bench) count(then permit.Verdict, unknown bool) {
	n := &b.out.Counts
	switch {
	case unknown:
		n.Unknown++
	case then == permit.AsksPerson:
		n.Ask++
	case then == permit.AsksApprovers:
		n.Approvers++
	case then == permit.Forbids:
		n.Refuse++
	default:
		n.Pass++
	}
}

// rule is what holds for a server where no condition fits.
func (b *bench) rule(ctx context.Context, server string) permit.Rule {
	rule, known := b.rules[server]
	if !known {
		one, err := b.api.servers.Get(ctx, b.tenant, server)
		if err != nil && !errors.Is(err, vault.ErrUnknown) && !errors.Is(err, parley.ErrNotFound) {
			b.failed = err
		}
		rule = one.Approve // of one that is gone: the default
		b.rules[server] = rule
	}
	return rule
}

func showTried(call permit.Call, at time.Time, how string, tried permit.Tried) triedWire {
	shown := triedWire{
		At: at.UTC(), User: person(call.User), Agent: call.Agent, Server: call.Server, Tool: call.Tool, How: how,
		Now: string(tried.Now.Verdict), Then: string(tried.Then.Verdict), Rule: tried.Then.Rule, Why: tried.Then.Why,
	}
	if of := tried.Then.Approvers; of != nil {
		shown.Approvers = &approversWire{Need: of.Need, Of: texts(of.Of)}
	}
	return shown
}

// caveats are what no trial can know.
var caveats = []trialCaveats{
	{"gateway", "Calls through the gateway that nobody was asked about are recorded nowhere, so they are not here."},
	{"arguments", "Of calls through the gateway the arguments and the tool's annotations are not kept: where a rule asks about them, the result is unknown."},
	{"people", "What people have allowed or refused for good is not looked at: who has allowed a tool always is not asked, whatever rule asks the person."},
	{"expired", "Turns of conversations are forgotten after retention.runs, and their calls with them."},
}

package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/permit"
)

// payer is an agent that pays with the tool that the person names, once.
type payer struct{}

func (payer) Generate(_ context.Context, p agent.Prompt, _ func(string)) (agent.Reply, error) {
	said := p.Messages[len(p.Messages)-1]
	if said.Role == agent.FromTools {
		return agent.Reply{Text: "a text that is " + secret}, nil
	}
	tool, args, _ := strings.Cut(said.Text, " ")
	return agent.Reply{Calls: []agent.ToolCall{{ID: "m", Tool: "tracker__" + tool, Args: json.RawMessage(args)}}}, nil
}

// counter is a toolbox whose calls need an approval where the rules say so.
type counter struct{ permits *permit.Permits }

func (counter) Name() string { return "tracker" }

func (counter) Tools(context.Context, agent.Caller) ([]agent.Tool, error) {
	yes := true
	return []agent.Tool{{Name: "pay", Schema: json.RawMessage(`{"type":"object"}`)}, {Name: "look", ReadOnly: &yes, Schema: json.RawMessage(`{"type":"object"}`)}}, nil
}

func (b counter) Prepare(ctx context.Context, c *agent.Invocation) error {
	call := permit.Call{
		Tenant: c.Tenant, User: c.User, Session: c.Conversation, Server: "tracker", Tool: c.Tool.Name, Args: c.Args, ID: c.ID, ReadOnly: c.Tool.ReadOnly,
	}
	d, err := b.permits.Check(ctx, permit.Unsafe, call)
	if err != nil || !d.Ask() {
		return err
	}
	q, asked := c.Answers["approval"]
	if !asked {
		if q, err = b.permits.Question(call); err != nil {
			return err
		}
		return &agent.Pause{Questions: map[string]parley.Request{"approval": q}}
	}
	if d, err = b.permits.Record(ctx, call, q.ID); err == nil && d.Status != permit.Granted {
		err = &agent.Denied{Reason: d.Reason}
	}
	return err
}

func (counter) Call(context.Context, *agent.Invocation) (agent.Result, error) {
	return agent.Result{Text: "a result that is " + secret}, nil
}

// working has the agents of a world work until the test is over.
func (w *world) working() {
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = w.runs.Run(ctx) })
	w.t.Cleanup(func() { cancel(); all.Wait() })
}

// says has somebody say something to the payer, and answer what they are asked.
func (w *world) says(who parley.Principal, text, decision string) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	ref, err := w.runs.Start(ctx, who, agent.Message{Agent: "payer", Conversation: "a-conversation-" + secret, Text: text, CanAsk: true})
	if err != nil {
		w.t.Fatal(err)
	}
	f := w.runs.Follow(who, ref)
	defer f.Close()
	for {
		e, err := f.Next(ctx)
		if err != nil {
			w.t.Fatal(err)
		}
		switch e.Type {
		case agent.Finished:
			return
		case agent.Asked:
			if decision == "" {
				return
			}
			content := json.RawMessage(fmt.Sprintf(`{"decision":%q}`, decision))
			if err := w.hub.Answer(ctx, who, e.Question.ID, parley.Answer{Action: parley.Accept, Content: content, Via: "chat"}); err != nil && !errors.Is(err, parley.ErrRepeated) {
				w.t.Fatal(err)
			}
		}
	}
}

func TestRunsSayWhatTheyWereSpentOnAndNothingOfWhatWasSaid(t *testing.T) {
	w := newWorld(t, nil)
	w.working()
	alice, rival := callers["alice"].Principal, callers["namesake"].Principal
	w.says(alice, `pay {"token":"`+secret+`"}`, "deny")
	w.says(callers["bob"].Principal, `look {"token":"`+secret+`"}`, "")
	w.says(rival, `pay {}`, "")
	got := w.do("ada", http.MethodGet, "/api/runs", "").want(http.StatusOK)
	got.is("complete", true).is("looked_at", 2.0).is("items.0.user", "bob").is("items.1.user", "alice").is("items.2", nil)
	got.is("items.1.agent", "payer").is("items.1.status", "ended").is("items.1.reason", "done")
	var kinds []string
	for _, one := range got.at("items.1.timeline").([]any) {
		kinds = append(kinds, fmt.Sprint(one.(map[string]any)["kind"]))
	}
	if all := strings.Join(kinds, " "); all != "model call wait model" {
		t.Errorf("spent on %s: %s", all, got.body)
	}
	got.is("items.1.timeline.1.tool", "pay").is("items.1.timeline.1.server", "tracker").is("items.1.timeline.1.how", "refused")
	got.is("items.1.timeline.2.asked.by", "alice").is("items.1.timeline.2.asked.decision", "deny").is("items.1.timeline.2.asked.action", "accept")
	got.is("items.1.nodes.0.after", nil).is("items.1.nodes.1", nil)
	if node, _ := got.at("items.1.nodes.0.node").(string); len(node) != parley.NodeIDLength || got.at("items.1.nodes.0.from") == nil {
		t.Errorf("it was nowhere: %s", got.body)
	}
	for _, when := range []string{"from", "to"} {
		if got.at("items.1.timeline.2."+when) == nil {
			t.Errorf("no %s in %s", when, got.body)
		}
	}
	if all := string(got.body); strings.Contains(all, "token") || strings.Contains(all, "conversation") || strings.Contains(all, "a text") || strings.Contains(all, "a result") {
		t.Errorf("what was said came out: %s", all) // and what is secret: the kit looks
	}

	for until := time.Now().Add(time.Minute); time.Now().Before(until); time.Sleep(10 * time.Millisecond) { // the question is there a moment before the run rests
		if w.do("rival", http.MethodGet, "/api/runs", "").want(http.StatusOK).at("items.0.status") == "waiting" {
			break
		}
	}
	w.do("rival", http.MethodGet, "/api/runs", "").want(http.StatusOK).is("looked_at", 1.0).is("items.0.user", "alice").is("items.0.status", "waiting").
		is("items.0.timeline.2.pending", true).is("items.0.timeline.2.to", nil)
	w.do("ada", http.MethodGet, "/api/runs?user=bob", "").want(http.StatusOK).is("items.0.user", "bob").is("items.1", nil)
	w.do("ada", http.MethodGet, "/api/runs?agent=another", "").want(http.StatusOK).is("items.0", nil)
	w.do("ada", http.MethodGet, "/api/runs?limit=1", "").want(http.StatusOK).is("items.0.user", "bob").is("items.1", nil)
	w.do("ada", http.MethodGet, "/api/runs?until="+fmt.Sprint(got.at("items.0.created_at")), "").want(http.StatusOK).is("items.0.user", "alice").is("items.1", nil)
	w.do("ada", http.MethodGet, "/api/runs?since="+fmt.Sprint(got.at("items.0.created_at")), "").want(http.StatusOK).is("items.0.user", "bob").is("items.1", nil)
	w.do("ada", http.MethodGet, "/api/runs?since=yesterday", "").refused(http.StatusUnprocessableEntity, "it is no time as RFC 3339 has it, such as 2026-11-17T09:44:18Z")
}

// recalled is a run as its record says.
type recalled string

func (r recalled) Survey(_ context.Context, _ string, _ agent.Survey, each func(*agent.Run)) (agent.Surveyed, error) {
	var run agent.Run
	err := json.Unmarshal([]byte(r), &run)
	each(&run)
	return agent.Surveyed{Runs: 1, Complete: true}, err
}

func TestARunSaysAtWhichNodesItWentOnAndAfterWhat(t *testing.T) {
	w := newWorld(t, func(o *api.Options) {
		o.Runs = recalled(`{"status":"ended","trail":{"stays":[
			{"node":"aaaabbbbccccdddd","from":"2026-11-17T08:30:00Z","part":1},
			{"node":"eeeeffff22223333","from":"2026-11-17T08:49:59Z","part":2,"after":"waiting"},
			{"node":"gggghhhh44445555","from":"2026-11-17T08:50:00Z","part":4,"after":"left"}]}}`)
	})
	got := w.do("ada", http.MethodGet, "/api/runs", "").want(http.StatusOK)
	got.is("items.0.nodes.0.node", "aaaabbbbccccdddd").is("items.0.nodes.0.from", "2026-11-17T08:30:00Z").is("items.0.nodes.0.after", nil)
	got.is("items.0.nodes.1.node", "eeeeffff22223333").is("items.0.nodes.1.from", "2026-11-17T08:49:59Z").is("items.0.nodes.1.after", "waiting")
	got.is("items.0.nodes.2.node", "gggghhhh44445555").is("items.0.nodes.2.after", "left").is("items.0.nodes.3", nil)
}

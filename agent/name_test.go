package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// namesake is a box whose tools say whose they are.
func namesake(name string, tools ...string) *box {
	return &box{name: name, tools: func(agent.Caller) (all []agent.Tool, _ error) {
		for _, tool := range tools {
			all = append(all, agent.Tool{Name: tool, Description: name + "|" + tool, Schema: json.RawMessage(`{"type":"object"}`)})
		}
		return all, nil
	}, call: func(_ context.Context, c *agent.Invocation) (agent.Result, error) {
		return agent.Result{Text: name + "|" + c.Tool.Name}, nil
	}}
}

// namesakes are boxes whose tools would have the same names, each by its own way.
func namesakes() []agent.Toolbox {
	return []agent.Toolbox{
		namesake("a", "b__c", "b", "_x", "b.c", "b/c", "b c", "b__c_0123456789abcdef", strings.Repeat("long", 30)+"1", strings.Repeat("long", 30)+"2", "d__e__f"),
		namesake("a__b", "c", "c.", "_x", "c_0123456789abcdef"),
		namesake("a_", "b", "x"),
		namesake("delegate_to_w", "__x", "x"),
		namesake("delegate_to_worker", "y"),
		namesake("a__d", "e__f"), namesake("a__d__e", "f"),
		// These list nothing before the person connects, and stand for themselves.
		&box{name: "a__b__c", tools: pausing}, &box{name: "delegate_to_chief", tools: pausing}, &box{name: "plain", tools: pausing},
	}
}

func pausing(agent.Caller) ([]agent.Tool, error) {
	return nil, &agent.Pause{Questions: map[string]parley.Request{"connect": {From: "box", Message: "Connect?"}}}
}

// offered are the tools that an agent with these boxes shows to its model, by
// what they say of themselves, and what comes of calling each.
func offered(t *testing.T, w *world, boxes ...agent.Toolbox) (names, results map[string]string) {
	t.Helper()
	names, results = map[string]string{}, map[string]string{}
	var shown []agent.Tool
	n := w.node(&agent.Agent{Name: "helper", Toolboxes: boxes, Delegates: []string{"worker", "w__x", "chief"}, Model: script(func(p agent.Prompt) agent.Reply {
		if last(p).Role == agent.FromUser {
			shown = p.Tools
			var all []agent.ToolCall
			for i, tool := range p.Tools {
				if strings.Contains(tool.Description, "|") {
					all = append(all, agent.ToolCall{ID: fmt.Sprint(i), Tool: tool.Name})
				}
			}
			return agent.Reply{Calls: all}
		}
		for _, r := range last(p).Results {
			results[r.Tool] = r.Text
		}
		return agent.Reply{Text: "done"}
	})}, &agent.Agent{Name: "worker", Model: script(seen)}, &agent.Agent{Name: "w__x", Model: script(seen)}, &agent.Agent{Name: "chief", Model: script(seen)})
	n.follow(n.say("c", "all")).reply()
	for _, tool := range shown {
		if other, twice := names[tool.Description]; twice {
			t.Errorf("%s is there as %s and as %s", tool.Description, other, tool.Name)
		}
		names[tool.Description] = tool.Name
	}
	return names, results
}

func TestEveryToolHasANameOfItsOwnAndIsReachedByIt(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		names, results := offered(t, w, namesakes()...)
		form := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
		seen := map[string]string{}
		for what, name := range names {
			if other, taken := seen[name]; taken {
				t.Errorf("%s is the name of %s and of %s", name, what, other)
			}
			seen[name] = what
			if !form.MatchString(name) {
				t.Errorf("%s: %q is no name for a model", what, name)
			}
			if strings.Contains(what, "|") && results[name] != what {
				t.Errorf("%s of %s called %s", name, what, results[name])
			}
		}
		wanted := 0
		for _, b := range namesakes() {
			tools, err := b.Tools(t.Context(), agent.Caller{})
			if err != nil {
				wanted++
			}
			wanted += len(tools)
		}
		if wanted += 3; len(names) != wanted { // the delegates
			t.Errorf("%d of %d have a name", len(names), wanted)
		}
		// What everybody has stays as it was.
		for what, want := range map[string]string{"a|b": "a__b", "a|b__c": "a__b__c", "delegate_to_worker|y": "delegate_to_worker__y"} {
			if names[what] != want {
				t.Errorf("%s is %s", what, names[what])
			}
		}
	})
}

// A name that a model has learned does not come to mean another tool when a
// server is away, or comes.
func TestANameDoesNotDependOnWhatElseIsThere(t *testing.T) {
	inABubble(t, func(t *testing.T, w *world) {
		all, _ := offered(t, w, namesakes()...)
		for _, one := range namesakes() {
			alone, _ := offered(t, newWorld(t), one)
			for what, name := range alone {
				if all[what] != name {
					t.Errorf("%s is %s alone and %s with others", what, name, all[what])
				}
			}
		}
		turned := namesakes()
		slices.Reverse(turned)
		other, _ := offered(t, newWorld(t), turned...)
		for what, name := range other {
			if all[what] != name {
				t.Errorf("%s is %s in another order, and was %s", what, name, all[what])
			}
		}
	})
}

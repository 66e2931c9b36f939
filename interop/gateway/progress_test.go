package gateway_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// The reference server tells of its progress, step by step.
func TestTheGatewayPassesOnTheProgressOfACall(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	servers := startEverything(t, "http://127.0.0.1:1")
	g := serveGateway(t, kit.BuildParley(t), servers, gatewaySettings{})
	g.stocked(t, servers)
	for _, kind := range matrixKinds {
		if kind.command == nil {
			continue
		}
		t.Run(kind.title, func(t *testing.T) {
			c := g.person(t, "waiter").connect(t, kind).(*kit.ScriptClient).TsClient
			for _, s := range servers {
				t.Run(s.name, func(t *testing.T) {
					c.T = t
					progresses(t, c, s.name+"__trigger-long-running-operation")
				})
			}
		})
	}
}

func progresses(t *testing.T, c *kit.TsClient, tool string) {
	t.Helper()
	call := c.Call(tool, kit.Fields{"duration": 0.2, "steps": 4})
	r := c.Result(call)
	const want = "Long running operation completed. Duration: 0.2 seconds, Steps: 4."
	if r.IsError || len(r.Content) != 1 || r.Content[0].Text != want {
		t.Errorf("result %+v", r)
	}
	type progress struct {
		ID              int
		Progress, Total float64
	}
	var got []progress
	for _, line := range c.Told("progress") {
		var p progress
		if err := json.Unmarshal([]byte(line.Text), &p); err != nil {
			t.Fatal(err)
		}
		if p.ID == call {
			got = append(got, p)
		}
	}
	if !slices.Equal(got, []progress{{call, 1, 4}, {call, 2, 4}, {call, 3, 4}, {call, 4, 4}}) {
		t.Errorf("progress %v of call %d", got, call)
	}
	// Who did not ask is told nothing.
	quiet := c.Do("call", kit.Fields{"name": tool, "arguments": kit.Fields{"duration": 0.02, "steps": 2}, "progress": false})
	c.Result(quiet)
	for _, line := range append(c.Told("progress"), c.Told("notification")...) {
		if line.ID == quiet || strings.Contains(line.Text, "notifications/progress") {
			t.Errorf("told without being asked: %s", line.Text)
		}
	}
}

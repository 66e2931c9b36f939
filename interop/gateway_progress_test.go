package interop_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// The reference server tells of its progress, step by step.
func TestTheGatewayPassesOnTheProgressOfACall(t *testing.T) {
	needNode(t)
	servers := startEverything(t, "http://127.0.0.1:1")
	g, _ := serveGateway(t, servers, 0)
	g.stocked(t, servers)
	for _, kind := range matrixKinds {
		if kind.command == nil {
			continue
		}
		t.Run(kind.title, func(t *testing.T) {
			c := g.person(t, "waiter").connect(t, kind).(*scriptClient).tsClient
			for _, s := range servers {
				t.Run(s.name, func(t *testing.T) {
					c.t = t
					progresses(t, c, s.name+"__trigger-long-running-operation")
				})
			}
		})
	}
}

func progresses(t *testing.T, c *tsClient, tool string) {
	t.Helper()
	call := c.call(tool, fields{"duration": 0.2, "steps": 4})
	r := c.result(call)
	const want = "Long running operation completed. Duration: 0.2 seconds, Steps: 4."
	if r.IsError || len(r.Content) != 1 || r.Content[0].Text != want {
		t.Errorf("result %+v", r)
	}
	type progress struct {
		ID              int
		Progress, Total float64
	}
	var got []progress
	for _, line := range c.told("progress") {
		var p progress
		if err := json.Unmarshal([]byte(line.text), &p); err != nil {
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
	quiet := c.do("call", fields{"name": tool, "arguments": fields{"duration": 0.02, "steps": 2}, "progress": false})
	c.result(quiet)
	for _, line := range append(c.told("progress"), c.told("notification")...) {
		if line.ID == quiet || strings.Contains(line.text, "notifications/progress") {
			t.Errorf("told without being asked: %s", line.text)
		}
	}
}

// told are the events of a name so far.
func (c *tsClient) told(event string) []*tsLine {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*tsLine
	for _, line := range c.lines {
		if line.Event == event {
			all = append(all, line)
		}
	}
	return all
}

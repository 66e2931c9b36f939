package typescript_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/interop/kit"
)

// manual is a client of 2026-07-28 that leaves the rounds to the test.
func manual(person string) []string {
	return kit.With(kit.With(kit.Client2026, "--manual"), kit.As(person)...)
}

func requestStates(t *testing.T, program kit.FixtureProgram) {
	base, stored := program.Observed(t)
	alice, bob := kit.StartClient(t, base, manual("alice")...), kit.StartClient(t, base, manual("bob")...)
	nobody := kit.StartClient(t, base, kit.With(kit.Client2026, "--manual")...)
	first := alice.Result(alice.Call("count-ask", kit.Fields{"q": "Sure?"}))
	if first.ResultType != "input_required" || first.RequestState == "" || len(first.InputRequests) != 1 {
		t.Fatalf("result %+v", first)
	}
	responses := kit.Fields{keys(first)[0]: kit.Fields{"action": "accept", "content": yesConfirmed}}
	retry := func(c *kit.TsClient, tool, q, state string) int {
		return c.Do("call", kit.Fields{"name": tool, "arguments": kit.Fields{"q": q}, "requestState": state, "inputResponses": responses})
	}
	flipped := []byte(first.RequestState)
	flipped[len(flipped)/2] ^= 1
	refused := map[string]struct {
		client         *kit.TsClient
		tool, q, state string
	}{
		"forged":          {alice, "count-ask", "Sure?", string(flipped)},
		"longer":          {alice, "count-ask", "Sure?", first.RequestState + "A"},
		"made up":         {alice, "count-ask", "Sure?", "eyJhbGciOiJub25lIn0.e30."},
		"another person":  {bob, "count-ask", "Sure?", first.RequestState},
		"nobody":          {nobody, "count-ask", "Sure?", first.RequestState},
		"other arguments": {alice, "count-ask", "Sure!", first.RequestState},
		"another tool":    {alice, "ask", "Sure?", first.RequestState},
	}
	for name, r := range refused {
		if err := r.client.Failure(retry(r.client, r.tool, r.q, r.state)); err.Kind != "ProtocolError" || err.Code != -32602.0 {
			t.Errorf("%s: %+v", name, err)
		}
	}
	if asked := stored.Pending(t); asked.To != "alice" {
		t.Errorf("pending %+v", asked)
	}
	alice.Returns(retry(alice, "count-ask", "Sure?", first.RequestState), `{"runs":1,"status":"accept"}`)
	if err := alice.Failure(retry(alice, "count-ask", "Sure?", first.RequestState)); err.Code != -32602.0 {
		t.Errorf("replayed: %+v", err)
	}
	if got := counts(t, base, "Sure?"); got != [2]int{1, 1} {
		t.Errorf("%d calls did their work %d times", got[0], got[1])
	}
	if got := counts(t, base, "Sure!"); got != [2]int{} {
		t.Errorf("with other arguments the work was done %d times", got[1])
	}
}

// counts asks how many calls with that question there were, and how often they
// did their work.
func counts(t *testing.T, base, q string) [2]int {
	t.Helper()
	resp, err := http.Get(base + "/count?q=" + url.QueryEscape(q))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got struct{ Calls, Runs int }
	if err := json.NewDecoder(resp.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	return [2]int{got.Calls, got.Runs}
}

func expiredState(t *testing.T, program kit.FixtureProgram) {
	base, stored := program.Observed(t)
	c := kit.StartClient(t, base, manual("alice")...)
	arguments := kit.Fields{"q": "Sure?", "ttl": 2000}
	first := c.Result(c.Call("ask", arguments))
	all, err := stored.Store.List(t.Context(), parley.Query{}) // it may have expired already
	if err != nil || len(all) != 1 {
		t.Fatalf("%d questions, %v; want 1", len(all), err)
	}
	if o := stored.Settled(t, all[0].ID); o.Action != parley.Expire {
		t.Fatalf("outcome %+v", o)
	}
	r := c.Result(c.Do("call", kit.Fields{
		"name": "ask", "arguments": arguments, "requestState": first.RequestState,
		"inputResponses": kit.Fields{keys(first)[0]: kit.Fields{"action": "accept", "content": yesConfirmed}},
	}))
	if !r.IsError || r.Meta.Code != "ELICITATION_TIMEOUT" {
		t.Errorf("result %+v", r)
	}
}

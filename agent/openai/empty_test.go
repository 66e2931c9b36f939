package openai_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestAnAnswerThatWasCutMayBeEmpty(t *testing.T) {
	half := []fakemodel.Call{{Tool: "a", Args: `{"n`}}
	whole := []string{
		chunk(`{"tool_calls":[{"index":0,"id":"c","function":{"name":"a","arguments":"{}"}}]}`),
		"data: {\"error\":{\"code\":\"content_filter\",\"message\":\"no\"}}\n\n",
	}
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		want  agent.Reply
	}{
		"by length":                     {fakemodel.Reply{Stop: "length"}, agent.Reply{Cut: agent.CutByLength}},
		"by length, in a call":          {fakemodel.Reply{Calls: half, Stop: "length"}, agent.Reply{Cut: agent.CutByLength}},
		"by a filter":                   {fakemodel.Reply{Stop: "content_filter"}, agent.Reply{Cut: agent.CutByProvider}},
		"by a filter of the question":   {fakemodel.Reply{Status: 400, Kind: "content_filter"}, agent.Reply{Cut: agent.CutByProvider}},
		"by a filter, as an event":      {fakemodel.Reply{Events: whole[1:]}, agent.Reply{Cut: agent.CutByProvider}},
		"by a filter, behind its calls": {fakemodel.Reply{Events: whole}, agent.Reply{Cut: agent.CutByProvider}},
	} {
		m, fake := serve(t, always(c.reply), openai.Options{})
		reply, _ := generate(t, m, fakemodel.Hello())
		if diff := cmp.Diff(c.want, reply); diff != "" || len(fake.Requests()) != 1 {
			t.Errorf("%s: %d requests, %s", name, len(fake.Requests()), diff)
		}
	}
}

package anthropic_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestAnAnswerThatWasCutMayBeEmpty(t *testing.T) {
	half := []fakemodel.Call{{Tool: "a", Args: `{"n`}}
	for name, c := range map[string]struct {
		reply fakemodel.Reply
		want  agent.Reply
	}{
		"by length":            {fakemodel.Reply{Stop: "max_tokens"}, agent.Reply{Cut: agent.CutByLength}},
		"by length, in a call": {fakemodel.Reply{Calls: half, Stop: "max_tokens"}, agent.Reply{Cut: agent.CutByLength}},
		"by a refusal":         {fakemodel.Reply{Stop: "refusal"}, agent.Reply{Cut: agent.CutByProvider}},
	} {
		m, _ := serve(t, always(c.reply), anthropic.Options{})
		reply, _ := generate(t, m, fakemodel.Hello())
		if diff := cmp.Diff(c.want, reply); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

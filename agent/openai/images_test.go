package openai_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/agent/openai"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

// The format takes images in the user's messages alone, and no message between a call and
// its result.
func TestTheImagesOfResultsFollowAllOfThem(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), openai.Options{})
	generate(t, m, fakemodel.Picture(false, agent.PromptMessage{Role: agent.FromUser, Text: "And now?"}))
	const want = `{"role":"user","content":[
		{"type":"text","text":"(Not from the user: image 1 of the result of shot, call c1.)"},
		{"type":"image_url","image_url":{"url":"data:image/png;base64,Ynl0ZXM="}},
		{"type":"text","text":"And now?"}]}`
	all := sent(t, fake.Requests()[0])
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, all[len(all)-1])); diff != "" {
		t.Error(diff)
	}
	var roles []string
	for _, m := range fake.Requests()[0].Messages {
		roles = append(roles, m.Role)
	}
	if diff := cmp.Diff([]string{"user", "assistant", "tool", "user"}, roles); diff != "" {
		t.Error(diff)
	}
}

func TestAModelThatTakesNoImagesIsToldSo(t *testing.T) {
	for name, test := range map[string]struct {
		opts     openai.Options
		refusal  fakemodel.Reply
		requests int
		told     string
	}{
		"it refuses them":      {openai.Options{}, fakemodel.Reply{Status: 400, Kind: "invalid_request_error", Message: "unknown variant `image_url`"}, 2, "they could not be read, or you do not take any"},
		"none of many sees":    {openai.Options{}, fakemodel.Reply{Status: 404, Message: "No endpoints found that support image input"}, 2, "they could not be read, or you do not take any"},
		"the operator says so": {openai.Options{TextOnly: true}, fakemodel.Reply{}, 1, "you are given text alone"},
	} {
		m, fake := serve(t, func(r fakemodel.Request) fakemodel.Reply {
			if len(r.Last().Images) > 0 {
				return test.refusal
			}
			return fakemodel.Reply{Text: "ok"}
		}, test.opts)
		reply, _ := generate(t, m, fakemodel.Picture(false))
		all := fake.Requests()
		if reply.Text != "ok" || len(all) != test.requests || !strings.Contains(all[len(all)-1].Last().Results[0].Text, test.told) {
			t.Errorf("%s: %q after %d requests, the last with %+v", name, reply.Text, len(all), all[len(all)-1].Last())
		}
	}
}

func TestARefusalThatIsNotAboutImagesIsNoReasonToLeaveThemOut(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Status: 404, Kind: "model_not_found", Message: "no such model"}), openai.Options{})
	if sentence, _ := fails(t, m, fakemodel.Picture(false)); !strings.HasPrefix(sentence, "The model is not there") || len(fake.Requests()) != 1 {
		t.Errorf("%q after %d requests", sentence, len(fake.Requests()))
	}
}

package anthropic_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/agent/anthropic"
	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

func TestAnImageOfAResultIsSentAsABlockOfIt(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), anthropic.Options{})
	generate(t, m, fakemodel.Picture(false))
	const want = `{"role":"user","content":[
		{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"(image 1)"},
			{"type":"image","source":{"type":"base64","media_type":"image/png","data":"Ynl0ZXM="}}]},
		{"type":"tool_result","tool_use_id":"c2","content":[{"type":"text","text":"nothing"}]}]}`
	if diff := cmp.Diff(indented(t, []byte(want)), indented(t, sent(t, fake.Requests()[0])[2])); diff != "" {
		t.Error(diff)
	}
}

// The server refuses an error that has more than text.
func TestAnErrorIsSentWithoutItsImages(t *testing.T) {
	m, fake := serve(t, always(fakemodel.Reply{Text: "ok"}), anthropic.Options{})
	generate(t, m, fakemodel.Picture(true))
	if got := fake.Requests()[0].Last().Results[0]; len(got.Images) != 0 || !got.Failed {
		t.Errorf("sent %+v", got)
	}
}

func TestAModelThatTakesNoImagesIsToldSo(t *testing.T) {
	refusing := func(r fakemodel.Request) fakemodel.Reply {
		if strings.Contains(string(r.Body), "base64") {
			return fakemodel.Reply{Status: 400, Kind: "invalid_request_error", Message: "messages.2.content.0.tool_result.content.1.image.source.base64: Could not process image"}
		}
		return fakemodel.Reply{Text: "ok"}
	}
	for name, test := range map[string]struct {
		only     bool
		requests int
		told     string
	}{
		"it refuses them":   {false, 2, "(image 1)\n(Its images are not shown to you: they could not be read, or you do not take any.)"},
		"the operator says": {true, 1, "(image 1)\n(Its images are not shown to you: you are given text alone.)"},
	} {
		m, fake := serve(t, refusing, anthropic.Options{TextOnly: test.only})
		reply, _ := generate(t, m, fakemodel.Picture(false))
		all := fake.Requests()
		if reply.Text != "ok" || len(all) != test.requests || all[len(all)-1].Last().Results[0].Text != test.told {
			t.Errorf("%s: %q after %d requests, the last with %+v", name, reply.Text, len(all), all[len(all)-1].Last())
		}
	}
}

package remote_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley/a2a/elicitation"
)

const foreignPages = "desk sends people to pages that are not its own; the task was given up. done"

// An agent leads nobody to our own pages, wherever in its words the link is and however it
// is written.
func TestNoLinkOfAnAgentLeadsToOurPages(t *testing.T) {
	for name, text := range map[string]string{
		"the first":        "Go to https://parley.example:8443/device?user_code=ABCD please.",
		"a later one":      "Read https://travel.example/terms and go to https://parley.example:8443/device",
		"in capitals":      "HTTPS://PARLEY.example:8443/device",
		"with more zeroes": "https://parley.example:008443/device",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
				emit(asks(ec, a2a.TaskStateAuthRequired, text))
			}}
			w := newWorld(t, d)
			w.opts.PublicURL = "https://parley.example:8443"
			n := w.node()
			if got := n.reply(n.say("Book a trip.")); got != foreignPages {
				t.Error(got)
			}
			if len(d.cancelled()) != 1 {
				t.Error("its task was left to wait")
			}
		})
	}
}

// A link that looks like ours and leads elsewhere is refused for that; one in other letters
// that looks like nobody's is followed.
func TestALinkInOtherLettersIsJudgedByWhatItIs(t *testing.T) {
	for text, want := range map[string]string{
		"Go to https://p\u0430rley.example/device": "misleading host name",
		"Go to https://\uff50arley.example/device": "pages that are not its own",
		"Go to https://m\u00fcller.example/device": "",
	} {
		d := &desk{work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
			emit(asks(ec, a2a.TaskStateAuthRequired, text))
		}}
		w := newWorld(t, d)
		w.opts.PublicURL = "https://parley.example"
		n := w.node()
		ref := n.say("Book a trip.")
		if want == "" {
			if q := n.question(); q.URL != "https://m\u00fcller.example/device" || !strings.Contains(q.Message, q.URL) {
				t.Errorf("%+q: %+q %+q", text, q.URL, q.Message)
			}
			d.cancelAtHome()
			n.reply(ref)
			continue
		}
		if got := n.reply(ref); !strings.Contains(got, want) {
			t.Errorf("%+q: %q", text, got)
		}
	}
}

// In words that only ask something such a link is left out.
func TestLinksToOurPagesAreLeftOutOfWords(t *testing.T) {
	for name, inData := range map[string]bool{"in words": false, "of a form": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := "Go to <HTTPS://parley.example:08443/device> or to https://travel.example/x. Which?"
			d := &desk{extension: inData, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
				q := where
				q.Message = text
				if inData {
					emit(asks(ec, a2a.TaskStateInputRequired, "A question.", q))
					return
				}
				emit(asks(ec, a2a.TaskStateInputRequired, text))
			}}
			w := newWorld(t, d)
			w.opts.PublicURL = "https://parley.example:8443"
			n := w.node()
			n.say("Book a trip.")
			if q := n.question(); q.Message != "Go to <(a link that may lead to these pages is left out)> or to https://travel.example/x. Which?" {
				t.Error(q.Message)
			}
		})
	}
}

// A form is no place for a password.
func TestAFormThatAsksForAPasswordIsNotShown(t *testing.T) {
	for name, field := range map[string]string{
		"by name":                 `"password":{"type":"string"}`,
		"by title":                `"a":{"type":"string","title":"Your API key"}`,
		"by format":               `"a":{"type":"string","format":"password"}`,
		"by letters that look so": `"a":{"type":"string","title":"Pаssword"}`,
		"by description":          `"a":{"type":"string","description":"Enter your password here"}`,
		"a TAN":                   `"a":{"type":"string","title":"TAN"}`,
		"below":                   `"o":{"type":"object","properties":{"password":{"type":"string"}}}`,
		"in no form":              `"password":{"type":7}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := &desk{extension: true, work: func(_ context.Context, ec *a2asrv.ExecutorContext, emit func(a2a.Event)) {
				m := a2a.NewMessageForTask(a2a.MessageRoleAgent, ec, a2a.NewTextPart("Sign in."), a2a.NewDataPart(map[string]any{
					"elicitationId": "q", "mode": "form", "message": "Sign in.", "requestedSchema": json.RawMessage(`{"type":"object","properties":{` + field + `}}`),
				}))
				m.Extensions = []string{elicitation.URI}
				emit(a2a.NewStatusUpdateEvent(ec, a2a.TaskStateInputRequired, plain(m)))
			}}
			n := newWorld(t, d).node()
			why := "it asks for a password or a key in a form"
			if name == "below" || name == "in no form" {
				why = "it asks by a form that cannot be shown"
			}
			if got := n.reply(n.say("Book a trip.")); !strings.HasPrefix(got, "desk asks a question that cannot be shown; the task was given up: "+why) {
				t.Error(got)
			}
			if len(d.cancelled()) != 1 {
				t.Error("its task was left to wait")
			}
		})
	}
}

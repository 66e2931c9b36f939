package slackapp_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

func TestAMentionOfSomebodyUnknownWaitsUntilTheirAccountIsLinked(t *testing.T) {
	o := openOffice(t, nil)
	first := o.ann.Mention(o.general, "say hello ann")
	token := o.linkFor(o.general, o.ann)
	if seen := o.general.Seen(o.bob); slices.ContainsFunc(seen, func(m fakeslack.Message) bool { return m.Has("parley_link") }) {
		t.Error("somebody else sees the link")
	}
	app := o.served.Load().app
	wish, err := app.Look(t.Context(), token, alice)
	if err != nil || wish.Workspace != "Acme" || wish.User != o.ann.ID || wish.Name != "ann" {
		t.Fatalf("%+v, %v", wish, err)
	}
	if err := app.Decide(t.Context(), token, alice, true); err != nil {
		t.Fatal(err)
	}
	o.waitFor(o.general, "hello ann")
	if got := o.said(o.general, first.TS); !slices.Equal(got, []string{"hello ann"}) {
		t.Errorf("%q", got)
	}
}

func TestARunIsToldInItsThreadAndGoesOnThere(t *testing.T) {
	for name, fake := range map[string]*fakeslack.Options{"streams": nil, "no streams": {NoStreams: true}} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, fake)
			o.link()
			release := o.model.hold("two")
			first := o.ann.Mention(o.general, "say one two three")
			if _, err := o.general.WaitFor(o.within(), func(m fakeslack.Message) bool { return m.FromApp && strings.Contains(m.Words(), "one") }); err != nil {
				t.Fatal(err)
			}
			release()
			o.waitFor(o.general, "one two three")
			o.ann.Reply(first, "<@"+o.acme.BotUser+"> say four")
			o.waitFor(o.general, "four")
			if got := o.said(o.general, first.TS); !slices.Equal(got, []string{"one two three", "four"}) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestAStreamThatEndsDoesNotEndAWaitingQuestion(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	asked := o.ann.Say(o.ann.DM(), "ask me")
	o.waitFor(o.ann.DM(), "Let me ask.") // its stream has ended
	n := o.served.Load()
	q := o.question(n)
	n.stop() // and so has the process
	n = o.begin()
	o.serve(n)
	if err := n.hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept}); err != nil {
		t.Fatal(err)
	}
	o.waitFor(o.ann.DM(), "You said accept")
	if got := o.said(o.ann.DM(), asked.TS); !slices.Equal(got, []string{"Let me ask.", "You said accept"}) {
		t.Errorf("%q", got)
	}
}

// A reply whose run waits for somebody is put aside, and goes on at once.
func TestAReplyThatWaitsGoesOnWithTheAnswer(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	asked := o.ann.Say(o.ann.DM(), "ask me")
	o.waitFor(o.ann.DM(), "Let me ask.")
	q := o.question(o.served.Load())
	o.waitForParked()
	began := time.Now()
	if err := o.served.Load().hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept}); err != nil {
		t.Fatal(err)
	}
	o.waitFor(o.ann.DM(), "You said accept")
	t.Logf("after %v", time.Since(began))
	if got := o.said(o.ann.DM(), asked.TS); !slices.Equal(got, []string{"Let me ask.", "You said accept"}) {
		t.Errorf("%q", got)
	}
}

func TestARunIsStoppedByAWordAndByAButton(t *testing.T) {
	o := openOffice(t, &fakeslack.Options{NoStreams: true})
	o.link()
	o.linkAs(o.bob, bert)
	for _, by := range []string{"word", "button"} {
		release := o.model.hold("never-" + by)
		first := o.ann.Mention(o.general, "say begun-"+by+" never-"+by)
		shown, err := o.general.WaitFor(o.within(), func(m fakeslack.Message) bool {
			return m.FromApp && strings.Contains(m.Words(), "begun-"+by) && m.Has("parley_stop")
		})
		if err != nil {
			t.Fatal(err)
		}
		if by == "word" {
			o.ann.Reply(first, "<@"+o.acme.BotUser+"> Stop!")
		} else {
			if _, err := o.bob.Press(shown, "parley_stop"); err != nil {
				t.Fatal(err)
			}
			if _, err := o.general.WaitForSeen(o.within(), o.bob, func(m fakeslack.Message) bool { return strings.Contains(m.Words(), "Only who asked") }); err != nil {
				t.Fatalf("somebody else is told nothing: %v", err)
			}
			if _, err := o.ann.Press(shown, "parley_stop"); err != nil {
				t.Fatal(err)
			}
		}
		_, err = o.general.WaitFor(o.within(), func(m fakeslack.Message) bool {
			return m.ThreadTS == first.TS && strings.Contains(m.Words(), "Stopped.")
		})
		if err != nil {
			t.Fatalf("%s: %q: %v", by, o.said(o.general, first.TS), err)
		}
		release()
	}
	o.ann.Mention(o.general, "stop")
	if _, err := o.general.WaitForSeen(o.within(), o.ann, func(m fakeslack.Message) bool { return strings.Contains(m.Words(), "Nothing is going on") }); err != nil {
		t.Error(err)
	}
}

func TestWhatFailsIsToldInWords(t *testing.T) {
	var broken *fakeslack.Channel
	o := openOffice(t, nil, func(o *office) {
		broken = o.acme.AddChannel("broken")
		o.opts.Channels = map[string]string{broken.ID: "nobody"}
	})
	o.link()
	o.ann.Say(o.ann.DM(), "fail")
	o.waitFor(o.ann.DM(), "The model is on holiday.")
	for _, one := range []struct {
		in           *fakeslack.Channel
		words, hears string
	}{{o.general, "", "Write what you want"}, {broken, "say hi", "does not exist"}} {
		o.ann.Mention(one.in, one.words)
		if _, err := one.in.WaitForSeen(o.within(), o.ann, func(m fakeslack.Message) bool { return m.Ephemeral && strings.Contains(m.Words(), one.hears) }); err != nil {
			t.Errorf("%s: %v", one.hears, err)
		}
	}
}

func TestALongTextIsSeveralMessagesAndComplete(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	var words []string
	for i := range 2000 {
		words = append(words, "word"+strconv.Itoa(i))
	}
	text := strings.Join(words, " ")
	asked := o.ann.Say(o.ann.DM(), "say "+text)
	o.waitFor(o.ann.DM(), "word1999")
	o.waitForJobs()
	said := o.said(o.ann.DM(), asked.TS)
	if got := strings.Fields(strings.Join(said, " ")); len(said) < 4 || !slices.Equal(got, words) {
		t.Errorf("%d messages, %d words", len(said), len(got))
	}
}

// Nobody is mentioned and no link has another's face because a model wrote it.
func TestAModelMentionsNobody(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	asked := o.ann.Say(o.ann.DM(), "say hey &lt;!channel&gt; &lt;@U1&gt; &lt;https://evil.example|bank&gt; a &lt; b")
	o.waitFor(o.ann.DM(), "hey")
	o.waitForJobs()
	got := strings.Join(o.said(o.ann.DM(), asked.TS), "")
	if want := "hey &lt;!channel> &lt;@U1> &lt;https://evil.example|bank> a < b"; got != want {
		t.Errorf("%q", got)
	}
}

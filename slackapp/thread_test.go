package slackapp_test

import (
	"slices"
	"strings"
	"testing"

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

package slackapp_test

import (
	"slices"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

func TestOverASocketItIsTheSame(t *testing.T) {
	o := openOffice(t, &fakeslack.Options{SocketMode: true}, func(o *office) {
		o.opts.SigningSecret, o.opts.AppToken = "", parley.Secret(o.slack.AppToken())
	})
	o.begin() // and another process
	if err := o.slack.WaitForSockets(o.within(), 2); err != nil {
		t.Fatal(err)
	}
	o.link()
	first := o.ann.Mention(o.general, "say one")
	o.waitFor(o.general, "one")
	o.slack.Sever()
	if err := o.slack.WaitForSockets(o.within(), 2); err != nil {
		t.Fatal(err)
	}
	o.ann.Reply(first, "<@"+o.acme.BotUser+"> say two")
	o.waitFor(o.general, "two")
	if got := o.said(o.general, first.TS); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("%q", got)
	}
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	for _, d := range o.slack.Deliveries() {
		if !d.Taken() || d.URL != "" {
			t.Errorf("%s %+v", d.Kind, d.Attempts)
		}
	}
}

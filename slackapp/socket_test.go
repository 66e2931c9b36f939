package slackapp_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/slackapp"
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

// counted counts calls.
type counted struct{ n int }

// Do makes none.
func (c *counted) Do(*http.Request) (*http.Response, error) {
	c.n++
	return nil, nil
}

// TestSocketsThatEndSoonAreOpenedEverMoreSlowly: and one that lived is followed at once.
func TestSocketsThatEndSoonAreOpenedEverMoreSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := &counted{}
		dial := slackapp.NewRedial(calls)
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
		defer stop()
		began := time.Now()
		ask := func() { _, _ = dial.Do(callOf(t, "apps.connections.open", "").WithContext(ctx)) }
		ask()
		if time.Since(began) != 0 {
			t.Errorf("the first waited %v", time.Since(began))
		}
		for ctx.Err() == nil {
			ask()
		}
		if calls.n > 20 {
			t.Errorf("%d sockets in ten minutes", calls.n)
		}
		time.Sleep(5 * time.Minute)
		ctx, began = t.Context(), time.Now()
		if ask(); time.Since(began) != 0 {
			t.Errorf("after one that lived it waited %v", time.Since(began))
		}
	})
}

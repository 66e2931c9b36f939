package slackapp_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

// A process that dies before or after any line that others notice leaves a thread that says
// all of its run, once. Each line has a death of its own, in both ways of writing.
func TestWhereverAProcessDiesTheThreadSaysEverythingOnce(t *testing.T) {
	for name, without := range map[string]bool{"streams": false, "no streams": true} {
		t.Run(name, func(t *testing.T) {
			for dies := int64(1); dies <= 60; dies++ {
				t.Run(fmt.Sprint(dies), func(t *testing.T) {
					t.Parallel()
					dieAt(t, without, dies)
				})
			}
		})
	}
}

func dieAt(t *testing.T, withoutStreams bool, dies int64) {
	o := openOffice(t, &fakeslack.Options{NoStreams: withoutStreams, Retries: []time.Duration{0, 10 * time.Millisecond, 100 * time.Millisecond, time.Second}})
	o.link()
	first := o.served.Load()
	second := o.make()
	second.life.dies = dies
	second.start(t)
	o.serve(second)
	first.stop()
	asked := o.ann.Mention(o.general, "say one two three")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-second.life.died:
		case <-t.Context().Done():
			return
		}
		second.kill()
		o.serve(o.begin())
	}()
	o.waitFor(o.general, "one two three")
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	o.waitForJobs()
	if got := o.said(o.general, asked.TS); !slices.Equal(got, []string{"one two three"}) {
		t.Errorf("%q", got)
	}
	select {
	case <-second.life.died:
		<-ended
	default:
		t.Log("it had no more to do")
	}
}

// What one process does no other takes while it lives, however long it takes.
func TestNobodyTakesWhatSomebodyElseIsAt(t *testing.T) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	release := o.model.hold("two")
	first := o.ann.Mention(o.general, "say one two")
	if _, err := o.general.WaitFor(o.within(), func(m fakeslack.Message) bool { return m.FromApp && m.Streaming }); err != nil {
		t.Fatal(err)
	}
	second := o.begin()
	for ctx := o.within(); second.life.scans.Load() < 4 && ctx.Err() == nil; {
		time.Sleep(10 * time.Millisecond)
	}
	release()
	o.waitFor(o.general, "one two")
	o.waitForJobs()
	if got := o.said(o.general, first.TS); !slices.Equal(got, []string{"one two"}) {
		t.Errorf("%q", got)
	}
	if n := o.slack.Count("chat.update"); n != 0 {
		t.Errorf("the message was written anew %d times", n)
	}
}

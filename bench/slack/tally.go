package slack

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/bench/kit"
)

// tally is what became of all that was asked.
type tally struct {
	asked, posted, updated, postedTwice, updatedTwice, lost, refused int

	posting  kit.Samples // from asking to the message
	updating kit.Samples // from the answer to what the message says
}

func (t tally) clean() bool { return t.lost+t.postedTwice+t.updatedTwice == 0 && t.updated == t.asked }

// count looks at every message, and at every question in the store.
func (c *campaign) count(ctx context.Context) (t tally, err error) {
	updated := c.updates(&t)
	for _, p := range c.people {
		p.mu.Lock()
		settled, seen := map[parley.ID]bool{}, map[any]bool{}
		for _, m := range p.DM().Messages() {
			payload, _ := m.Metadata["event_payload"].(map[string]any)
			of := p.cards[m.TS]
			if m.Metadata["event_type"] != "parley_question" || of == nil {
				continue
			}
			if seen[payload["card"]] {
				t.postedTwice++
				continue
			}
			seen[payload["card"]] = true
			t.posted++
			t.posting.Add(timeOf(m.TS).Sub(p.asked[of.question]))
			if m.Edits > 1 {
				t.updatedTwice++
			}
			if m.Edits > 0 && of.over {
				t.updated++
				settled[of.question] = true
				t.updating.Add(updated[m.TS].Sub(of.answered))
			}
		}
		for id := range p.asked {
			t.asked++
			q, err := c.hub.Get(ctx, parley.Principal{User: p.name}, id)
			if err != nil {
				p.mu.Unlock()
				return t, err
			}
			if !settled[id] || q.Pending() || q.Outcome.Action != parley.Accept {
				t.lost++
			}
		}
		p.mu.Unlock()
	}
	return t, nil
}

// updates is when each message was first changed. It counts what Slack refused.
func (c *campaign) updates(t *tally) map[string]time.Time {
	first := map[string]time.Time{}
	for _, call := range c.slack.Calls() {
		if call.Status == 429 {
			t.refused++
			continue
		}
		ts, _ := call.Args["ts"].(string)
		if _, known := first[ts]; call.Method == "chat.update" && !known {
			first[ts] = call.At
		}
	}
	return first
}

// timeOf is when a message was posted.
func timeOf(ts string) time.Time {
	seconds, _ := strconv.ParseFloat(ts, 64)
	return time.UnixMicro(int64(seconds * 1e6))
}

func (t tally) print(out io.Writer, o options, took time.Duration) {
	died := "one of the two is killed in the middle"
	if o.spared {
		died = "none is killed"
	}
	fmt.Fprintf(out, "%s, %d cores, shared by two nodes, %s, Slack and the people\n", runtime.Version(), runtime.NumCPU(), o.store)
	fmt.Fprintf(out, "\n%d approvals a second for %v, of %d people; half are given in Slack and half elsewhere; %s; all is over after %s:\n", o.rate, o.length, o.people, died, kit.Seconds(took))
	kit.Table{"asked", "posted", "updated", "posted twice", "updated twice", "lost", "refused by Slack", "posted after, p50", "p99", "updated after, p50", "p99"}.Print(out, [][]string{{
		fmt.Sprint(t.asked), fmt.Sprint(t.posted), fmt.Sprint(t.updated), fmt.Sprint(t.postedTwice), fmt.Sprint(t.updatedTwice), fmt.Sprint(t.lost), fmt.Sprint(t.refused),
		t.posting.Median().String(), t.posting.Percentile(99).String(), t.updating.Median().String(), t.updating.Percentile(99).String(),
	}})
}

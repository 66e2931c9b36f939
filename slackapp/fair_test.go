package slackapp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

// TestWhoPressesWhileSlackHangsHoldsUpNobodyElse: a press whose modal does not open waits
// for as long as Slack would take it, and its author's others wait with it.
func TestWhoPressesWhileSlackHangsHoldsUpNobodyElse(t *testing.T) {
	o := openDesk(t)
	o.linkAs(o.bob, bert)
	hers := o.cardIn(o.ann.DM(), o.asksToPay(amount))
	his := o.asks(parley.Request{From: "bank", Message: "Go on?", To: "bert"})
	card := o.cardIn(o.bob.DM(), his)
	for _, method := range []string{"views.open", "chat.postEphemeral", "chat.postMessage", "users.info"} {
		o.slack.Fail(fakeslack.Fault{Method: method, Hang: true})
	}
	o.press(o.ann, hers, "changed")
	payload := string(o.slack.Deliveries("block_actions")[0].Payload)
	for i := range 100 {
		o.sends(strings.ReplaceAll(payload, `"trigger_id":"`, fmt.Sprintf(`"trigger_id":"%d`, i)))
	}
	o.press(o.bob, card, "accept")
	o.outcome(his)
	if n := o.slack.Count("views.open"); n > 16 {
		t.Errorf("%d modals were asked for before", n)
	}
}

// TestAModalThatSlackDoesNotOpenIsSaid: whoever pressed presses again.
func TestAModalThatSlackDoesNotOpenIsSaid(t *testing.T) {
	o := openDesk(t)
	card := o.cardIn(o.ann.DM(), o.asksToPay(amount))
	o.slack.Fail(fakeslack.Fault{Method: "views.open", Hang: true, Times: 1})
	o.press(o.ann, card, "changed")
	o.whispered(o.ann.DM(), o.ann, "That took too long. Press again.")
}

package agentmcptest

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// lots is an order that no form shows whole.
var lots = `shop__order {"item":"` + strings.Repeat("tea, ", 5_000) + `"}`

// onPage answers as the hosted page does.
func (n *node) onPage(t *testing.T, q parley.Request, decision string) {
	t.Helper()
	content, _ := json.Marshal(map[string]string{"decision": decision})
	if err := n.Hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept, Content: content, Via: "page"}); err != nil {
		t.Fatal(err)
	}
}

func TestALongCallOfAnAgentLeadsTheClientToItsPage(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		screen := decides("allow_once") // what the client says is only that the person went there
		c := n.connect(t, clientOptions{era: era, person: screen.person})
		done := make(chan string, 1)
		go func() {
			r, err := c.CallTool(t.Context(), saying(lots))
			if err != nil {
				done <- err.Error()
				return
			}
			done <- text(r)
		}()
		q := n.open(t, 1)[0]
		soon(t, "the client shows it", func() bool { return len(screen.all()) > 0 })
		if p := screen.all()[0]; p.Mode != "url" || p.URL != n.url+"/answer/"+string(q.ID) || !strings.HasPrefix(p.Message, "[shop] Allow this call? It has ") || len(p.Message) > 500 {
			t.Errorf("it was asked %+v", p)
		}
		if n.world.orders.Load() != 0 {
			t.Fatal("ordered before anybody saw all of it")
		}
		n.onPage(t, q, "allow_once")
		if got := <-done; !strings.HasPrefix(got, "ordered tea, ") || n.world.orders.Load() != 1 {
			t.Errorf("%.80q, %d orders", got, n.world.orders.Load())
		}
	})
}

func TestALongCallOfAnAgentIsALinkForClientsWithoutURLs(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		screen := decides("allow_once")
		c := n.connect(t, clientOptions{era: era, person: screen.person, can: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}})
		r := say(t, c, lots)
		q := n.open(t, 1)[0]
		for _, want := range []string{"[shop] Allow this call?", n.url + "/answer/" + string(q.ID), "Make the same call again"} {
			if !r.IsError || !strings.Contains(text(r), want) {
				t.Fatalf("%.500q; want %q", text(r), want)
			}
		}
		n.onPage(t, q, "allow_once")
		if got := text(say(t, c, lots)); !strings.HasPrefix(got, "ordered tea, ") || n.world.orders.Load() != 1 || len(screen.all()) != 0 {
			t.Errorf("%.80q, %d orders, %d forms", got, n.world.orders.Load(), len(screen.all()))
		}
	})
}

func TestATaskOfAnAgentLeadsToThePageOfALongCall(t *testing.T) {
	n := newWorld(t).node(t, mcptool.Options{})
	id := n.rpc(t, "tools/call", map[string]any{"name": "assistant", "arguments": map[string]any{"message": lots}})["taskId"].(string)
	q := n.open(t, 1)[0]
	var shown string
	soon(t, "the task shows the question", func() bool {
		raw, _ := json.Marshal(n.rpc(t, "tasks/get", map[string]any{"taskId": id})["inputRequests"])
		shown = string(raw)
		return strings.Contains(shown, string(q.ID))
	})
	if !strings.Contains(shown, `"mode":"url"`) || !strings.Contains(shown, n.url+"/answer/"+string(q.ID)) || !strings.Contains(shown, "[shop] Allow this call?") || len(shown) > 2000 {
		t.Errorf("%.1000s", shown)
	}
	n.onPage(t, q, "allow_once")
	soon(t, "the task ends", func() bool { return n.rpc(t, "tasks/get", map[string]any{"taskId": id})["status"] == "completed" })
	if n.world.orders.Load() != 1 {
		t.Errorf("%d orders", n.world.orders.Load())
	}
}

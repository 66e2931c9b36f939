package agentmcptest

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/permit"
)

const tea = `shop__order {"item":"tea"}`

// decides is a screen whose person says the same to every approval.
func decides(decision permit.Choice) *shown {
	return &shown{answer: func(*mcp.ElicitParams) *mcp.ElicitResult {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": string(decision)}}
	}}
}

// The client of an agent is a model: that it calls the agent again is not the
// person's word.
func TestAModelDoesNotLiftARefusalByCallingTheAgentAgain(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		screen := decides(permit.Refuse)
		c := n.connect(t, clientOptions{era: era, person: screen.person})
		first := say(t, c, tea)
		if !strings.Contains(text(first), "denied") || len(screen.all()) != 1 {
			t.Fatalf("%s after %d questions", text(first), len(screen.all()))
		}
		same := output(t, first).Conversation
		again := func(name string, c *mcp.ClientSession, message string) {
			t.Helper()
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "assistant", Arguments: map[string]any{"message": message, "conversation": same}})
			if err != nil || !strings.Contains(text(r), "is not asked again") || len(screen.all()) != 1 {
				t.Errorf("%s: %q, %v, after %d questions", name, text(r), err, len(screen.all()))
			}
		}
		again("once more", c, tea)
		again("in another session", n.connect(t, clientOptions{era: era, person: screen.person}), tea)
		again("by another agent", c, `delegate_to_researcher {"task":"shop__order {\"item\":\"tea\"}"}`)
		if made := n.world.orders.Load(); made != 0 {
			t.Errorf("%d orders", made)
		}

		// Another conversation, another call and another person are other questions.
		say(t, c, tea)
		say(t, c, `shop__order {"item":"coffee"}`)
		say(t, n.connect(t, clientOptions{era: era, person: screen.person, user: "bob"}), tea)
		if asked := len(screen.all()); asked != 4 {
			t.Errorf("%d questions", asked)
		}

		// The person takes it back where permissions are kept.
		list, err := n.Permits.List(t.Context(), "default", "alice")
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range list {
			if err := n.Permits.Revoke(t.Context(), "default", "alice", p.ID); err != nil {
				t.Fatal(err)
			}
		}
		yes := decides(permit.AllowOnce)
		c = n.connect(t, clientOptions{era: era, person: yes.person})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "assistant", Arguments: map[string]any{"message": tea, "conversation": same}})
		if err != nil || !strings.Contains(text(r), "ordered tea") || len(yes.all()) != 1 {
			t.Errorf("%q, %v after %d questions", text(r), err, len(yes.all()))
		}
	})
}

// What the person refused in a chat is refused to a model that goes on with it,
// until the person speaks there.
func TestAModelDoesNotLiftARefusalOfAConversation(t *testing.T) {
	inBothEras(t, func(t *testing.T, era string) {
		n := newWorld(t).node(t, mcptool.Options{})
		chats := func(want string) {
			t.Helper()
			ref, err := n.Agents.Start(t.Context(), alice, agent.Message{Agent: "assistant", Conversation: "c", Text: tea, CanAsk: true})
			if err != nil {
				t.Fatal(err)
			}
			f := n.Agents.Follow(alice, ref)
			defer f.Close()
			for {
				e, err := f.Next(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if e.Type == agent.Asked {
					if err := n.Hub.Answer(t.Context(), alice, e.Question.ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"decision":"deny"}`), Via: "chat"}); err != nil {
						t.Fatal(err)
					}
				}
				if e.Type == agent.Refused && !strings.Contains(e.Result.Text, want) {
					t.Errorf("%q", e.Result.Text)
				}
				if e.Type == agent.Finished {
					return
				}
			}
		}
		chats("The person denied this call.")
		screen := decides(permit.AllowOnce)
		c := n.connect(t, clientOptions{era: era, person: screen.person})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "assistant", Arguments: map[string]any{"message": tea, "conversation": "c"}})
		if err != nil || !strings.Contains(text(r), "is not asked again") || len(screen.all()) != 0 {
			t.Errorf("%q, %v after %d questions", text(r), err, len(screen.all()))
		}
		chats("The person denied this call.") // the person speaks: they are asked
		if made := n.world.orders.Load(); made != 0 {
			t.Errorf("%d orders", made)
		}
	})
}

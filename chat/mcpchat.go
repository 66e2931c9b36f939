package chat

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// mcpMessage is what clients of /run/sse and /run/ws send. On a socket one with
// the type elicitation_response is an answer.
type mcpMessage struct {
	Type      string `json:"type"`
	Message   string `json:"message"`
	Prompt    string `json:"prompt"`
	SessionID text   `json:"session_id"`
	MentorID  text   `json:"mentor_id"`
	Agent     string `json:"agent"`
	MessageID text   `json:"message_id"`

	ElicitationID string          `json:"elicitationId"`
	Action        string          `json:"action"`
	Content       json.RawMessage `json:"content"`

	twofold error // why two programs would read it differently; nil: they would not
}

// mcpTurn is a turn of such a client.
type mcpTurn struct {
	agent.Message
	mentor string // the agent, as the client calls it
}

func (c *Chat) mcpTurn(r *http.Request, m mcpMessage) (mcpTurn, error) {
	t := mcpTurn{Message: agent.Message{
		Conversation: string(m.SessionID), ID: string(m.MessageID), Text: m.Message, CanAsk: true, TTL: c.opts.OAuthWait,
	}}
	if t.Text == "" {
		t.Text = m.Prompt
	}
	if strings.TrimSpace(t.Text) == "" {
		return t, bad("There is no message. Send one as message or prompt.")
	}
	named := string(m.MentorID)
	if named == "" {
		named = m.Agent
	}
	t.Agent = c.agentOf(r, named)
	t.mentor = t.Agent
	if t.Conversation == "" {
		t.Conversation = newConversation()
	}
	return t, checkConversation(t.Conversation)
}

// converse starts a turn and tells of it. It reports whether the turn ended with
// an error.
func (c *Chat) converse(ctx context.Context, r *http.Request, p parley.Principal, t mcpTurn, send func(...any) error, idle func() error) (broken bool, err error) {
	ref, err := c.rt.Start(ctx, p, t.Message)
	if err != nil {
		return false, err
	}
	f := c.rt.Follow(p, ref)
	defer f.Close()
	n := c.newMCPNarrator(t.Conversation, t.mentor)
	err = c.tell(ctx, f, c.presence(r, p), func(e agent.Event) error {
		events := n.tell(e)
		if len(events) == 0 {
			return nil
		}
		if err := send(events...); err != nil {
			return err
		}
		if _, broken = events[len(events)-1].(errorEvent); !broken {
			return nil
		}
		if e.Type != agent.Finished {
			// The turn is over for the client, so it is over. A failure to stop
			// it leaves an answer that nobody waits for.
			if err := c.rt.Stop(ctx, p, t.Conversation); err != nil && !errors.Is(err, agent.ErrNoRun) {
				c.opts.Logger.WarnContext(ctx, "failed turn goes on", "err", err)
			}
		}
		return errEnough
	}, idle)
	return broken, err
}

// serveEvents is a turn over server-sent events.
func (c *Chat) serveEvents(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	var m mcpMessage
	if err := c.read(w, r, &m); err != nil {
		return err
	}
	t, err := c.mcpTurn(r, m)
	if err != nil {
		return err
	}
	nameConversation(w, t.Conversation)
	out := (*eventStream)(nil)
	open := func() *eventStream {
		if out == nil {
			out = openStream(w, r)
		}
		return out
	}
	_, err = c.converse(r.Context(), r, p, t, func(events ...any) error { return open().send(events...) }, func() error { return open().beat() })
	if err != nil && out != nil && r.Context().Err() == nil {
		said := c.explainTo(r, err)
		_ = out.send(errorEvent{Error: said.text, StatusCode: said.status})
	}
	if out != nil {
		return nil
	}
	return err
}

func (c *Chat) failEvent(w http.ResponseWriter, r *http.Request, err error) {
	said := c.explainTo(r, err)
	said.announce(w)
	reply(w, said.status, errorEvent{Error: said.text, StatusCode: said.status, RetryAfter: said.seconds()})
}

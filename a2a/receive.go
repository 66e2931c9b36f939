package a2a

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/tracing"
)

const (
	maxMessageID = 120
	maxParts     = 64
)

// receive takes a message: one that begins a task, or one to a task that there is. It
// returns the task's run as it stood then: what the message brings about comes next.
func (o *offer) receive(ctx context.Context, who parley.Principal, req *a2a.SendMessageRequest) (*following, error) {
	m := req.Message
	if err := checkMessage(m); err != nil {
		return nil, err
	}
	limit.Understood(ctx)
	var push *a2a.PushConfig
	if c := req.Config; c != nil {
		if c.HistoryLength != nil && *c.HistoryLength < 0 {
			return nil, invalid("historyLength is negative")
		}
		if push = c.PushConfig; push != nil {
			if err := o.checkPush(push); err != nil {
				return nil, err
			}
		}
	}
	var w *following
	var err error
	if m.TaskID == "" {
		w, err = o.start(ctx, who, m)
	} else {
		w, err = o.answer(ctx, who, m)
	}
	if err == nil && push != nil {
		_, err = o.savePush(ctx, w.run, push)
	}
	if err != nil && w != nil {
		w.close()
	}
	return w, err
}

func checkMessage(m *a2a.Message) error {
	switch {
	case m == nil:
		return invalid("the message is missing")
	case m.ID == "":
		return invalid("the message has no messageId")
	case len(m.ID) > maxMessageID:
		return invalid(fmt.Sprintf("a messageId has at most %d bytes", maxMessageID))
	case m.Role != a2a.MessageRoleUser:
		return invalid("the message is not the user's: its role is another")
	case len(m.Parts) == 0:
		return invalid("the message has no parts")
	case len(m.Parts) > maxParts:
		return invalid(fmt.Sprintf("a message has at most %d parts", maxParts))
	}
	for i, p := range m.Parts {
		if p == nil || p.Content == nil {
			return invalid(fmt.Sprintf("parts[%d] is empty", i))
		}
	}
	return nil
}

// start begins a task, or finds the one that the same message began before.
func (o *offer) start(ctx context.Context, who parley.Principal, m *a2a.Message) (*following, error) {
	name := m.ContextID
	if name == "" {
		name = freshContext(who, m)
	}
	if err := checkContext(name); err != nil {
		return nil, err
	}
	if err := o.checkInput(m.Parts); err != nil {
		return nil, err
	}
	text, err := spoken(m.Parts)
	if err != nil {
		return nil, err
	}
	chain, err := o.chain(m)
	if err != nil {
		return nil, err
	}
	ctx = traced(ctx, m)
	conversation := o.conversation(name)
	// The client's messages are a model's: none of them lifts what the person refused in
	// the conversation.
	ref, err := o.runtime.Start(ctx, who, agent.Message{
		Agent: o.name, Conversation: conversation, ID: messageName(m), Text: text, CanAsk: true, Circle: "a2a/" + conversation, Chain: chain,
	})
	if err != nil {
		return nil, err
	}
	run, err := o.runtime.Find(ctx, who, conversation, ref.Run)
	if err != nil {
		return nil, err
	}
	return o.followNew(ctx, who, run)
}

// traced is ctx in the trace that a message says it belongs to, by its metadata. Else it
// is that of the request.
func traced(ctx context.Context, m *a2a.Message) context.Context {
	parent, _ := m.Metadata["traceparent"].(string)
	state, _ := m.Metadata["tracestate"].(string)
	c, _ := tracing.Parse(parent, state)
	return tracing.With(ctx, c)
}

// readInput reads what the agent takes as data, if it says so.
func (o *offer) readInput() error {
	if len(o.agent.Input) == 0 {
		return nil
	}
	var schema jsonschema.Schema
	err := json.Unmarshal(o.agent.Input, &schema)
	if err == nil {
		o.input, err = schema.Resolve(nil)
	}
	if err != nil {
		return fmt.Errorf("a2a: the input of %q: %w", o.name, err)
	}
	return nil
}

// checkInput refuses data that the agent does not take. Words it takes in any case.
func (o *offer) checkInput(parts a2a.ContentParts) error {
	if o.input == nil {
		return nil
	}
	for i, p := range parts {
		if data, ok := p.Content.(a2a.Data); ok {
			if err := o.input.Validate(data.Value); err != nil {
				return invalid(fmt.Sprintf("parts[%d] is not what this agent takes: %v", i, err))
			}
		}
	}
	return nil
}

// spoken is what a message says to an agent: its texts, and data as JSON.
func spoken(parts a2a.ContentParts) (string, error) {
	var all []string
	for i, p := range parts {
		switch content := p.Content.(type) {
		case a2a.Text:
			all = append(all, string(content))
		case a2a.Data:
			raw, err := json.Marshal(content.Value)
			if err == nil {
				raw, err = permit.Canonical(raw)
			}
			if err != nil {
				return "", invalid(fmt.Sprintf("parts[%d]: the data cannot be read in one way only: %v", i, err))
			}
			all = append(all, string(raw))
		default:
			return "", a2a.NewError(a2a.ErrUnsupportedContentType, fmt.Sprintf("parts[%d] is a file: this agent takes text and JSON", i))
		}
	}
	text := strings.Join(all, "\n")
	if strings.TrimSpace(text) == "" {
		return "", invalid("the message says nothing")
	}
	if len(text) > agent.MaxText {
		return "", invalid(fmt.Sprintf("this is more than can be sent: a message has at most %d KiB of text and data, and this one %d", agent.MaxText>>10, (len(text)+1023)>>10))
	}
	return text, nil
}

// isNotFound reports whether something is not there, and nothing else is wrong.
func isNotFound(err error) bool { return errors.Is(err, parley.ErrNotFound) }

package chat

import (
	"encoding/json"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
)

// chunk is one chunk of the AI SDK's UI message stream. Older clients give up
// on keys that they do not know, so there are no others.
type chunk struct {
	Type       string          `json:"type"`
	MessageID  string          `json:"messageId,omitempty"`
	ID         string          `json:"id,omitempty"`
	Delta      string          `json:"delta,omitempty"`
	ApprovalID string          `json:"approvalId,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	ToolName   string          `json:"toolName,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"`
	ErrorText  string          `json:"errorText,omitempty"`
	Data       any             `json:"data,omitempty"`
	Transient  bool            `json:"transient,omitempty"`
}

// style is how a client takes part in the AI SDK's own protocol for approvals.
type style string

const (
	unaware    style = ""        // it does not know it; older ones give up on its chunks
	onStream   style = "stream"  // it answers while the stream stays open
	suspending style = "suspend" // the stream ends at a request, and goes on with the answer
)

// narrator tells a run as a UI message stream.
type narrator struct {
	book
	style   style
	text    string             // the text that is open
	step    bool               // a step is open
	loose   map[parley.ID]bool // open questions of no call
	noticed map[string]bool    // services that the person was told to connect
}

func (c *Chat) newNarrator(s style, conversation string) *narrator {
	return &narrator{book: c.newBook(conversation), style: s, loose: map[parley.ID]bool{}, noticed: map[string]bool{}}
}

// tell returns the chunks of an event.
func (n *narrator) tell(e agent.Event) []chunk {
	n.note(e)
	switch e.Type {
	case agent.Started:
		return []chunk{{Type: "start", MessageID: e.ID}}
	case agent.StepStarted:
		ended := n.endStep()
		n.step = true
		return append(ended, chunk{Type: "start-step"})
	case agent.StepFinished:
		return n.endStep()
	case agent.TextStarted, agent.TextDelta, agent.TextFinished:
		return n.tellText(e)
	case agent.Called, agent.Succeeded, agent.Failed, agent.Refused:
		return append(n.tellCall(e), n.tellContent(e)...)
	case agent.Progressed:
		return progress(e)
	case agent.Asked, agent.Answered:
		return n.tellQuestion(e)
	case agent.Withheld:
		return n.tellWithheld(e)
	case agent.ToolsGone:
		return []chunk{{Type: "data-warning", ID: "tools-" + e.Box, Data: warning{
			Message: goneText(e),
		}}}
	case agent.Noted:
		return append(n.endText(), chunk{Type: "data-warning", ID: e.ID, Data: warning{Message: remark(e)}})
	case agent.Finished:
		return n.finish(e)
	}
	return nil
}

// warning is something that the person should know, and need not answer.
type warning struct {
	Message string `json:"message"`
	Ended   string `json:"ended,omitempty"` // "failed" or "stopped": it says how the turn ended
	Code    string `json:"code,omitempty"`  // agent.CodeTooLong: another conversation has to be begun
}

// failureID is the part that stays in a conversation of a turn that failed.
const failureID = "failure"

// tellText keeps to one text at a time. One that broke off with the process
// that wrote it is told anew by the next.
func (n *narrator) tellText(e agent.Event) []chunk {
	var out []chunk
	if n.text != e.ID || e.Type == agent.TextStarted {
		out = n.endText()
		if e.Type == agent.TextFinished {
			return out
		}
		n.text = e.ID
		out = append(out, chunk{Type: "text-start", ID: e.ID})
	}
	switch e.Type {
	case agent.TextDelta:
		out = append(out, chunk{Type: "text-delta", ID: e.ID, Delta: e.Text})
	case agent.TextFinished:
		out = append(out, n.endText()...)
	}
	return out
}

func (n *narrator) endText() []chunk {
	if n.text == "" {
		return nil
	}
	id := n.text
	n.text = ""
	return []chunk{{Type: "text-end", ID: id}}
}

func (n *narrator) endStep() []chunk {
	out := n.endText()
	if n.step {
		n.step = false
		out = append(out, chunk{Type: "finish-step"})
	}
	return out
}

func (n *narrator) tellCall(e agent.Event) []chunk {
	switch e.Type {
	case agent.Called:
		out := append(n.endText(),
			chunk{Type: "tool-input-start", ToolCallID: e.ID, ToolName: e.Tool},
			chunk{Type: "tool-input-available", ToolCallID: e.ID, ToolName: e.Tool, Input: e.Args})
		return append(out, titles(e)...)
	case agent.Succeeded:
		return []chunk{{Type: "tool-output-available", ToolCallID: e.ID, Output: output(e.Result)}}
	case agent.Refused:
		if n.style != unaware { // others may not know the chunk
			return []chunk{{Type: "tool-output-denied", ToolCallID: e.ID}}
		}
	}
	said := "The call failed."
	if e.Result != nil && e.Result.Text != "" {
		said = e.Result.Text
	}
	return []chunk{{Type: "tool-output-error", ToolCallID: e.ID, ErrorText: said}}
}

// toolTitle is how people know a tool and its server. It comes as data, since older
// clients give up on a chunk of a call that has a title, and is transient: in the
// history the part of the call has it.
type toolTitle struct {
	ToolCallID string `json:"toolCallId"`
	called
}

// called is a call in the words of people.
type called struct {
	Title        string `json:"title,omitempty"`
	Service      string `json:"service,omitempty"`
	ServiceTitle string `json:"serviceTitle,omitempty"`
}

const titleType = "data-tool-title"

// titles tells of the titles of a call, if there are any.
func titles(e agent.Event) []chunk {
	if e.Title == "" && e.Label == "" {
		return nil
	}
	title := toolTitle{e.ID, called{Title: e.Title, Service: e.Box, ServiceTitle: e.Label}}
	return []chunk{{Type: titleType, Data: title, Transient: true}}
}

// output is what a call returned: what it has of structure, or its text.
func output(r *agent.Result) json.RawMessage {
	if r == nil {
		return json.RawMessage(`""`)
	}
	if len(r.Structured) > 0 {
		return r.Structured
	}
	said, err := json.Marshal(r.Text)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return said
}

func (n *narrator) tellQuestion(e agent.Event) []chunk {
	out := []chunk{{Type: "data-elicitation-request", ID: string(e.Question.ID), Data: n.elicitation(e)}}
	open, of := n.loose, n.calls[e.Call]
	if e.Agent != "" {
		return out // the delegate's call is not part of this message
	}
	if of != nil {
		open = of.open
	}
	if e.Type == agent.Answered {
		delete(open, e.Question.ID)
		return out
	}
	requested := n.style != unaware && of != nil && decidable(e.Question)
	open[e.Question.ID] = requested
	if requested {
		out = append(out, chunk{Type: "tool-approval-request", ApprovalID: approvalID(e.Call), ToolCallID: e.Call})
	}
	return out
}

func approvalID(call string) string { return "aitxt-" + call }

// decidable reports whether a question can be answered with yes or no: whether
// it is for an approval that may be given once.
func decidable(q *parley.Request) bool {
	if q.Trigger != parley.TriggerApproval || q.Mode != parley.Form {
		return false
	}
	schema, err := form.Parse(q.Schema, nil)
	if err != nil {
		return false
	}
	fields := schema.Fields()
	if len(fields) == 0 || fields[0].Name != "decision" || slices.ContainsFunc(fields[1:], func(f form.Field) bool { return f.Required }) {
		return false
	}
	offered := map[string]bool{}
	for _, option := range fields[0].Options {
		offered[option.Value] = true
	}
	return offered[string(permit.AllowOnce)] && offered[string(permit.Refuse)]
}

func (n *narrator) tellWithheld(e agent.Event) []chunk {
	if !noticeable(e, n.noticed) {
		return nil
	}
	return []chunk{{Type: noticeType, ID: string(e.Question.ID), Data: n.notice(e)}}
}

func (n *narrator) finish(e agent.Event) []chunk {
	switch {
	case failed(e):
		out := n.endText()
		if e.Code != "" { // an error has room for its text alone
			out = append(out, chunk{Type: "data-warning", ID: failureID, Data: warning{failureText(e), "failed", e.Code}})
		}
		return append(out, chunk{Type: "error", ErrorText: failureText(e)})
	case e.Reason == agent.Stopped:
		return append(n.endText(), chunk{Type: "abort"})
	}
	return append(n.endStep(), chunk{Type: "finish"})
}

// stuck returns the approvals that alone can make the run go on, if that is how
// it stands.
func (n *narrator) stuck() []parley.ID {
	if len(n.loose) > 0 {
		return nil
	}
	var all []parley.ID
	for _, c := range n.calls {
		if c.done {
			continue
		}
		if len(c.open) == 0 {
			return nil
		}
		for id, requested := range c.open {
			if !requested {
				return nil
			}
			all = append(all, id)
		}
	}
	return all
}

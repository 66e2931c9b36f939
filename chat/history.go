package chat

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// history is a conversation as GET /run/api/chat/{id} returns it.
type history struct {
	ID       string      `json:"id"`
	Messages []uiMessage `json:"messages"`
	Active   bool        `json:"active"`
	// ActiveMessages are the replies that are not complete, oldest first. The last
	// is left to the stream; each can be followed by its id.
	ActiveMessages []string `json:"activeMessages,omitempty"`
}

// uiMessage is a message as the AI SDK keeps it.
type uiMessage struct {
	ID    string    `json:"id"`
	Role  string    `json:"role"`
	Parts []*uiPart `json:"parts"`
}

type uiPart struct {
	Type       string          `json:"type"`
	ID         string          `json:"id,omitempty"`
	Text       string          `json:"text,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	State      string          `json:"state,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Output     json.RawMessage `json:"output,omitempty"`
	ErrorText  string          `json:"errorText,omitempty"`
	Approval   *uiApproval     `json:"approval,omitempty"`
	called
	Data any `json:"data,omitempty"`
}

type uiApproval struct {
	ID       string `json:"id"`
	Approved *bool  `json:"approved,omitempty"`
}

// apply does to a message what a client does when a chunk comes.
func (m *uiMessage) apply(c chunk) {
	switch c.Type {
	case "start-step":
		m.add(&uiPart{Type: "step-start"})
	case "text-start":
		m.add(&uiPart{Type: "text", ID: c.ID, State: "streaming"})
	case "text-delta":
		m.last("text", c.ID).Text += c.Delta
	case "text-end":
		m.last("text", c.ID).State = "done"
	case "tool-input-available":
		m.add(&uiPart{Type: "tool-" + c.ToolName, ToolCallID: c.ToolCallID, State: "input-available", Input: c.Input})
	case "tool-approval-request":
		m.tool(c, "approval-requested").Approval = &uiApproval{ID: c.ApprovalID}
	case "tool-output-available":
		m.tool(c, "output-available").Output = c.Output
	case "tool-output-error":
		m.tool(c, "output-error").ErrorText = c.ErrorText
	case "tool-output-denied":
		m.deny(c)
	case "data-elicitation-request", "data-warning", noticeType, contentType:
		m.last(c.Type, c.ID).Data = c.Data
	case titleType:
		if title, ok := c.Data.(toolTitle); ok {
			m.call(title.ToolCallID).called = title.called
		}
	case "error":
		if p := m.last("data-warning", failureID); p.Data == nil {
			p.Data = warning{Message: c.ErrorText, Ended: "failed"}
		}
	case "abort":
		m.add(&uiPart{Type: "data-warning", ID: "stopped", Data: warning{Message: "This answer was stopped.", Ended: "stopped"}})
	}
}

func (m *uiMessage) add(p *uiPart) { m.Parts = append(m.Parts, p) }

// last returns the newest part of a type with an id. There is one from now on.
func (m *uiMessage) last(kind, id string) *uiPart {
	for i := len(m.Parts) - 1; i >= 0; i-- {
		if m.Parts[i].Type == kind && m.Parts[i].ID == id {
			return m.Parts[i]
		}
	}
	m.add(&uiPart{Type: kind, ID: id})
	return m.Parts[len(m.Parts)-1]
}

// call is the part of a call; one that the message does not have is nowhere.
func (m *uiMessage) call(id string) *uiPart {
	for _, p := range m.Parts {
		if p.ToolCallID == id {
			return p
		}
	}
	return &uiPart{}
}

func (m *uiMessage) tool(c chunk, state string) *uiPart {
	p := m.call(c.ToolCallID)
	p.State = state
	if p.Approval != nil && p.Approval.Approved == nil && state != "approval-requested" {
		yes := true
		p.Approval.Approved = &yes
	}
	return p
}

func (m *uiMessage) deny(c chunk) {
	no := false
	p := m.tool(c, "output-denied")
	if p.Approval == nil {
		p.Approval = &uiApproval{ID: approvalID(c.ToolCallID)}
	}
	p.Approval.Approved = &no
}

// showHistory returns what was said in a conversation. The message that the
// stream would replay is left to that: clients that have a part of it already
// would show it twice.
func (c *Chat) showHistory(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	told := history{ID: r.PathValue("id"), Messages: []uiMessage{}}
	if err := checkConversation(told.ID); err != nil {
		return err
	}
	runs, err := c.rt.History(r.Context(), p, told.ID)
	if err != nil {
		return err
	}
	current := -1
	for i, run := range runs {
		if run.Status != agent.Ended {
			current, told.Active = i, true
			told.ActiveMessages = append(told.ActiveMessages, run.Ref.Run)
		}
	}
	for i, run := range runs {
		told.Messages = append(told.Messages, uiMessage{
			ID: run.Message, Role: "user", Parts: []*uiPart{{Type: "text", Text: run.Text}},
		})
		if i == current {
			continue
		}
		m, err := c.messageOf(r, p, run)
		if err != nil {
			return err
		}
		told.Messages = append(told.Messages, m)
	}
	reply(w, http.StatusOK, told)
	return nil
}

// messageOf is a run as a message.
func (c *Chat) messageOf(r *http.Request, p parley.Principal, run agent.Run) (uiMessage, error) {
	m := uiMessage{ID: run.Ref.Run, Role: "assistant", Parts: []*uiPart{}}
	n := c.newNarrator(styleOf(r), run.Ref.Conversation)
	for _, e := range run.Events() {
		all := []agent.Event{e}
		if e.Child != nil {
			asides, err := c.asides(r, p, *e.Child, e.Box, e.ID)
			if err != nil {
				return m, err
			}
			all = append(all, asides...)
		}
		for _, e := range all {
			for _, chunk := range n.tell(e) {
				m.apply(chunk)
			}
		}
	}
	for _, part := range m.Parts {
		if part.Type == "text" {
			part.ID = "" // it was only to find the part
		}
	}
	return m, nil
}

// asides are the questions and warnings of a run that was delegated to within a call,
// and of those below.
func (c *Chat) asides(r *http.Request, p parley.Principal, child agent.Ref, name, within string) ([]agent.Event, error) {
	runs, err := c.rt.History(r.Context(), p, child.Conversation)
	if err != nil {
		return nil, err
	}
	var all []agent.Event
	for _, run := range runs {
		if run.Ref != child {
			continue
		}
		for _, e := range run.Events() {
			if e.Aside() {
				e.Agent, e.Within = name, within
				all = append(all, e)
			}
			if e.Child == nil {
				continue
			}
			below, err := c.asides(r, p, *e.Child, e.Box, within)
			if err != nil {
				return nil, err
			}
			all = append(all, below...)
		}
	}
	return all, nil
}

// resume replays the current message, or the one that the request names, and goes
// on live.
func (c *Chat) resume(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	conversation := r.PathValue("id")
	if err := checkConversation(conversation); err != nil {
		return err
	}
	ref, err := c.followed(r, p, conversation)
	if errors.Is(err, agent.ErrNoRun) || err == nil && r.Method == http.MethodHead {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	if err != nil {
		return err
	}
	nameConversation(w, conversation)
	c.streamMessage(w, r, p, ref, nil)
	return nil
}

// followed is the run whose message a request wants.
func (c *Chat) followed(r *http.Request, p parley.Principal, conversation string) (agent.Ref, error) {
	named := r.URL.Query()["message"]
	if len(named) == 0 {
		return c.rt.Current(r.Context(), p, conversation)
	}
	run, err := c.rt.Find(r.Context(), p, conversation, named[0])
	if errors.Is(err, parley.ErrNotFound) {
		err = &refusal{status: http.StatusNotFound, text: "There is no such message in this conversation. Check its id, and who you are signed in as."}
	}
	return run.Ref, err
}

// stop ends what runs in a conversation. That nothing does is what was wanted.
func (c *Chat) stop(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	conversation := r.PathValue("id")
	if err := checkConversation(conversation); err != nil {
		return err
	}
	if err := c.rt.Stop(r.Context(), p, conversation); err != nil && !errors.Is(err, agent.ErrNoRun) {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

package chat

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/permit"
)

// given is an answer that came as a part of a message.
type given struct {
	id      parley.ID // the question; empty for the AI SDK's approvals, which name
	call    string    // the call
	approve bool
	action  parley.Action
	content json.RawMessage
}

// part is a part of a message, as far as it can carry an answer.
type part struct {
	Type       string `json:"type"`
	Text       unread `json:"text"` // of other parts
	ToolCallID string `json:"toolCallId"`
	State      string `json:"state"`
	Approval   unread `json:"approval"`
	Data       unread `json:"data"`
}

// approved is a decision of the AI SDK.
type approved struct {
	Approved *bool  `json:"approved"`
	Reason   string `json:"reason"`
}

// answered is an answer, and what it answers.
type answered struct {
	ElicitationID string          `json:"elicitationId"`
	Action        string          `json:"action"`
	Content       json.RawMessage `json:"content"`
}

// readParts reads the parts of a message, without those that are none. Which ones have
// an answer is not for two programs to see differently.
func readParts(raw []unread) ([]part, error) {
	var all []part
	for _, one := range raw {
		var p part
		ok, err := readPart(one, &p)
		if err != nil {
			return nil, err
		}
		if ok {
			all = append(all, p)
		}
	}
	return all, nil
}

// readPart reads a part, or what is in one, and reports whether it could: what is not
// understood says nothing.
func readPart(raw unread, into any) (ok bool, err error) {
	if len(raw) == 0 {
		return true, nil
	}
	err = decode(raw, into)
	return err == nil, twofold(err)
}

// answers are the answers that a message carries. A client may also write the
// answer into the part that asked, and send that message again.
func (m message) answers() ([]given, error) {
	var all []given
	for _, p := range m.known {
		one, err := p.answer()
		if err != nil {
			return nil, err
		}
		if one != nil {
			all = append(all, *one)
		}
	}
	return all, nil
}

// answer is the answer of a part, or nil.
func (p part) answer() (*given, error) {
	responds := p.Type == "data-elicitation-response"
	if responds || p.Type == "data-elicitation-request" {
		var data answered
		if ok, err := readPart(p.Data, &data); !ok {
			return nil, err
		}
		switch {
		case !responds && data.Action == "":
		case data.ElicitationID == "":
			return nil, nil
		default:
			return &given{id: parley.ID(data.ElicitationID), action: parley.Action(data.Action), content: content(data.Content)}, nil
		}
	}
	if p.State != "approval-responded" || p.ToolCallID == "" {
		return nil, nil
	}
	var said approved
	if ok, err := readPart(p.Approval, &said); !ok || said.Approved == nil {
		return nil, err
	}
	one := decision(p.ToolCallID, *said.Approved, said.Reason)
	return &one, nil
}

// decision is the answer that a yes or no of the AI SDK stands for.
func decision(call string, yes bool, reason string) given {
	said := map[string]string{"decision": string(permit.AllowOnce)}
	if !yes {
		said["decision"] = string(permit.Refuse)
		if reason != "" { // the model is told why
			said["reason"] = reason
		}
	}
	content, _ := json.Marshal(said) // strings always marshal
	return given{call: call, approve: yes, action: parley.Accept, content: content}
}

// awaiting are the calls of a message whose approvals its client has seen, and
// whose results it has not.
func (m message) awaiting() []string {
	var all []string
	for _, p := range m.known {
		if strings.HasPrefix(p.State, "approval-") && p.ToolCallID != "" {
			all = append(all, p.ToolCallID)
		}
	}
	return all
}

// result is what became of an answer.
type result struct {
	ElicitationID parley.ID     `json:"elicitationId"`
	Action        parley.Action `json:"action"`
	ToolCallID    string        `json:"toolCallId,omitempty"`
	Approved      *bool         `json:"approved,omitempty"`
	Success       bool          `json:"success"`
	Error         string        `json:"error,omitempty"`
	Fields        []fieldError  `json:"fields,omitempty"`
}

type results struct {
	Success bool     `json:"success"`
	Error   string   `json:"error,omitempty"`
	Results []result `json:"results"`
}

// takeParts takes the answers of a message. Answers to what is settled are stale:
// clients keep them and send them again with whatever comes next. A message that
// says something besides is a turn like any other once its answers are taken; if
// one is not, nothing of the text is, so that the message can be sent again.
func (c *Chat) takeParts(w http.ResponseWriter, r *http.Request, p parley.Principal, conversation string, m message, all []given) (answered bool, err error) {
	if conversation == "" {
		return false, bad("conversationId is required for an answer: a question belongs to a conversation.")
	}
	if err := checkConversation(conversation); err != nil {
		return false, err
	}
	asked, err := c.approvals(r.Context(), p, conversation, all)
	if err != nil {
		return false, err
	}
	var fresh, stale []result
	for _, one := range all {
		done, old, err := c.takePart(r.Context(), p, conversation, asked, one)
		if err != nil {
			return false, err
		}
		if old {
			stale = append(stale, done)
		} else {
			fresh = append(fresh, done)
		}
	}
	told := newResults(fresh, stale)
	if m.Role == "user" && strings.TrimSpace(m.text()) != "" {
		if len(fresh) == 0 || told.Success {
			return false, nil
		}
		told.Error = "An answer was not taken, so the message was not taken either. Correct the answer and send both again."
	}
	nameConversation(w, conversation)
	if run := asked.run(all); run != nil && styleOf(r) == suspending {
		c.continueMessage(w, r, p, *run, m.awaiting())
		return true, nil
	}
	reply(w, http.StatusOK, told)
	return true, nil
}

// newResults tells of the stale answers only if there are no others.
func newResults(fresh, stale []result) results {
	told := results{Success: true, Results: fresh}
	if len(fresh) == 0 {
		told.Results = stale
	}
	for _, one := range told.Results {
		told.Success = told.Success && one.Success
	}
	return told
}

// takePart gives one answer to the hub. One that comes too late, or to nothing
// that this person was asked here, is stale; so is one that was taken before, and
// that is no failure.
func (c *Chat) takePart(ctx context.Context, p parley.Principal, conversation string, asked approvals, one given) (done result, stale bool, err error) {
	done = result{ElicitationID: one.id, Action: one.action, ToolCallID: one.call}
	if one.call != "" {
		done.ElicitationID, done.Approved = asked[one.call].id, &one.approve
	}
	q, err := c.question(ctx, p, conversation, done.ElicitationID)
	if err == nil {
		err = c.give(ctx, p, q.ID, parley.Answer{Action: one.action, Content: one.content, Via: Via})
	}
	if again := errors.Is(err, parley.ErrRepeated); again || err == nil {
		done.Success = true
		return done, again, nil
	}
	said := explain(err)
	if said.status >= http.StatusInternalServerError {
		return done, false, err
	}
	done.Error, done.Fields = said.text, said.fields
	for _, late := range []error{parley.ErrNotFound, parley.ErrSettled, parley.ErrExpired} {
		stale = stale || errors.Is(err, late)
	}
	return done, stale, nil
}

// question returns a question of the person's in a conversation.
func (c *Chat) question(ctx context.Context, p parley.Principal, conversation string, id parley.ID) (parley.Request, error) {
	q, err := c.hub.Get(ctx, p, id)
	if err == nil && (q.Session != conversation || !agent.OfRun(q)) { // a session of MCP's is no conversation: who has it is a model's client
		err = parley.ErrNotFound
	}
	if err == nil && q.Trigger == parley.TriggerApproval && q.Labels[agent.CircleLabel] != "" && p.ByToken() {
		err = errModels
	}
	return q, err
}

// approvals are the questions whether calls may be made, by call.
type approvals map[string]approval

type approval struct {
	id  parley.ID
	run *agent.Run
}

// approvals finds what the calls of AI SDK answers were asked.
func (c *Chat) approvals(ctx context.Context, p parley.Principal, conversation string, all []given) (approvals, error) {
	found := approvals{}
	wanted := false
	for _, one := range all {
		wanted = wanted || one.call != ""
	}
	if !wanted {
		return found, nil
	}
	runs, err := c.rt.History(ctx, p, conversation)
	if err != nil {
		return nil, err
	}
	for i := range runs {
		for _, e := range runs[i].Events() {
			if e.Type == agent.Asked && e.Call != "" && decidable(e.Question) {
				found[e.Call] = approval{e.Question.ID, &runs[i]}
			}
		}
	}
	return found, nil
}

// run is the run that the answers of a message belong to.
func (a approvals) run(all []given) *agent.Run {
	for _, one := range all {
		if found, ok := a[one.call]; ok {
			return found.run
		}
	}
	return nil
}

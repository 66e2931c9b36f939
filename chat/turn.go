package chat

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// turnBody is what POST /run/api/chat takes: the request of the AI SDK, and that
// of clients that send plain messages. What was said before the last message is
// the server's to know.
type turnBody struct {
	ID             string   `json:"id"`
	ConversationID string   `json:"conversationId"`
	Messages       []unread `json:"messages"`
	Agent          string   `json:"agent"`
	Trigger        string   `json:"trigger"`
	Stream         *bool    `json:"stream"`
}

func (b turnBody) conversation() string {
	if b.ConversationID != "" {
		return b.ConversationID
	}
	return b.ID
}

// message is one message of a turnBody.
type message struct {
	ID      string   `json:"id"`
	Role    string   `json:"role"`
	Content spoken   `json:"content"`
	Parts   []unread `json:"parts"`

	known []part // of Parts
}

// text is what a message says.
func (m message) text() string {
	if m.Content.words != "" {
		return string(m.Content.words)
	}
	var texts []string
	for _, raw := range m.Parts {
		var p struct{ Type, Text string }
		if json.Unmarshal(raw, &p) == nil && p.Type == "text" && p.Text != "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// last returns the last message. The others are old: what they answer is
// answered, and what they say was said.
func (b turnBody) last() (message, error) {
	var m message
	if len(b.Messages) == 0 {
		return m, bad("There are no messages. Send the person's message.")
	}
	if err := decode(b.Messages[len(b.Messages)-1], &m); err != nil {
		return m, cmp.Or(twofold(err), bad("The last message cannot be read. A message has an id, a role and parts."))
	}
	var err error
	m.known, err = readParts(m.Parts)
	return m, err
}

// takeTurn takes what a person says, or answers.
func (c *Chat) takeTurn(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	var body turnBody
	if err := c.read(w, r, &body); err != nil {
		return err
	}
	m, err := body.last()
	if err != nil {
		return err
	}
	if err := m.unsupported(); err != nil {
		return err // before any of its answers is taken
	}
	given, err := m.answers()
	if err != nil {
		return err
	}
	if len(given) > 0 {
		if answered, err := c.takeParts(w, r, p, body.conversation(), m, given); answered || err != nil {
			return err
		}
	}
	return c.startTurn(w, r, p, body, m)
}

// startTurn starts a run, or finds the one that the message started before, and
// tells of it.
func (c *Chat) startTurn(w http.ResponseWriter, r *http.Request, p parley.Principal, body turnBody, m message) error {
	said := m.text()
	if m.Role != "user" || strings.TrimSpace(said) == "" {
		return bad("The last message is to be the person's, with a text.")
	}
	conversation := body.conversation()
	if conversation == "" {
		conversation = newConversation()
	}
	if err := checkConversation(conversation); err != nil {
		return err
	}
	whole := body.Stream != nil && !*body.Stream
	start := agent.Message{
		Agent: c.agentOf(r, body.Agent), Conversation: conversation, ID: m.ID, Text: said,
		CanAsk: asks(r) && !whole, // who waits for the whole reply shows nothing before
		List:   true,
	}
	if body.Trigger == "regenerate-message" {
		start.ID = "" // the message that started the reply before is to start another
	}
	ref, err := c.rt.Start(r.Context(), p, start)
	if err != nil {
		return err
	}
	nameConversation(w, conversation)
	if whole {
		return c.replyWhole(w, r, p, ref, start.Agent)
	}
	c.streamMessage(w, r, p, ref, nil)
	return nil
}

// agentOf is the agent that a request is for.
func (c *Chat) agentOf(r *http.Request, named string) string {
	for _, name := range []string{named, r.Header.Get("x-parley-agent")} {
		if name != "" {
			return name
		}
	}
	return c.opts.DefaultAgent
}

// asks reports whether the client shows questions.
func asks(r *http.Request) bool {
	return strings.EqualFold(strings.TrimSpace(r.Header.Get("x-supports-elicitation")), "true")
}

// styleOf is how the client takes part in the AI SDK's own approvals. They are
// questions, so it has to show these.
func styleOf(r *http.Request) style {
	s := style(strings.ToLower(strings.TrimSpace(r.Header.Get("x-tool-approval"))))
	if asks(r) && (s == onStream || s == suspending) {
		return s
	}
	return unaware
}

// completion is a whole reply, in the form of OpenAI's API.
type completion struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   usage    `json:"usage"`
	Notices []notice `json:"notices,omitempty"` // what the person has to do elsewhere first
	// ToolContent is what the results of tools had besides their texts.
	ToolContent []*toolContent `json:"tool_content,omitempty"`
}

type choice struct {
	Index        int       `json:"index"`
	Message      assistant `json:"message"`
	FinishReason string    `json:"finish_reason"`
}

type assistant struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// usage is not counted here; clients expect it all the same.
type usage struct {
	PromptTokens     int `json:"prompt_tokens"`
	CompletionTokens int `json:"completion_tokens"`
	TotalTokens      int `json:"total_tokens"`
}

func newCompletion(id, model, content, reason string) completion {
	return completion{
		ID: id, Object: "chat.completion", Created: time.Now().Unix(), Model: model,
		Choices: []choice{{Message: assistant{Role: string(agent.FromModel), Content: content}, FinishReason: reason}},
	}
}

// replyWhole waits for the end of a run.
func (c *Chat) replyWhole(w http.ResponseWriter, r *http.Request, p parley.Principal, ref agent.Ref, name string) error {
	f := c.rt.Follow(p, ref)
	defer f.Close()
	all, err := Collect(r.Context(), f)
	if err == nil { // which may have taken long
		err = c.still(r, p)
	}
	if err != nil {
		return err
	}
	reason, told := finishReason(all.Cut), all.Told()
	if all.Failure != "" {
		reason, told = "error", strings.TrimSpace(told+"\n\n"+all.Failure)
	}
	whole := newCompletion(fmt.Sprintf("chat-%d", time.Now().UnixMilli()), name, told, reason)
	b := c.newBook(ref.Conversation)
	whole.Notices, whole.ToolContent = b.notices(all), b.contents(all)
	reply(w, http.StatusOK, whole)
	return nil
}

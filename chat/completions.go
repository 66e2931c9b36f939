package chat

import (
	"net/http"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// completionBody is what POST /run/v1/chat/completions takes, as far as it
// matters here. The model is an agent.
type completionBody struct {
	Model          string `json:"model"`
	Messages       []line `json:"messages"`
	Stream         bool   `json:"stream"`
	ConversationID string `json:"conversationId"`
	StreamOptions  struct {
		IncludeUsage bool `json:"include_usage"`
	} `json:"stream_options"`
}

// line is a message of OpenAI's API.
type line struct {
	Role    string `json:"role"`
	Content spoken `json:"content"`
}

// unsupported refuses messages of the person's with more than text in them.
func (b completionBody) unsupported() error {
	for _, m := range b.Messages {
		if m.Role == "user" && m.Content.other != "" {
			return unsupported(m.Content.other)
		}
	}
	return nil
}

// turn is what the person says now, and what was said before it.
func (b completionBody) turn() (said string, before []line, err error) {
	for i := len(b.Messages) - 1; i >= 0; i-- {
		if m := b.Messages[i]; m.Role == "user" && strings.TrimSpace(string(m.Content.words)) != "" {
			return string(m.Content.words), b.Messages[:i], nil
		}
	}
	return "", nil, bad("There is no message of the user's. Send one with a text.")
}

// withBefore puts what was said before in front of what is said now. A run takes
// one text, and the client says that there were others.
func withBefore(before []line, said string) string {
	var b strings.Builder
	for _, m := range before {
		if text := strings.TrimSpace(string(m.Content.words)); text != "" {
			b.WriteString(m.Role + ": " + text + "\n\n")
		}
	}
	if b.Len() == 0 {
		return said
	}
	return "Earlier in this conversation:\n\n" + b.String() + "Now:\n\n" + said
}

// complete is OpenAI's chat completion.
func (c *Chat) complete(w http.ResponseWriter, r *http.Request, p parley.Principal) error {
	var body completionBody
	if err := c.read(w, r, &body); err != nil {
		return err
	}
	if err := body.unsupported(); err != nil {
		return err
	}
	said, before, err := body.turn()
	if err != nil {
		return err
	}
	conversation := body.ConversationID
	if conversation == "" {
		conversation = newConversation()
	} else {
		if err := checkConversation(conversation); err != nil {
			return err
		}
		known, err := c.rt.Known(r.Context(), p, conversation)
		if err != nil {
			return err
		}
		if known {
			before = nil // known here, and better
		}
	}
	start := agent.Message{
		Agent: c.agentOf(r, body.Model), Conversation: conversation, Text: withBefore(before, said), CanAsk: asks(r) && body.Stream,
	}
	ref, err := c.rt.Start(r.Context(), p, start)
	if err != nil {
		return err
	}
	nameConversation(w, conversation)
	if body.Stream {
		c.streamCompletion(w, r, p, ref, start.Agent, body.StreamOptions.IncludeUsage)
		return nil
	}
	return c.completeWhole(w, r, p, ref, start.Agent)
}

func (c *Chat) completeWhole(w http.ResponseWriter, r *http.Request, p parley.Principal, ref agent.Ref, name string) error {
	f := c.rt.Follow(p, ref)
	defer f.Close()
	all, err := Collect(r.Context(), f)
	if err == nil { // which may have taken long
		err = c.still(r, p)
	}
	if err != nil {
		return err
	}
	if all.Failure != "" {
		// Clients repeat a request that failed on our side. This one may have
		// acted before it failed.
		w.Header().Set("x-should-retry", "false")
		reply(w, http.StatusInternalServerError, runFailed(all.Failure))
		return nil
	}
	told := all.Told()
	if all.Cut != "" {
		told = all.Text // the reason says it
	}
	whole := newCompletion(completionID(ref), name, told, finishReason(all.Cut))
	b := c.newBook(ref.Conversation)
	whole.Notices, whole.ToolContent = b.notices(all), b.contents(all)
	reply(w, http.StatusOK, whole)
	return nil
}

// finishReason is why a reply ended, in the words of OpenAI's API.
func finishReason(cut agent.Cut) string {
	switch cut {
	case agent.CutByLength:
		return "length"
	case agent.CutByProvider:
		return "content_filter"
	}
	return "stop"
}

func completionID(ref agent.Ref) string { return "chatcmpl-" + ref.Run }

// completionChunk is a chunk of a streamed completion. Clients pass over fields
// that they do not know, but not over chunks without choices.
type completionChunk struct {
	ID          string        `json:"id"`
	Object      string        `json:"object"`
	Created     int64         `json:"created"`
	Model       string        `json:"model"`
	Choices     []deltaChoice `json:"choices"`
	Usage       *usage        `json:"usage,omitempty"`
	Elicitation *elicitation  `json:"elicitation,omitempty"`
	Notice      *notice       `json:"notice,omitempty"`
	ToolContent *toolContent  `json:"tool_content,omitempty"`
}

type deltaChoice struct {
	Index        int     `json:"index"`
	Delta        delta   `json:"delta"`
	FinishReason *string `json:"finish_reason"`
}

type delta struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

// completionStream tells a run to one client of OpenAI's API.
type completionStream struct {
	book
	out       *eventStream
	blank     completionChunk // what all chunks have
	inContent bool            // questions go where the text goes
	usage     bool
	joiner    joiner
	remark    string // what the person should know at the end
	noticed   map[string]bool
}

func (c *Chat) streamCompletion(w http.ResponseWriter, r *http.Request, p parley.Principal, ref agent.Ref, name string, withUsage bool) {
	f := c.rt.Follow(p, ref)
	defer f.Close()
	s := &completionStream{
		book: c.newBook(ref.Conversation), out: openStream(w, r), usage: withUsage, noticed: map[string]bool{},
		inContent: strings.EqualFold(r.Header.Get("x-elicitation-carrier"), "content"),
		blank: completionChunk{
			ID: completionID(ref), Object: "chat.completion.chunk", Created: time.Now().Unix(), Model: name, Choices: []deltaChoice{},
		},
	}
	s.out.more = f.Ready
	err := c.tell(r.Context(), f, c.presence(r, p), s.tell, s.out.beat)
	if r.Context().Err() != nil {
		if stopping(r) { // these clients take any end for that of the turn
			_ = s.out.send(runFailed("The server is being restarted. The turn goes on: look at the conversation in a moment."))
		}
		return
	}
	if err != nil {
		_ = s.out.send(newAPIError(c.explainTo(r, err)))
	}
	_ = s.out.done()
}

func (s *completionStream) tell(e agent.Event) error {
	s.note(e)
	switch e.Type {
	case agent.Started:
		return s.delta(delta{Role: string(agent.FromModel), Content: new(string)})
	case agent.TextStarted, agent.TextDelta:
		if text := s.joiner.add(e); text != "" {
			return s.delta(delta{Content: &text})
		}
	case agent.Asked, agent.Answered:
		return s.question(e)
	case agent.Withheld:
		return s.withheld(e)
	case agent.Succeeded, agent.Failed:
		return s.content(e)
	case agent.Noted:
		s.remark += s.joiner.note(remark(e))
	case agent.Finished:
		return s.finish(e)
	}
	return nil
}

// content rides on a chunk that adds nothing to the text: clients pass over fields that they do
// not know, and not all of them over a chunk without choices.
func (s *completionStream) content(e agent.Event) error {
	shown := s.book.content(e)
	if shown == nil {
		return nil
	}
	one := s.blank
	one.Choices, one.ToolContent = []deltaChoice{{}}, shown
	return s.out.send(one)
}

func (s *completionStream) delta(d delta) error {
	one := s.blank
	one.Choices = []deltaChoice{{Delta: d}}
	return s.out.send(one)
}

// question sends a question beside the text, or, to clients that asked for it,
// in the text: that cannot be taken back, so how it ended is not told there.
func (s *completionStream) question(e agent.Event) error {
	shown := s.elicitation(e)
	if s.inContent {
		if e.Type == agent.Answered {
			return nil
		}
		return s.envelope(shown)
	}
	one := s.blank
	one.Elicitation = &shown
	return s.out.send(one)
}

func (s *completionStream) withheld(e agent.Event) error {
	if !noticeable(e, s.noticed) {
		return nil
	}
	shown := s.notice(e)
	if s.inContent {
		return s.envelope(shown)
	}
	one := s.blank
	one.Notice = &shown
	return s.out.send(one)
}

func (s *completionStream) envelope(v any) error {
	var raw strings.Builder
	if err := encode(&raw, v); err != nil {
		return err
	}
	text := strings.TrimSpace(raw.String())
	return s.delta(delta{Content: &text})
}

func (s *completionStream) finish(e agent.Event) error {
	if failed(e) {
		return s.out.send(runFailed(failureText(e)))
	}
	if s.remark != "" && e.Cut == "" { // a reason for the end tells as much
		if err := s.delta(delta{Content: &s.remark}); err != nil {
			return err
		}
	}
	reason := finishReason(e.Cut)
	last := s.blank
	last.Choices = []deltaChoice{{FinishReason: &reason}}
	if !s.usage {
		return s.out.send(last)
	}
	counted := s.blank
	counted.Usage = &usage{}
	return s.out.send(last, counted)
}

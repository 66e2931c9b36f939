package chat

import (
	"errors"
	"net/http"
	"slices"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// messageStream tells a run to one client of the AI SDK.
type messageStream struct {
	chat *Chat
	r    *http.Request
	who  parley.Principal
	out  *eventStream
	n    *narrator
	past *past // what the client has seen; nil: nothing
}

// past is how much of a run the client of a suspended stream has seen: all, up
// to where only the approvals of these calls could make it go on.
type past struct {
	calls []string
	asked []string
	start chunk
}

// over reports whether an event is the last that the client has seen.
func (p *past) over(n *narrator, e agent.Event) bool {
	if e.Type == agent.Asked && e.Agent == "" {
		p.asked = append(p.asked, e.Call)
	}
	for _, call := range p.calls {
		if !slices.Contains(p.asked, call) {
			return false
		}
	}
	return len(n.stuck()) > 0
}

// streamMessage streams a run as a message, from its start or from where it was
// suspended.
func (c *Chat) streamMessage(w http.ResponseWriter, r *http.Request, p parley.Principal, ref agent.Ref, seen *past) {
	f := c.rt.Follow(p, ref)
	defer f.Close()
	out := openStream(w, r)
	out.more = f.Ready
	w.Header().Set(streamHeader, "v1")
	s := &messageStream{chat: c, r: r, who: p, out: out, n: c.newNarrator(styleOf(r), ref.Conversation), past: seen}
	err := c.tellWith(r.Context(), f, c.newPanels(), c.presence(r, p), s.tell, out.beat)
	if r.Context().Err() != nil {
		return
	}
	if err != nil {
		// The client is there as far as we know, and should not take a broken
		// stream for a whole one.
		_ = out.send(chunk{Type: "error", ErrorText: c.explainTo(r, err).text})
	}
	_ = out.done()
}

func (s *messageStream) tell(e agent.Event) error {
	chunks := s.n.tell(e)
	if s.past != nil {
		return s.skip(e, chunks)
	}
	if err := s.send(chunks); err != nil {
		return err
	}
	return s.suspend(e)
}

// skip leaves out what the client has seen. Clients append what they are told
// to the message that they have, so a text that came again would be there twice.
func (s *messageStream) skip(e agent.Event, chunks []chunk) error {
	if e.Type == agent.Started {
		s.past.start = chunks[0]
	}
	if !s.past.over(s.n, e) {
		return nil
	}
	chunks = []chunk{s.past.start}
	s.past, s.n.step = nil, false // the step was finished when the stream was
	if err := s.send(chunks); err != nil {
		return err
	}
	return s.suspend(e)
}

func (s *messageStream) send(chunks []chunk) error {
	all := make([]any, len(chunks))
	for i := range chunks {
		all[i] = chunks[i]
	}
	return s.out.send(all...)
}

// suspend ends the stream when only approvals can make the run go on and its
// client answers them with its next request. A replay passes points where that
// was so: what is settled since comes next.
func (s *messageStream) suspend(e agent.Event) error {
	if s.n.style != suspending || e.Type == agent.Finished {
		return nil
	}
	open := s.n.stuck()
	if len(open) == 0 {
		return nil
	}
	for _, id := range open {
		q, err := s.chat.hub.Get(s.r.Context(), s.who, id)
		if err != nil && !errors.Is(err, parley.ErrNotFound) {
			return err
		}
		if err != nil || !q.Pending() {
			return nil
		}
	}
	if err := s.send(append(s.n.endStep(), chunk{Type: "finish"})); err != nil {
		return err
	}
	return errEnough
}

// continueMessage goes on with a message whose stream was suspended. If the
// client's message does not say where that was, all is told again.
func (c *Chat) continueMessage(w http.ResponseWriter, r *http.Request, p parley.Principal, run agent.Run, calls []string) {
	seen := &past{calls: calls}
	n := c.newNarrator(suspending, run.Ref.Conversation)
	for _, e := range run.Events() {
		n.tell(e)
		if seen.over(n, e) {
			c.streamMessage(w, r, p, run.Ref, &past{calls: calls})
			return
		}
	}
	c.streamMessage(w, r, p, run.Ref, nil)
}

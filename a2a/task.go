package a2a

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/legible"
)

// task is the run as a task, as it stands, with as many of the last messages of its
// history; nil: all.
func (w *following) task(ctx context.Context, length *int) (*a2a.Task, error) {
	open, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	return w.taskWith(ctx, open, length)
}

// taskWith is task where it is known what the run waits for.
func (w *following) taskWith(ctx context.Context, open []parley.Request, length *int) (*a2a.Task, error) {
	t, err := w.bare(ctx, open, length)
	if err == nil {
		t.Artifacts, err = w.artifacts(ctx, w.tale.Reply())
	}
	return t, err
}

// bare is a task without what it has brought.
func (w *following) bare(ctx context.Context, open []parley.Request, length *int) (*a2a.Task, error) {
	if length != nil && *length < 0 {
		return nil, invalid("historyLength is negative")
	}
	reply := w.tale.Reply()
	told := length == nil || *length > 0
	var messages []said
	if len(reply.Questions) > 0 && (told || len(open) > 0) {
		var err error
		if messages, err = w.conversed(ctx, w.run.Ref, told); err != nil {
			return nil, err
		}
	}
	t := &a2a.Task{ID: w.place.taskID(), ContextID: w.place.context}
	history, asks := w.history(reply, messages, open)
	t.Status = w.status(reply, open, asks)
	if told {
		t.History = history
		shorten(t, length)
	}
	return t, nil
}

// status is how the task stands. asks are the messages of its open questions.
func (w *following) status(reply chat.Reply, open []parley.Request, asks []*a2a.Message) a2a.TaskStatus {
	at := w.at
	s := a2a.TaskStatus{State: a2a.TaskStateWorking, Timestamp: &at}
	told := ""
	switch {
	case reply.Reason == agent.Done && w.lost():
		s.State, told = a2a.TaskStateFailed, strings.Join(append([]string{reply.Text}, reply.Notes...), "\n\n")
		if reply.Last == agent.Refused {
			s.State = a2a.TaskStateRejected
		}
	case reply.Reason == agent.Done:
		s.State, told = a2a.TaskStateCompleted, strings.Join(reply.Notes, "\n\n")
	case reply.Reason == agent.Stopped:
		s.State, told = a2a.TaskStateCanceled, "The task was canceled."
	case reply.Reason != agent.Undecided:
		s.State, told = a2a.TaskStateFailed, strings.Join(append([]string{reply.Failure}, reply.Notes...), "\n\n")
	case len(open) > 0:
		s.State, s.Message = w.stateOf(open), joined(asks)
	case !w.begun:
		s.State = a2a.TaskStateSubmitted
	}
	if told != "" {
		s.Message = a2a.NewMessageForTask(a2a.MessageRoleAgent, w.place.info(), a2a.NewTextPart(legible.Prose(told)))
		s.Message.ID = "end-" + w.place.run
	}
	return s
}

// joined is one message of several.
func joined(all []*a2a.Message) *a2a.Message {
	if len(all) == 0 {
		return nil
	}
	one := *all[0]
	one.Parts = slices.Clone(one.Parts)
	for _, m := range all[1:] {
		one.ID += "+" + strings.TrimPrefix(m.ID, "ask-")
		one.Parts = append(one.Parts, m.Parts...)
	}
	return &one
}

// history is what was said, in order: the message that began the task, then questions and
// what was said to them. What asks now is not in it; that is the status.
func (w *following) history(reply chat.Reply, messages []said, open []parley.Request) (history, asks []*a2a.Message) {
	l := ledger{agents: w.Agents, info: w.place.info(), last: map[parley.ID]int{}, wrong: map[parley.ID]int{}, questions: map[parley.ID]parley.Request{}}
	first := a2a.NewMessageForTask(a2a.MessageRoleUser, l.info, a2a.NewTextPart(w.run.Text))
	first.ID = messageIDOf(w.run.Message)
	l.all = append(l.all, first)
	for _, q := range reply.Questions {
		if withheld(reply, q.ID) {
			continue
		}
		for len(messages) > 0 && messages[0].At.Before(q.Created) && l.knows(messages[0]) {
			l.said(messages[0])
			messages = messages[1:]
		}
		l.questions[q.ID] = q
		l.asked(q, "")
	}
	for _, s := range messages {
		l.said(s)
	}
	for _, q := range open {
		asks = append(asks, l.takeBack(q))
	}
	return slices.DeleteFunc(l.all, func(m *a2a.Message) bool { return m == nil }), asks
}

// ledger is a history as it is written.
type ledger struct {
	agents    *Agents
	info      a2a.TaskInfo
	all       []*a2a.Message
	questions map[parley.ID]parley.Request
	last      map[parley.ID]int // where a question was asked last, since it was answered last
	wrong     map[parley.ID]int // how many answers to it were none
}

// knows reports whether all that a message is about was asked.
func (l *ledger) knows(s said) bool {
	return !slices.ContainsFunc(s.Questions, func(id parley.ID) bool { return l.questions[id].ID == "" })
}

func (l *ledger) asked(q parley.Request, wrong string) {
	l.last[q.ID] = len(l.all)
	l.all = append(l.all, l.agents.ask(l.info, q, wrong, l.wrong[q.ID]))
}

// said takes a message, and asks again what it did not answer.
func (l *ledger) said(s said) {
	l.all = append(l.all, about(l.info, s.Message))
	wrong := s.Wrong
	for _, id := range s.Questions {
		delete(l.last, id)
		if q, known := l.questions[id]; known && s.Wrong != "" {
			l.wrong[id] = max(l.wrong[id]+1, s.Nth)
			l.asked(q, wrong)
			wrong = "" // it is said once
		}
	}
}

// takeBack takes the message that asks an open question out of the history.
func (l *ledger) takeBack(q parley.Request) *a2a.Message {
	at, asks := l.last[q.ID]
	if !asks { // it was answered, and that is not settled yet
		return l.agents.ask(l.info, q, "", l.wrong[q.ID])
	}
	m := l.all[at]
	l.all[at] = nil
	return m
}

// about is a message with its task, which its client may have left out.
func about(info a2a.TaskInfo, m *a2a.Message) *a2a.Message {
	whole := *m
	whole.TaskID, whole.ContextID = info.TaskID, info.ContextID
	return &whole
}

// maxRaw is how many bytes of images one answer may have.
const maxRaw = 4 << 20

// textArtifact names the artifact with all that the agent says.
func (w *following) textArtifact() a2a.ArtifactID { return a2a.ArtifactID("answer-" + w.place.run) }

// artifacts are what the run has brought: what the agent said, and the images and links of
// its results. Words that say why it failed are those of its status.
func (w *following) artifacts(ctx context.Context, reply chat.Reply) ([]*a2a.Artifact, error) {
	var all []*a2a.Artifact
	if reply.Text != "" && !w.lost() {
		all = append(all, &a2a.Artifact{ID: w.textArtifact(), Name: "answer", Parts: a2a.ContentParts{a2a.NewTextPart(reply.Text)}})
	}
	left := maxRaw
	for _, e := range reply.Content {
		found, err := w.contents(ctx, e, &left)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// contents are the images and links of a result. What delegates bring is theirs.
func (w *following) contents(ctx context.Context, e agent.Event, left *int) ([]*a2a.Artifact, error) {
	if e.Result == nil || e.Agent != "" {
		return nil, nil
	}
	var all []*a2a.Artifact
	for i, c := range e.Result.Content {
		part, err := w.content(ctx, c, left)
		if err != nil {
			return nil, err
		}
		if part == nil {
			continue
		}
		part.Filename = legible.Line(c.Name)
		id := a2a.ArtifactID(c.ID)
		if id == "" {
			id = a2a.ArtifactID(e.ID + "-" + string(rune('a'+i%26)))
		}
		name := c.Title
		if name == "" {
			name = c.Name
		}
		all = append(all, &a2a.Artifact{ID: id, Name: legible.Line(name), Description: legible.Prose(c.Description), Parts: a2a.ContentParts{part}})
	}
	return all, nil
}

// content is an image or a link as a part; nil: it leads nowhere.
func (w *following) content(ctx context.Context, c agent.Content, left *int) (*a2a.Part, error) {
	if c.Kind != agent.Image {
		if address := chat.WebAddress(c.URI); address != "" {
			return a2a.NewFileURLPart(a2a.URL(address), c.MIMEType), nil
		}
		return nil, nil
	}
	if *left -= c.Size; *left < 0 {
		return a2a.NewTextPart("(This image is left out: the task has too many.)"), nil
	}
	f, err := w.runtime.File(ctx, w.who, w.run.Ref.Conversation, c.ID)
	if errors.Is(err, parley.ErrNotFound) {
		return a2a.NewTextPart("(This image is no longer kept.)"), nil
	}
	if err != nil {
		return nil, err
	}
	part := a2a.NewRawPart(f.Data)
	part.MediaType = f.MIMEType
	return part, nil
}

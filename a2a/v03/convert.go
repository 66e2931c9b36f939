package v03

import (
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"
)

func messageOf(m *message) (*a2a.Message, error) {
	if m == nil {
		return nil, nil
	}
	parts, err := partsOf(m.Parts)
	if err != nil {
		return nil, err
	}
	role := a2a.MessageRole("ROLE_" + strings.ToUpper(m.Role))
	return &a2a.Message{
		ID: m.ID, ContextID: m.ContextID, TaskID: m.TaskID, Role: role, Parts: parts, Extensions: m.Extensions, ReferenceTasks: m.References, Metadata: m.Metadata,
	}, nil
}

func oldMessage(m *a2a.Message) *message {
	if m == nil {
		return nil
	}
	return &message{
		Kind: "message", ID: m.ID, ContextID: m.ContextID, TaskID: m.TaskID, Role: strings.ToLower(strings.TrimPrefix(string(m.Role), "ROLE_")),
		Parts: oldParts(m.Parts), Extensions: m.Extensions, References: m.ReferenceTasks, Metadata: m.Metadata,
	}
}

func statusOf(s status) (a2a.TaskStatus, error) {
	m, err := messageOf(s.Message)
	return a2a.TaskStatus{State: stateOf(s.State), Message: m, Timestamp: s.Timestamp}, err
}

func oldStatus(s a2a.TaskStatus) status {
	return status{State: stateName(s.State), Message: oldMessage(s.Message), Timestamp: s.Timestamp}
}

func artifactOf(a *artifact) (*a2a.Artifact, error) {
	if a == nil {
		return nil, fmt.Errorf("%w: there is no artifact", ErrMalformed)
	}
	parts, err := partsOf(a.Parts)
	return &a2a.Artifact{ID: a.ID, Name: a.Name, Description: a.Description, Parts: parts, Extensions: a.Extensions, Metadata: a.Metadata}, err
}

func oldArtifact(a *a2a.Artifact) *artifact {
	return &artifact{ID: a.ID, Name: a.Name, Description: a.Description, Parts: oldParts(a.Parts), Extensions: a.Extensions, Metadata: a.Metadata}
}

// Final reports whether an update to a state is the last of its stream: the task has ended,
// or waits for a message.
func Final(s a2a.TaskState) bool { return s.Terminal() || s == a2a.TaskStateInputRequired }

// Event is a task, a message or an update as 0.3 writes it.
func Event(e a2a.Event) (any, error) {
	switch e := e.(type) {
	case *a2a.Message:
		return oldMessage(e), nil
	case *a2a.Task:
		t := &task{Kind: "task", ID: e.ID, ContextID: e.ContextID, Status: oldStatus(e.Status), Metadata: e.Metadata}
		for _, m := range e.History {
			t.History = append(t.History, oldMessage(m))
		}
		for _, a := range e.Artifacts {
			t.Artifacts = append(t.Artifacts, oldArtifact(a))
		}
		return t, nil
	case *a2a.TaskStatusUpdateEvent:
		return &statusUpdate{Kind: "status-update", TaskID: e.TaskID, ContextID: e.ContextID, Status: oldStatus(e.Status), Final: Final(e.Status.State), Metadata: e.Metadata}, nil
	case *a2a.TaskArtifactUpdateEvent:
		return &artifactUpdate{
			Kind: "artifact-update", TaskID: e.TaskID, ContextID: e.ContextID, Artifact: oldArtifact(e.Artifact), Append: e.Append, LastChunk: e.LastChunk, Metadata: e.Metadata,
		}, nil
	}
	return nil, fmt.Errorf("%w: an event %T", ErrMalformed, e)
}

// ReadEvent reads what Event writes.
func ReadEvent(raw []byte) (a2a.Event, error) {
	kind, err := read[struct {
		Kind string `json:"kind"`
	}](raw)
	if err != nil {
		return nil, err
	}
	switch kind.Kind {
	case "message":
		m, err := read[*message](raw)
		if err != nil {
			return nil, err
		}
		return messageOf(m)
	case "task":
		return readTask(raw)
	case "status-update":
		u, err := read[statusUpdate](raw)
		if err != nil {
			return nil, err
		}
		s, err := statusOf(u.Status)
		return &a2a.TaskStatusUpdateEvent{TaskID: u.TaskID, ContextID: u.ContextID, Status: s, Metadata: u.Metadata}, err
	case "artifact-update":
		u, err := read[artifactUpdate](raw)
		if err != nil {
			return nil, err
		}
		a, err := artifactOf(u.Artifact)
		return &a2a.TaskArtifactUpdateEvent{TaskID: u.TaskID, ContextID: u.ContextID, Artifact: a, Append: u.Append, LastChunk: u.LastChunk, Metadata: u.Metadata}, err
	}
	return nil, fmt.Errorf("%w: an event of kind %.20q", ErrMalformed, kind.Kind)
}

func readTask(raw []byte) (*a2a.Task, error) {
	t, err := read[task](raw)
	if err != nil {
		return nil, err
	}
	whole := &a2a.Task{ID: t.ID, ContextID: t.ContextID, Metadata: t.Metadata}
	if whole.Status, err = statusOf(t.Status); err != nil {
		return nil, err
	}
	for _, m := range t.History {
		one, err := messageOf(m)
		if err != nil {
			return nil, err
		}
		whole.History = append(whole.History, one)
	}
	for _, a := range t.Artifacts {
		one, err := artifactOf(a)
		if err != nil {
			return nil, err
		}
		whole.Artifacts = append(whole.Artifacts, one)
	}
	return whole, nil
}

// ReadSend reads the parameters of Send and Stream.
func ReadSend(raw []byte) (*a2a.SendMessageRequest, error) {
	s, err := read[send](raw)
	if err != nil {
		return nil, err
	}
	req := &a2a.SendMessageRequest{Metadata: s.Meta}
	if req.Message, err = messageOf(s.Message); err != nil {
		return nil, err
	}
	if c := s.Config; c != nil {
		req.Config = &a2a.SendMessageConfig{AcceptedOutputModes: c.Modes, HistoryLength: c.HistoryLength, ReturnImmediately: c.Blocking != nil && !*c.Blocking}
		if c.Push != nil {
			req.Config.PushConfig = pushOf(taskPush{Config: *c.Push})
		}
	}
	return req, nil
}

// SendParams are what ReadSend reads.
func SendParams(req *a2a.SendMessageRequest) any {
	s := &send{Message: oldMessage(req.Message), Meta: req.Metadata}
	if c := req.Config; c != nil {
		blocking := !c.ReturnImmediately
		s.Config = &sendConfig{Modes: c.AcceptedOutputModes, Blocking: &blocking, HistoryLength: c.HistoryLength}
		if c.PushConfig != nil {
			s.Config.Push = &oldPush(c.PushConfig).Config
		}
	}
	return s
}

func pushOf(p taskPush) *a2a.PushConfig {
	c := &a2a.PushConfig{TaskID: p.TaskID, ID: p.Config.ID, URL: p.Config.URL, Token: p.Config.Token}
	if auth := p.Config.Auth; auth != nil {
		c.Auth = &a2a.PushAuthInfo{Credentials: auth.Credentials}
		if len(auth.Schemes) > 0 {
			c.Auth.Scheme = auth.Schemes[0]
		}
	}
	return c
}

func oldPush(c *a2a.PushConfig) *taskPush {
	p := &taskPush{TaskID: c.TaskID, Config: pushConfig{ID: c.ID, URL: c.URL, Token: c.Token}}
	if c.Auth != nil {
		p.Config.Auth = &pushAuth{Schemes: []string{c.Auth.Scheme}, Credentials: c.Auth.Credentials}
	}
	return p
}

// PushConfig is a configuration with its task as 0.3 writes it, ReadPushConfig reads one.
func PushConfig(c *a2a.PushConfig) any { return oldPush(c) }

// ReadPushConfig reads what PushConfig writes.
func ReadPushConfig(raw []byte) (*a2a.PushConfig, error) {
	p, err := read[taskPush](raw)
	if err != nil {
		return nil, err
	}
	return pushOf(p), nil
}

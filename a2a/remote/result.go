package remote

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

// How much of what an agent brings is taken.
const (
	maxArtifacts = 64
	maxParts     = 256
)

// pieces is what has been read of a task's result.
type pieces struct {
	text       []string
	content    []agent.Content
	structured json.RawMessage
	data       int
	parts      int
}

func (p *pieces) add(parts a2a.ContentParts) {
	for _, part := range parts {
		if p.parts++; part == nil || p.parts > maxParts {
			continue
		}
		switch v := part.Content.(type) {
		case a2a.Text:
			p.say(string(v))
		case a2a.Data:
			raw, err := json.Marshal(v.Value)
			if err != nil {
				continue
			}
			p.data++
			p.structured = raw
			p.say(string(raw))
		case a2a.URL:
			p.say(string(v))
			p.content = append(p.content, agent.Content{Kind: agent.Link, URI: string(v), Name: part.Filename, MIMEType: part.MediaType})
		case a2a.Raw:
			if strings.HasPrefix(part.MediaType, "image/") {
				p.say(fmt.Sprintf("(an image, %.60s)", part.MediaType))
				p.content = append(p.content, agent.Content{Kind: agent.Image, MIMEType: part.MediaType, Data: v, Name: part.Filename})
				continue
			}
			p.say(fmt.Sprintf("(The file %.100s, %.60s: its bytes are not passed on.)", part.Filename, part.MediaType))
			p.content = append(p.content, agent.Content{Kind: agent.Resource, Name: part.Filename, MIMEType: part.MediaType, Size: len(v)})
		}
	}
}

func (p *pieces) say(text string) {
	if text != "" {
		p.text = append(p.text, text)
	}
}

func (p *pieces) result() agent.Result {
	r := agent.Result{Text: strings.Join(p.text, "\n"), Content: p.content}
	if p.parts > maxParts {
		r.Text += fmt.Sprintf("\n(There is more: %d parts are taken.)", maxParts)
	}
	if p.data == 1 && len(p.structured) > 0 && p.structured[0] == '{' {
		r.Structured = p.structured
	}
	return r
}

// ofTask is what came of a task that has ended: what it says last, and all that it
// made.
func (r *Remote) ofTask(t *a2a.Task) agent.Result {
	var p pieces
	if m := t.Status.Message; m != nil {
		p.add(m.Parts)
	}
	for i, artifact := range t.Artifacts {
		if artifact == nil || i >= maxArtifacts {
			continue
		}
		p.add(artifact.Parts)
	}
	if n := len(t.History); p.parts == 0 && n > 0 && t.Status.State == a2a.TaskStateCompleted {
		// What it said last, unless that is a question of before.
		if m := t.History[n-1]; m != nil && m.Role == a2a.MessageRoleAgent && !slices.Contains(m.Extensions, elicitation.URI) {
			p.add(m.Parts)
		}
	}
	result := p.result()
	how := map[a2a.TaskState]string{
		a2a.TaskStateFailed: "could not do it", a2a.TaskStateRejected: "refused the task", a2a.TaskStateCanceled: "did not finish: the task was cancelled there",
	}[t.Status.State]
	switch {
	case how != "":
		result.Failed = true
		result.Text = strings.TrimSuffix(r.opts.Title+" "+how+". "+result.Text, " ")
	case result.Text == "" && len(result.Content) == 0:
		result.Text = "(" + r.opts.Title + " finished without an answer.)"
	}
	return result
}

// ofMessage is an answer without a task.
func (r *Remote) ofMessage(m *a2a.Message) agent.Result {
	return r.ofTask(&a2a.Task{Status: a2a.TaskStatus{State: a2a.TaskStateCompleted, Message: m}})
}

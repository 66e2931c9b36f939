package a2a

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
)

// shown is a question as clients see it. What only a person may decide, signed in, is a
// link to its page.
func (a *Agents) shown(q parley.Request) elicitation.Question {
	s := elicitation.Question{
		ID: string(q.ID), Mode: elicitation.Form, Message: cmp.Or(q.Message, "(no message)"), From: q.Service(), RequestedSchema: q.Schema, ExpiresAt: q.Expires,
	}
	switch {
	case q.Trigger == parley.TriggerApproval, q.OnlyTells(), q.Labels[parley.LabelBrief] != "", q.Labels[parley.LabelPerson] != "":
		s.Mode, s.RequestedSchema = elicitation.URL, nil
		s.URL, s.SettledBy = a.opts.PublicURL+"/answer/"+string(q.ID), elicitation.SettledByPage
		s.Message = cmp.Or(q.Labels[parley.LabelBrief], s.Message)
	case q.Mode == parley.URL:
		s.Mode, s.RequestedSchema = elicitation.URL, nil
		var page bool
		if s.URL, _, page = chat.Leads(&q, a.opts.PublicURL); page || q.Trigger == parley.TriggerCredential {
			s.SettledBy = elicitation.SettledByPage
		}
	case len(s.RequestedSchema) == 0:
		s.RequestedSchema = []byte(`{"type":"object","properties":{}}`)
	}
	return s
}

// stateOf is how a task is interrupted by its questions: a form waits for a message, what
// leads to a page may be settled without one.
func (a *Agents) stateOf(open []parley.Request) a2a.TaskState {
	for _, q := range open {
		if a.shown(q).Mode == elicitation.Form {
			return a2a.TaskStateInputRequired
		}
	}
	return a2a.TaskStateAuthRequired
}

// ask is the message that asks a question, in words and as data. wrong is what was wrong
// with the answer before, of which there were so many.
func (a *Agents) ask(task a2a.TaskInfo, q parley.Request, wrong string, before int) *a2a.Message {
	s := a.shown(q)
	worded := q
	worded.Message = s.Message
	m := a2a.NewMessageForTask(a2a.MessageRoleAgent, task, a2a.NewTextPart(sentence(s, worded.Text(), wrong)))
	m.ID = "ask-" + string(q.ID)
	if before > 0 {
		m.ID = fmt.Sprintf("%s-%d", m.ID, before)
	}
	elicitation.Ask(m, s)
	return m
}

// sentence is a question for people: what was wrong before, who asks what, and what to do
// about it.
func sentence(q elicitation.Question, asked, wrong string) string {
	var all []string
	if wrong != "" {
		all = append(all, wrong)
	}
	all = append(all, asked)
	switch {
	case q.Mode == elicitation.URL && confirms(q):
		all = append(all, "The person for whom you act goes to "+q.URL+"\nSay \"done\" once they have been there.")
	case q.Mode == elicitation.URL && q.URL != "":
		all = append(all, "The person for whom you act goes to "+q.URL)
	case confirms(q):
		all = append(all, "Say \"done\" to confirm.")
	case q.Mode == elicitation.Form:
		if fields, err := fieldsOf(q); err == nil {
			all = append(all, fieldList(fields))
		}
	}
	return strings.Join(all, "\n\n")
}

// fieldList says what a form wants, for clients that show nothing but text.
func fieldList(fields []form.Field) string {
	var lines []string
	for _, f := range fields {
		line := "- " + legible.Line(f.Label())
		if f.Label() != f.Name {
			line += " (" + legible.Line(f.Name) + ")"
		}
		if len(f.Options) > 0 && len(f.Options) <= 20 {
			var options []string
			for _, o := range f.Options {
				options = append(options, legible.Line(o.Label()))
			}
			line += ": " + strings.Join(options, ", ")
		} else {
			line += ": " + string(f.Kind)
		}
		if !f.Required {
			line += ", may be left out"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

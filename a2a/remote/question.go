package remote

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/mcpclient"
)

// want is something that an agent asks for.
type want struct {
	kind    kind
	what    subject
	request parley.Request
}

// The forms of what is asked without one.
const (
	textSchema = `{"type":"object","properties":{"answer":{"type":"string","title":"Your answer","minLength":1}},"required":["answer"]}`
	doneSchema = `{"type":"object","properties":{}}`
)

// settledBy is the label of a question that no visit answers: see package agent.
const settledBy = "settled_by"

// soonest is up to when the other side's own end of a question is heeded: those that
// stay open longer end as ours do.
const soonest = 10 * time.Minute

var errForeignPage = errors.New("it sends people to pages that are not its own")

// wants reads what a status asks for. A question that is not as the extension says
// is one in words all the same: none is dropped.
func (r *Remote) wants(s a2a.TaskStatus) ([]want, error) {
	questions, err := elicitation.Questions(s.Message)
	if err != nil || len(questions) == 0 {
		w, err := r.inWords(s)
		return []want{w}, err
	}
	var all []want
	for _, q := range questions {
		w := want{kind: byForm, what: subject{Elicitation: q.ID}, request: r.question(q.Message)}
		if title := r.title(q.From); title != "" {
			w.request.Labels[parley.LabelTitle] = title
		}
		switch {
		case q.Mode == elicitation.URL && q.SettledBy == elicitation.SettledByPage:
			w.kind, w.request.Mode, w.request.URL = byPage, parley.URL, q.URL
			w.request.Labels[settledBy] = "page"
		case q.Mode == elicitation.URL:
			w.kind, w.request.Mode, w.request.URL = byURL, parley.URL, q.URL
		default:
			w.request.Schema = q.RequestedSchema
		}
		if until := time.Until(q.ExpiresAt); until > 0 && until < soonest {
			w.request.Expires = q.ExpiresAt.Truncate(time.Millisecond)
		}
		if err := r.showable(w.request); err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// question is one in the agent's name.
func (r *Remote) question(message string) parley.Request {
	return parley.Request{From: r.opts.Name, Message: message, Trigger: parley.TriggerA2A, Mode: parley.Form, Labels: map[string]string{}}
}

// showable says why a question cannot be shown to anybody.
func (r *Remote) showable(q parley.Request) error {
	if q.Mode == parley.URL && mcpclient.SameSite(q.URL, r.opts.PublicURL) && !mcpclient.SameSite(r.opts.URL, r.opts.PublicURL) {
		return errForeignPage
	}
	return r.opts.Hub.Valid(q)
}

// address finds the first address in a text.
var address = regexp.MustCompile(`https?://[^\s<>"'` + "`" + `\x{00a0}]+`)

// inWords is what an agent asks that does not speak the extension: a text to answer
// by a text, or something to do elsewhere.
func (r *Remote) inWords(s a2a.TaskStatus) (want, error) {
	text, links := words(s.Message)
	w := want{kind: byText, what: subject{Status: digest(s)}, request: r.question(text)}
	w.request.Schema = json.RawMessage(textSchema)
	if s.State == a2a.TaskStateAuthRequired {
		w.kind, w.request.Schema = byWord, json.RawMessage(doneSchema)
		if found := strings.TrimRight(address.FindString(text), ".,;:!?)]}"); found != "" {
			links = append(links, found)
		}
		if len(links) > 0 {
			there := w.request
			there.Mode, there.URL, there.Schema = parley.URL, links[0], nil
			err := r.showable(there)
			if errors.Is(err, errForeignPage) {
				return w, err
			}
			if err == nil { // else the person reads where it is
				w.kind, w.request = byURL, there
			}
		}
	}
	if w.kind == byWord { // the person's own word: no program and no model says it for them
		w.request.Trigger = parley.TriggerApproval
	}
	if text == "" {
		w.request.Message = "It needs something of yours to go on, and does not say what."
		if s.State == a2a.TaskStateAuthRequired {
			w.request.Message = "It needs you to authorize something, and does not say what. Confirm when you have done so."
		}
	}
	return w, r.showable(w.request)
}

// words is a message for people, and the addresses that are parts of it. Data is
// shown as it is: there may be the question in it.
func words(m *a2a.Message) (text string, links []string) {
	if m == nil {
		return "", nil
	}
	var lines []string
	for _, p := range m.Parts {
		if p == nil {
			continue
		}
		switch v := p.Content.(type) {
		case a2a.Text:
			lines = append(lines, string(v))
		case a2a.URL:
			lines = append(lines, string(v))
			links = append(links, string(v))
		case a2a.Data:
			if raw, err := json.Marshal(v.Value); err == nil {
				lines = append(lines, string(raw))
			}
		case a2a.Raw:
			lines = append(lines, fmt.Sprintf("(A file, %.100s: it is not passed on.)", p.Filename))
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n")), links
}

// stands reports whether a task still waits for what was asked.
func stands(what subject, s a2a.TaskStatus) bool {
	if !interrupted(s.State) {
		return false
	}
	if what.Elicitation == "" {
		return what.Status == digest(s)
	}
	questions, err := elicitation.Questions(s.Message)
	if err != nil {
		return false
	}
	for _, q := range questions {
		if q.ID == what.Elicitation {
			return true
		}
	}
	return false
}

// How answers are said in words.
const (
	saidDone     = "Done."
	saidDeclined = "The user declined."
)

// reply adds an answer to a message. It is false where no message says this: the task
// has to be cancelled.
func reply(m *a2a.Message, q asked, o parley.Outcome) bool {
	if q.What.Elicitation != "" {
		a := elicitation.Answer{ID: q.What.Elicitation, Action: elicitation.Cancel}
		switch o.Action {
		case parley.Accept:
			a.Action, a.Content = elicitation.Accept, o.Content
			if q.Kind == byURL {
				a.Content = nil
			}
		case parley.Decline:
			a.Action = elicitation.Decline
		}
		elicitation.Reply(m, a)
		return true
	}
	text := saidDone
	switch {
	case o.Action == parley.Decline:
		text = saidDeclined
	case o.Action != parley.Accept:
		return false
	case q.Kind == byText:
		var given struct {
			Answer string `json:"answer"`
		}
		_ = json.Unmarshal(o.Content, &given) // the hub has checked it
		text = given.Answer
	}
	m.Parts = append(m.Parts, a2a.NewTextPart(text))
	return true
}

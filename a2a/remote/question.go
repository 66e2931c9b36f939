package remote

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/outbound"
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

var (
	errForeignPage = errors.New("it sends people to pages that are not its own")
	errNoForm      = errors.New("it asks by a form that cannot be shown")
	errSecret      = errors.New("it asks for a password or a key in a form, where the programs in between read it")
)

// wants reads what a status asks for. A question that is not as the extension says
// is one in words all the same: none is dropped. One with a form is not: what its fields
// ask for is not known, and it may be a password.
func (r *Remote) wants(s a2a.TaskStatus) ([]want, error) {
	questions, err := elicitation.Questions(s.Message)
	if err != nil && hasForm(s.Message) {
		return nil, fmt.Errorf("%w: %w", errNoForm, err)
	}
	if err != nil || len(questions) == 0 {
		w, err := r.inWords(s)
		return []want{w}, err
	}
	var all []want
	for _, q := range questions {
		w := want{kind: byForm, what: subject{Elicitation: q.ID, Shown: shown(q)}, request: r.question(q.Message)}
		if title := r.title(q.From); title != "" {
			w.request.Labels[parley.LabelTitle] = title
		}
		switch {
		case q.Mode == elicitation.URL && q.SettledBy != "": // by whomever: not by us
			w.kind, w.request.Mode, w.request.URL = byPage, parley.URL, q.URL
			w.request.Labels[settledBy] = "page"
		case q.Mode == elicitation.URL:
			w.kind, w.request.Mode, w.request.URL = byURL, parley.URL, q.URL
		default:
			w.request.Schema = q.RequestedSchema
			if s.State == a2a.TaskStateAuthRequired {
				w.request.Labels[parley.LabelPerson] = "only"
			}
		}
		if until := time.Until(q.ExpiresAt); until > 0 && until < soonest {
			w.request.Expires = q.ExpiresAt.Truncate(time.Millisecond)
		}
		if q.Secret != "" {
			return nil, fmt.Errorf("%w (%.100q)", errSecret, q.Secret)
		}
		if err := r.showable(w.request); err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// hasForm reports whether a message has a form in its data, well made or not.
func hasForm(m *a2a.Message) bool {
	return slices.ContainsFunc(m.Parts, func(p *a2a.Part) bool {
		if p == nil {
			return false
		}
		data, _ := p.Content.(a2a.Data)
		raw, err := json.Marshal(data.Value)
		var found struct {
			Mode   any             `json:"mode"`
			Schema json.RawMessage `json:"requestedSchema"`
		}
		return err == nil && json.Unmarshal(raw, &found) == nil && (found.Mode == string(elicitation.Form) || found.Schema != nil)
	})
}

// question is one in the agent's name. Links in its words to our own pages are left out of
// them: surfaces make links of words, and people trust what they see there to be ours.
func (r *Remote) question(message string) parley.Request {
	message = address.ReplaceAllStringFunc(message, func(link string) string {
		if r.ours(link) {
			return "(a link that may lead to these pages is left out)"
		}
		return link
	})
	return parley.Request{From: r.opts.Name, Message: message, Trigger: parley.TriggerA2A, Mode: parley.Form, Labels: map[string]string{}}
}

// showable says why a question cannot be shown to anybody.
func (r *Remote) showable(q parley.Request) error {
	if q.Mode == parley.URL {
		if err := r.astray(q.URL); err != nil {
			return err
		}
	}
	return r.opts.Hub.Valid(q)
}

// astray says why nobody may be led where a link of the agent's leads: to our own pages,
// where the agent is not itself, or not where it looks like.
func (r *Remote) astray(link string) error {
	to, err := outbound.LinkOf(link)
	if err == nil {
		link = "https://" + to.Host
	}
	if mcpclient.SameSite(link, r.opts.PublicURL) && !mcpclient.SameSite(r.opts.URL, r.opts.PublicURL) {
		return errForeignPage
	}
	return err
}

// ours reports whether a link leads to our own pages, and the agent is not there itself;
// or may be read by a browser as one that does.
func (r *Remote) ours(link string) bool {
	err := r.astray(link)
	u, unread := url.Parse(link)
	return errors.Is(err, errForeignPage) ||
		err != nil && unread == nil && strings.ContainsFunc(u.Host, func(c rune) bool { return c > unicode.MaxASCII })
}

// address finds the addresses in a text.
var address = regexp.MustCompile(`(?i:https?)://[^\s<>"'` + "`" + `\x{00a0}]+`)

// inWords is what an agent asks that does not speak the extension: a text to answer
// by a text, or something to do elsewhere.
func (r *Remote) inWords(s a2a.TaskStatus) (want, error) {
	text, links := words(s.Message)
	w := want{kind: byText, what: inWords(s), request: r.question(text)}
	w.request.Schema = json.RawMessage(textSchema)
	if s.State == a2a.TaskStateAuthRequired {
		w.kind, w.request.Schema = byWord, json.RawMessage(doneSchema)
		for _, found := range address.FindAllString(text, -1) {
			links = append(links, strings.TrimRight(found, ".,;:!?)]}"))
		}
		if at := slices.IndexFunc(links, r.ours); at >= 0 {
			return w, r.astray(links[at])
		}
		if len(links) > 0 {
			there := w.request
			there.Mode, there.URL, there.Schema = parley.URL, links[0], nil
			if r.showable(there) == nil { // else the person reads where it is
				w.kind, w.request = byURL, there
				w.request.Labels[parley.LabelPerson] = "only"
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

// stands reports whether a task still waits for what was asked, in the same words: an
// answer to others is none.
func stands(what subject, s a2a.TaskStatus) bool { return among(s, what.covers) }

// lasts reports whether a task still waits for what was asked, in whatever words.
func lasts(what subject, s a2a.TaskStatus) bool { return among(s, what.same) }

// among reports whether one of the questions of a status is meant.
func among(s a2a.TaskStatus, meant func(subject) bool) bool {
	if !interrupted(s.State) {
		return false
	}
	if meant(inWords(s)) {
		return true
	}
	questions, err := elicitation.Questions(s.Message)
	return err == nil && slices.ContainsFunc(questions, func(q elicitation.Question) bool {
		return meant(subject{Elicitation: q.ID, Shown: shown(q)})
	})
}

// shown is a digest of what people are shown of a question, and asked for by it.
func shown(q elicitation.Question) string {
	hash := sha256.New()
	for _, part := range []string{string(q.Mode), q.Message, string(q.RequestedSchema), q.URL, q.SettledBy, q.From} {
		fmt.Fprintf(hash, "%d:%s", len(part), part)
	}
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:18])
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

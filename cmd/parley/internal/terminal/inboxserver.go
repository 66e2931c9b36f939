package terminal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/sse"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/permit"
)

// elicitation is a question as the management API has it.
type elicitation struct {
	ID      string            `json:"id"`
	State   string            `json:"state"`
	To      string            `json:"to"`
	Group   string            `json:"group"` // in place of To
	From    string            `json:"from"`
	Mode    string            `json:"mode"`
	Message string            `json:"message"`
	Schema  json.RawMessage   `json:"requested_schema"`
	URL     string            `json:"url"`
	Trigger string            `json:"trigger"`
	Labels  map[string]string `json:"labels"`
	Created time.Time         `json:"created_at"`
	Expires time.Time         `json:"expires_at"`
	Outcome *ending           `json:"outcome"`

	Approvers *panel `json:"approvers"` // of one question alone, not in lists

	raw json.RawMessage // all of it
}

func (e *elicitation) UnmarshalJSON(data []byte) error {
	type plain elicitation
	if err := json.Unmarshal(data, (*plain)(e)); err != nil {
		return err
	}
	e.raw = append(e.raw[:0], data...)
	return nil
}

// asked is the question as forms ask it.
func (e elicitation) asked() question {
	q := question{ID: e.ID, Mode: e.Mode, Message: e.Message, URL: e.URL, Schema: e.Schema, Expires: e.Expires, Outcome: e.Outcome}
	q.Context.Service, q.Context.Title, q.Context.Trigger = e.From, e.Labels[parley.LabelTitle], e.Trigger
	q.Context.SettledBy = e.Labels["settled_by"]
	return q
}

// of is whose question it is, where that is somebody else's: who manages a tenant is shown
// those of all. It is empty where it is the person's, or nobody knows who that is.
func (e elicitation) of(s *service) string {
	switch {
	case e.Group != "":
		return "the group " + cut(word(e.Group), 60)
	case s.user == "" || s.token != "" && !s.loggedIn || e.To == s.user:
		return ""
	}
	return cut(word(e.To), 60)
}

const tableHead = "  #  age  from              message"

// line is a question as the table has it.
func (r *row) line() string {
	return fmt.Sprintf("%3d  %-3s  %-16s  %s\n     %s", r.number, age(time.Since(r.Created)), cut(r.asked().service(), 16), r.about(), word(r.ID))
}

// about is a question in some words. The first line of every approval is the same: the
// words are those of notifications, with the tool and whose call it is, and what it is
// called with; of an action its title. A call of the person's own that waits for others
// is marked.
func (e elicitation) about() string {
	first, _, _ := strings.Cut(strings.TrimSpace(e.Message), "\n")
	first = legible.Line(first)
	tool := e.Labels[permit.LabelTool]
	switch {
	case e.OnlyTells():
		first = fmt.Sprintf("others decide (%s): %s", cut(legible.Line(tool), 30), first)
	case e.Trigger == parley.TriggerApproval && tool != "":
		first = notify.Title(parley.Request{Trigger: e.Trigger, Labels: e.Labels})
	case e.Trigger == parley.TriggerApproval:
		return cut(first+e.after("\nAction: ", "\n"), 150)
	default:
		return cut(first, 90)
	}
	if e.Labels[parley.LabelBrief] != "" { // too much to begin with
		return cut(first, 90)
	}
	return cut(first, 90) + cut(e.after("\nArguments:", ""), 60)
}

// after is what stands in our own message between two texts, on one line, behind a space.
// Names in front of the first have no line breaks.
func (e elicitation) after(begin, end string) string {
	_, text, _ := strings.Cut(e.Message, begin)
	if end != "" {
		text, _, _ = strings.Cut(text, end)
	}
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return ""
	}
	return " " + legible.Line(text)
}

// age is a time as one says it.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// cut shortens a text that is clean.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// own narrows a list to the person's own questions: who manages a tenant is shown
// those of all otherwise.
func (s *service) own(query url.Values) string {
	if s.user != "" {
		query.Set("user", s.user)
	}
	return query.Encode()
}

// What is read of a long list.
const (
	pageSize  = 200
	mostPages = 5
	maxReply  = 32 << 20
)

// open returns the open questions, the newest first, and whether there are more.
func (s *service) open(ctx context.Context) (all []elicitation, more bool, err error) {
	cursor := ""
	for range mostPages {
		query := url.Values{"state": {"pending"}, "limit": {fmt.Sprint(pageSize)}}
		if cursor != "" {
			query.Set("cursor", cursor)
		}
		var page struct {
			Items []elicitation `json:"items"`
			Next  string        `json:"next_cursor"`
		}
		if err := s.read(ctx, "/api/elicitations?"+s.own(query), &page); err != nil {
			return nil, false, err
		}
		all = append(all, page.Items...)
		if cursor = page.Next; cursor == "" {
			return all, false, nil
		}
	}
	return all, true, nil
}

func (s *service) read(ctx context.Context, path string, into any) error {
	answer, err := s.do(ctx, http.MethodGet, path, nil)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	return json.NewDecoder(io.LimitReader(answer.Body, maxReply)).Decode(into)
}

// question returns one question of the person's.
func (s *service) question(ctx context.Context, id string) (e elicitation, err error) {
	err = s.read(ctx, "/api/elicitations/"+url.PathEscape(id), &e)
	var refused *refusal
	if errors.As(err, &refused) && refused.status == http.StatusNotFound {
		err = fmt.Errorf("there is no question %s for you at %s; parley inbox lists those that are open", word(id), s.base)
	}
	return e, err
}

// lookEvery is how often the server is told that somebody looks at their questions: it
// believes that for half a minute.
const lookEvery = 20 * time.Second

// looking tells the server that the person sees their questions, so that it notifies
// them of none. One that notifies nobody does not want to know.
func (s *service) looking(ctx context.Context) {
	for {
		if answer, err := s.do(ctx, http.MethodPost, "/api/me/looking", struct{}{}); err == nil {
			answer.Body.Close()
		}
		if !patience.Sleep(ctx, lookEvery) {
			return
		}
	}
}

// happened is a question that is new or settled, the list anew, or why nothing more
// is told.
type happened struct {
	one  elicitation
	list *[]elicitation
	more bool
	err  error
}

// followInbox tells what happens to the person's questions. A connection that is lost
// is made again, and what was missed is read.
func (s *service) followInbox(ctx context.Context, tell chan<- happened) {
	hand := func(h happened) bool {
		select {
		case tell <- h:
			return true
		case <-ctx.Done():
			return false
		}
	}
	for pause := time.Duration(0); patience.Sleep(ctx, pause); pause = min(max(2*pause, 250*time.Millisecond), maxPause) {
		answer, err := s.do(ctx, http.MethodGet, "/api/elicitations/events?"+s.own(url.Values{}), nil)
		var refused *refusal
		switch {
		case errors.As(err, &refused) && refused.status < http.StatusInternalServerError && refused.status != http.StatusTooManyRequests:
			hand(happened{err: refused})
			return
		case err != nil:
			continue
		}
		pause = 0
		if !s.readEvents(ctx, answer.Body, hand) {
			return
		}
	}
}

// readEvents reports whether there is somebody who wants to be told more.
func (s *service) readEvents(ctx context.Context, body io.ReadCloser, hand func(happened) bool) bool {
	defer body.Close()
	events := sse.NewEvents(body, maxReply)
	events.Named = true
	defer events.Free()
	for {
		data, err := events.Next()
		if err != nil {
			return ctx.Err() == nil
		}
		var h happened
		switch events.Name {
		case "elicitation":
			if json.Unmarshal(data, &h.one) != nil {
				continue // a newer server's: not for us
			}
		case "reload":
			list, more, err := s.open(ctx)
			if err != nil {
				return ctx.Err() == nil
			}
			h.list, h.more = &list, more
		default:
			continue
		}
		if !hand(h) {
			return false
		}
	}
}

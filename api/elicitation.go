package api

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/permit"
)

// elicitationWire is a question as it is shown.
type elicitationWire struct {
	ID        string            `json:"id"`
	State     string            `json:"state" enum:"pending,settled"`
	To        string            `json:"to,omitempty" doc:"The person who may answer, or the kind of session where nobody is known."`
	Group     string            `json:"group,omitempty" doc:"The group of which some may answer, instead of to."`
	Need      int               `json:"need,omitempty" doc:"Of a group: how many."`
	From      string            `json:"from,omitempty" doc:"The service that asks; show it in front of the message."`
	Mode      string            `json:"mode" enum:"form,url"`
	Message   string            `json:"message"`
	Schema    json.RawMessage   `json:"requested_schema,omitempty" doc:"Mode form: what is asked for, as a flat JSON schema."`
	URL       string            `json:"url,omitempty" doc:"Mode url: where the person goes. Only that person is told, and the program that asks."`
	AnswerURL string            `json:"answer_url,omitempty" doc:"For the program that asked: the page where the person answers."`
	Trigger   string            `json:"trigger"`
	Session   string            `json:"session,omitempty" doc:"The conversation. Only the person who is asked is told."`
	Labels    map[string]string `json:"labels,omitempty"`
	CreatedAt time.Time         `json:"created_at"`
	ExpiresAt time.Time         `json:"expires_at"`
	Approvers *panelWire        `json:"approvers,omitempty" doc:"Whom the call waits for, while it does. Only the person whose call it is is told, and not in lists."`
	Outcome   *outcomeWire      `json:"outcome,omitempty"`

	waitsFor []parley.ID // the questions to those approvers who have said nothing yet
}

type outcomeWire struct {
	Action         string          `json:"action" enum:"accept,decline,cancel,expire"`
	Decision       string          `json:"decision,omitempty" enum:"allow_once,always_allow,deny,changed,asked_back" doc:"Of an approval: what was decided. An approval that was denied was answered, so its action is accept."`
	Final          string          `json:"final,omitempty" enum:"allow,deny" doc:"Of an approval that one of several gave: what came of it in the end, once that is decided and as long as it is known. deny also when too few answered."`
	By             string          `json:"by,omitempty"`
	Via            string          `json:"via,omitempty"`
	Reason         string          `json:"reason,omitempty"`
	At             time.Time       `json:"at"`
	Content        json.RawMessage `json:"content,omitempty" doc:"What was answered. It is private: only the person who was asked is told, and the program that asked."`
	ContentPrivate bool            `json:"content_private,omitempty" doc:"There is an answer, and it is somebody else's."`
	Answers        []answerWire    `json:"answers,omitempty" doc:"Of a group of which several are needed: the answers that count, in their order. Only the program that asked is told."`
}

// answerWire is what one of a group answered.
type answerWire struct {
	Decision string          `json:"decision,omitempty" enum:"allow_once,always_allow,deny,changed,asked_back"`
	By       string          `json:"by"`
	Via      string          `json:"via,omitempty"`
	At       time.Time       `json:"at"`
	Content  json.RawMessage `json:"content,omitempty"`
}

type elicitationsWire struct {
	Items      []elicitationWire `json:"items" nullable:"false"`
	NextCursor string            `json:"next_cursor,omitempty" doc:"For the next page. A page may be short and still have one."`
}

type elicitationQuery struct {
	State  string `query:"state" enum:"pending,settled"`
	User   string `query:"user" maxLength:"512" doc:"Whose. Default: your own; for administrators those of the tenant."`
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"50"`
	Cursor string `query:"cursor" maxLength:"64" doc:"next_cursor of the page before."`
}

type identified struct {
	ID string `path:"id" maxLength:"64"`
}

func (a *API) elicitationRoutes(to *huma.OpenAPI) {
	const tag = "elicitations"
	add(a, to, operation{
		id: "list-elicitations", tag: tag, summary: "Questions, newest first", method: http.MethodGet, path: "/api/elicitations", who: everybody,
	}, a.listElicitations)
	add(a, to, operation{
		id: "get-elicitation", tag: tag, summary: "One question", method: http.MethodGet, path: "/api/elicitations/{id}", who: askers,
		about:  "With wait it returns when the question is settled, or after so many seconds, as it stands then.",
		errors: []int{http.StatusNotFound},
	}, a.getElicitation)
	add(a, to, operation{
		id: "cancel-elicitation", tag: tag, summary: "Withdraw a question", method: http.MethodPost, path: "/api/elicitations/{id}/cancel", who: askers, elsewhere: true,
		about:  "The program that asked is told that there will be no answer. Answers are given by the person, in the chat or on the hosted page, never here.",
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.cancelElicitation)
	a.askRoutes(to)
	a.eventRoutes(to)
	a.ownEventRoutes(to)
}

func (a *API) listElicitations(ctx context.Context, c Caller, in *elicitationQuery) (*answer[elicitationsWire], error) {
	if in.Cursor != "" && !parley.ID(in.Cursor).Valid() {
		return nil, invalid("query.cursor", "this is no cursor: take next_cursor of the page before")
	}
	list := func(q parley.Query) ([]parley.Request, error) {
		q.Tenant = c.tenant()
		return a.requests.List(ctx, q)
	}
	stored := c.Admin && in.User == ""
	if !stored {
		user, err := c.person(in.User)
		if err != nil {
			return nil, err
		}
		list = func(q parley.Query) ([]parley.Request, error) {
			return a.hub.List(ctx, parley.OwnerOf(c.tenant(), user), q)
		}
	}
	found, next, err := page(in, list)
	if err != nil {
		return nil, err
	}
	out := &answer[elicitationsWire]{elicitationsWire{Items: []elicitationWire{}, NextCursor: next}}
	for _, r := range found {
		if stored {
			r, err = a.open(ctx, r)
		}
		if errors.Is(err, parley.ErrNotFound) || errors.Is(err, parley.ErrUnopened) {
			continue // it was forgotten just now, or opens nowhere here: see Hub.List
		}
		if err != nil {
			return nil, err
		}
		shown, known, err := a.listed(ctx, c, r)
		if err != nil {
			return nil, err
		}
		if known {
			out.Body.Items = append(out.Body.Items, shown)
		}
	}
	return out, nil
}

// rounds bounds how much of a long list one request looks through for settled
// questions, which no store can select.
const rounds = 5

// page collects the questions in the state that is asked for, and returns the
// cursor to go on with.
func page(in *elicitationQuery, list func(parley.Query) ([]parley.Request, error)) (found []parley.Request, next string, err error) {
	q := parley.Query{Pending: in.State == "pending", Newest: true, After: parley.ID(in.Cursor), Limit: in.Limit + 1}
	for range rounds {
		some, err := list(q)
		if err != nil {
			return nil, "", err
		}
		for _, r := range some {
			if len(found) == in.Limit {
				return found, string(q.After), nil
			}
			if q.After = r.ID; in.State != "settled" || !r.Pending() {
				found = append(found, r)
			}
		}
		if len(some) < q.Limit {
			return found, "", nil
		}
	}
	return found, string(q.After), nil
}

// open reads a stored question as the hub shows it: what the store has may be
// sealed.
func (a *API) open(ctx context.Context, r parley.Request) (parley.Request, error) {
	return a.hub.Get(ctx, parley.OwnerOf(r.Tenant, r.To), r.ID)
}

func (a *API) getElicitation(ctx context.Context, c Caller, in *waitingQuery) (*answer[elicitationWire], error) {
	shown, err := a.await(ctx, c, parley.ID(in.ID), time.Duration(in.Wait)*time.Second)
	if err != nil {
		return nil, err
	}
	return &answer[elicitationWire]{shown}, nil
}

// see returns a question as the caller may see it.
func (a *API) see(ctx context.Context, c Caller, id parley.ID) (elicitationWire, error) {
	if c.Kind == parley.KindProgram && a.opts.Asking != nil {
		st, err := a.opts.Asking.Get(ctx, c.Principal, id)
		if err == nil || !errors.Is(err, parley.ErrNotFound) {
			return a.showStanding(st), err
		}
	}
	r, err := a.find(ctx, c, id)
	if err != nil {
		return elicitationWire{}, err
	}
	shown := showElicitation(c, r)
	if err := a.withFinal(ctx, r, &shown); err != nil {
		return shown, err
	}
	return shown, a.withPanel(ctx, c, r, &shown)
}

// listed is a question in a list. A program sees what it asked itself with the
// answer; what another asked only if it manages the tenant, as administrators do.
func (a *API) listed(ctx context.Context, c Caller, r parley.Request) (shown elicitationWire, known bool, err error) {
	if c.Kind != parley.KindProgram || !ofProgram(r) || a.opts.Asking == nil || r.Labels[parley.LabelAsker] != c.Owner() {
		shown = showElicitation(c, r)
		return shown, c.Admin || c.Owns(r), a.withFinal(ctx, r, &shown)
	}
	st, err := a.opts.Asking.Get(ctx, c.Principal, r.ID)
	if errors.Is(err, parley.ErrNotFound) { // one of a group's: that is listed itself
		return shown, false, nil
	}
	return a.showStanding(st), true, err
}

// ofProgram reports whether somebody with a key, or through an assistant, asked r.
func ofProgram(r parley.Request) bool {
	return asking.AskID(r) != "" || parley.OwnerOf(r.Tenant, r.To).Kind == parley.KindGroup
}

// find returns a question that the caller may see: their own, or one of their
// tenant's for administrators.
func (a *API) find(ctx context.Context, c Caller, id parley.ID) (parley.Request, error) {
	if !c.Admin {
		return a.hub.Get(ctx, c.Principal, id)
	}
	if !id.Valid() {
		return parley.Request{}, parley.ErrNotFound
	}
	r, err := a.requests.Get(ctx, id)
	if err != nil {
		return r, err
	}
	if r.Tenant != c.tenant() {
		return parley.Request{}, parley.ErrNotFound
	}
	return a.open(ctx, r)
}

const byOwner = "by the person who was asked"

func (a *API) cancelElicitation(ctx context.Context, c Caller, in *identified) (*answer[elicitationWire], error) {
	if st, of, err := a.cancelAsked(ctx, c, parley.ID(in.ID)); of {
		return &answer[elicitationWire]{st}, err
	}
	r, err := a.find(ctx, c, parley.ID(in.ID))
	if err != nil {
		return nil, err
	}
	reason := "by an administrator"
	if c.Owns(r) {
		reason = byOwner
	}
	err = a.hub.Cancel(ctx, r.ID, reason)
	if err != nil && !errors.Is(err, parley.ErrSettled) {
		return nil, err
	}
	if r, getErr := a.find(ctx, c, r.ID); getErr == nil && withdrawn(c, r) {
		err = nil // by the same person, now or before
	}
	if err != nil {
		return nil, err
	}
	return a.getElicitation(ctx, c, &waitingQuery{ID: in.ID})
}

// cancelAsked withdraws what a program asked, for that program and for
// administrators. It reports whether the question is of that kind.
func (a *API) cancelAsked(ctx context.Context, c Caller, id parley.ID) (shown elicitationWire, of bool, err error) {
	if a.opts.Asking == nil || c.Kind != parley.KindProgram && !c.Admin {
		return shown, false, nil
	}
	by, err := a.opts.Asking.Asker(ctx, c.tenant(), id)
	switch {
	case errors.Is(err, parley.ErrNotFound):
		return shown, false, nil
	case err != nil:
		return shown, true, err
	}
	reason := "by an administrator"
	if c.Kind == parley.KindProgram && (by.Owner() == c.Owner() || !c.Admin) {
		by, reason = c.Principal, "by the program that asked" // another's is not found
	}
	if _, err := a.opts.Asking.Cancel(ctx, by, id, reason); err != nil {
		return shown, true, err
	}
	shown, err = a.see(ctx, c, id)
	return shown, true, err
}

// withdrawn reports whether the caller, who was asked, withdrew the question.
func withdrawn(c Caller, r parley.Request) bool {
	return c.Owns(r) && !r.Pending() && r.Outcome.Action == parley.Cancel && r.Outcome.Reason == "withdrawn: "+byOwner
}

func showElicitation(c Caller, r parley.Request) elicitationWire {
	own := c.Owns(r)
	shown := elicitationWire{
		ID: string(r.ID), State: "pending", To: person(r.To), From: r.From, Mode: string(r.Mode), Message: r.Message, Schema: r.Schema,
		Trigger: r.Trigger, Labels: maps.Clone(r.Labels), CreatedAt: r.Created.UTC(), ExpiresAt: r.Expires.UTC(),
	}
	if group := parley.OwnerOf(r.Tenant, r.To).Group(); group != "" {
		shown.To, shown.Group = "", group
	}
	if own {
		// Whoever follows the link, or speaks in the session, may be taken for
		// the person.
		shown.URL, shown.Session = r.URL, r.Session
	}
	if o := r.Outcome; o != nil {
		shown.State = "settled"
		shown.Outcome = &outcomeWire{Action: string(o.Action), By: person(o.By), Via: o.Via, Reason: o.Reason, At: o.At.UTC()}
		if own {
			shown.Outcome.Content = o.Content
		}
		choice, _ := permit.Decided(r)
		shown.Outcome.Decision = string(choice)
		shown.Outcome.ContentPrivate = !own && len(o.Content) > 0
	}
	return shown
}

// person is who somebody is, as others may know it. Where a protocol knows
// nobody, the name is that of the session, and whoever has it can speak in it:
// only the kind is told, which is in front of a colon.
func person(user string) string {
	if parley.OwnerOf("", user).IsPerson() {
		return user
	}
	kind, _, _ := strings.Cut(user, ":")
	return kind
}

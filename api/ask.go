package api

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
)

// askWire is a question that a program asks.
type askWire struct {
	To             string            `json:"to,omitempty" doc:"The person who is asked. One of to and group is there."`
	Group          string            `json:"group,omitempty" doc:"The group of the configuration that is asked: each of its people is."`
	Need           int               `json:"need,omitempty" minimum:"1" maximum:"50" doc:"How many of the group have to answer; default 1. The first answers count."`
	From           string            `json:"from,omitempty" maxLength:"100" doc:"Who asks, in the program's own words. People see it in quotes behind the name of the key."`
	Message        string            `json:"message,omitempty" doc:"What is asked, in the program's own words. Needed unless there is an action."`
	Schema         json.RawMessage   `json:"requested_schema,omitempty" doc:"A form: a flat JSON schema, as in MCP."`
	URL            string            `json:"url,omitempty" doc:"Where the person is to go. A page of ours shows the address first. It leads to no page of this server itself."`
	Action         *actionWire       `json:"action,omitempty" doc:"What the program is about to do: the person allows or denies it."`
	TTL            string            `json:"ttl,omitempty" maxLength:"32" doc:"How long the question is open, such as 30m, 24h or 7d. Default 24h."`
	IdempotencyKey string            `json:"idempotency_key,omitempty" maxLength:"255" doc:"The same question under the same key is asked once. Also as the header Idempotency-Key."`
	Labels         map[string]string `json:"labels,omitempty" doc:"The program's own, up to 16, which it gets back. People are not shown them."`
	CallbackURL    string            `json:"callback_url,omitempty" maxLength:"4096" doc:"A URL that is called when the question is settled, signed as Standard Webhooks says. The key needs a webhook_secret."`
}

type actionWire struct {
	Title   string          `json:"title" minLength:"1" maxLength:"200"`
	Details json.RawMessage `json:"details,omitempty" doc:"A JSON object; all of it is shown."`
}

type askInput struct {
	Key  string `header:"Idempotency-Key" maxLength:"255" doc:"As idempotency_key."`
	Body askWire
}

// asked is the answer to a question that is asked: 201, or 200 if it was before.
type asked struct {
	Status   int
	Location string `header:"Location"`
	Body     elicitationWire
}

func (a *API) askRoutes(to *huma.OpenAPI) {
	add(a, to, operation{
		id: "ask", tag: "elicitations", summary: "Ask a person or a group", method: http.MethodPost, path: "/api/elicitations", who: programs, status: http.StatusCreated, elsewhere: true,
		about: "For programs, with their key. Whom a program may ask stands with its key, in may_ask. " +
			"People see the name of the key in front of the program's words. Only the program that asked is told the answer.",
		errors: []int{http.StatusConflict},
		answers: map[string]*huma.Response{"200": {
			Description: "The same question was asked before, under the same idempotency key",
			Content:     map[string]*huma.MediaType{"application/json": {Schema: &huma.Schema{Ref: "#/components/schemas/Elicitation"}}},
		}},
	}, a.ask)
}

func (a *API) ask(ctx context.Context, c Caller, in *askInput) (*asked, error) {
	if a.opts.Asking == nil {
		return nil, problem(http.StatusForbidden, "Nobody can be asked at this server.")
	}
	q, err := in.question()
	if err != nil {
		return nil, err
	}
	asker := asking.Asker{Principal: c.Principal, Name: c.Key, MayAsk: c.MayAsk, Secret: c.WebhookSecret, Sites: []string{a.opts.PublicURL, "https://" + c.host}}
	st, isNew, err := a.opts.Asking.Ask(ctx, asker, q)
	if err != nil {
		return nil, a.refuseAsk(c, q, err)
	}
	out := &asked{Status: http.StatusOK, Location: "/api/elicitations/" + string(st.ID), Body: a.showStanding(st)}
	if isNew {
		out.Status = http.StatusCreated
	}
	return out, nil
}

// question is what is asked, as package asking knows it.
func (in *askInput) question() (asking.Question, error) {
	b := in.Body
	q := asking.Question{
		To: b.To, Group: b.Group, Need: b.Need, From: b.From, Message: b.Message, Schema: b.Schema, URL: b.URL,
		Labels: b.Labels, Key: cmp.Or(b.IdempotencyKey, in.Key), Callback: b.CallbackURL,
	}
	if in.Key != "" && q.Key != in.Key {
		return q, invalid("header.Idempotency-Key", "the body has another idempotency_key")
	}
	if b.Action != nil {
		q.Action = &asking.Action{Title: b.Action.Title, Details: b.Action.Details}
	}
	var err error
	if q.TTL, err = parseTTL(b.TTL); err != nil {
		return q, invalid("body.ttl", err.Error())
	}
	return q, nil
}

// parseTTL reads a time such as 30m, 24h or 7d; empty: the default.
func parseTTL(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(text)
	if days, is := strings.CutSuffix(text, "d"); is {
		var n int
		if n, err = strconv.Atoi(days); err == nil && n < 1<<16 {
			d = time.Duration(n) * 24 * time.Hour
		}
	}
	if err != nil || d < time.Second {
		return 0, errors.New("it is a time such as 30m, 24h or 7d, of a second at least")
	}
	return d, nil
}

// refuseAsk says why a question is not asked, and what can be done about it.
func (a *API) refuseAsk(c Caller, q asking.Question, err error) error {
	var fault *asking.Fault
	var often *asking.OftenError
	switch {
	case errors.As(err, &fault):
		return invalid(pathOf(fault.Member), fault.Reason)
	case errors.Is(err, asking.ErrMayNotAsk):
		return problem(http.StatusForbidden, mayNotAsk(c, q))
	case errors.Is(err, asking.ErrKeyUsed):
		return problem(http.StatusConflict, "This idempotency key stands for another question. Send the same body again, or use a new key for a new question.")
	case errors.As(err, &often):
		return later(often.Wait, "This program has asked them too often. Wait before you ask again.")
	case errors.Is(err, asking.ErrOften):
		return later(time.Minute, "Too many questions of this program wait for them. Ask again when some are answered.")
	}
	return err
}

// mayNotAsk says what a key needs that it may ask.
func mayNotAsk(c Caller, q asking.Question) string {
	whom := cmp.Or(q.To, asking.GroupPrefix+q.Group)
	said := fmt.Sprintf("The key %q may not ask %.100q. In the configuration, add %.100q to the may_ask of this key in auth.api_keys.", c.Key, whom, whom)
	if len(c.MayAsk) == 0 {
		said = fmt.Sprintf("The key %q asks nobody: it has no may_ask. Use a key that has one with %.100q; in the configuration, they are in auth.api_keys.", c.Key, whom)
		if c.Admin {
			said += " Who adds it to this key adds manage: true too, or the key manages the tenant no more."
		}
	}
	if q.Group != "" {
		said += " The group itself has to be in groups."
	}
	return said
}

// later is a refusal that passes.
func later(wait time.Duration, sentence string) error {
	seconds := strconv.Itoa(max(1, int(math.Ceil(wait.Seconds()))))
	return huma.ErrorWithHeaders(problem(http.StatusTooManyRequests, sentence), http.Header{"Retry-After": {seconds}})
}

// showStanding shows a question to the program that asked it, with the answer.
func (a *API) showStanding(st asking.Standing) elicitationWire {
	shown := elicitationWire{
		ID: string(st.ID), State: "pending", To: st.To, Group: st.Group, From: st.From, Mode: string(st.Mode), Message: st.Message, Schema: st.Schema,
		URL: st.URL, Trigger: st.Trigger, Labels: st.Tags, CreatedAt: st.Created.UTC(), ExpiresAt: st.Expires.UTC(),
	}
	if st.Group != "" {
		shown.Need = st.Need
	} else if a.opts.PublicURL != "" {
		shown.AnswerURL = strings.TrimSuffix(a.opts.PublicURL, "/") + "/answer/" + string(st.ID)
	}
	o := st.Outcome
	if o == nil {
		return shown
	}
	shown.State = "settled"
	shown.Outcome = &outcomeWire{
		Action: string(o.Action), Decision: string(st.Decision), By: o.By, Via: o.Via, Reason: o.Reason, At: o.At.UTC(), Content: o.Content,
	}
	if st.Group != "" && st.Need > 1 {
		for _, one := range st.Answers {
			shown.Outcome.Answers = append(shown.Outcome.Answers, answerWire{
				Decision: string(one.Decision), By: one.By, Via: one.Via, At: one.At.UTC(), Content: one.Content,
			})
		}
	}
	return shown
}

// SettledData is what a program is told of its question when that is settled, as
// GET shows it: for Options.Settled of package notify.
func (a *API) SettledData(ctx context.Context, owner string, r parley.Request) (json.RawMessage, error) {
	if a.opts.Asking == nil {
		return nil, parley.ErrNotFound
	}
	st, err := a.opts.Asking.Get(ctx, parley.OwnerOf(r.Tenant, owner), r.ID)
	if err != nil {
		return nil, err
	}
	return json.Marshal(a.showStanding(st))
}

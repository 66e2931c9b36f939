package mcptool

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/limit"
)

// Why an app is refused: the words that Options.Refused is told.
const (
	refusedQuestion = "unknown_question"
	refusedPerson   = "other_person"
	refusedEndpoint = "other_endpoint"
	refusedNonce    = "unknown_nonce"
	refusedReplay   = "replay"
	refusedSettled  = "settled"
	refusedExpired  = "expired"
	refusedPage     = "page_only"
	refusedOften    = "too_often"
	refusedContent  = "does_not_fit"
)

// Refusals are all reasons for which apps are refused.
var Refusals = []string{
	refusedQuestion, refusedPerson, refusedEndpoint, refusedNonce, refusedReplay, refusedSettled, refusedExpired, refusedPage, refusedOften, refusedContent,
}

// appRates is how often apps may open and answer: by person, or by question where
// nobody is known.
type appRates struct{ open, answer *limit.Rates }

func newAppRates() appRates {
	return appRates{
		open:   limit.NewRates(limit.Rate{PerSecond: 3, Burst: 60}),
		answer: limit.NewRates(limit.Rate{PerSecond: 1, Burst: 20}),
	}
}

func (at *attached) addAppTools(server *mcp.Server) {
	handlers := map[string]mcp.ToolHandler{showTool: at.show, openTool: at.open, answerTool: at.answer}
	for _, t := range appToolsListed() {
		server.AddTool(t, handlers[t.Name])
	}
	server.AddTool(waitToolListed(), at.wait)
	at.addApp(server)
}

// appArguments are the arguments of the app's tools.
type appArguments struct {
	endpoint string          // where it came from
	ElicitID string          `json:"elicitId"`
	Nonce    string          `json:"nonce"`
	Action   string          `json:"action"`
	Content  json.RawMessage `json:"content"`
}

// cardFor reads a call of one of the app's tools, and finds its question. One that was
// asked at another endpoint is errOtherEndpoint.
func (at *attached) cardFor(ctx context.Context, req *mcp.CallToolRequest) (in appArguments, who parley.Principal, found *card, err error) {
	if len(req.Params.Arguments) > 0 {
		if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
			return in, who, nil, errNoQuestion
		}
	}
	c, who, err := at.asker.client(req)
	if err != nil {
		return in, who, nil, err
	}
	in.endpoint = c.endpoint
	if in.ElicitID == "" && req.Params.Name == openTool {
		found, err = at.asker.oldestCard(ctx, who, c.endpoint)
		return in, who, found, err
	}
	found, err = at.asker.card(ctx, who, parley.ID(in.ElicitID))
	if err == nil && !found.shownAt(c.endpoint) {
		return in, who, nil, errOtherEndpoint
	}
	return in, who, found, err
}

// mostOldest is how many open questions of somebody's are looked at for one that an
// app may show.
const mostOldest = 100

// oldestCard is the oldest open question of somebody's that an app at an endpoint may
// show.
func (a *Asker) oldestCard(ctx context.Context, who parley.Principal, endpoint string) (*card, error) {
	if who.User == "" {
		return nil, errNoQuestion
	}
	open, err := a.hub.List(ctx, who, parley.Query{Pending: true, Limit: mostOldest})
	if err != nil {
		return nil, err
	}
	for _, q := range open {
		found, err := a.card(ctx, who, q.ID)
		if err == nil && !found.shownAt(endpoint) {
			continue
		}
		if err == nil || !errors.Is(err, parley.ErrNotFound) && !errors.Is(err, errOtherPerson) {
			return found, err
		}
	}
	return nil, errNoQuestion
}

// show handles showQuestion: the client draws the app, because this was called.
func (at *attached) show(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in, _, found, err := at.cardFor(ctx, req)
	switch {
	case errors.Is(err, parley.ErrNotFound), errors.Is(err, errOtherPerson):
		return failure(unknown(in.ElicitID, !older(req)))
	case err != nil:
		return failure(at.asker.public(ctx, err))
	}
	said := "The question is settled. Call " + waitTool + " with the same elicitId for what came of it."
	if found.opened.Pending() {
		if err := found.change(ctx, func(s *showing) error { s.Shown = now(); return nil }); err != nil {
			return failure(at.asker.public(ctx, err))
		}
		said = "The user is shown the question. They answer it there, not here: call " + waitTool + " with the same elicitId now."
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}, Meta: mcp.Meta{"parley/open": found.opened.ID}}, nil
}

// open handles parley_open.
func (at *attached) open(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in, who, found, err := at.cardFor(ctx, req)
	switch {
	case errors.Is(err, errOtherEndpoint):
		at.asker.refuse(ctx, in, refusedEndpoint)
		return told(nothing(wordsGone))
	case errors.Is(err, parley.ErrNotFound), errors.Is(err, errOtherPerson):
		if in.ElicitID == "" {
			return told(nothing(wordsNothing))
		}
		return told(nothing(wordsGone))
	case err != nil:
		return failure(at.asker.public(ctx, err))
	}
	if _, ok := at.asker.apps.open.Take(rateKey(who, in.endpoint, found)); !ok {
		at.asker.refuse(ctx, in, refusedOften)
		return told(&appQuestion{ElicitID: found.opened.ID, State: askPending, Answer: "page", Problem: "This question was opened too often. Wait a moment.", Page: at.asker.pageFor(found.owner, found.opened.ID)})
	}
	if !found.opened.Pending() {
		shown := found.ask("")
		shown.Next = found.next(ctx)
		return told(shown)
	}
	nonce, err := found.open(ctx)
	if err != nil {
		return failure(at.asker.public(ctx, err))
	}
	return told(found.ask(nonce))
}

// rateKey is for whom it is counted how often apps come: a person at an endpoint, so that
// the apps of one leave something to those of another.
func rateKey(who parley.Principal, endpoint string, c *card) string {
	if who.IsPerson() || c == nil {
		return "person\x00" + tenantOf(who) + "\x00" + who.User + "\x00" + endpoint
	}
	return "question\x00" + tenantOf(who) + "\x00" + string(c.opened.ID)
}

// answer handles parley_answer.
func (at *attached) answer(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	in, who, found, err := at.cardFor(ctx, req)
	if err != nil && !errors.Is(err, parley.ErrNotFound) && !errors.Is(err, errOtherPerson) {
		return failure(at.asker.public(ctx, err))
	}
	if _, ok := at.asker.apps.answer.Take(rateKey(who, in.endpoint, found)); !ok {
		at.asker.refuse(ctx, in, refusedOften)
		if err != nil {
			return told(nothing(wordsGone))
		}
		return told(&appQuestion{ElicitID: found.opened.ID, State: askPending, Problem: "There were too many answers. Wait a moment."})
	}
	switch {
	case errors.Is(err, errOtherEndpoint):
		at.asker.refuse(ctx, in, refusedEndpoint)
		return told(nothing(wordsGone))
	case errors.Is(err, errOtherPerson):
		at.asker.refuse(ctx, in, refusedPerson)
		return told(nothing(wordsGone))
	case err != nil:
		at.asker.refuse(ctx, in, refusedQuestion)
		return told(nothing(wordsGone))
	}
	shown, err := found.take(ctx, in)
	if err != nil {
		return failure(at.asker.public(ctx, err))
	}
	if shown.State == askSettled {
		shown.Next = found.next(ctx)
	}
	return told(shown)
}

// take takes an answer to the question. The nonce is used up before it counts.
func (c *card) take(ctx context.Context, in appArguments) (*appQuestion, error) {
	err := c.takeable(ctx, in)
	switch {
	case errors.Is(err, parley.ErrSettled):
		return c.late(ctx, in, c.used(in.Nonce))
	case errors.Is(err, errPageOnly):
		c.asker.refuse(ctx, in, refusedPage)
		shown := c.ask("")
		shown.Problem = "This is answered on its page, not here."
		return shown, nil
	case errors.Is(err, errReplay), errors.Is(err, errUnknownNonce):
		reason := refusedNonce
		if errors.Is(err, errReplay) {
			reason = refusedReplay
		}
		c.asker.refuse(ctx, in, reason)
		shown := c.ask("")
		shown.Problem = "This card is out of date. Load it again, and answer then."
		return shown, nil
	case err != nil:
		return nil, err
	}
	answer := parley.Answer{Action: parley.Action(in.Action), Content: in.Content, Via: ViaApp}
	if answer.Action == parley.Accept {
		var schema *form.Schema
		if schema, err = appForm(c.opened); err == nil {
			answer.Content, err = schema.Check(in.Content)
		}
	}
	if err == nil {
		err = c.asker.hub.Answer(ctx, c.owner, c.opened.ID, answer)
	}
	return c.taken(ctx, in, err)
}

// errPageOnly is for what is answered on its page.
var errPageOnly = errors.New("the question is answered on its page")

// takeable checks that an answer may be given here, and uses up its nonce.
func (c *card) takeable(ctx context.Context, in appArguments) error {
	switch {
	case !c.opened.Pending():
		return parley.ErrSettled
	case !c.here():
		return errPageOnly
	}
	return c.consume(ctx, in.Nonce)
}

// taken is what the app is told of an answer that was given with a nonce.
func (c *card) taken(ctx context.Context, in appArguments, err error) (*appQuestion, error) {
	var misfit *form.ContentError
	problem := ""
	switch {
	case err == nil:
		c.opened, err = c.asker.hub.Get(ctx, c.owner, c.opened.ID)
		if err != nil {
			return nil, err
		}
		return c.ask(""), nil
	case settled(err):
		return c.late(ctx, in, false)
	case errors.As(err, &misfit):
	case errors.Is(err, parley.ErrTooLarge):
		problem = "The answer is too large."
	case errors.Is(err, parley.ErrQueued):
		problem = "Another question comes first."
	case errors.Is(err, parley.ErrAction):
		problem = "The answer could not be used."
	default:
		return nil, err
	}
	c.asker.refuse(ctx, in, refusedContent)
	nonce, err := c.open(ctx) // the card goes on with another one
	if err != nil {
		return nil, err
	}
	shown := c.ask(nonce)
	shown.Problem = problem
	if misfit != nil {
		for _, v := range misfit.Violations {
			shown.Violations = append(shown.Violations, askViolation{Field: v.Path, Message: v.Message})
		}
	}
	return shown, nil
}

// late is what the app is told whose answer comes too late.
func (c *card) late(ctx context.Context, in appArguments, replay bool) (*appQuestion, error) {
	var err error
	if c.opened, err = c.asker.hub.Get(ctx, c.owner, c.opened.ID); err != nil {
		return nil, err
	}
	reason := refusedSettled
	switch {
	case replay:
		reason = refusedReplay
	case c.opened.Pending(), c.opened.Outcome.Action == parley.Expire: // it is being settled
		reason = refusedExpired
	}
	c.asker.refuse(ctx, in, reason)
	if c.opened.Pending() {
		return &appQuestion{ElicitID: c.opened.ID, State: askSettled, Outcome: parley.Expire, Words: wordsExpired}, nil
	}
	return c.ask(""), nil
}

// refuse counts that an app was refused, and logs it. The nonce is not logged, nor
// what was answered.
func (a *Asker) refuse(ctx context.Context, in appArguments, reason string) {
	id := parley.ID(in.ElicitID)
	if !id.Valid() {
		id = ""
	}
	a.opts.Refused(reason)
	a.opts.Logger.WarnContext(ctx, "app refused", "reason", reason, "question", id)
}

// told is the result for an app. Its text says nothing that is not for the model.
func told(q *appQuestion) (*mcp.CallToolResult, error) {
	said := map[string]string{askPending: "The question is open.", askSettled: "The question is settled.", askNone: "There is no question."}[q.State]
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}, Meta: mcp.Meta{askKey: q}}, nil
}

package mcptool

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/strictjson"
)

// askKey is where the result of an app's call has the question.
const askKey = "parley/ask"

// States of an ask.
const (
	askPending = "pending"
	askSettled = "settled"
	askNone    = "none" // there is nothing to ask
)

// appQuestion is a question as the app reads it.
type appQuestion struct {
	ElicitID   parley.ID       `json:"elicitId,omitempty"`
	State      string          `json:"state"`
	Outcome    parley.Action   `json:"outcome,omitempty"` // when it is settled
	Words      string          `json:"words,omitempty"`   // what people read of one that is not pending
	Nonce      string          `json:"nonce,omitempty"`   // of the answer, where it is given in the app
	Title      string          `json:"title,omitempty"`   // who asks
	Message    string          `json:"message,omitempty"`
	Schema     json.RawMessage `json:"schema,omitempty"`     // with texts for numbers that scripts would write in another way
	FieldOrder []string        `json:"fieldOrder,omitempty"` // of the schema; scripts lose some
	Approval   *askApproval    `json:"approval,omitempty"`
	Answer     string          `json:"answer,omitempty"` // here, or page
	Page       string          `json:"page,omitempty"`   // where it can be answered signed in
	Expires    string          `json:"expires,omitempty"`
	Now        string          `json:"now,omitempty"`
	Violations []askViolation  `json:"violations,omitempty"` // of the answer that was given
	Problem    string          `json:"problem,omitempty"`    // with it, otherwise
	Next       *appQuestion    `json:"next,omitempty"`       // the next open question of the same call
}

// askApproval is the call that an approval is for.
type askApproval struct {
	Tool      string `json:"tool"`
	Server    string `json:"server,omitempty"`
	Arguments string `json:"arguments,omitempty"` // all, as JSON that hosts do not read: they would round numbers. Every text in it can be shown
}

type askViolation struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// nothing is what an app is told that has nothing to show.
func nothing(words string) *appQuestion { return &appQuestion{State: askNone, Words: words} }

const (
	wordsGone    = "This question is no longer there."
	wordsNothing = "There is nothing to answer."
	wordsExpired = "Nobody answered in time."
)

// ask is the question for the app, with the nonce for its answer.
func (c *card) ask(nonce string) *appQuestion {
	q := c.opened
	if !q.Pending() {
		return settledAsk(q)
	}
	shown := &appQuestion{
		ElicitID: q.ID, State: askPending, Nonce: nonce, Title: "A tool asks", Message: q.Message, Answer: "page", Page: c.asker.pageFor(c.owner, q.ID),
		Expires: q.Expires.UTC().Format(time.RFC3339), Now: now().Format(time.RFC3339), Approval: approvalOf(q),
	}
	if service := q.Service(); service != "" {
		shown.Title = service + " asks"
	}
	if onPage(q) {
		shown.Message = q.Labels[parley.LabelBrief] // its page shows the rest
	}
	if c.here() {
		shown.Answer = "here"
		if schema, err := appForm(q); err == nil {
			shown.Schema = textual(schema.JSON())
			for _, f := range schema.Fields() {
				shown.FieldOrder = append(shown.FieldOrder, f.Name)
			}
		}
	}
	return shown
}

// settledAsk says how a question ended.
func settledAsk(q parley.Request) *appQuestion {
	settled := &appQuestion{ElicitID: q.ID, State: askSettled, Outcome: q.Outcome.Action}
	switch o := q.Outcome; {
	case o.Action == parley.Expire:
		settled.Words = wordsExpired
	case o.By == "":
		settled.Words = "This question was taken back."
	default:
		said := map[parley.Action]string{parley.Accept: "Answered", parley.Decline: "Declined", parley.Cancel: "Dismissed"}[o.Action]
		if so, ok := decided[decision(q)]; ok {
			said, settled.Outcome = so.words, so.outcome
		}
		if o.Via != ViaApp {
			said += " elsewhere"
		}
		settled.Words = said + "."
	}
	return settled
}

// decided is how the app shows what was decided on an approval. Whoever denies one
// has answered it, but nobody is to read that as a yes.
var decided = map[string]struct {
	words   string
	outcome parley.Action
}{
	"allow_once":   {"Allowed once", parley.Accept},
	"always_allow": {"Allowed", parley.Accept},
	"changed":      {"Allowed with changes", parley.Accept},
	"deny":         {"Denied", parley.Decline},
	"asked_back":   {"Asked back", parley.Decline},
}

// decision is what was decided on an approval; empty: nothing was.
func decision(q parley.Request) string {
	if q.Trigger != parley.TriggerApproval || q.Outcome.Action != parley.Accept {
		return ""
	}
	var content map[string]any
	_ = json.Unmarshal(q.Outcome.Content, &content) // another form has no decision
	said, _ := content[decisionField].(string)
	return said
}

// The field of an approval by which a person decides, and what may be said in an app:
// this call, once, or not at all. What stays, or changes the call, is for the page.
const decisionField = "decision"

var saidInApps = []string{"allow_once", "deny"}

// appForm is the form of a question as an app shows it and answers it.
func appForm(q parley.Request) (*form.Schema, error) {
	schema, err := form.Parse(q.Schema, nil)
	if err != nil || q.Trigger != parley.TriggerApproval {
		return schema, err
	}
	fields := schema.Fields()
	i := slices.IndexFunc(fields, func(f form.Field) bool { return f.Name == decisionField && f.Kind == form.Choice })
	if i < 0 {
		return schema, nil
	}
	fields[i].Options = slices.DeleteFunc(fields[i].Options, func(o form.Option) bool { return !slices.Contains(saidInApps, o.Value) })
	return form.Of(slices.DeleteFunc(fields, func(f form.Field) bool { return f.Name != decisionField && f.Name != "reason" }), nil)
}

// approvalOf is the call of an approval as its message shows it: what the person
// reads, and nothing else, is what they allow. It is nil where the message has none.
func approvalOf(q parley.Request) *askApproval {
	_, text, ok := strings.Cut(q.Message, "\nArguments:\n")
	if q.Trigger != parley.TriggerApproval || onPage(q) || !ok || q.Labels[parley.LabelTool] == "" {
		return nil
	}
	arguments, err := strictjson.Read([]byte(text), maxDepth)
	if err != nil {
		return nil
	}
	return &askApproval{Tool: q.Labels[parley.LabelTool], Server: q.Service(), Arguments: string(strictjson.Append(nil, legibly(arguments), nil))}
}

// legibly is a value with every text as it can be shown: nothing hidden, and in the
// order that it has.
func legibly(v any) any {
	switch v := v.(type) {
	case string:
		return legible.Line(v)
	case []any:
		for i := range v {
			v[i] = legibly(v[i])
		}
	case strictjson.Object:
		for i := range v {
			v[i].Name, v[i].Value = legible.Line(v[i].Name), legibly(v[i].Value)
		}
	}
	return v
}

// textual is a schema with texts for the numbers that a script would write in another
// way: with more digits than it keeps, or as 1.0. The host reads them before the app does.
func textual(schema json.RawMessage) json.RawMessage {
	v, err := strictjson.Read(schema, maxDepth)
	if err != nil {
		return schema
	}
	return strictjson.Append(nil, texts(v), nil)
}

func texts(v any) any {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		if script, _ := json.Marshal(f + 0); err != nil || string(script) != string(v) || !kept(string(v), f) { // -0 is 0 there
			return string(v)
		}
	case []any:
		for i := range v {
			v[i] = texts(v[i])
		}
	case strictjson.Object:
		for i := range v {
			v[i].Value = texts(v[i].Value)
		}
	}
	return v
}

// kept reports whether a number has no more digits than are sure to be a script's own, so that none of another number
// can come to be this one.
func kept(written string, n float64) bool {
	const sure, safe = 15, 1<<53 - 1
	mantissa, _, _ := strings.Cut(strings.ToLower(written), "e")
	digits := strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0")
	return len(digits) <= sure || n == math.Trunc(n) && math.Abs(n) <= safe
}

// mostNext is how many questions of a call are looked at for the next one.
const mostNext = 50

// next is the next open question of the same call, for the same app; nil: there is
// none, or it cannot be known just now.
func (c *card) next(ctx context.Context) *appQuestion {
	if c.showing.Call == "" {
		return nil
	}
	p, err := c.asker.read(ctx, parley.Address{Tenant: tenantOf(c.owner), Kind: callKind, Key: c.showing.Call})
	if err != nil {
		return nil
	}
	var ids []parley.ID
	for _, one := range p.Asked {
		if one.ID != c.opened.ID {
			ids = append(ids, one.ID)
		}
	}
	slices.Sort(ids) // in the order of their opening
	for _, id := range ids[:min(len(ids), mostNext)] {
		next, err := c.asker.card(ctx, c.owner, id)
		if err != nil || !next.opened.Pending() {
			continue
		}
		if nonce, err := next.open(ctx); err == nil {
			return next.ask(nonce)
		}
	}
	return nil
}

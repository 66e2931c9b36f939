package chat

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
)

// elicitation is a question as clients see it.
type elicitation struct {
	Type            string          `json:"type"`
	ID              parley.ID       `json:"elicitationId"`
	Mode            parley.Mode     `json:"mode"`
	Message         string          `json:"message"`
	URL             string          `json:"url,omitempty"`
	RequestedSchema json.RawMessage `json:"requestedSchema,omitempty"`
	FieldOrder      []string        `json:"fieldOrder,omitempty"` // where a browser would lose that of the schema
	ExpiresAt       string          `json:"expiresAt"`
	Context         elicitedBy      `json:"context"`
	Approvers       *panel          `json:"approvers,omitempty"` // whom it waits for, while it does
	Outcome         *outcome        `json:"outcome,omitempty"`
}

// elicitedBy says who asks and why. The message is the service's own words, so
// clients show the service's name with it.
type elicitedBy struct {
	Trigger    string `json:"trigger"`
	Service    string `json:"service"`
	Title      string `json:"serviceTitle,omitempty"` // as its operator calls it
	Account    string `json:"account"`                // who may answer
	Agent      string `json:"agent,omitempty"`
	Tool       string `json:"tool,omitempty"`
	ToolCallID string `json:"toolCallId,omitempty"`
	Within     string `json:"parentToolCallId,omitempty"` // the call of this message that delegates to the agent which asks
	Arguments  string `json:"arguments,omitempty"`        // all of them, as canonical JSON
	Server     string `json:"server,omitempty"`
	Scope      string `json:"scope,omitempty"`
	Reason     string `json:"reason,omitempty"`
	Domain     string `json:"domain,omitempty"`    // of the URL: what its owner registered
	SettledBy  string `json:"settledBy,omitempty"` // "page": going there is not the answer, that page takes it
}

// outcome is how a question ended. What was answered stays with who asked; what was
// chosen from the buttons of an approval is told.
type outcome struct {
	Action   parley.Action     `json:"action"`
	Decision permit.Choice     `json:"decision,omitempty"`
	Limits   map[string]string `json:"limits,omitempty"` // of a permission that stays: what else was chosen, by field
	By       string            `json:"by,omitempty"`
	Via      string            `json:"via,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	At       string            `json:"at"`
}

// The labels of questions that clients are told of. No other label is: they are
// for the programs that set them.
const (
	serverLabel    = permit.LabelServer
	scopeLabel     = "scope"
	reasonLabel    = "reason"
	settledByLabel = "settled_by"
)

// book remembers the calls of a run, since questions are shown with the call
// that they are for.
type book struct {
	public       string // Options.PublicURL
	conversation string
	panel        func(*parley.Request) *panel
	calls        map[string]*noted
}

func (c *Chat) newBook(conversation string) book {
	return book{public: c.opts.PublicURL, conversation: conversation, panel: c.panelOf, calls: map[string]*noted{}}
}

type noted struct {
	tool string
	done bool
	open map[parley.ID]bool // its questions without an outcome; true: an approval that was requested
}

// note takes an event of the run itself into the book; runs that were delegated
// to have calls of their own.
func (b book) note(e agent.Event) {
	if e.Agent != "" {
		return
	}
	switch e.Type {
	case agent.Called:
		b.calls[e.ID] = &noted{tool: e.Tool, open: map[parley.ID]bool{}}
	case agent.Succeeded, agent.Failed, agent.Refused:
		if c := b.calls[e.ID]; c != nil {
			c.done = true
		}
	}
}

// elicitation is the question of an event.
func (b book) elicitation(e agent.Event) elicitation {
	q := e.Question
	shown := elicitation{
		Type: "elicitation-request", ID: q.ID, Mode: q.Mode, Message: q.Message, RequestedSchema: q.Schema,
		ExpiresAt: q.Expires.UTC().Format(time.RFC3339Nano),
		Context: elicitedBy{
			Trigger: q.Trigger, Service: q.From, Account: q.To, Agent: e.Agent,
			Server: q.Labels[serverLabel], Scope: q.Labels[scopeLabel], Reason: q.Labels[reasonLabel],
			SettledBy: q.Labels[settledByLabel], Within: e.Within,
		},
	}
	shown.FieldOrder, shown.Approvers = fieldOrder(q), b.panel(q)
	if called := q.Service(); called != q.From {
		shown.Context.Title = called
	}
	if q.Trigger == parley.TriggerApproval || q.OnlyTells() {
		shown.Context.Tool = q.Labels[permit.LabelTool]
		if e.Call != "" {
			shown.Context.Arguments = canonical(e.Args)
		}
	}
	if c := b.calls[e.Call]; c != nil && e.Agent == "" {
		shown.Context.Tool, shown.Context.ToolCallID = c.tool, e.Call
	}
	if q.URL != "" {
		var page bool
		shown.URL, shown.Context.Domain, page = Leads(q, b.public)
		if page {
			shown.Context.SettledBy = "page"
		}
	}
	if brief := q.Labels[parley.LabelBrief]; brief != "" {
		b.abridge(&shown, brief)
	}
	if o := q.Outcome; o != nil {
		shown.Outcome = &outcome{Action: o.Action, By: o.By, Via: o.Via, Reason: o.Reason, At: o.At.UTC().Format(time.RFC3339Nano)}
		shown.Outcome.Decision, shown.Outcome.Limits = permit.Decided(*q)
	}
	return shown
}

// index is a name that a JavaScript object puts before all others, in order of size.
var index = regexp.MustCompile(`^(0|[1-9][0-9]{0,9})$`)

// fieldOrder is the order of a form's fields, if a client that reads the schema into
// an object would have another.
func fieldOrder(q *parley.Request) []string {
	schema, err := form.Parse(q.Schema, nil)
	if q.Mode != parley.Form || err != nil {
		return nil
	}
	var names []string
	lost := false
	for _, f := range schema.Fields() {
		names = append(names, f.Name)
		lost = lost || index.MatchString(f.Name)
	}
	if !lost {
		return nil
	}
	return names
}

// abridge makes of a call that is too long for a card a link to its page.
func (b book) abridge(shown *elicitation, brief string) {
	shown.Mode, shown.Message, shown.RequestedSchema, shown.Context.Arguments = parley.URL, brief, nil, ""
	shown.Context.SettledBy = "page"
	if b.public != "" {
		shown.URL = b.public + "/answer/" + string(shown.ID)
		if d, err := outbound.DomainOf(shown.URL); err == nil {
			shown.Context.Domain = d.Registrable
		}
	}
}

// Leads is where a question with a URL leads, and whose that is: the domain that its owner
// registered. page says that going there is not yet the answer, and what happens there is. An
// address that a reader could take for another one is not shown: the question's page below public,
// if there is one, says so.
func Leads(q *parley.Request, public string) (address, domain string, page bool) {
	if d, err := outbound.DomainOf(q.URL); err == nil {
		address, domain = q.URL, d.Registrable
	} else if public != "" {
		address = public + "/answer/" + string(q.ID)
	}
	return address, domain, q.Labels[settledByLabel] == "page" || public != "" && strings.HasPrefix(address, public+"/")
}

// canonical is how an approval shows arguments. Those that it would refuse are
// shown as they came.
func canonical(args json.RawMessage) string {
	if text, err := permit.Canonical(args); err == nil {
		return string(text)
	}
	var compact bytes.Buffer
	if json.Compact(&compact, args) != nil {
		return string(args)
	}
	return compact.String()
}

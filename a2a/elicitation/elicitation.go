// Package elicitation is the wire of an extension of A2A: a question with a form or
// a link in the status message of a task that is interrupted, and the answer to it in
// a message to that task. docs/a2a-elicitation-v1.md describes it for those who write
// the other side.
//
//	status := a2a.NewMessageForTask(a2a.MessageRoleAgent, task, a2a.NewTextPart(q.Message))
//	elicitation.Ask(status, q)
//	…
//	answers, err := elicitation.Answers(message)
//
// What is read is foreign: its sizes are bounded, and a message with one part that is
// wrong is refused as a whole, with a reason that names the part.
package elicitation

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/form"
)

// URI names the extension, in cards, headers and messages. Its document is there.
const URI = "https://github.com/parley-hq/parley/blob/main/docs/a2a-elicitation-v1.md"

// MediaType is that of the data parts.
const MediaType = "application/json"

// Mode is how a question is answered.
type Mode string

// The modes.
const (
	Form Mode = "form" // by content that fits RequestedSchema
	URL  Mode = "url"  // by a person who goes to an address
)

// Action is what somebody answers.
type Action string

// The actions. A question that was declined is settled, and the agent goes on
// without; cancel says that the person did not choose.
const (
	Accept  Action = "accept"
	Decline Action = "decline"
	Cancel  Action = "cancel"
)

// SettledByPage is Question.SettledBy of a question that the page at its URL settles.
// No message accepts it: the person does, there.
const SettledByPage = "page"

// Question is what an agent asks.
type Question struct {
	ID              string
	Mode            Mode
	Message         string          // for a person: the words of who asks, not of the agents that pass them on
	RequestedSchema json.RawMessage // Form: a flat schema as package form has it
	URL             string          // URL: where the person goes
	ExpiresAt       time.Time       // zero: it is not said
	From            string          // who asks, as the agent knows it that sends the question; empty: it is not said
	SettledBy       string          // SettledByPage, or empty
	// Secret is the label of a field that asks for a password or a key, which a form may
	// not; empty: none does. It is read, and never written.
	Secret string
}

// Answer is what was answered to the question with its ID.
type Answer struct {
	ID      string
	Action  Action
	Content json.RawMessage // of an accepted form; nil otherwise
}

// ErrMalformed says that a message has a part that is not as the extension says. It
// comes wrapped with the part and the reason.
var ErrMalformed = errors.New("the message does not follow the extension " + URI)

// The limits of what is read.
const (
	maxParts   = 16 // questions, or answers, of one message
	maxName    = 512
	maxMessage = 16 << 10
	maxURL     = 4 << 10
	maxContent = 256 << 10
	maxDepth   = 32
)

// Ask adds the question to a message and marks the message as the extension's.
func Ask(m *a2a.Message, q Question) {
	data := map[string]any{"elicitationId": q.ID, "mode": string(q.Mode), "message": q.Message}
	if q.Mode == Form {
		data["requestedSchema"] = q.RequestedSchema
		if order := fieldOrder(q.RequestedSchema); len(order) > 1 {
			data["fieldOrder"] = order
		}
	}
	if q.URL != "" {
		data["url"] = q.URL
	}
	if !q.ExpiresAt.IsZero() {
		data["expiresAt"] = q.ExpiresAt.UTC().Format(time.RFC3339Nano)
	}
	if q.From != "" {
		data["from"] = q.From
	}
	if q.SettledBy != "" {
		data["settledBy"] = q.SettledBy
	}
	add(m, data)
}

// Reply adds an answer to a message and marks the message as the extension's.
func Reply(m *a2a.Message, a Answer) {
	data := map[string]any{"elicitationId": a.ID, "action": string(a.Action)}
	if a.Action == Accept && len(a.Content) > 0 {
		data["content"] = a.Content
	}
	add(m, data)
}

func add(m *a2a.Message, data map[string]any) {
	// A map, since the parts of 0.3 hold nothing else.
	m.Parts = append(m.Parts, &a2a.Part{Content: a2a.Data{Value: data}, MediaType: MediaType})
	if !slices.Contains(m.Extensions, URI) {
		m.Extensions = append(m.Extensions, URI)
	}
}

// fieldOrder are the fields of a form in order: JSON objects lose theirs in the
// programs of many languages.
func fieldOrder(raw json.RawMessage) []string {
	schema, err := form.Parse(raw, nil)
	if err != nil {
		return nil
	}
	var names []string
	for _, f := range schema.Fields() {
		names = append(names, f.Name)
	}
	return names
}

// ordered is a schema with its fields in the order that the asker gave them.
func ordered(schema *form.Schema, names []string) (json.RawMessage, error) {
	place := map[string]int{}
	for i, name := range names {
		place[name] = i + 1
	}
	fields := schema.Fields()
	slices.SortStableFunc(fields, func(a, b form.Field) int { return rank(place, a.Name) - rank(place, b.Name) })
	again, err := form.Of(fields, nil)
	if err != nil {
		return nil, err
	}
	return again.JSON(), nil
}

// rank puts what is in no order last.
func rank(place map[string]int, name string) int {
	if i := place[name]; i > 0 {
		return i
	}
	return len(place) + 1
}

func malformed(part int, format string, args ...any) error {
	return fmt.Errorf("%w: parts[%d]: %s", ErrMalformed, part, fmt.Sprintf(format, args...))
}

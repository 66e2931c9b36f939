package mcpclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// How much a server may ask for at once. Each question is kept, sealed and shown;
// the state is kept with them.
const (
	MaxQuestions = 16       // of one response, or pages to visit before a call
	MaxQuestion  = 96 << 10 // bytes of one
	MaxState     = 64 << 10 // bytes of requestState

	maxKey = 256 // bytes of what a server calls a question
)

// ElicitMethod is how a server asks a person.
const ElicitMethod = "elicitation/create"

// CodeVisit is the error by which an older server wants pages visited before a
// call is made again.
const CodeVisit = -32042

// Question is what elicitation/create asks.
type Question struct {
	Key     string // the server's; of pages to visit, and in line, a number
	ID      string // elicitationId
	Mode    string // form or url
	Message string
	Schema  json.RawMessage // of a form, as it came: its fields have an order; nil: none
	URL     string
}

// Loan is what a response asks the client for, not its person: one of the methods
// that ReadRound was told of.
type Loan struct {
	Key, Method string
	Params      json.RawMessage
}

// Round is what a response asks for, instead of a result.
type Round struct {
	Loans     []Loan     // in the server's order, as far as the client lends anything
	Questions []Question // in the server's order; none: it wants to be asked again later
	State     string     // requestState
	Visit     bool       // with CodeVisit: there is no state
}

// AskError says that a server asks for what it does not get. It is ErrProtocol.
type AskError struct {
	what    string
	refused bool // the call was answered with an error: it wants something first
}

func (e *AskError) Error() string { return "the server " + e.what }

// Is implements the interface of package errors.
func (e *AskError) Is(target error) bool { return target == ErrProtocol }

// GivenUp is what is known of a call that ends because of what its server asked: it
// was begun.
const GivenUp = "the call was given up: whether some of it was carried out is not known. Find out before you call it again."

// Sentence tells it to people who know the server by a name, and what became of the
// call.
func (e *AskError) Sentence(server string) string {
	if e.refused {
		return server + " " + e.what + "; the call was not carried out."
	}
	return server + " " + e.what + "; " + GivenUp
}

func asks(format string, args ...any) error { return &AskError{what: fmt.Sprintf(format, args...)} }

// ReadRound reads the response to a call. It returns nil where that asks for
// nothing, and an *AskError where it asks for too much, or for what nobody can
// make out. lends are the methods besides elicitation/create that are answered.
func ReadRound(m Message, lends ...string) (*Round, error) {
	switch {
	case m.Error != nil && m.Error.Code == CodeVisit:
		r, err := readVisits(m.Error.Data)
		if wrong := (*AskError)(nil); errors.As(err, &wrong) {
			wrong.refused = true
		}
		return r, err
	case m.Error != nil || !InputRequired(m.Result):
		return nil, nil
	}
	var requests, state json.RawMessage
	if !pick(m.Result, map[string]*json.RawMessage{"inputRequests": &requests, "requestState": &state}) {
		return nil, asks("asks for input in a way that cannot be read")
	}
	r := &Round{}
	if len(state) > MaxState+len(`""`) {
		return nil, asks("wants more than %d KiB kept between two of its questions (requestState)", MaxState>>10)
	}
	if !decode(state, &r.State) {
		return nil, asks("asks for input in a way that cannot be read")
	}
	if requests == nil || string(requests) == "null" {
		return r, nil
	}
	var wrong error
	ok := visit(requests, func(name, value []byte) bool {
		wrong = r.add(text(name), value, lends)
		return wrong == nil
	})
	switch {
	case wrong != nil:
		return nil, wrong
	case !ok:
		return nil, asks("asks for input in a way that cannot be read")
	}
	return r, nil
}

// add reads one of the input requests.
func (r *Round) add(key string, request json.RawMessage, lends []string) error {
	if len(r.Questions)+len(r.Loans) == MaxQuestions {
		return asks("asks more than %d questions at once", MaxQuestions)
	}
	if r.has(key) {
		return asks("asks two questions under one key")
	}
	var quoted, params json.RawMessage
	var method string
	if len(key) > maxKey || !pick(request, map[string]*json.RawMessage{"method": &quoted, "params": &params}) || !decode(quoted, &method) {
		return asks("asks a question that cannot be read")
	}
	if slices.Contains(lends, method) {
		if len(params) > MaxQuestion {
			return asks("asks a question that is longer than %d KiB", MaxQuestion>>10)
		}
		r.Loans = append(r.Loans, Loan{key, method, bytes.Clone(params)})
		return nil
	}
	if method != ElicitMethod {
		return asks("asks for something that this client does not offer (%.100q)", method)
	}
	q, err := ReadQuestion(params)
	q.Key = key
	r.Questions = append(r.Questions, q)
	return err
}

func (r *Round) has(key string) bool {
	return slices.ContainsFunc(r.Questions, func(q Question) bool { return q.Key == key }) ||
		slices.ContainsFunc(r.Loans, func(l Loan) bool { return l.Key == key })
}

// readVisits reads the pages that a server wants visited.
func readVisits(data json.RawMessage) (*Round, error) {
	r := &Round{Visit: true}
	list, _ := Member(data, "elicitations")
	var wrong error
	ok := elements(list, func(value []byte) bool {
		if len(r.Questions) == MaxQuestions {
			wrong = asks("wants more than %d pages visited before a call", MaxQuestions)
			return false
		}
		var q Question
		if q, wrong = ReadQuestion(value); wrong == nil && q.Mode != "url" {
			wrong = asks("wants a page visited, and its link cannot be used")
		}
		q.Key = strconv.Itoa(len(r.Questions) + 1)
		r.Questions = append(r.Questions, q)
		return wrong == nil
	})
	switch {
	case wrong != nil:
		return nil, wrong
	case !ok || len(r.Questions) == 0:
		return nil, asks("wants a page visited, and does not say which")
	}
	return r, nil
}

// ReadQuestion reads the parameters of elicitation/create.
func ReadQuestion(params json.RawMessage) (Question, error) {
	if len(params) > MaxQuestion {
		return Question{}, asks("asks a question that is longer than %d KiB", MaxQuestion>>10)
	}
	var mode, message, schema, url, id json.RawMessage
	ok := pick(params, map[string]*json.RawMessage{
		"mode": &mode, "message": &message, "requestedSchema": &schema, "url": &url, "elicitationId": &id,
	})
	q := Question{}
	if !ok || !decode(mode, &q.Mode) || !decode(message, &q.Message) || !decode(url, &q.URL) || !decode(id, &q.ID) || len(q.ID) > maxKey {
		return Question{}, asks("asks a question that cannot be read")
	}
	switch {
	case q.Mode == "url":
	case q.Mode == "form", q.Mode == "" && (mode == nil || string(mode) == "null"):
		q.Mode, q.URL = "form", ""
		if string(schema) != "null" {
			q.Schema = bytes.Clone(schema)
		}
	default:
		return Question{}, asks("asks in a way that this client does not offer (%.100q)", q.Mode)
	}
	return q, nil
}

// Answer is the result of elicitation/create. What the protocol has no word for,
// such as that nobody answered in time, is a cancel.
func Answer(action string, content json.RawMessage) json.RawMessage {
	switch action {
	case "accept":
	case "decline":
		content = nil
	default:
		action, content = "cancel", nil
	}
	b := append([]byte(`{"action":`), appendText(nil, action)...)
	if len(content) > 0 {
		b = append(append(b, `,"content":`...), content...)
	}
	return append(b, '}')
}

// InputRequired reports whether a result of 2026-07-28 is a question.
func InputRequired(result json.RawMessage) bool {
	if !bytes.Contains(result, []byte("input_required")) {
		return false
	}
	kind, ok := Member(result, "resultType")
	return ok && string(kind) == `"input_required"`
}

// pick finds the members of an object that have these names. One that is there
// twice means one thing to this reader and another to the next: it is refused.
func pick(object json.RawMessage, members map[string]*json.RawMessage) bool {
	once := true
	ok := visit(object, func(name, value []byte) bool {
		for wanted, to := range members {
			if equals(name, wanted) {
				once = once && *to == nil
				*to = value
			}
		}
		return once
	})
	return ok && once
}

// decode reads a string, of which there may be none.
func decode(value json.RawMessage, to *string) bool {
	if value == nil || string(value) == "null" {
		return true
	}
	if value[0] != '"' {
		return false
	}
	*to = text(value)
	return true
}

package mcpclient

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Message is one JSON-RPC message of which only the envelope was read. Its
// parts share the memory that it was read from.
type Message struct {
	ID     json.RawMessage // nil: a notification
	Method string          // empty: a response
	Params json.RawMessage
	Result json.RawMessage
	Error  *Error
	// Twice says that the result has a name twice that is read here: it means one thing
	// to one reader and another to the next. No Exchange returns it.
	Twice bool
	// Rest has the result instead, of a call with Request.Large whose response is
	// large.
	Rest *Rest
}

// Response reports whether the message answers a request.
func (m Message) Response() bool { return m.Method == "" }

// Request reports whether the message wants an answer.
func (m Message) Request() bool { return m.Method != "" && m.ID != nil }

// Envelope reads the envelope of one message: it checks that all of b is JSON,
// and decodes none of params and result. A message that is neither a request
// nor a notification nor a response, a batch, and an envelope that has a name
// twice are ErrProtocol. The message shares b's memory.
func Envelope(b []byte) (Message, error) {
	var e envelope
	end, _ := members(b, space(b, 0), func(name []byte, i int) int {
		if i < len(b) && b[i] == '{' && equals(name, "result") {
			return e.skipResult(b, i)
		}
		return skip(b, i, 1)
	}, e.take)
	if end < 0 || space(b, end) != len(b) {
		return Message{}, fmt.Errorf("%w: the message is no JSON object", ErrProtocol)
	}
	if e.wrong != "" {
		return Message{}, fmt.Errorf("%w: %s", ErrProtocol, e.wrong)
	}
	return e.message()
}

// The members of an envelope.
const (
	hasVersion = 1 << iota
	hasID
	hasMethod
	hasParams
	hasResult
	hasError
)

// envelope collects what a message has.
type envelope struct {
	Message
	failure []byte
	has     int
	wrong   string
}

// skipResult skips a result that is an object, and looks at its names on the way.
func (e *envelope) skipResult(b []byte, i int) int {
	var names Names
	end, _ := members(b, i, func(_ []byte, i int) int { return skip(b, i, 2) }, func(name, _ []byte) bool {
		if names.Again(name) {
			e.Twice = true
		}
		return true
	})
	return end
}

func (e *envelope) take(name, value []byte) bool {
	member := 0
	switch {
	case equals(name, "jsonrpc"):
		member = hasVersion
		if string(value) != `"2.0"` {
			e.wrong = "the message is not of JSON-RPC 2.0"
		}
	case equals(name, "id"):
		member, e.ID = hasID, value
		if c := value[0]; c != '"' && c != '-' && (c < '0' || c > '9') && c != 'n' {
			e.wrong = "an id is a string or a number"
		}
	case equals(name, "method"):
		member = hasMethod
		if value[0] != '"' || len(value) == 2 {
			e.wrong = "a method is a name"
			break
		}
		e.Method = method(value)
	case equals(name, "params"):
		member = hasParams
		switch value[0] {
		case '{':
			e.Params = value
		case 'n': // as good as none
		default:
			e.wrong = "params are an object"
		}
	case equals(name, "result"):
		member, e.Result = hasResult, value
	case equals(name, "error"):
		member, e.failure = hasError, value
	case resembles(name):
		e.wrong = "the envelope has a name in other letters"
	}
	if e.has&member != 0 {
		e.wrong = "the envelope has a name twice"
	}
	e.has |= member
	return true // to the end, because all of it has to be JSON
}

// resembles reports whether a name differs from a member's by its letters alone:
// many programs take one for the other.
func resembles(quoted []byte) bool {
	name := text(quoted)
	return slices.ContainsFunc([]string{"jsonrpc", "id", "method", "params", "result", "error"}, func(one string) bool {
		return strings.EqualFold(name, one)
	})
}

// method decodes a method. Those of every day cost no memory.
func method(quoted []byte) string {
	switch string(quoted) {
	case `"tools/call"`:
		return "tools/call"
	case `"notifications/progress"`:
		return "notifications/progress"
	case `"elicitation/create"`:
		return ElicitMethod
	}
	return text(quoted)
}

// message checks that the members make a message together.
func (e *envelope) message() (Message, error) {
	// Some send both a result and an error, of which one is null.
	if e.has&(hasResult|hasError) == hasResult|hasError {
		if string(e.failure) == "null" {
			e.has &^= hasError
		} else if string(e.Result) == "null" {
			e.has, e.Result = e.has&^hasResult, nil
		}
	}
	null := e.has&hasID != 0 && e.ID[0] == 'n'
	kind := e.has &^ (hasVersion | hasParams | hasID)
	switch {
	case e.has&hasVersion == 0:
		return Message{}, fmt.Errorf("%w: the message is not of JSON-RPC 2.0", ErrProtocol)
	case kind == hasMethod && !null:
		return e.Message, nil
	case kind == hasResult && e.has&hasID != 0 && !null && e.has&hasParams == 0:
		return e.Message, nil
	case kind == hasError && e.has&hasParams == 0:
		if e.ID == nil {
			e.ID = json.RawMessage("null")
		}
		return e.failed()
	}
	return Message{}, fmt.Errorf("%w: the message is no request, notification or response", ErrProtocol)
}

func (e *envelope) failed() (Message, error) {
	e.Error = &Error{}
	if err := json.Unmarshal(e.failure, e.Error); err != nil || e.failure[0] != '{' {
		return Message{}, fmt.Errorf("%w: the error is none of JSON-RPC", ErrProtocol)
	}
	if _, ok := Member(e.failure, "code"); !ok {
		e.Error.Code = codeInternal // 0 would be a code of its own
	}
	return e.Message, nil
}

// Member returns the member of an object with this name, not decoded: the last
// one, as decoders have it, if there are several. The value shares the object's
// memory.
func Member(object json.RawMessage, name string) (json.RawMessage, bool) {
	var found json.RawMessage
	ok := visit(object, func(n, value []byte) bool {
		if equals(n, name) {
			found = value
		}
		return true
	})
	return found, ok && found != nil
}

// Elements calls each for every element of an array, in order and not decoded,
// until it returns false. It reports whether the list, as far as it looked, is an
// array. Where a server has put a million things into one, nothing is kept of
// those that nobody wants.
func Elements(list json.RawMessage, each func(json.RawMessage) bool) bool {
	return elements(list, func(value []byte) bool { return each(value) })
}

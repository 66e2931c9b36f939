package mcptool

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
)

// Codes of JSON-RPC errors.
const (
	CodeNotAccepted       = -32001 // declined, cancelled or expired
	CodeUnknown           = -32002 // no such question; -32602 in 2026-07-28, which has no -32002
	CodeHeaderMismatch    = -32020
	CodeMissingCapability = -32021
)

// Codes of tool errors, in _meta.code of the result.
const (
	NotSupportedCode = "ELICITATION_NOT_SUPPORTED"
	TimeoutCode      = "ELICITATION_TIMEOUT"
	InvalidInputCode = "INVALID_INPUT"
	InternalCode     = "INTERNAL_ERROR" // with errorId, under which the log has the reason
)

var (
	// ErrSuspended ends a handler whose question is open. It runs again when
	// there is an answer: always return it.
	ErrSuspended = errors.New("suspended: the question is open, and the call goes on when it is answered")

	// ErrNotSupported says that the client cannot be asked.
	ErrNotSupported = errors.New("the client does not support elicitation")

	// ErrInterrupted says that work of Once was begun and never finished: its
	// process died. Whether it took effect is not known.
	ErrInterrupted = errors.New("this was begun before and its result is not known: find out before you do it again")

	// ErrNotKept says that work of Once was done before, and that its result was
	// too large to be kept.
	ErrNotKept = errors.New("this was done before and its result was too large to keep: find out what came of it before you do it again")

	// ErrState says that the requestState of a retry is not one of ours, or not
	// for this call.
	ErrState = errors.New("requestState is not valid for this request: make the call anew without it")

	// ErrRefused says that the client answered the question with an error, or
	// went away.
	ErrRefused = errors.New("the client could not ask the person")

	// errGone marks an ErrRefused of a client that went away.
	errGone = errors.New("the session ended")

	// errKept ends a handler that has run to its end before, when nobody was
	// there to take the result.
	errKept = errors.New("the result of this call is there already")
)

// NotSupportedError says what the client lacks.
type NotSupportedError struct {
	Mode   parley.Mode
	Reason string

	modern bool
}

func (e *NotSupportedError) Error() string {
	text := fmt.Sprintf("%v in %s mode", ErrNotSupported, e.Mode)
	if e.Reason != "" {
		text += ": " + e.Reason
	}
	return text
}

func (e *NotSupportedError) Unwrap() error { return ErrNotSupported }

// TimeoutError says that nobody answered in time.
type TimeoutError struct {
	ID  parley.ID
	TTL time.Duration
}

func (e *TimeoutError) Error() string {
	return fmt.Sprintf("nobody answered question %s within %v: ask again", e.ID, e.TTL)
}

// LaterError ends a call whose journal stays: the same call, made again, goes on
// with it. Text is for the model.
type LaterError struct{ Text string }

func (e *LaterError) Error() string { return e.Text }

// InvalidInputError says that the answer did not fit the form.
type InvalidInputError struct {
	ID         parley.ID
	Violations []form.Violation
}

func (e *InvalidInputError) Error() string {
	type detail struct {
		Path    []string `json:"path"`
		Message string   `json:"message"`
	}
	details := make([]detail, 0, len(e.Violations))
	for _, v := range e.Violations {
		d := detail{Path: []string{}, Message: v.Message}
		if v.Path != "" {
			d.Path = []string{v.Path}
		}
		details = append(details, d)
	}
	text, _ := json.Marshal(details)
	return "Invalid elicitation result content\nDetails: " + string(text)
}

func (e *InvalidInputError) Unwrap() error { return form.ErrContent }

// notAccepted is the protocol's error for an answer that is no yes.
func notAccepted(id parley.ID, action parley.Action) *jsonrpc.Error {
	words := map[parley.Action]string{
		parley.Decline: "the person's answer: declined", parley.Cancel: "the person's answer: cancelled", parley.Expire: "nobody answered in time: the question has expired",
	}
	data, _ := json.Marshal(map[string]any{"elicitationId": id, "action": action})
	return &jsonrpc.Error{Code: CodeNotAccepted, Message: words[action], Data: data}
}

// unknown is the protocol's error for a question that is not there.
func unknown(id string, modern bool) *jsonrpc.Error {
	code := int64(CodeUnknown)
	if modern {
		code = jsonrpc.CodeInvalidParams
	}
	if id == "" {
		return &jsonrpc.Error{Code: code, Message: "elicitId is missing: it is in the result that said to call this"}
	}
	return &jsonrpc.Error{Code: code, Message: fmt.Sprintf("no question %.40q for you: check elicitId", id)}
}

// elsewhere is for a question of the caller's own that another session of theirs
// asked, and that is settled: its call may have been carried out.
func elsewhere(id string, modern bool) *jsonrpc.Error {
	e := unknown(id, modern)
	e.Message = fmt.Sprintf("the question %.40q was asked in another session and is settled: whether its call was carried out is not known here. Find out before you make the call again", id)
	return e
}

// missing is the error of 2026-07-28 for a capability that was not declared.
func missing(capabilities map[string]any, message string) *jsonrpc.Error {
	data, _ := json.Marshal(map[string]any{"requiredCapabilities": capabilities})
	return &jsonrpc.Error{Code: CodeMissingCapability, Message: message, Data: data}
}

// internalError is what a client and its model are told of an error that is none
// of theirs: the log has the rest under its id.
type internalError struct {
	id  string
	err error
}

func (e *internalError) Error() string {
	return "this cannot be done because of a fault of the server: send the same request again later (" + e.id + ")"
}

func (e *internalError) Unwrap() error { return e.err }

// NewErrorID names an error to whoever is not told more of it; the log has the rest under
// that id.
func NewErrorID() string { return "err_" + strings.ToLower(rand.Text()[:16]) }

// tooMany is parley.ErrTooManyPending in words for whoever called the tool: the
// operator's limits, and the ids of questions, are not theirs to know.
type tooMany struct{ err error }

func (e tooMany) Error() string {
	for _, said := range []error{parley.ErrTooManyLong, parley.ErrTooManyOfAsker, parley.ErrTooManyOfOthers, parley.ErrTooManyOfModels} {
		if errors.Is(e.err, said) {
			return said.Error()
		}
	}
	return "too many questions wait for this person: call again when some are answered"
}

func (e tooMany) Unwrap() error { return e.err }

// Public is err as whoever made a request may read it: what is not made for them, such
// as what a store says, is logged under an id, and the id is all that they get. So is
// every error of a Relay's.
func (a *Asker) Public(ctx context.Context, err error) error { return a.public(ctx, err) }

func (a *Asker) public(ctx context.Context, err error) error {
	var hidden *internalError
	if full := new(tooMany); !errors.As(err, full) && errors.Is(err, parley.ErrTooManyPending) {
		return tooMany{err}
	}
	if !Fault(err) {
		return err
	}
	if errors.As(err, &hidden) {
		return hidden // and not what was wrapped around it
	}
	if errors.Is(ctx.Err(), context.Canceled) && errors.Is(err, context.Canceled) {
		return cancelled{err} // nobody waits: what was broken off is no fault
	}
	hidden = &internalError{id: NewErrorID(), err: err}
	a.opts.Logger.ErrorContext(ctx, "call failed", "errorId", hidden.id, "err", err)
	return hidden
}

// cancelled is the error of a call that its client no longer wants.
type cancelled struct{ err error }

func (cancelled) Error() string   { return errCancelled.Error() }
func (e cancelled) Unwrap() error { return e.err }

// Fault reports whether an error is none that whoever called the tool may know of:
// the store failed, or something else that is no doing of theirs.
func Fault(err error) bool {
	var (
		wire    *jsonrpc.Error
		timeout *TimeoutError
		later   *LaterError
	)
	// An end of a context that has words of somebody's around it, such as those of a store
	// that did not answer in time, is a fault.
	if err == nil || err == context.Canceled || err == context.DeadlineExceeded || errors.As(err, new(cancelled)) || errors.As(err, &wire) || errors.As(err, &timeout) || errors.As(err, &later) {
		return false
	}
	for _, known := range []error{
		ErrSuspended, ErrNotSupported, ErrInterrupted, ErrNotKept, ErrState, ErrRefused, errKept, errGoesOn, errOver, errToolGone, form.ErrContent, form.ErrSchema, form.ErrTooLarge,
		parley.ErrInvalid, parley.ErrTooLarge, parley.ErrTooManyPending, parley.ErrNoOwner, parley.ErrQueued,
		parley.ErrAction, parley.ErrSettled, parley.ErrExpired, parley.ErrNotFound,
	} {
		if errors.Is(err, known) {
			var hidden *internalError
			return errors.As(err, &hidden)
		}
	}
	return true
}

// failure turns a handler's error into what the client gets: an error of the
// protocol where there is one for it, otherwise an error result for the model.
func failure(err error) (*mcp.CallToolResult, error) {
	var (
		wire     *jsonrpc.Error
		support  *NotSupportedError
		timeout  *TimeoutError
		invalid  *InvalidInputError
		internal *internalError
	)
	result := &mcp.CallToolResult{}
	switch {
	case errors.As(err, &wire):
		return nil, wire
	case errors.Is(err, ErrState):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	case errors.As(err, &support):
		if support.modern {
			return nil, missing(map[string]any{"elicitation": map[string]any{string(support.Mode): map[string]any{}}}, support.Error())
		}
		result.Meta = mcp.Meta{"code": NotSupportedCode}
	case errors.As(err, &timeout):
		result.Meta = mcp.Meta{"code": TimeoutCode, "elicitId": timeout.ID, "ttl": timeout.TTL.Milliseconds()}
	case errors.As(err, &invalid):
		result.Meta = mcp.Meta{"code": InvalidInputCode, "elicitId": invalid.ID, "violations": invalid.Violations}
		err = invalid
	case errors.As(err, &internal):
		result.Meta = mcp.Meta{"code": InternalCode, "errorId": internal.id}
		err = internal
	}
	if result.Meta != nil && result.Meta["errorId"] == nil {
		result.Meta["errorId"] = NewErrorID()
	}
	result.SetError(err)
	return result, nil
}

package modelserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/sse"
)

// What people are told.
const (
	refusedKey  = "The model refuses this server's key. Tell the administrator."
	usedUp      = "The account that this server has with the model's provider is used up. Tell the administrator."
	tooLong     = "This conversation has become too long for the model. Start a new one."
	withheld    = "The model's provider withheld the answer. Ask in another way."
	busy        = "The model is busy. Try again in a moment."
	unknown     = "The model is not there, or this server may not use it. Tell the administrator."
	slow        = "The model took too long to answer. Try again in a moment."
	trouble     = "The model's server has a problem. Try again in a moment."
	unaccepted  = "The model does not accept this request. Tell the administrator."
	unreachable = "The model could not be reached. Try again in a moment."
	brokeOff    = "The connection to the model broke off. Try again in a moment."
	misdirected = "The address of the model is not right. Tell the administrator."
	unreadable  = "What came from the model's address is not a model's answer. Tell the administrator to check the address."
	nothing     = "There is nothing to answer yet. Write a message."
)

// ErrWithheld is in the error for an answer that the provider's filter kept back.
var ErrWithheld = errors.New("withheld by the provider")

// Fault is what a server said instead of an answer.
type Fault struct {
	Status  int      // of the response
	Kinds   []string // what the server calls it
	Message string
}

// Refused turns a fault into an error for the person. Its own text, for the log,
// has what the server said, except where that may name a key.
func (s *Server) Refused(f Fault) error {
	text := f.sentence()
	detail := fmt.Sprintf("status %d %s", f.Status, strings.Join(f.Kinds, " "))
	if text != refusedKey && f.Message != "" {
		detail += ": " + f.Message
	}
	if f.aboutContent() {
		return s.publicFor(text, detail, ErrNotTaken)
	}
	return s.public(text, detail)
}

func (f Fault) sentence() string {
	is := func(kinds ...string) bool {
		return slices.ContainsFunc(f.Kinds, func(k string) bool { return slices.Contains(kinds, k) })
	}
	says := func(phrases ...string) bool {
		message := strings.ToLower(f.Message)
		return slices.ContainsFunc(phrases, func(p string) bool { return strings.Contains(message, p) })
	}
	switch {
	case f.Status == http.StatusPaymentRequired || is("billing_error", "insufficient_quota", "402") || says("credit balance is too low"):
		return usedUp
	case f.Status == http.StatusUnauthorized || f.Status == http.StatusForbidden ||
		is("authentication_error", "permission_error", "invalid_api_key", "401", "403"):
		return refusedKey
	case f.Status == http.StatusRequestEntityTooLarge || is("request_too_large", "context_length_exceeded", "exceed_context_size_error") ||
		says("maximum context length", "prompt is too long", "context window", "context length", "context size"):
		return tooLong
	case is("content_filter", "content_policy_violation"):
		return withheld
	case f.Status == http.StatusTooManyRequests || f.Status == http.StatusServiceUnavailable || f.Status == 529 ||
		is("rate_limit_error", "rate_limit_exceeded", "overloaded_error", "429", "503", "529"):
		return busy
	case f.Status == http.StatusNotFound || is("model_not_found", "not_found_error", "404"):
		return unknown
	case f.Status == http.StatusRequestTimeout || f.Status == http.StatusGatewayTimeout || is("timeout_error", "408", "504"):
		return slow
	case f.Status >= 500 || f.Status < 400: // the latter came in the middle of an answer
		return trouble
	}
	return unaccepted
}

// ReadFault reads what servers write into the body of a refusal, or into an
// event in the middle of an answer.
func ReadFault(status int, data []byte) Fault {
	type fields struct {
		Type, Code any // some have numbers
		Message    string
	}
	var body struct {
		Error   json.RawMessage
		Message string
		Detail  any
	}
	if json.Unmarshal(data, &body) != nil {
		return Fault{Status: status, Message: string(data)}
	}
	f := Fault{Status: status, Message: body.Message}
	if body.Detail != nil {
		f.Message = fmt.Sprint(body.Detail)
	}
	var said fields
	if json.Unmarshal(body.Error, &said) == nil {
		f.Message = said.Message
	} else if text := ""; json.Unmarshal(body.Error, &text) == nil {
		f.Message = text
	}
	for _, kind := range []any{said.Type, said.Code} {
		if kind != nil && kind != "" {
			f.Kinds = append(f.Kinds, fmt.Sprint(kind))
		}
	}
	return f
}

// Failed turns the failure of a request into an error for the person: what the
// server said, or what became of the connection. It returns what ended the
// context if that did; ctx is that of Begin.
func (x *Exchange) Failed(ctx context.Context, err error) error {
	if errors.Is(context.Cause(ctx), errSilent) {
		return x.server.public(slow, fmt.Sprintf("%v (%s)", errSilent, x.server.patience))
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if x.fault != nil {
		return x.server.Refused(*x.fault)
	}
	// It names the whole address, which we did not write.
	if outer := (*url.Error)(nil); errors.As(err, &outer) {
		err = outer.Err
	}
	text := unreachable
	switch {
	case isRedirect(err):
		text = misdirected
	case isTimeout(err):
		text = slow
	case errors.Is(err, errEndless) || errors.Is(err, sse.ErrTooLarge):
		text = trouble
	case x.begun && x.lost == nil: // all that was sent came, and is not what it should be
		text = unreadable
	case x.begun:
		text = brokeOff
	}
	return x.server.public(text, err.Error())
}

func isRedirect(err error) bool { return errors.Is(err, errRedirect) }

func isTimeout(err error) bool {
	var network net.Error
	return errors.As(err, &network) && network.Timeout()
}

// Ended turns a stream that ended before its message did into an error for the
// person, as Failed does. understood says whether any of it was of a message.
func (x *Exchange) Ended(ctx context.Context, understood bool) error {
	err := errors.New("the stream ended before the message did")
	if understood || x.count == 0 && x.streams() {
		x.lost = err
		return x.Failed(ctx, err)
	}
	// Some servers refuse with the status of an answer. Where they do not say why
	// in words that are known, it is the address that is wrong.
	if f := ReadFault(http.StatusOK, x.first); x.count == 0 && json.Valid(x.first) && f.sentence() != trouble {
		x.fault = &f
	}
	return x.Failed(ctx, fmt.Errorf("%w: it began with %q, as %q", err, x.shown(), x.kind))
}

// TooLong is the error for an answer that there was no room for.
func (s *Server) TooLong(reason string) error { return s.public(tooLong, reason) }

// Nothing is the error for a conversation in which nothing was said.
func (s *Server) Nothing() error { return s.public(nothing, "no message has a text") }

// hide takes the key out of a text.
func (s *Server) hide(text string) string {
	if s.key == "" {
		return text
	}
	return strings.ReplaceAll(text, s.key, "[key]")
}

// public has a person's sentence, and in front of it the detail for the log. No
// cause hangs on it that could say more.
func (s *Server) public(text, detail string) error {
	switch text {
	case tooLong:
		return s.publicFor(text, detail, agent.ErrPromptTooLong)
	case withheld:
		return s.publicFor(text, detail, ErrWithheld)
	}
	return s.publicFor(text, detail, nil)
}

// publicFor is public with what callers tell it by.
func (s *Server) publicFor(text, detail string, cause error) error {
	detail = s.hide(detail)
	if most := 500; len(detail) > most {
		detail = strings.ToValidUTF8(detail[:most], "") + "…"
	}
	public := &agent.PublicError{Text: text, Cause: cause}
	return fmt.Errorf("model server %s: %q: %w", s.name, detail, public)
}

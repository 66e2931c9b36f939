// Package tracing says where something belongs in a trace: W3C trace context, and
// spans as values.
//
//	ctx = tracing.With(ctx, origin)                  // somebody called us in a trace
//	ctx, live := tracing.Start(ctx, tracer, "call")  // what happens here is a part of it
//	defer live.End()
//
// Its nouns:
//
//   - Context: a span of a trace by its ids, as a traceparent names it. It can be
//     stored, so that what goes on in another process belongs to the same trace.
//   - Span: something that has ended, with when, how, and what led to it.
//   - Tracer: who takes spans. Package telemetry has one, for OpenTelemetry; nil is
//     nobody, and costs nothing.
//
// The id of a span is either random or, by Context.Child, made of what the span is
// of. Then whoever goes on knows the id of what another process began, and a span
// that a dead process owes is told by the next, once, under its own id.
//
// Contexts are values; a Live is one goroutine's.
package tracing

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
)

// Context names a span of a trace. The zero Context names none; one without a Span
// is a trace of which no span is known yet.
type Context struct {
	Trace   [16]byte
	Span    [8]byte
	Sampled bool   // its spans are told
	State   string // the tracestate, which others wrote: it is passed on and not read
}

// MostState is how many bytes of a tracestate are passed on. A longer one is left
// out, as the specification allows.
const MostState = 256

// New begins a trace.
func New(sampled bool) Context {
	c := Context{Sampled: sampled}
	rand.Read(c.Trace[:]) // never fails: crypto/rand aborts the program instead
	return c
}

// Valid reports whether c names a trace.
func (c Context) Valid() bool { return c.Trace != [16]byte{} }

// IsZero is for JSON: what belongs to no trace is left out.
func (c Context) IsZero() bool { return c == Context{} }

// TraceID is the trace's id as it is written, empty if there is none.
func (c Context) TraceID() string {
	if !c.Valid() {
		return ""
	}
	return hex.EncodeToString(c.Trace[:])
}

// The names of the headers, as net/http has them.
const (
	ParentHeader = "Traceparent"
	StateHeader  = "Tracestate"
)

// OfHeader is the trace that a request says it belongs to; the zero Context: it does
// not, or not in one way.
func OfHeader(h http.Header) Context {
	parents := h[ParentHeader]
	if len(parents) != 1 {
		return Context{}
	}
	c, _ := Parse(parents[0], strings.Join(h[StateHeader], ","))
	return c
}

// SetHeader says in h where a request belongs, if that is anywhere.
func (c Context) SetHeader(h http.Header) {
	if !c.Valid() {
		return
	}
	h[ParentHeader] = []string{c.Parent()}
	if c.State != "" {
		h[StateHeader] = []string{c.State}
	}
}

// Parse reads the headers traceparent and tracestate, or the members of a _meta. What
// is not exactly as the specification has it is no trace; a strange tracestate is
// left out.
func Parse(traceparent, tracestate string) (Context, bool) {
	c, ok := parse(traceparent)
	if !ok || c.Span == [8]byte{} {
		return Context{}, false
	}
	if validState(tracestate) {
		c.State = tracestate
	}
	return c, true
}

const parentLength = len("00-") + 32 + len("-") + 16 + len("-01")

// parse reads a traceparent, whose span may be none.
func parse(s string) (c Context, ok bool) {
	// A later version may have more behind a dash; ff is none.
	if len(s) < parentLength || len(s) > 256 || len(s) > parentLength && (s[:2] == "00" || s[parentLength] != '-') {
		return c, false
	}
	var version, flags [1]byte
	if s[2] != '-' || s[35] != '-' || s[52] != '-' || !lowerHex(version[:], s[:2]) || version[0] == 0xff ||
		!lowerHex(c.Trace[:], s[3:35]) || !lowerHex(c.Span[:], s[36:52]) || !lowerHex(flags[:], s[53:55]) || !c.Valid() {
		return Context{}, false
	}
	c.Sampled = flags[0]&1 == 1
	return c, true
}

func lowerHex(into []byte, s string) bool {
	if strings.ContainsAny(s, "ABCDEF") {
		return false
	}
	_, err := hex.Decode(into, []byte(s))
	return err == nil
}

// validState reports whether a tracestate is one that can be passed on.
func validState(s string) bool {
	if s == "" || len(s) > MostState {
		return false
	}
	for i, member := range strings.Split(s, ",") {
		key, value, ok := strings.Cut(strings.Trim(member, " \t"), "=")
		if !ok || key == "" || value == "" || i == 32 || strings.ContainsFunc(key, notKey) || strings.ContainsFunc(value, notValue) {
			return false
		}
	}
	return true
}

func notKey(r rune) bool {
	return (r < 'a' || r > 'z') && (r < '0' || r > '9') && !strings.ContainsRune("_-*/@", r)
}

func notValue(r rune) bool { return r < ' ' || r > '~' || r == ',' || r == '=' }

// Parent is the traceparent of what c's span calls; empty if there is none.
func (c Context) Parent() string {
	if !c.Valid() {
		return ""
	}
	b := make([]byte, 0, parentLength)
	b = append(b, "00-"...)
	b = hex.AppendEncode(b, c.Trace[:])
	b = append(b, '-')
	b = hex.AppendEncode(b, c.Span[:])
	if c.Sampled {
		return string(append(b, "-01"...))
	}
	return string(append(b, "-00"...))
}

// Child is the span of the same trace for what the words name. The same words make
// the same span, in every process; a person or a content is not among them.
func (c Context) Child(words ...string) Context {
	if !c.Valid() {
		return Context{}
	}
	sum := sha256.New()
	sum.Write(c.Trace[:])
	for _, word := range words {
		sum.Write([]byte{0})
		sum.Write([]byte(word))
	}
	copy(c.Span[:], sum.Sum(nil))
	c.Span[0] |= 1 // it is not all zeros
	return c
}

// MarshalText is how a Context is stored: the traceparent, and the tracestate after
// a space.
func (c Context) MarshalText() ([]byte, error) {
	if c.State == "" {
		return []byte(c.Parent()), nil
	}
	return []byte(c.Parent() + " " + c.State), nil
}

var errStored = errors.New("this is no stored trace context")

// UnmarshalText reads what MarshalText wrote.
func (c *Context) UnmarshalText(text []byte) error {
	*c = Context{}
	if len(text) == 0 {
		return nil
	}
	parent, state, _ := strings.Cut(string(text), " ")
	read, ok := parse(parent)
	if !ok || state != "" && !validState(state) {
		return errStored
	}
	*c, c.State = read, state
	return nil
}

type contextKey struct{}

// With returns a ctx in which the span c is under way. What is no trace changes
// nothing.
func With(ctx context.Context, c Context) context.Context {
	if !c.Valid() {
		return ctx
	}
	return context.WithValue(ctx, contextKey{}, c)
}

// From is the span that is under way in ctx; the zero Context: none is.
func From(ctx context.Context) Context {
	c, _ := ctx.Value(contextKey{}).(Context)
	return c
}

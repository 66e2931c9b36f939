package tracing

import (
	"context"
	"crypto/rand"
	"time"
)

// Tracer takes spans. Where there is none it is nil.
type Tracer interface {
	// Origin is what something that begins in ctx is a part of: the span that is
	// under way, or else a new trace. Whether its spans are told is decided here.
	Origin(ctx context.Context) Context
	// Ended takes a span. It does not block, and what nobody can be told is dropped.
	Ended(s Span)
}

// Kind says on which side of a call a span is.
type Kind string

// The kinds.
const (
	Internal Kind = ""
	Server   Kind = "server" // somebody called us
	Client   Kind = "client" // we called somebody
)

// Attribute is something that is known of a span. Names of the configuration, words
// of this program, ids and numbers are; nothing that somebody said, sent or was given.
type Attribute struct {
	Key   string
	Value any // string, bool, int, int64 or float64
}

// Span is something that has ended.
type Span struct {
	Name    string
	Context Context   // its own
	Parent  Context   // what it is a part of; zero, or without a Span: it is the first of its trace
	Links   []Context // what it goes on with
	Kind    Kind

	Start, End time.Time
	Attributes []Attribute
	Failed     string // in a word of this program; empty: it did not
}

// Origin is where what begins in ctx belongs, for who may have no tracer.
func Origin(ctx context.Context, t Tracer) Context {
	if t == nil {
		return Context{}
	}
	return t.Origin(ctx)
}

// Live is a span that is under way in this process. Nil is none.
type Live struct {
	tracer Tracer
	span   Span
}

// Start begins a span of what happens in ctx, under a random id. Without a tracer
// ctx is returned as it is, and nil.
func Start(ctx context.Context, t Tracer, name string, kind Kind) (context.Context, *Live) {
	if t == nil {
		return ctx, nil
	}
	parent := t.Origin(ctx)
	own := parent
	rand.Read(own.Span[:])
	l := &Live{tracer: t, span: Span{Name: name, Kind: kind, Parent: parent, Context: own, Start: time.Now()}}
	return With(ctx, own), l
}

// Context is the span's own.
func (l *Live) Context() Context {
	if l == nil {
		return Context{}
	}
	return l.span.Context
}

// Set says something of the span. Who has to work for the value looks first whether
// there is a span.
func (l *Live) Set(key string, value any) {
	if l != nil {
		l.span.Attributes = append(l.span.Attributes, Attribute{key, value})
	}
}

// Link says what it goes on with.
func (l *Live) Link(c Context) {
	if l != nil && c.Valid() {
		l.span.Links = append(l.span.Links, c)
	}
}

// Fail says that it failed, in a word of this program.
func (l *Live) Fail(word string) {
	if l != nil {
		l.span.Failed = word
	}
}

// End ends the span, once: a second End does nothing.
func (l *Live) End() {
	if l == nil || l.tracer == nil {
		return
	}
	l.span.End = time.Now()
	l.tracer.Ended(l.span)
	l.tracer = nil
}

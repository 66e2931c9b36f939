// Package spans is a tracer for tests that remembers what it was told.
package spans

import (
	"context"
	"slices"
	"sync"

	"github.com/parley-hq/parley/tracing"
)

// Kept is a tracer that remembers. The zero value is ready, for many goroutines.
type Kept struct {
	mu  sync.Mutex
	all []tracing.Span
}

// Origin implements tracing.Tracer: what is in no trace begins one.
func (k *Kept) Origin(ctx context.Context) tracing.Context {
	if c := tracing.From(ctx); c.Valid() {
		return c
	}
	return tracing.New(true)
}

// Ended implements tracing.Tracer.
func (k *Kept) Ended(s tracing.Span) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all = append(k.all, s)
}

// All is what has ended, in this order.
func (k *Kept) All() []tracing.Span {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.all)
}

// Named is what has ended of that name.
func (k *Kept) Named(name string) []tracing.Span {
	return slices.DeleteFunc(k.All(), func(s tracing.Span) bool { return s.Name != name })
}

// Of is what a span says under that key; nil: nothing.
func Of(s tracing.Span, key string) any {
	at := slices.IndexFunc(s.Attributes, func(a tracing.Attribute) bool { return a.Key == key })
	if at < 0 {
		return nil
	}
	return s.Attributes[at].Value
}

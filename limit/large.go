package limit

import (
	"bytes"
	"context"
	"io"
	"net/http"
)

// LargeUnit is how many bytes a body may have that counts for nothing, and that of a
// larger one count for one.
const LargeUnit = 64 << 10

// unknownLength is what a large body counts for that does not say its length, and
// longest what one counts for at most: no handler reads more.
const (
	unknownLength = 4 << 20 / LargeUnit
	longest       = 16 << 20 / LargeUnit
)

// Large bounds the large bodies that are read and made sense of at once, by their bytes.
// Make it with NewLarge.
type Large struct{ held *Held }

// NewLarge lets each who sends have so many times LargeUnit at once, and all together so
// many. Zero and less mean no limit. A body alone is never too large.
func NewLarge(each, all int) *Large { return &Large{NewHeld(each, all)} }

// Take counts the body of a request until done is called, or Understood with its
// context. It reads no more than the beginning of one that does not say its length.
func (l *Large) Take(r *http.Request, who string) (_ *http.Request, done func(), ok bool) {
	units := min(r.ContentLength/LargeUnit, longest)
	if r.ContentLength < 0 && r.Body != nil {
		if r, ok = peeked(r); !ok {
			units = unknownLength
		}
	}
	if units <= 0 {
		return r, func() {}, true
	}
	give, ok := l.held.TakeMany(who, int(units))
	if !ok {
		return r, nil, false
	}
	return r.WithContext(context.WithValue(r.Context(), largeKey{}, give)), give, true
}

// peeked reads the beginning of a body, and reports whether that is all.
func peeked(r *http.Request) (_ *http.Request, all bool) {
	beginning, err := io.ReadAll(io.LimitReader(r.Body, LargeUnit))
	again := *r
	again.Body = &rest{Reader: io.MultiReader(bytes.NewReader(beginning), r.Body), Closer: r.Body}
	return &again, err != nil || len(beginning) < LargeUnit
}

type rest struct {
	io.Reader
	io.Closer
}

type largeKey struct{}

// Understood says that a request's body has been made sense of: what is kept of it is
// counted as what it asks for, which may take long. A body that is not counted does not
// matter.
func Understood(ctx context.Context) {
	if give, ok := ctx.Value(largeKey{}).(func()); ok {
		give()
	}
}

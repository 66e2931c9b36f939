package tracing_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/parley-hq/parley/tracing"
)

const (
	parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
	state  = "congo=t61rcWkgMzE,rojo=00f067aa0ba902b7"
)

func TestATraceparentIsReadAndWritten(t *testing.T) {
	c, ok := tracing.Parse(parent, state)
	if !ok || c.Parent() != parent || c.State != state || !c.Sampled || c.TraceID() != "4bf92f3577b34da6a3ce929d0e0e4736" {
		t.Errorf("%+v, %v", c, ok)
	}
	if c, ok := tracing.Parse(strings.Replace(parent, "00-", "01-", 1)+"-more", ""); !ok || c.Parent() != parent {
		t.Errorf("of a later version: %+v, %v", c, ok)
	}
	if c, ok := tracing.Parse(parent[:53]+"02", ""); !ok || c.Sampled {
		t.Errorf("flags that are not known: %+v, %v", c, ok)
	}
}

func TestAStrangeTraceparentIsNone(t *testing.T) {
	for _, strange := range []string{
		"", "00", "x", parent[:54], parent + "-more", parent + "0", "ff" + parent[2:], strings.ToUpper(parent),
		"00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
		strings.Replace(parent, "-", "_", 1), " " + parent[1:], parent[:53] + "0g", "01" + parent[2:] + "." + strings.Repeat("x", 10),
		"01" + parent[2:] + "-" + strings.Repeat("x", 300),
	} {
		if c, ok := tracing.Parse(strange, state); ok || c.Valid() || c.State != "" {
			t.Errorf("%q: %+v", strange, c)
		}
	}
}

func TestAStrangeTracestateIsLeftOut(t *testing.T) {
	for _, strange := range []string{"a", "=b", "a=", "a=b,,c=d", "A=b", "a=b\r\nX-Other: 1", "a=\"\x00", "ä=b", "a=b=c", "a=" + strings.Repeat("x", 300), strings.Repeat("a=b,", 33) + "a=b"} {
		if c, ok := tracing.Parse(parent, strange); !ok || c.State != "" {
			t.Errorf("%q: %+v, %v", strange, c, ok)
		}
	}
}

func TestTheSameWordsMakeTheSameSpanOfATrace(t *testing.T) {
	c := tracing.New(true)
	one, same, other := c.Child("run", "1"), c.Child("run", "1"), c.Child("run1")
	if one != same || one == other || one.Trace != c.Trace || !one.Sampled || one.Span == [8]byte{} {
		t.Errorf("%v %v %v", one, same, other)
	}
	if elsewhere := tracing.New(true).Child("run", "1"); elsewhere.Span == one.Span {
		t.Error("another trace has the same span")
	}
	if none := (tracing.Context{}).Child("run"); none.Valid() {
		t.Error("what belongs to no trace has a span")
	}
}

func TestAContextIsStored(t *testing.T) {
	type record struct {
		Trace tracing.Context `json:"trace,omitzero"`
	}
	begun := tracing.New(false)
	given, _ := tracing.Parse(parent, state)
	for _, c := range []tracing.Context{{}, begun, given} {
		data, err := json.Marshal(record{c})
		if err != nil {
			t.Fatal(err)
		}
		var read record
		if err := json.Unmarshal(data, &read); err != nil || read.Trace != c {
			t.Errorf("%s: %+v, %v", data, read.Trace, err)
		}
	}
	if data, _ := json.Marshal(record{}); string(data) != "{}" {
		t.Errorf("nothing is stored as %s", data)
	}
	if err := json.Unmarshal([]byte(`{"trace":"00-1-2-3"}`), &record{}); err == nil {
		t.Error("what is none is read")
	}
}

type keeping struct{ spans []tracing.Span }

func (k *keeping) Origin(ctx context.Context) tracing.Context {
	if c := tracing.From(ctx); c.Valid() {
		return c
	}
	return tracing.New(true)
}
func (k *keeping) Ended(s tracing.Span) { k.spans = append(k.spans, s) }

func TestALiveSpanIsAPartOfWhatIsUnderWay(t *testing.T) {
	k := &keeping{}
	ctx, outer := tracing.Start(t.Context(), k, "outer", tracing.Server)
	inside, inner := tracing.Start(ctx, k, "inner", tracing.Client)
	if tracing.From(inside) != inner.Context() {
		t.Error("what it calls does not belong to it")
	}
	inner.Set("parley.server", "tracker")
	inner.Fail("failed")
	inner.End()
	inner.End()
	outer.End()
	if len(k.spans) != 2 {
		t.Fatalf("%+v", k.spans)
	}
	in, out := k.spans[0], k.spans[1]
	if in.Parent != out.Context || in.Context.Trace != out.Context.Trace || in.Context.Span == out.Context.Span || out.Parent.Span != [8]byte{} || in.Failed == "" || in.End.Before(in.Start) || len(in.Attributes) != 1 {
		t.Errorf("%+v\n%+v", in, out)
	}
}

// What is not traced costs nothing.
func TestWithoutATracerNothingIsAllocated(t *testing.T) {
	ctx := t.Context()
	allocated := testing.AllocsPerRun(100, func() {
		inside, live := tracing.Start(ctx, nil, "call", tracing.Server)
		if tracing.Origin(inside, nil).Valid() || tracing.From(inside).Valid() || live.Context().Parent() != "" {
			t.Error("there is a trace")
		}
		live.Fail("failed")
		live.End()
	})
	if allocated != 0 {
		t.Errorf("%v allocations", allocated)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(parent, state)
	f.Add("", "")
	f.Fuzz(func(t *testing.T, parent, state string) {
		c, ok := tracing.Parse(parent, state)
		if !ok {
			return
		}
		again, ok := tracing.Parse(c.Parent(), c.State)
		if !ok || again != c {
			t.Errorf("%q %q: %+v, then %+v", parent, state, c, again)
		}
		for _, written := range []string{c.Parent(), c.State} {
			if strings.ContainsFunc(written, func(r rune) bool { return r < ' ' && r != '\t' || r > '~' }) {
				t.Errorf("%q can be no header", written)
			}
		}
	})
}

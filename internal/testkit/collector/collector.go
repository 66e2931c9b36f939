// Package collector is an OTLP collector for tests: it takes spans by HTTP, as
// OpenTelemetry's own types have them, and remembers them.
package collector

import (
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is a span as a collector has it.
type Span struct {
	Service, Node              string // of the resource
	Trace, ID, Parent          string
	Links                      []string // ids of spans
	Name, Kind, State, Failure string
	Start, End                 time.Time
	Attributes                 map[string]any
}

// Collector takes spans.
type Collector struct {
	URL string

	mu      sync.Mutex
	spans   []Span
	headers []http.Header
	bodies  [][]byte
	more    chan struct{}
}

// Start starts a collector, until the test ends.
func Start(t testing.TB) *Collector {
	t.Helper()
	c := &Collector{more: make(chan struct{})}
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	c.URL = server.URL
	return c
}

// ServeHTTP takes spans at /v1/traces.
func (c *Collector) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
		http.Error(w, "not OTLP", http.StatusNotFound)
		return
	}
	body, err := io.ReadAll(r.Body)
	var data tracepb.TracesData
	if err == nil {
		err = proto.Unmarshal(body, &data)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.headers, c.bodies = append(c.headers, r.Header), append(c.bodies, body)
	for _, from := range data.ResourceSpans {
		for _, scope := range from.ScopeSpans {
			for _, s := range scope.Spans {
				c.spans = append(c.spans, spanOf(from, s))
			}
		}
	}
	close(c.more)
	c.more = make(chan struct{})
}

func spanOf(from *tracepb.ResourceSpans, s *tracepb.Span) Span {
	read := Span{
		Trace: hex.EncodeToString(s.TraceId), ID: hex.EncodeToString(s.SpanId), Parent: hex.EncodeToString(s.ParentSpanId),
		Name: s.Name, Kind: s.Kind.String(), State: s.TraceState, Failure: s.Status.GetMessage(),
		Start: time.Unix(0, int64(s.StartTimeUnixNano)), End: time.Unix(0, int64(s.EndTimeUnixNano)), Attributes: map[string]any{},
	}
	for _, l := range s.Links {
		read.Links = append(read.Links, hex.EncodeToString(l.SpanId))
	}
	for _, a := range from.Resource.Attributes {
		switch a.Key {
		case "service.name":
			read.Service = a.Value.GetStringValue()
		case "service.instance.id":
			read.Node = a.Value.GetStringValue()
		}
	}
	for _, a := range s.Attributes {
		switch v := a.Value; {
		case v.GetDoubleValue() != 0:
			read.Attributes[a.Key] = v.GetDoubleValue()
		case v.GetIntValue() != 0:
			read.Attributes[a.Key] = v.GetIntValue()
		case v.GetBoolValue():
			read.Attributes[a.Key] = true
		default:
			read.Attributes[a.Key] = v.GetStringValue()
		}
	}
	return read
}

// Spans are those that have come, by when they began.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := slices.Clone(c.spans)
	slices.SortStableFunc(all, func(a, b Span) int { return a.Start.Compare(b.Start) })
	return all
}

// Headers are those of the requests that came.
func (c *Collector) Headers() []http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.headers)
}

// Said is all that was sent, as it came.
func (c *Collector) Said() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Concat(c.bodies...)
}

// patience is how long something may take that a test waits for.
const patience = time.Minute

// Wait waits until enough is true of the spans that have come.
func (c *Collector) Wait(t testing.TB, what string, enough func([]Span) bool) []Span {
	t.Helper()
	end := time.After(patience)
	for {
		c.mu.Lock()
		more := c.more
		c.mu.Unlock()
		all := c.Spans()
		if enough(all) {
			return all
		}
		select {
		case <-more:
		case <-end:
			for _, s := range all {
				t.Logf("%s %s < %s %v", s.Name, s.ID, s.Parent, s.Attributes)
			}
			t.Fatalf("no %s among %d spans", what, len(all))
		}
	}
}

// Named are the spans of a name.
func Named(all []Span, name string) (found []Span) {
	for _, s := range all {
		if s.Name == name {
			found = append(found, s)
		}
	}
	return found
}

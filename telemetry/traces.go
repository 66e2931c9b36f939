package telemetry

import (
	"cmp"
	"context"
	"encoding/binary"
	"log/slog"
	"math"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/tracing"
)

// TracesOptions configures Traces. Nil and zero fields mean the defaults.
type TracesOptions struct {
	// Endpoint is where an OTLP collector takes spans by HTTP: a URL, to whose host
	// alone /v1/traces is added. Needed.
	Endpoint string
	Headers  map[string]string // sent with every request
	// Sample is which part of the traces that begin here is told, from 0 to 1. One
	// that somebody else began is told if they say so. Default all; negative: none.
	Sample float64
	Client *http.Client // the way there; default http.DefaultClient

	Service, Version string // what this program is called there; default parley
	Node             string // which of its processes this is

	Logger *slog.Logger // default slog.Default()
}

// Bounds of what is kept for a collector: a span more than these is dropped.
const (
	queued    = 4096
	batch     = 512
	batchTime = time.Second
	sendTime  = 10 * time.Second // one attempt
	attempts  = 4                // of one batch, with growing pauses
	flushTime = 5 * time.Second  // all that is left, when the program ends
	complain  = time.Minute      // how often it is logged at most that spans are lost
)

// Traces tells an OTLP collector of spans. Whoever has one does not wait for it: what
// the collector does not take in time is dropped, and counted. It is a
// tracing.Tracer. The caller runs Run for as long as it is used.
type Traces struct {
	opts  TracesOptions
	spans chan tracing.Span
	bound uint64 // of the trace ids that are told
	wire  *otlp

	sent, dropped atomic.Int64
}

// NewTraces returns a tracer, or why its endpoint cannot be used.
func NewTraces(opts *TracesOptions) (*Traces, error) {
	t := &Traces{opts: *opts, spans: make(chan tracing.Span, queued)}
	t.opts.Service = cmp.Or(t.opts.Service, "parley")
	if t.opts.Logger == nil {
		t.opts.Logger = slog.Default()
	}
	switch sample := cmp.Or(t.opts.Sample, 1); {
	case sample >= 1:
		t.bound = math.MaxUint64
	case sample > 0:
		t.bound = uint64(sample * (1 << 63) * 2)
	}
	var err error
	t.wire, err = newOTLP(&t.opts)
	return t, err
}

// Origin implements tracing.Tracer. The same traces are told by every process that has
// the same Sample: it goes by their ids.
func (t *Traces) Origin(ctx context.Context) tracing.Context {
	if c := tracing.From(ctx); c.Valid() {
		return c
	}
	c := tracing.New(true)
	c.Sampled = t.bound == math.MaxUint64 || binary.BigEndian.Uint64(c.Trace[8:]) < t.bound
	return c
}

// Ended implements tracing.Tracer.
func (t *Traces) Ended(s tracing.Span) {
	if !s.Context.Sampled {
		return
	}
	select {
	case t.spans <- s:
	default:
		t.dropped.Add(1)
	}
}

// Sent and Dropped are how many spans the collector took, and how many it was not
// told of.
func (t *Traces) Sent() int64    { return t.sent.Load() }
func (t *Traces) Dropped() int64 { return t.dropped.Load() }

// Run tells the collector of spans until ctx ends, and then, for some seconds at
// most, of those that are left.
func (t *Traces) Run(ctx context.Context) error {
	complained := time.Time{}
	for {
		all := t.gather(ctx)
		err := ctx.Err()
		if err == nil {
			err = t.send(ctx, all)
		}
		if err == nil {
			continue
		}
		if ctx.Err() != nil { // they may have been sent, and who has them knows them by their ids
			t.flush(ctx, all)
			return ctx.Err()
		}
		t.dropped.Add(int64(len(all)))
		if time.Since(complained) >= complain {
			complained = time.Now()
			t.opts.Logger.WarnContext(ctx, "spans not taken by the OTLP collector", "err", err, "dropped", t.dropped.Load())
		}
	}
}

// gather waits for spans, and a moment for more.
func (t *Traces) gather(ctx context.Context) []tracing.Span {
	var all []tracing.Span
	var over <-chan time.Time
	for len(all) < batch {
		select {
		case s := <-t.spans:
			if all = append(all, s); over == nil {
				timer := time.NewTimer(batchTime)
				defer timer.Stop()
				over = timer.C
			}
		case <-over:
			return all
		case <-ctx.Done():
			return all
		}
	}
	return all
}

// send tries until the collector has the spans, or it is certain that it will not take
// them.
func (t *Traces) send(ctx context.Context, all []tracing.Span) error {
	body, err := t.wire.encode(all)
	if err != nil {
		return err
	}
	pause := time.Second
	for n := 1; ; n++ {
		again, err := t.wire.post(ctx, body)
		if err == nil {
			t.sent.Add(int64(len(all)))
			return nil
		}
		if !again || n == attempts || !patience.Sleep(ctx, pause) {
			return err
		}
		pause *= 2
	}
}

// flush tells of what is left when the program ends.
func (t *Traces) flush(ctx context.Context, all []tracing.Span) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), flushTime)
	defer stop()
	for {
		for more := true; more && len(all) < batch; {
			select {
			case s := <-t.spans:
				all = append(all, s)
			default:
				more = false
			}
		}
		if len(all) == 0 {
			return
		}
		body, err := t.wire.encode(all)
		if err == nil {
			_, err = t.wire.post(ctx, body)
		}
		if err != nil {
			lost := int64(len(all) + len(t.spans))
			t.dropped.Add(lost)
			t.opts.Logger.WarnContext(ctx, "spans not taken by the OTLP collector at the end", "err", err, "dropped", lost)
			return
		}
		t.sent.Add(int64(len(all)))
		all = nil
	}
}

// Reach asks the collector whether it takes spans, with none.
func (t *Traces) Reach(ctx context.Context) error {
	_, err := t.wire.post(ctx, nil)
	return err
}

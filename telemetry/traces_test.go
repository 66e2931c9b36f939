package telemetry_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/collector"
	"github.com/parley-hq/parley/telemetry"
	"github.com/parley-hq/parley/tracing"
)

// running is a tracer that runs until end is called, which returns when it has ended.
func running(t *testing.T, opts *telemetry.TracesOptions) (traces *telemetry.Traces, end func()) {
	t.Helper()
	opts.Logger = slog.New(slog.DiscardHandler)
	traces, err := telemetry.NewTraces(opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() { _ = traces.Run(ctx) })
	end = func() {
		stop()
		all.Wait()
	}
	t.Cleanup(end)
	return traces, end
}

func TestSpansOfQuestionsAreToldWithoutWhatWasSaid(t *testing.T) {
	there := collector.Start(t)
	traces, end := running(t, &telemetry.TracesOptions{Endpoint: there.URL, Headers: map[string]string{"Api-Key": "s3cret"}, Node: "one"})
	store := parley.NewMemoryStore()
	open := func() *parley.Hub {
		return parley.New(store, &parley.Options{Hooks: traces.Hooks(), Logger: slog.New(slog.DiscardHandler)})
	}
	hub, elsewhere := open(), open()
	parent, _ := tracing.Parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a=b")
	ctx := tracing.With(t.Context(), parent)
	anna := parley.Principal{Tenant: parley.DefaultTenant, User: "anna"}
	ask := func(trigger string) parley.Request {
		r, err := hub.Open(ctx, parley.Request{
			To: "anna", From: "tracker", Message: "the message", Trigger: trigger, Labels: map[string]string{parley.LabelTool: "create_issue", "scope": "user"},
			Schema: []byte(`{"type":"object","properties":{"why":{"type":"string"}}}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	answer := func(r parley.Request, a parley.Answer) {
		if err := elsewhere.Answer(context.Background(), anna, r.ID, a); err != nil {
			t.Fatal(err)
		}
	}
	first := ask(parley.TriggerApproval)
	answer(first, parley.Answer{Action: parley.Accept, Content: []byte(`{"why":"the answer"}`), Via: "inbox"})
	answer(ask(parley.TriggerCredential), parley.Answer{Action: parley.Decline, Via: "chat"})
	if err := elsewhere.Cancel(context.Background(), ask(parley.TriggerTool).ID, "the reason"); err != nil {
		t.Fatal(err)
	}
	end()
	all := there.Spans()
	if n := len(collector.Named(all, "elicitation.requested")); n != 3 {
		t.Errorf("%d were requested", n)
	}
	for _, name := range []string{"elicitation.completed", "elicitation.declined", "elicitation.cancelled"} {
		found := collector.Named(all, name)
		if len(found) != 1 {
			t.Fatalf("%d are %s", len(found), name)
		}
		s := found[0]
		_, outcome, _ := strings.Cut(name, ".")
		if s.Trace != parent.TraceID() || s.Parent != "00f067aa0ba902b7" || s.State != "a=b" || s.Attributes["outcome"] != outcome || len(s.Links) != 1 {
			t.Errorf("%+v", s)
		}
	}
	done := collector.Named(all, "elicitation.completed")[0]
	for key, want := range map[string]any{"elicitationId": string(first.ID), "toolId": "tracker", "toolName": "create_issue", "trigger": parley.TriggerApproval, "userId": "anna", "outcome": "completed", "parley.via": "inbox"} {
		if done.Attributes[key] != want {
			t.Errorf("%s is %v", key, done.Attributes[key])
		}
	}
	if _, ok := done.Attributes["duration"]; !ok || collector.Named(all, "elicitation.declined")[0].Attributes["credentialType"] != "user" {
		t.Error("duration or credentialType are missing")
	}
	for _, secret := range []string{"the message", "the answer", "the reason", "s3cret"} {
		if strings.Contains(string(there.Said()), secret) {
			t.Errorf("%q was told", secret)
		}
	}
	if there.Headers()[0].Get("Api-Key") != "s3cret" {
		t.Error("the header is not sent")
	}
}

func TestAQuestionThatNobodyAnswersIsATimeout(t *testing.T) {
	there := collector.Start(t)
	traces, end := running(t, &telemetry.TracesOptions{Endpoint: there.URL})
	synctest.Test(t, func(t *testing.T) {
		hub := parley.New(parley.NewMemoryStore(), &parley.Options{Hooks: traces.Hooks(), TTL: time.Hour, Logger: slog.New(slog.DiscardHandler)})
		if out, err := hub.Ask(t.Context(), parley.Request{To: "anna", From: "tracker", Message: "?"}); err != nil || out.Action != parley.Expire {
			t.Fatalf("%v, %v", out, err)
		}
	})
	end()
	found := collector.Named(there.Spans(), "elicitation.timeout")
	if len(found) != 1 || found[0].Attributes["duration"] != 3600.0 || found[0].End.Sub(found[0].Start) != time.Hour {
		t.Errorf("%+v", found)
	}
}

// A collector that hangs, or is away, is waited for by nobody but who tells it.
func TestACollectorThatHangsCostsNothingButTheQueue(t *testing.T) {
	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer hangs.Close()
	defer close(release)
	traces, _ := running(t, &telemetry.TracesOptions{Endpoint: hangs.URL})
	for range 20_000 { // if one of them blocked, the test would not end
		traces.Ended(tracing.Span{Name: "x", Context: tracing.New(true)})
	}
	if dropped := traces.Dropped(); dropped < 10_000 {
		t.Errorf("%d were dropped", dropped)
	}
}

func TestSpansThatAreLeftAreToldAtTheEnd(t *testing.T) {
	there := collector.Start(t)
	traces, end := running(t, &telemetry.TracesOptions{Endpoint: there.URL})
	for range 1300 {
		traces.Ended(tracing.Span{Name: "x", Context: tracing.New(true).Child("x")})
		traces.Ended(tracing.Span{Name: "x", Context: tracing.New(false).Child("x")}) // nobody wants to be told of it
	}
	end()
	came := map[string]bool{} // a batch that is under way at the end is sent once more
	for _, span := range there.Spans() {
		came[span.ID] = true
	}
	if n := len(came); n != 1300 || traces.Sent() != 1300 || traces.Dropped() != 0 {
		t.Errorf("%d came, %d were sent, %d dropped", n, traces.Sent(), traces.Dropped())
	}
}

func TestACollectorThatIsBusyIsAskedAgain(t *testing.T) {
	there := collector.Start(t)
	tries := 0
	busy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if tries++; tries == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		there.ServeHTTP(w, r)
	}))
	defer busy.Close()
	traces, _ := running(t, &telemetry.TracesOptions{Endpoint: busy.URL})
	traces.Ended(tracing.Span{Name: "x", Context: tracing.New(true).Child("x")})
	there.Wait(t, "span", func(all []collector.Span) bool { return len(all) == 1 })
}

func TestWhichTracesAreToldGoesByTheirIDs(t *testing.T) {
	for sample, want := range map[float64][2]int{0: {1000, 1000}, 0.25: {180, 320}, -1: {0, 0}} {
		traces, err := telemetry.NewTraces(&telemetry.TracesOptions{Endpoint: "http://localhost:1", Sample: sample})
		if err != nil {
			t.Fatal(err)
		}
		told := 0
		for range 1000 {
			if traces.Origin(t.Context()).Sampled {
				told++
			}
		}
		if told < want[0] || told > want[1] {
			t.Errorf("of 1000 %d are told with %v", told, sample)
		}
		given := tracing.New(true).Child("x")
		if got := traces.Origin(tracing.With(t.Context(), given)); got != given {
			t.Error("another's trace is not gone on with")
		}
	}
}

func TestAnEndpointIsAURLWithoutSecrets(t *testing.T) {
	for _, good := range [][2]string{
		{"http://localhost:4318", "http://localhost:4318/v1/traces"}, {"https://x.example/", "https://x.example/v1/traces"}, {"https://x.example/otlp/v1/traces?k=v", "https://x.example/otlp/v1/traces?k=v"},
	} {
		if got, err := telemetry.TracesURL(good[0]); got != good[1] || err != nil {
			t.Errorf("%s: %s, %v", good[0], got, err)
		}
	}
	for _, bad := range []string{"", "localhost:4318", "grpc://x:4317", "http://", "http://user:pass@x", "://"} {
		if _, err := telemetry.TracesURL(bad); err == nil || strings.Contains(err.Error(), "pass@") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// The variables of the environment that OpenTelemetry's own programs read say nothing here.
func TestTheEnvironmentHasNoSay(t *testing.T) {
	there, other := collector.Start(t), collector.Start(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", other.URL)
	t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "x-other=1")
	t.Setenv("OTEL_SERVICE_NAME", "other")
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off")
	traces, end := running(t, &telemetry.TracesOptions{Endpoint: there.URL})
	traces.Ended(tracing.Span{Name: "x", Context: traces.Origin(t.Context()).Child("x")})
	end()
	if all := there.Spans(); len(all) != 1 || all[0].Service != "parley" || there.Headers()[0].Get("X-Other") != "" || len(other.Spans()) != 0 {
		t.Errorf("%+v", all)
	}
}

// What we read and write is what OpenTelemetry's own propagator does.
func TestTraceContextIsThatOfOpenTelemetry(t *testing.T) {
	theirs := propagation.TraceContext{}
	for _, parent := range []string{
		"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", "01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-x",
		"ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "00-00000000000000000000000000000000-00f067aa0ba902b7-01", "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", "nonsense",
	} {
		header := http.Header{"Traceparent": {parent}, "Tracestate": {"congo=t61rcWkgMzE"}}
		want := trace.SpanContextFromContext(theirs.Extract(context.Background(), propagation.HeaderCarrier(header)))
		got, ok := tracing.Parse(parent, "congo=t61rcWkgMzE")
		if ok != want.IsValid() || got.Trace != want.TraceID() || got.Span != want.SpanID() || got.Sampled != want.IsSampled() || got.State != want.TraceState().String() {
			t.Errorf("%s: %+v, they have %v", parent, got, want)
		}
		if !ok {
			continue
		}
		written := http.Header{}
		theirs.Inject(trace.ContextWithRemoteSpanContext(context.Background(), want), propagation.HeaderCarrier(written))
		if written.Get("Traceparent") != got.Parent() || written.Get("Tracestate") != got.State {
			t.Errorf("they write %v, we %s", written, got.Parent())
		}
	}
	if !slices.Contains(theirs.Fields(), "traceparent") {
		t.Error("the header has another name")
	}
}

package server_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"github.com/parley-hq/parley/internal/testkit/collector"
)

const (
	callersTrace = "4bf92f3577b34da6a3ce929d0e0e4736"
	callersSpan  = "00f067aa0ba902b7"
	traceparent  = "00-" + callersTrace + "-" + callersSpan + "-01"
)

// sayWith has a turn with the assistant, with headers, to its end.
func sayWith(t *testing.T, base, bearer string, headers ...string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/run/api/chat", strings.NewReader(`{"messages":[{"role":"user","parts":[{"type":"text","text":"between us"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+bearer)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if told, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(told), "[DONE]") {
		t.Fatalf("%d %s, %v", answer.StatusCode, told, err)
	}
}

// What a caller's headers or an A2A message's metadata say is where a run belongs, and the
// run says so. What is strange says nothing.
func TestARunIsInTheTraceOfItsCaller(t *testing.T) {
	there := collector.Start(t)
	base := started(t, "telemetry: {otlp: {endpoint: \""+there.URL+"\", headers: {key: s3cret}, view: \"https://jaeger.example/trace/{trace}\"}}\n")
	alice := token(t, jose.HS256, []byte(hmacKey), claims(nil))
	run := func(n int) collector.Span {
		all := there.Wait(t, "run", func(all []collector.Span) bool { return len(collector.Named(all, "agent.run")) == n })
		return collector.Named(all, "agent.run")[n-1]
	}
	sayWith(t, base, alice, "Traceparent", traceparent, "Tracestate", "a=b", "Baggage", "user=alice")
	if s := run(1); s.Trace != callersTrace || s.Parent != callersSpan || s.State != "a=b" || s.Attributes["userId"] != "alice" || s.Node == "" {
		t.Errorf("%+v", s)
	}
	for i, strange := range [][]string{{"Traceparent", "00-1-2-01"}, {"Traceparent", traceparent, "Traceparent", traceparent}} {
		sayWith(t, base, alice, strange...)
		if s := run(i + 2); s.Trace == callersTrace || s.Parent != "" {
			t.Errorf("%q: %+v", strange, s)
		}
	}
	body := strings.Replace(hello, `"messageId":"m1"`, `"messageId":"m1","metadata":{"traceparent":"00-11111111111111111111111111111111-2222222222222222-01"}`, 1)
	if answer, told := tellAgent(t, base+"/a2a/assistant", alice, body); answer.StatusCode != http.StatusOK {
		t.Fatalf("%d %s", answer.StatusCode, told)
	}
	if s := run(4); s.Trace != strings.Repeat("1", 32) || s.Parent != strings.Repeat("2", 16) {
		t.Errorf("by A2A: %+v", s)
	}
	var runs struct {
		Items []struct {
			Trace    string
			TraceURL string `json:"trace_url"`
		}
	}
	ada := token(t, jose.HS256, []byte(hmacKey), claims(func(m map[string]any) { m["sub"], m["scope"] = "ada", "parley:admin" }))
	read(t, http.MethodGet, base+"/api/runs", ada, "", &runs)
	if first := runs.Items[3]; first.Trace != callersTrace || first.TraceURL != "https://jaeger.example/trace/"+callersTrace {
		t.Errorf("%+v", runs)
	}
	if said := string(there.Said()); strings.Contains(said, "between us") || strings.Contains(said, "s3cret") || strings.Contains(said, "user=alice") || strings.Contains(said, alice) {
		t.Error("a span has what was said, or a secret")
	}
}

// A collector that hangs keeps nobody waiting: neither who talks, nor who stops the server.
func TestACollectorThatHangsKeepsNobodyWaiting(t *testing.T) {
	release := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(hangs.Close) // after the server has ended
	t.Cleanup(func() { close(release) })
	base := started(t, "telemetry: {otlp: {endpoint: \""+hangs.URL+"\"}}\n")
	sayWith(t, base, token(t, jose.HS256, []byte(hmacKey), claims(nil)))
}

func TestACollectorIsTried(t *testing.T) {
	there := collector.Start(t)
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer refuses.Close()
	elsewhere := httptest.NewServer(http.RedirectHandler(there.URL+"/v1/traces", http.StatusTemporaryRedirect))
	defer elsewhere.Close()
	for endpoint, want := range map[string]string{
		there.URL: "", refuses.URL: "status 401", elsewhere.URL: "status 307", "http://127.0.0.1:1/v1/traces?key=s3cret": "refused",
	} {
		got := tried(t, "dev: true\nstore: \"memory:\"\ntelemetry: {otlp: {endpoint: \""+endpoint+"\", headers: {key: s3cret}}}\n")["telemetry.otlp"]
		switch {
		case want == "" && (got.Err != nil || got.Says == ""):
			t.Errorf("%s: %+v", endpoint, got)
		case want != "" && (got.Err == nil || !strings.Contains(got.Err.Error(), want) || strings.Contains(got.Err.Error(), "s3cret")):
			t.Errorf("%s: %+v", endpoint, got)
		}
	}
}

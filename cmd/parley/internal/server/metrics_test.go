package server_test

import (
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// metricsOf asks for metrics with a header.
func metricsOf(t *testing.T, url, authorization string) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/metrics", nil)
	if err != nil {
		t.Fatal(err)
	}
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(body)
}

func TestMetricsAreForWhoeverHasTheToken(t *testing.T) {
	at := recorded(t, "telemetry: {metrics: {token: \"a token of the operator\"}}\n").at
	for authorization, want := range map[string]int{
		"": 401, "Bearer": 401, "Bearer x": 401, "Basic a token of the operator": 401, "Bearer a token of the operator and more": 401, "Bearer a token of the operator": 200, "bearer a token of the operator": 200,
	} {
		if status, text := metricsOf(t, at, authorization); status != want || (status == 200) != strings.Contains(text, "parley_nodes") {
			t.Errorf("%q: %d %.200s", authorization, status, text)
		}
	}
}

func TestMetricsInDevelopmentAreForThisMachine(t *testing.T) {
	if status, text := metricsOf(t, recorded(t, "").at, ""); status != 200 || !strings.Contains(text, `parley_questions_pending{trigger="tool_approval"} 0`) {
		t.Errorf("%d %.200s", status, text)
	}
}

func TestMetricsWithAListenerOfTheirOwnAreNowhereElse(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	served := recorded(t, "telemetry: {metrics: {listen: \""+address+"\"}}\n")
	if status, _ := metricsOf(t, served.at, ""); status != 404 {
		t.Errorf("beside everything else: %d", status)
	}
	if status, text := metricsOf(t, "http://"+address, ""); status != 200 || !strings.Contains(text, "parley_nodes") {
		t.Errorf("%d %.200s", status, text)
	}
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Get("http://" + address + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != 404 {
		t.Errorf("something else is at the listener of the metrics: %d", answer.StatusCode)
	}
}

func TestMetricsOfAServerForOthersAreNotThereByDefault(t *testing.T) {
	cfg, err := config.Parse([]byte("store: \"memory:\"\nsecrets: [\"a secret of the tests that is long enough\"]\nauth: {jwt: {issuer: https://a.example, audience: p, hmac_key: \""+hmacKey+"\"}}\n"), func(string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	cfg.Listen = listener.Addr().String()
	at := runs(t, cfg, listener)
	if status, text := metricsOf(t, at, ""); status != 404 || strings.Contains(text, "parley_nodes") {
		t.Errorf("%d %.200s", status, text)
	}
}

// A mail server or a webhook that is away is in the metrics: else people say it first.
func TestAChannelThatFailsIsInTheMetrics(t *testing.T) {
	served := recorded(t, "channels: {webhooks: [{name: ops, url: \"http://127.0.0.1:1/hook\", secret: \""+webhookSecret+"\", after: 1s}]}\n")
	if _, text := metricsOf(t, served.at, ""); !strings.Contains(text, `parley_notifications_failed_total{channel="webhook:ops"} 0`) {
		t.Errorf("before anything failed: %.2000s", text)
	}
	if _, err := served.Hub.Open(t.Context(), parley.Request{To: "alice", From: "tracker", Message: "Go on?"}); err != nil {
		t.Fatal(err)
	}
	for over := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		_, text := metricsOf(t, served.at, "")
		if strings.Contains(text, `parley_notifications_failed_total{channel="webhook:ops"} 1`) {
			return
		}
		if time.Now().After(over) {
			t.Fatalf("%.2000s", text)
		}
	}
}

package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestTracesAreSentNowhereUnlessTheConfigurationSaysWhere(t *testing.T) {
	c, err := config.Parse([]byte(contract), env(map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://elsewhere.example"}))
	if err != nil || c.Telemetry.OTLP != nil || strings.Contains(c.Explain(), "traces") || c.TraceView() != "" {
		t.Errorf("%+v, %v", c.Telemetry, err)
	}
	said := `telemetry: {otlp: {endpoint: "https://collector.example/otlp/v1/traces?key=s3cret-in-url", headers: {api-key: "${OTLP_KEY}"}, sample: 0.05, view: "https://jaeger.example/trace/{trace}"}}`
	c, err = config.Parse([]byte(contract+said+"\n"), env(map[string]string{"OTLP_KEY": "s3cret-header"}))
	if err != nil {
		t.Fatal(err)
	}
	o := c.Telemetry.OTLP
	if o.Sent()["api-key"] != "s3cret-header" || o.Sampled() != 0.05 || c.TraceView() != "https://jaeger.example/trace/{trace}" {
		t.Errorf("%+v", o)
	}
	if text := c.Explain(); !strings.Contains(text, "traces to https://collector.example") || !strings.Contains(text, "with 1 headers: 5 % of those that begin here") || strings.Contains(text, "s3cret") {
		t.Error(text)
	}
}

func TestWhatIsWrongWithACollectorIsSaid(t *testing.T) {
	for said, want := range map[string]string{
		"{}":                                                      "endpoint",
		"{endpoint: localhost}":                                   "endpoint: an endpoint is a URL",
		`{endpoint: "http://user:hidden@x"}`:                      "without a name and a password",
		`{endpoint: "http://x", sample: 2}`:                       "sample: 2 is not from 0 to 1",
		`{endpoint: "http://x", sample: .nan}`:                    "sample",
		`{endpoint: "http://x", headers: {"a b": c}}`:             "headers",
		`{endpoint: "http://x", headers: {a: "b\nc: hidden"}}`:    "headers",
		`{endpoint: "http://x", headers: {content-type: hidden}}`: "not yours to set",
		`{endpoint: "http://x", view: "javascript:alert(1)"}`:     "view",
		`{endpoint: "http://x", view: "https://jaeger.example"}`:  "{trace}",
		`{endpoint: "http://x", protocol: grpc}`:                  "protocol",
	} {
		_, err := config.Parse([]byte(contract+"telemetry: {otlp: "+said+"}\n"), env(nil))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", said, err)
		}
	}
}

func TestHeadersOnAWireThatOthersReadAreWarnedOf(t *testing.T) {
	for endpoint, want := range map[string]bool{"http://collector.example:4318": true, "https://collector.example": false, "http://localhost:4318": false} {
		c, err := config.Parse([]byte(contract+`telemetry: {otlp: {endpoint: "`+endpoint+`", headers: {key: k}}}`+"\n"), env(nil))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(c.Warnings(), "\n"), "telemetry.otlp"); got != want {
			t.Errorf("%s: %v", endpoint, c.Warnings())
		}
	}
}

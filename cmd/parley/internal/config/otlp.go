package config

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/telemetry"
)

// OTLP says where traces are sent, and which.
type OTLP struct {
	Endpoint string                   `yaml:"endpoint"` // a URL; to a host alone /v1/traces is added
	Headers  map[string]parley.Secret `yaml:"headers"`  // sent with every request; default none
	Sample   *float64                 `yaml:"sample"`   // which part of the traces that begin here, 0 to 1; default all
	View     string                   `yaml:"view"`     // where people look at a trace: a URL with {trace} in it; default nowhere
}

// Sampled is which part of the traces is sent, as telemetry.TracesOptions has it.
func (o *OTLP) Sampled() float64 {
	switch {
	case o.Sample == nil:
		return 1
	case *o.Sample == 0:
		return -1
	}
	return *o.Sample
}

// Sent are the headers that are sent.
func (o *OTLP) Sent() map[string]string {
	sent := map[string]string{}
	for name, value := range o.Headers {
		sent[name] = value.Reveal()
	}
	return sent
}

// TraceView is where people look at a trace, with {trace} in it; empty: nowhere.
func (c *Config) TraceView() string {
	if c.Telemetry.OTLP == nil {
		return ""
	}
	return c.Telemetry.OTLP.View
}

func (c *Config) otlpProblems(bad func(string, ...any)) {
	o := c.Telemetry.OTLP
	if o == nil {
		return
	}
	if _, err := telemetry.TracesURL(o.Endpoint); err != nil {
		bad("telemetry.otlp.endpoint: %v", err)
	}
	if o.Sample != nil && !(*o.Sample >= 0 && *o.Sample <= 1) {
		bad("telemetry.otlp.sample: %v is not from 0 to 1", *o.Sample)
	}
	for _, name := range Keys(o.Headers) {
		switch {
		case !outbound.ValidHeaderName(name) || strings.ContainsFunc(o.Headers[name].Reveal(), unprintable):
			bad("telemetry.otlp.headers: %.60q is no header, or its value is none", name)
		case http.CanonicalHeaderKey(name) == "Content-Type" || http.CanonicalHeaderKey(name) == "Host":
			bad("telemetry.otlp.headers: %s is not yours to set", name)
		}
	}
	if o.View != "" {
		u, err := url.Parse(strings.ReplaceAll(o.View, "{trace}", "0"))
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || !strings.Contains(o.View, "{trace}") {
			bad("telemetry.otlp.view: write a URL with {trace} in it, such as https://jaeger.example/trace/{trace}")
		}
	}
}

func unprintable(r rune) bool { return r < ' ' || r > '~' }

// otlpWarnings are about headers, which may be keys, on a wire that others read.
func (c *Config) otlpWarnings(warn func(string, ...any)) {
	o := c.Telemetry.OTLP
	if o == nil || len(o.Headers) == 0 {
		return
	}
	if u, err := url.Parse(o.Endpoint); err == nil && u.Scheme == "http" && !loopback.Host(u.Hostname()) {
		warn("telemetry.otlp.endpoint: its headers are sent over http, which others can read: write https")
	}
}

// explainOTLP says where traces go.
func (c *Config) explainOTLP(line func(string, ...any)) {
	o := c.Telemetry.OTLP
	if o == nil {
		return
	}
	which := "all that begin here"
	switch {
	case o.Sample == nil || *o.Sample == 1:
	case *o.Sample == 0:
		which = "none that begin here, those that others began"
	default:
		which = fmt.Sprintf("%.3g %% of those that begin here", 100**o.Sample)
	}
	line("traces to %s, with %d headers: %s", withoutSecrets(o.Endpoint), len(o.Headers), which)
}

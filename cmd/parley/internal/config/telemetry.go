package config

import (
	"errors"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
)

// Telemetry is what operators' programs are told.
type Telemetry struct {
	Metrics *Metrics `yaml:"metrics"` // for Prometheus; default none, and with dev at /metrics
	OTLP    *OTLP    `yaml:"otlp"`    // traces, for a collector of OpenTelemetry's; default none
}

// Metrics says where metrics are, and who may see them.
type Metrics struct {
	Listen string        `yaml:"listen"` // a listener of their own; default: /metrics beside everything else, with the token
	Token  parley.Secret `yaml:"token"`  // what who asks has to send; default: none, on this machine only
}

// minToken is how long a token is at least.
const minToken = 16

// MetricsAt says where metrics are: at a listener of their own, or at the server's;
// neither: nowhere.
func (c *Config) MetricsAt() (listen string, shared bool) {
	switch m := c.Telemetry.Metrics; {
	case m == nil:
		return "", c.Dev
	case m.Listen != "":
		return m.Listen, false
	}
	return "", true
}

func (c *Config) telemetryProblems(bad func(string, ...any)) {
	c.otlpProblems(bad)
	m := c.Telemetry.Metrics
	if m == nil {
		return
	}
	if n := len(m.Token.Reveal()); n > 0 && n < minToken {
		bad("telemetry.metrics.token: it has %d bytes; %d are needed", n, minToken)
	}
	if m.Listen == "" {
		if m.Token == "" && !c.Dev {
			bad("telemetry.metrics: name token, for /metrics at the server's address, or listen, for an address of its own")
		}
		return
	}
	host, err := place(m.Listen)
	switch {
	case errors.Is(err, errPort):
		bad("telemetry.metrics.listen: %.100q: %w", m.Listen, err)
	case err != nil:
		bad("telemetry.metrics.listen: %.100q is not a host and a port: write 127.0.0.1:9464 for this machine alone", m.Listen)
	case m.Listen == c.Listen:
		bad("telemetry.metrics.listen: it is the server's own address: leave it out, and name a token")
	case m.Token == "" && !loopback.Host(host):
		bad("telemetry.metrics.listen: %.100q can be reached from elsewhere: name a token too", m.Listen)
	}
}

// explainMetrics says who sees the metrics.
func (c *Config) explainMetrics(line func(string, ...any)) {
	listen, shared := c.MetricsAt()
	who := "for whoever has the token"
	if c.Telemetry.Metrics == nil || c.Telemetry.Metrics.Token == "" {
		who = "for anybody on this machine"
	}
	switch {
	case listen != "":
		line("metrics for Prometheus at http://%s/metrics, %s", listen, who)
	case shared:
		line("metrics for Prometheus at %s/metrics, %s", c.PublicURL, who)
	}
}

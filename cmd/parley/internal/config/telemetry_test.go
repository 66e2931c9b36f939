package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestMetricsAreForNobodyUnlessTheConfigurationSaysWhom(t *testing.T) {
	for said, want := range map[string]struct {
		listen string
		shared bool
	}{
		"": {"", false},
		"telemetry: {metrics: {token: sixteen-bytes-16}}":                           {"", true},
		"telemetry: {metrics: {listen: \"127.0.0.1:9464\"}}":                        {"127.0.0.1:9464", false},
		"telemetry: {metrics: {listen: \"0.0.0.0:9464\", token: sixteen-bytes-16}}": {"0.0.0.0:9464", false},
	} {
		c, err := config.Parse([]byte(contract+said+"\n"), env(nil))
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		if listen, shared := c.MetricsAt(); listen != want.listen || shared != want.shared {
			t.Errorf("%s: %q, %v", said, listen, shared)
		}
		if strings.Contains(c.Explain(), "sixteen-bytes") {
			t.Errorf("%s: the token is explained", said)
		}
	}
	for said, want := range map[string]string{
		"{}": "name token", "{token: short}": "token: it has 5 bytes", "{listen: \"0.0.0.0:9464\"}": "name a token", "{listen: \":9464\"}": "name a token",
		"{listen: nowhere}": "host and a port", "{listen: \"127.0.0.1:99999\"}": "at most 65535", "{path: /m}": "path",
	} {
		if _, err := config.Parse([]byte(contract+"telemetry: {metrics: "+said+"}\n"), env(nil)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", said, err)
		}
	}
}

package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestTimesOfTheEnvironmentAreReadAndHaveDefaults(t *testing.T) {
	for _, c := range []struct {
		env        map[string]string
		wait, poll time.Duration
	}{
		{nil, 5 * time.Minute, 10 * time.Second},
		{map[string]string{"MCP_OAUTH_MAX_WAIT_SECONDS": "", "MCP_OAUTH_POLL_INTERVAL_SECONDS": ""}, 5 * time.Minute, 10 * time.Second},
		{map[string]string{"MCP_OAUTH_MAX_WAIT_SECONDS": "90", "MCP_OAUTH_POLL_INTERVAL_SECONDS": "1"}, 90 * time.Second, time.Second},
	} {
		got, err := config.Parse([]byte("dev: true\n"), env(c.env))
		if err != nil || got.OAuthWait != c.wait || got.OAuthPoll != c.poll {
			t.Errorf("%v: %+v, %v", c.env, got, err)
		}
	}
}

// A time that cannot be read is not some other time.
func TestATimeOfTheEnvironmentThatCannotBeReadIsRefused(t *testing.T) {
	for _, name := range []string{"MCP_OAUTH_MAX_WAIT_SECONDS", "MCP_OAUTH_POLL_INTERVAL_SECONDS"} {
		for _, value := range []string{"5m", "0", "-1", "1.5", "ten", " 10", "86401", "99999999999999999999"} {
			_, err := config.Parse([]byte("dev: true\n"), env(map[string]string{name: value}))
			if err == nil || !strings.Contains(err.Error(), name+": the environment says \""+value+"\"; write whole seconds from 1 to 86400, such as ") {
				t.Errorf("%s=%s: %v", name, value, err)
			}
		}
	}
	_, err := config.Parse([]byte("dev: true\nnonsense: 1\n"), env(map[string]string{"MCP_OAUTH_MAX_WAIT_SECONDS": "5m", "MCP_OAUTH_POLL_INTERVAL_SECONDS": "x"}))
	for _, want := range []string{"nonsense", "MCP_OAUTH_MAX_WAIT_SECONDS", "MCP_OAUTH_POLL_INTERVAL_SECONDS"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s, all at once", err, want)
		}
	}
}

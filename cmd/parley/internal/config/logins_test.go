package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestHowLongLoginsLast(t *testing.T) {
	parse := func(said string) (*config.Config, error) {
		return config.Parse([]byte("dev: true\nauth: {logins: \""+said+"\"}\n"), env(nil))
	}
	for said, want := range map[string]time.Duration{"": 0, "30d": 720 * time.Hour, "90m": 90 * time.Minute, "off": -1} {
		c, err := parse(said)
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		if got, err := c.Auth.LoginsFor(); err != nil || got != want {
			t.Errorf("%s: %v, %v", said, got, err)
		}
	}
	for _, said := range []string{"soon", "30", "0d", "59m", "367d", "-1", "forever"} {
		if _, err := parse(said); err == nil || !strings.Contains(err.Error(), "auth.logins: ") {
			t.Errorf("%s: %v", said, err)
		}
	}
}

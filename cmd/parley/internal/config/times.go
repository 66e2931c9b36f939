package config

import (
	"fmt"
	"strconv"
	"time"
)

// longestTime bounds what the environment says, in seconds.
const longestTime = 24 * 60 * 60

// readTimes reads the times that the environment has by the names of document
// 003.
func (c *Config) readTimes(getenv func(string) (string, bool)) (problems []error) {
	for _, t := range []struct {
		name  string
		usual int
		into  *time.Duration
	}{
		{"MCP_OAUTH_MAX_WAIT_SECONDS", 300, &c.OAuthWait},
		{"MCP_OAUTH_POLL_INTERVAL_SECONDS", 10, &c.OAuthPoll},
	} {
		seconds := t.usual
		if said, ok := getenv(t.name); ok && said != "" {
			var err error
			if seconds, err = strconv.Atoi(said); err != nil || seconds < 1 || seconds > longestTime {
				problems = append(problems, fmt.Errorf("%s: the environment says %.40q; write whole seconds from 1 to %d, such as %d, or leave it out", t.name, said, longestTime, t.usual))
				continue
			}
		}
		*t.into = time.Duration(seconds) * time.Second
	}
	return problems
}

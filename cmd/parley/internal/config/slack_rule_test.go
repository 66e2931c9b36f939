package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// TestARuleNamesAChannelOnlyWhereThereIsSlack: and what is no channel is refused with its
// place.
func TestARuleNamesAChannelOnlyWhereThereIsSlack(t *testing.T) {
	const slack = "slack: {bot_token: xoxb-1, signing_secret: s}\n"
	load := func(text string) error {
		_, err := config.Parse([]byte("dev: true\n"+text), env(nil))
		return err
	}
	for rule, want := range map[string]string{
		"{name: a, approvers: \"1 of [bob]\", slack: C0123456, page: true}": "",
		"{name: a, approvers: \"1 of [bob]\", slack: T0123456/C0123456}":    "",
		"{name: a, approvers: \"1 of [bob]\", slack: \"#general\"}":         "rules[0].slack",
		"{name: a, approve: always, slack: C0123456}":                       "rules[0].slack",
		"{name: a, approve: never, page: true}":                             "rules[0].page",
	} {
		err := load(slack + "rules:\n  - " + rule + "\n")
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", rule, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, want %s", rule, err, want)
		}
	}
	if err := load("rules:\n  - {name: a, approvers: \"1 of [bob]\", slack: C0123456}\n"); err == nil || !strings.Contains(err.Error(), "rules[0].slack: there is no slack") {
		t.Errorf("without Slack: %v", err)
	}
}

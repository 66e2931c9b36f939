package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

func TestHowLongRunsAreKept(t *testing.T) {
	for said, want := range map[string]time.Duration{
		"": 0, "retention: {runs: 30d}": 720 * time.Hour, "retention: {runs: 90m}": 90 * time.Minute, "retention: {runs: forever}": -1,
	} {
		c, err := config.Parse([]byte(contract+said+"\n"), env(nil))
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		if got, err := c.Retention.RunsFor(); err != nil || got != want {
			t.Errorf("%s: %v, %v", said, got, err)
		}
	}
	for _, said := range []string{"soon", "30", "0d", "-3d", "59m", "99999999d", "1y", "30 d"} {
		_, err := config.Parse([]byte(contract+"retention: {runs: \""+said+"\"}\n"), env(nil))
		if err == nil || !strings.Contains(err.Error(), "retention.runs: ") {
			t.Errorf("%s: %v", said, err)
		}
	}
}

func TestHowLongDecisionsAreKept(t *testing.T) {
	for said, want := range map[string]time.Duration{"": 0, "retention: {audit: 365d}": 365 * 24 * time.Hour, "retention: {audit: forever}": -1} {
		c, err := config.Parse([]byte(contract+said+"\n"), env(nil))
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		if got, err := c.Retention.AuditFor(); err != nil || got != want {
			t.Errorf("%s: %v, %v", said, got, err)
		}
	}
	if _, err := config.Parse([]byte(contract+"retention: {audit: soon}\n"), env(nil)); err == nil || !strings.Contains(err.Error(), "retention.audit: ") {
		t.Error(err)
	}
}

func TestHowLongQuestionsAreKept(t *testing.T) {
	for said, want := range map[string]time.Duration{"": 0, "retention: {questions: 365d}": 365 * 24 * time.Hour, "retention: {questions: 24h}": 24 * time.Hour} {
		c, err := config.Parse([]byte(contract+said+"\n"), env(nil))
		if err != nil {
			t.Errorf("%s: %v", said, err)
			continue
		}
		if got, err := c.Retention.QuestionsFor(); err != nil || got != want {
			t.Errorf("%s: %v, %v", said, got, err)
		}
	}
	for _, said := range []string{"forever", "23h", "soon"} {
		if _, err := config.Parse([]byte(contract+"retention: {questions: "+said+"}\n"), env(nil)); err == nil || !strings.Contains(err.Error(), "retention.questions: ") {
			t.Errorf("%s: %v", said, err)
		}
	}
}

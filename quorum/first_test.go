package quorum_test

import (
	"testing"
	"time"

	"github.com/parley-hq/parley/quorum"
)

func TestWhoSaidYesFirst(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for want, p := range map[string]quorum.Panel{
		"":     {"bob": {Said: at}, "carol": {}},
		"dave": {"bob": {Said: at}, "carol": {Said: at.Add(2), Yes: true}, "dave": {Said: at.Add(1), Yes: true}},
		"bob":  {"carol": {Said: at, Yes: true}, "bob": {Said: at, Yes: true}},
	} {
		if got := p.First(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

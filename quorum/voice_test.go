package quorum_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/parley-hq/parley/quorum"
)

func TestWhoIsAskedInAnothersPlaceHasOneVoiceWithThem(t *testing.T) {
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	yes := func(who string, after time.Duration, in string) quorum.Asked {
		return quorum.Asked{By: who, Said: at.Add(after), Yes: true, For: in}
	}
	no := func(who string, after time.Duration, in string) quorum.Asked {
		return quorum.Asked{By: who, Said: at.Add(after), For: in}
	}
	late := quorum.Asked{Said: at}
	for want, p := range map[string]quorum.Panel{
		"1 yes, 0 no, [bob], closes map[]":           {"bob": yes("bob", 1, ""), "dora": yes("dora", 2, "bob"), "carol": {}},
		"1 yes, 0 no, [dora], closes map[bob:dora]":  {"bob": {}, "dora": yes("dora", 2, "bob")},
		"0 yes, 1 no, [], closes map[]":              {"bob": yes("bob", 2, ""), "dora": no("dora", 1, "bob")},
		"1 yes, 0 no, [dora], closes map[]":          {"bob": late, "dora": yes("dora", 2, "bob")},
		"0 yes, 0 no, [], closes map[]":              {"bob": late, "dora": {For: "bob"}},
		"0 yes, 2 no, [], closes map[]":              {"bob": late, "dora": {For: "bob", Said: at}, "carol": late},
		"2 yes, 0 no, [carol dora], closes map[]":    {"bob": late, "dora": yes("dora", 2, "bob"), "carol": yes("carol", 1, "")},
		"1 yes, 0 no, [bob], closes map[dora:bob]":   {"bob": yes("bob", 3, ""), "dora": {For: "bob"}, "carol": {}},
		"1 yes, 1 no, [carol], closes map[dora:bob]": {"bob": no("bob", 3, ""), "dora": {For: "bob"}, "carol": yes("carol", 1, "")},
	} {
		y, n := p.Words()
		if got := fmt.Sprintf("%d yes, %d no, %v, closes %v", len(y), len(n), p.Agreed(), p.Overtaken()); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
	p := quorum.Panel{"zoe": {}, "dora": {For: "zoe"}, "abe": {For: "zoe"}, "bob": {}}
	if got := fmt.Sprint(p.Voices()); got != "[[bob] [zoe abe dora]]" {
		t.Error(got)
	}
}

package main

import (
	"strings"
	"testing"
)

func TestTheBannerNamesTheProgramAsItWasStarted(t *testing.T) {
	for self, want := range map[string]string{
		"/usr/local/bin/parley":            "\n  parley mcp --url http://h/mcp --user ann\n",
		"/tmp/go-build123/b001/exe/parley": "\n  go run ./cmd/parley mcp --url http://h/mcp --user ann\n",
		"":                                 "\n  parley mcp --url http://h/mcp --user ann\n",
	} {
		if got := banner("http://h", self); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in\n%s", self, want, got)
		}
	}
}

func TestTheVersionIsSaidToAFlagToo(t *testing.T) {
	for _, word := range []string{"version", "--version", "-version"} {
		if err := run(t.Context(), []string{word}); err != nil {
			t.Errorf("parley %s: %v", word, err)
		}
	}
}

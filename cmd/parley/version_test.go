package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"testing"
)

func TestTheVersionSaysWhatWasBuilt(t *testing.T) {
	const commit, when = "0123456789abcdef0123456789abcdef01234567", "2026-11-16T22:00:00Z"
	built := []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.time", Value: when}}
	unknown := func() (string, string) { return "", "" }
	for want, c := range map[string]struct {
		module   string
		settings []debug.BuildSetting
		tree     func() (string, string)
	}{
		"parley v1.2.3 (go1.26)": {"v1.2.3", nil, unknown}, // go install
		"parley v1.2.4-0.20261116220000-0123456789ab commit 0123456789ab of " + when + " (go1.26)":  {"v1.2.4-0.20261116220000-0123456789ab", built, unknown},
		"parley devel commit 0123456789ab of " + when + " with changes (go1.26)":                    {"(devel)", append(built, debug.BuildSetting{Key: "vcs.modified", Value: "true"}), unknown},
		"parley devel commit 0123456789ab of " + when + " (go1.26)":                                 {"(devel)", nil, func() (string, string) { return commit, when }}, // go run
		"parley devel of a commit that the build does not know: build with -buildvcs=true (go1.26)": {"(devel)", nil, unknown},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26", Settings: c.settings}
		info.Main.Version = c.module
		if got := describe(info, c.tree); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := version(); !strings.HasPrefix(got, "parley ") || strings.Count(got, "\n") > 0 {
		t.Errorf("this one: %q", got)
	}
	defer func(before string) { released = before }(released)
	released = "v1.2.3"
	if got := version(); !strings.HasPrefix(got, "parley v1.2.3 ") {
		t.Errorf("a release: %q", got)
	}
}

func TestWhoAsksHowTheVersionIsToldGetsHelp(t *testing.T) {
	for _, ask := range []string{"--help", "-h"} {
		var out bytes.Buffer
		if err := tellVersion([]string{ask}, &out); !errors.Is(err, flag.ErrHelp) || !strings.Contains(out.String(), "parley version") || strings.Contains(out.String(), version()) {
			t.Errorf("%s: %v\n%s", ask, err, &out)
		}
	}
	var out bytes.Buffer
	if err := tellVersion(nil, &out); err != nil || out.String() != version()+"\n" {
		t.Errorf("without a question: %v\n%s", err, &out)
	}
}

// printed is what a function writes to the standard outputs.
func printed(t *testing.T, f func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, errs := os.Stdout, os.Stderr
	os.Stdout, os.Stderr = w, w
	f()
	os.Stdout, os.Stderr = out, errs
	w.Close()
	said, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(said)
}

func TestHelpForACommandIsThatCommands(t *testing.T) {
	for _, command := range []string{"serve", "check", "ready", "verify", "inbox"} {
		said := printed(t, func() {
			if err := run(t.Context(), []string{"help", command}); !errors.Is(err, flag.ErrHelp) {
				t.Errorf("%s: %v", command, err)
			}
		})
		if !strings.Contains(said, "parley "+command) || strings.Contains(said, "lets a program stop") {
			t.Errorf("%s: %s", command, said)
		}
	}
	if got := wrongs(t, "help", "nonsense"); got != `unknown command "nonsense"; parley help lists them` {
		t.Error(got)
	}
	if said := printed(t, func() { _ = run(t.Context(), []string{"help"}) }); said != usage {
		t.Error(said)
	}
}

func TestAWrongFlagIsSaidOnceByTheErrorAlone(t *testing.T) {
	for _, command := range []string{"demo", "serve", "check", "mcp", "chat", "inbox", "login", "logout", "ready", "secrets", "verify", "version"} {
		said := printed(t, func() {
			if got := wrongs(t, command, "-x"); got != "flag provided but not defined: -x; parley "+command+" --help shows what it takes" {
				t.Errorf("%s: %s", command, got)
			}
		})
		if said != "" {
			t.Errorf("%s prints %s", command, said)
		}
	}
}

func TestEveryCommandHelpsWhoAsks(t *testing.T) {
	for _, command := range []string{"demo", "serve", "check", "mcp", "chat", "inbox", "login", "logout", "ready", "secrets", "verify", "version"} {
		if err := run(t.Context(), []string{command, "--help"}); !errors.Is(err, flag.ErrHelp) {
			t.Errorf("%s: %v", command, err)
		}
	}
}

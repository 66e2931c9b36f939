package browser_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// roleVariable makes this test binary play another one, for the test of what happens when it is killed.
const roleVariable = "PARLEY_BROWSER_TEST_ROLE"

// startOrphan starts Chromium, says so, and waits to be killed.
func startOrphan() {
	flag.Parse() // for testing.Short
	t := &standIn{}
	defer func() { // if it cannot start
		fmt.Println(t.message)
		os.Exit(1)
	}()
	browser.Start(t).Person(t).Open("data:text/html,<p>here")
	fmt.Println("started")
	select {}
}

// standIn is a test outside of any.
type standIn struct{ recorder }

func (*standIn) Helper()                  {}
func (*standIn) Name() string             { return "stand-in" }
func (*standIn) Context() context.Context { return context.Background() }

func TestAKilledTestBinaryLeavesNothingBehind(t *testing.T) {
	browser.Start(t) // or skip
	temp := shortTempDir(t)
	cmd := thisBinary(t, "orphan")
	cmd.Env = append(cmd.Env, "TMPDIR="+temp)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if lines := bufio.NewScanner(stdout); !lines.Scan() || lines.Text() != "started" {
		t.Errorf("it said %q", lines.Text())
	}
	chromium := processesOf(t, temp)
	if len(chromium) < 2 {
		t.Errorf("it started %v", chromium)
	}
	for pid := range chromium { // stuck, that they do not notice anything
		if out, err := exec.Command("kill", "-s", "STOP", strconv.Itoa(pid)).CombinedOutput(); err != nil {
			t.Logf("%v: %s", err, out) // some do not live for long
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()

	nothingLeft(t, temp)
}

// nothingLeft waits until Chromium has left a directory, without processes or
// files. Whoever is killed is nobody's child and takes a moment to die: there is
// nothing to wait on, so look.
func nothingLeft(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		files, err := os.ReadDir(dir)
		left := processesOf(t, dir)
		if err == nil && len(files) == 0 && len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("remaining: %v, %v; %v", files, err, left)
		}
	}
}

func TestChromiumEndsWithTheLastTestThatUsesIt(t *testing.T) {
	if os.Getenv(roleVariable) == "" {
		browser.Start(t) // or skip
	}
	if !alone(t) {
		return
	}
	temp := shortTempDir(t)
	t.Setenv("TMPDIR", temp)
	try(t, func(outer *recorder) {
		first := browser.Start(outer)
		try(t, func(inner *recorder) {
			if browser.Start(inner) != first {
				t.Error("a second one was started")
			}
		})
		if len(processesOf(t, temp)) == 0 {
			t.Error("it ended too early")
		}
		first.Person(outer).Open("data:text/html,<p>still here")
	})
	nothingLeft(t, temp)
}

func TestMainKeepsChromiumForTheNextTest(t *testing.T) {
	var first, second *browser.Browser
	try(t, func(r *recorder) { first = browser.Start(r) })
	try(t, func(r *recorder) { second = browser.Start(r) })
	if first != second {
		t.Error("a second one was started")
	}
}

func TestMainFailsIfAGoroutineIsLeftBehind(t *testing.T) {
	for role, want := range map[string]string{"": "PASS", "leak": "goroutines left behind"} {
		cmd := thisBinary(t, role)
		cmd.Args = append(cmd.Args, "-test.run=^$")
		out, err := cmd.CombinedOutput()
		if (err != nil) != (role == "leak") || !bytes.Contains(out, []byte(want)) {
			t.Errorf("role %q: %v\n%s", role, err, out)
		}
	}
}

// alone reports whether a test runs in a process without Main. If not it is run in one.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(roleVariable) == "alone" {
		return true
	}
	cmd := thisBinary(t, "alone")
	cmd.Args = append(cmd.Args, "-test.v", "-test.run=^"+t.Name()+"$")
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("alone: %v\n%s", err, out)
	}
	return false
}

func thisBinary(t *testing.T, role string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	return cmd
}

// shortTempDir is a temporary directory in which there is room for the name of a socket.
func shortTempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "x")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// processesOf returns the command lines of Chromium's processes in a directory.
func processesOf(t *testing.T, dir string) map[int]string {
	t.Helper()
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	if len(files) == 0 {
		t.Skip("there is no /proc here")
	}
	found := map[int]string{}
	for _, file := range files {
		line, _ := os.ReadFile(file)
		if strings.Contains(string(line), "--user-data-dir="+dir) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			found[pid] = strings.ReplaceAll(string(line), "\x00", " ")
		}
	}
	return found
}

func TestACrashedChromiumGivesWayToANewOne(t *testing.T) {
	if os.Getenv(roleVariable) == "" {
		browser.Start(t) // or skip
	}
	if !alone(t) {
		return
	}
	temp := shortTempDir(t)
	t.Setenv("TMPDIR", temp)
	first := browser.Start(t)
	fails(t, "signal: killed", func(r *recorder) {
		p := first.Person(r)
		for pid, line := range processesOf(t, temp) {
			if !strings.Contains(line, "--type=") { // the one that has the others
				kill(t, pid)
			}
		}
		p.Open("data:text/html,<p>here")
	})
	second := browser.Start(t)
	if second == first {
		t.Error("it is still there")
	}
	second.Person(t).Open("data:text/html,<p>here")
}

func kill(t *testing.T, pid int) {
	t.Helper()
	process, err := os.FindProcess(pid)
	if err == nil {
		err = process.Kill()
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) { // it ends with the one before it
		t.Fatal(err)
	}
}

func TestAMissingChromiumSkipsTheTestAndUnderCIFailsIt(t *testing.T) {
	if testing.Short() {
		t.Skip("-short skips for another reason")
	}
	if !alone(t) {
		return
	}
	for _, test := range []struct{ ci, require, named, want string }{
		{want: "skipped"},
		{named: "/nowhere/chromium", want: "skipped"},
		{ci: "true", want: "failed"},
		{require: "1", want: "failed"},
	} {
		t.Setenv("PATH", t.TempDir())
		t.Setenv("CI", test.ci)
		t.Setenv("PARLEY_REQUIRE_SERVERS", test.require)
		t.Setenv("PARLEY_TEST_CHROMIUM", test.named)
		r := try(t, func(r *recorder) { browser.Start(r) })
		advice := strings.Contains(r.message, "PARLEY_TEST_CHROMIUM=/") && strings.Contains(r.message, test.named)
		if r.result != test.want || !advice {
			t.Errorf("%+v: %s with %q", test, r.result, r.message)
		}
	}
}

func TestTheEnvironmentNamesTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: without Chromium")
	}
	if !alone(t) {
		return
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "browser")
	script := fmt.Sprintf("#!/bin/sh\necho \"$@\" >%s/note\necho no such luck\nexit 1\n", dir)
	if err := os.WriteFile(program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PARLEY_TEST_CHROMIUM", program)
	r := try(t, func(r *recorder) { browser.Start(r) })
	if r.result != "failed" || !strings.Contains(r.message, "no such luck") {
		t.Errorf("%s with %q", r.result, r.message)
	}
	if note, err := os.ReadFile(filepath.Join(dir, "note")); err != nil || !strings.Contains(string(note), "--user-data-dir=") {
		t.Errorf("it was started with %q, %v", note, err)
	}
}

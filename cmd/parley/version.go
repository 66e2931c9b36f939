package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/terminal"
)

// released is the version of a release. Those who build without git, or where it has no
// tag, set it: -ldflags "-X main.released=v1.2.3".
var released string

const versionUsage = `Usage:

  parley version

It prints the release or the version of the module, the commit, and the Go that
built it.
`

// tellVersion prints the version, or what the command is for.
func tellVersion(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("parley version", flag.ContinueOnError)
	flags.SetOutput(out)
	flags.Usage = func() { fmt.Fprint(out, versionUsage) }
	if err := terminal.ParseFlags(flags, args); err != nil {
		return err
	}
	if err := terminal.NothingElse("version", flags.Args()); err != nil {
		return err
	}
	fmt.Fprintln(out, version())
	return nil
}

// version says what this program was built from: the release or the module's
// version, the commit and its time, as far as the build knows them.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{GoVersion: runtime.Version()}
	}
	info.Main.Version = cmp.Or(released, info.Main.Version)
	return describe(info, checkedOut)
}

// describe is the version of a build. go run leaves the commit out; tree says it
// then, if it can.
func describe(info *debug.BuildInfo, tree func() (revision, when string)) string {
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	revision, when := set["vcs.revision"], set["vcs.time"]
	if revision == "" {
		revision, when = tree()
	}
	var about []string
	if revision != "" {
		about = append(about, "commit "+revision[:min(len(revision), 12)])
	}
	if when != "" {
		about = append(about, "of "+when)
	}
	if set["vcs.modified"] == "true" {
		about = append(about, "with changes")
	}
	v := cmp.Or(strings.Trim(info.Main.Version, "()"), "devel")
	if len(about) == 0 && v == "devel" {
		about = append(about, "of a commit that the build does not know: build with -buildvcs=true")
	}
	return strings.Join(append([]string{"parley", v}, append(about, "("+info.GoVersion+")")...), " ")
}

// runByGo reports whether a program is one that go run has built aside.
func runByGo(program string) bool {
	return strings.Contains(program, string(filepath.Separator)+"go-build")
}

// checkedOut is the commit of the tree that go run has compiled this from. A
// program that was built before would be told of a later one.
func checkedOut() (revision, when string) {
	self, err := os.Executable()
	_, file, _, ok := runtime.Caller(0)
	if err != nil || !ok || !runByGo(self) {
		return "", ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "git", "-C", filepath.Dir(file), "log", "-1", "--format=%H %cI").Output()
	if err != nil {
		return "", ""
	}
	revision, when, _ = strings.Cut(strings.TrimSpace(string(out)), " ")
	return revision, when
}

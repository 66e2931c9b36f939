// Package shared keeps what tests of many packages need and what takes long to make: programs of this tree, an empty cluster of
// PostgreSQL. scripts/go-test has a folder for it, for one run, in which the tree does not change; without one each process makes its own.
package shared

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

// Variable names the folder.
const Variable = "PARLEY_TEST_SHARED"

// Make returns a folder of that name, below the shared one or else below dir, which fill has filled: once, whichever process
// comes first. The others wait for it. What fill leaves behind when it fails is made anew by the next.
func Make(dir, name string, fill func(into string) error) (string, error) {
	if folder := os.Getenv(Variable); folder != "" {
		dir = folder
	}
	made := filepath.Join(dir, name)
	unlock, err := lock(made + ".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := os.Stat(made); err == nil {
		return made, nil
	}
	partly := made + ".partly"
	if err := os.RemoveAll(partly); err != nil {
		return "", err
	}
	if err := os.Mkdir(partly, 0o755); err != nil {
		return "", err
	}
	if err := fill(partly); err != nil {
		return "", err
	}
	return made, os.Rename(partly, made)
}

const module = "github.com/parley-hq/parley/"

// Program builds a program of this module, "cmd/parley" or "interop/fixture", as this one was built: with the race detector if that
// is on. Without a shared folder it is in dir.
func Program(ctx context.Context, dir, source string) (string, error) {
	args := []string{"build", "-ldflags=-w"}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	sum := sha256.Sum256([]byte(strings.Join(append(args, source), "\n")))
	name := path.Base(source)
	made, err := Make(dir, name+"-"+hex.EncodeToString(sum[:8]), func(into string) error {
		out, err := exec.CommandContext(ctx, "go", append(args, "-o", filepath.Join(into, name), module+source)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("go build: %w\n%s", err, out)
		}
		return nil
	})
	return filepath.Join(made, name), err
}

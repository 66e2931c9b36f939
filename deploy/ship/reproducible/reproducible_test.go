// Package reproducible builds the program twice.
package reproducible_test

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Whoever builds the same tree elsewhere, with nothing that was built before, gets the
// same bytes, which need no library.
func TestTwoBuildsAreTheSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles everything")
	}
	var sums [2][32]byte
	for i := range sums {
		dir := filepath.Join(t.TempDir(), strings.Repeat("another-place/", i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		clone(t, dir)
		build := exec.CommandContext(t.Context(), "make", "-s", "build")
		build.Dir = dir
		build.Env = append(os.Environ(), "GOFLAGS=-buildvcs=false")
		if i > 0 {
			build.Env = append(build.Env, "GOCACHE="+t.TempDir(), "TZ=Asia/Tokyo", "HOME="+t.TempDir(), "GOMODCACHE="+goEnv(t, "GOMODCACHE"))
		}
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("make build: %v\n%s", err, out)
		}
		program, err := os.ReadFile(filepath.Join(dir, "parley"))
		if err != nil {
			t.Fatal(err)
		}
		sums[i] = sha256.Sum256(program)
		t.Logf("%x", sums[i])
		file, err := elf.NewFile(bytes.NewReader(program))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range file.Progs {
			if part.Type == elf.PT_INTERP {
				t.Error("it needs libraries")
			}
		}
		if bytes.Contains(program, []byte(dir)) {
			t.Errorf("it names the directory %s", dir)
		}
	}
	if sums[0] != sums[1] {
		t.Error("the two are not the same")
	}
}

// clone copies what git knows of the tree, as it is now.
func clone(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `git ls-files -z -- ':!interop/npm' | xargs -0 tar -c | tar -x -C "$0"`, dir)
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func goEnv(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// Releases are built as `make build` builds.
func TestReleasesAreBuiltTheSameWay(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	release, makefile := read(".goreleaser.yaml"), read("Makefile")
	if !regexp.MustCompile(`(?m)^\t@CGO_ENABLED=0 go build -trimpath -ldflags "-s -w"`).MatchString(makefile) {
		t.Error("make build builds another way")
	}
	for _, want := range []string{"CGO_ENABLED=0", "flags: [-trimpath]", `ldflags: ["-s -w `, `mod_timestamp: "{{ .CommitTimestamp }}"`} {
		if !strings.Contains(release, want) {
			t.Errorf(".goreleaser.yaml has no %q", want)
		}
	}
}

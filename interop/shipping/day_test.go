package shipping_test

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// An operator installs, configures, starts two nodes, rotates the secret, backs up,
// upgrades, loses a node and the database, and restores, by the script whose lines
// docs/day.md has: the question that was open and the account that was connected are
// there after each step.
func TestAnOperatorsDay(t *testing.T) {
	if testing.Short() {
		t.Skip("starts servers")
	}
	t.Parallel()
	w := newWorld(t, "https://parley.acme.example")
	close(w.seen)
	releases := t.TempDir()
	release(t, releases, "v1.2.3", before(t))
	release(t, releases, "v1.3.0", build(t, "..", "v1.3.0"))
	ports := make([]string, 2)
	for i, address := range kit.FreeAddresses(t, 2) {
		_, ports[i], _ = strings.Cut(address, ":")
	}
	cmd := exec.CommandContext(t.Context(), fileOf(t, "day.sh"))
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "RELEASES=file://"+releases, "FIRST=v1.2.3", "NEXT=v1.3.0", "DATABASE_URL="+w.database, "ONE="+ports[0], "TWO="+ports[1],
		"OIDC_ISSUER="+w.issuer, "OIDC_KEYS="+w.issuer+"/jwks", "OIDC_SECRET=the-clients-secret", "MODEL_URL="+w.model, "MODEL_KEY=the-key-of-the-model",
		"TRACKER_URL="+w.tracker, "TRACKER_KEY="+trackerKey)
	out, err := cmd.CombinedOutput()
	said := string(out)
	if err != nil {
		logs, _ := filepath.Glob(filepath.Join(cmd.Dir, "*.log"))
		for _, log := range logs {
			text, _ := os.ReadFile(log)
			said += "\n" + log + "\n" + string(text)
		}
		t.Fatalf("the day ended early: %v\n%s", err, said)
	}
	t.Log(said)
	rest := said
	for _, want := range []string{
		"== install", "linux_amd64.tar.gz: OK", "parley v1.2.3 ",
		"== configure", "people sign in at " + w.issuer,
		"== start two nodes", "== an account", `"state":"pending"`, "two issues", `"state":"pending"`, "two issues",
		"== rotate", `"state":"pending"`, "two issues",
		"== back up", "== upgrade", "linux_amd64.tar.gz: OK", `"state":"pending"`, "two issues", `"state":"pending"`, "two issues", "parley v1.3.0 ",
		"== lose a node", `"state":"pending"`, "two issues", "== lose the database", `"state":"pending"`, "two issues", `"state":"pending"`, "two issues", "nothing was lost",
	} {
		before, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("after all that, there is no %q:\n%s", want, before)
		}
		rest = after
	}
	if w.calls < 9 {
		t.Errorf("the tracker was called %d times with its key", w.calls)
	}
	if strings.Contains(said, trackerKey) {
		t.Error("the key of the tracker was printed")
	}
}

// before is the program of the first release: that of the commit which
// PARLEY_TEST_PREVIOUS names, or else of this tree under another version.
func before(t *testing.T) string {
	t.Helper()
	commit := os.Getenv("PARLEY_TEST_PREVIOUS")
	if commit == "" {
		return build(t, "..", "v1.2.3")
	}
	tree := t.TempDir()
	archive := exec.CommandContext(t.Context(), "sh", "-c", `git -C .. archive "$0" | tar -x -C "$1"`, commit, tree)
	if out, err := archive.CombinedOutput(); err != nil {
		t.Fatalf("git archive %s: %v\n%s", commit, err, out)
	}
	return build(t, tree, "v1.2.3")
}

// build builds the program of a tree as a version.
func build(t *testing.T, tree, version string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "parley")
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", program, "-ldflags", "-s -w -X main.released="+version, "./cmd/parley")
	cmd.Dir = tree
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// release makes what a release has: an archive and its checksum.
func release(t *testing.T, dir, version, program string) {
	t.Helper()
	dir = filepath.Join(dir, version)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	name := "parley_" + strings.TrimPrefix(version, "v") + "_linux_amd64.tar.gz"
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	digest := sha256.New()
	packed := gzip.NewWriter(io.MultiWriter(file, digest))
	archive := tar.NewWriter(packed)
	for inside, path := range map[string]string{"parley": program, "deploy/parley.yaml": deploy + "parley.yaml", "deploy/parley.env": deploy + "parley.env"} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := archive.WriteHeader(&tar.Header{Name: inside, Mode: 0o755, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		if _, err := archive.Write(text); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	sums := fmt.Sprintf("%x  %s\n%064x  parley_another.tar.gz\n", digest.Sum(nil), name, 1)
	if err := os.WriteFile(filepath.Join(dir, "checksums.txt"), []byte(sums), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The page has the commands of the script, all of them and no others.
func TestThePageOfTheDayIsItsScript(t *testing.T) {
	parts := func(path, begin, end string) (all []string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for rest := string(text); ; {
			_, after, found := strings.Cut(rest, begin)
			if !found {
				return all
			}
			var part string
			if part, rest, found = strings.Cut(after, end); !found {
				t.Fatalf("%s: a part has no end", path)
			}
			all = append(all, part)
		}
	}
	script, page := parts(deploy+"day.sh", "\n# begin\n", "\n# end\n"), parts("../docs/day.md", "\n```sh\n", "\n```\n")
	if len(script) != 9 || !slices.Equal(script, page) {
		t.Errorf("the script has %d parts, the page %d, and they are not the same", len(script), len(page))
	}
}

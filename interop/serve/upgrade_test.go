package serve_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/interop/kit"
)

// upgradeVariable names the revision that is upgraded from: make upgrade sets it.
const upgradeVariable = "PARLEY_UPGRADE_FROM"

// earlier builds the program as it was at a revision, or skips the test.
func earlier(t *testing.T) string {
	t.Helper()
	revision := os.Getenv(upgradeVariable)
	if revision == "" {
		t.Skip("make upgrade names the revision to upgrade from, in " + upgradeVariable)
	}
	if out, err := exec.CommandContext(t.Context(), "git", "rev-parse", "--verify", "--quiet", revision+"^{commit}").CombinedOutput(); err != nil {
		t.Skipf("there is no history with %s here: %v %s", revision, err, out)
	}
	dir := t.TempDir()
	source, program := filepath.Join(dir, "source"), filepath.Join(dir, "parley")
	if err := os.Mkdir(source, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, step := range [][]string{
		{"git", "-C", "..", "archive", "--output=" + filepath.Join(dir, "source.tar"), revision},
		{"tar", "-x", "-C", source, "-f", filepath.Join(dir, "source.tar")},
		{"go", "-C", source, "build", "-trimpath", "-o", program, "./cmd/parley"}, // paths would keep it from what was compiled before
	} {
		if out, err := exec.CommandContext(t.Context(), step[0], step[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", step, err, out)
		}
	}
	return program
}

// While nodes are replaced one after the other, two versions share a store: what the
// one asks is answered at the other, and the turn goes on, whoever is left.
func TestTwoVersionsShareAStoreWhileNodesAreReplaced(t *testing.T) {
	older := earlier(t)
	newer := withParley(t)
	shared(t, func(t *testing.T, store string) {
		addresses := kit.FreeAddresses(t, 2)
		s := newSite(t, older, store, addresses[1])
		a := s.start(t, addresses[0]) // of the version before: it makes the tables
		s.program = newer
		b := s.start(t, addresses[1])
		s.signIn(t)

		// Asked at the new one, seen at the old one and at both taken back; then asked at
		// the old one, which is replaced while the person thinks.
		asked := s.person.Say(t, b.Url, "new", "List the tickets in my tracker").Question(t)
		if again := s.person.Resume(t, a.Url, "new").Question(t); again.ID != asked.ID {
			t.Errorf("the older node shows %s, the newer asked %s", again.ID, asked.ID)
		}
		q := s.person.Say(t, a.Url, "old", "List the tickets in my tracker").Question(t)
		if again := s.person.Resume(t, b.Url, "old").Question(t); again.ID != q.ID {
			t.Errorf("the newer node shows %s, the older asked %s", again.ID, q.ID)
		}
		a.Stop(t)
		s.start(t, addresses[0]) // its successor
		s.connect(t, q)
		if diff := cmp.Diff(connected(), s.finished(t, b.Url, "old")); diff != "" {
			t.Errorf("what the older node began (-want +got):\n%s", diff)
		}
	})
}

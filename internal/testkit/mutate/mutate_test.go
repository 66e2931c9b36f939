package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const guarded = `package guarded

type record struct{ Owner, Digest string }

func May(r record, user, digest string) bool {
	if user == "" || r.Owner != user {
		return false
	}
	return r.Digest == digest && len(digest) > 0
}
`

func TestChecksAreFoundAndTakenOut(t *testing.T) {
	all, err := checksIn("guarded.go", []byte(guarded))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range all {
		got = append(got, c.String()+" → "+c.taken)
	}
	want := []string{
		`guarded.go:6: user == "" → ((user == "") && false)`,
		`guarded.go:6: r.Owner != user → ((r.Owner != user) && false)`,
		`guarded.go:9: r.Digest == digest → ((r.Digest == digest) || true)`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The tests of this package hold two of its three checks.
const halfTested = `package guarded

import "testing"

func TestMay(t *testing.T) {
	if !May(record{"alice", "d"}, "alice", "d") || May(record{"alice", "d"}, "bob", "d") || May(record{"", "d"}, "", "d") {
		t.Fail()
	}
}
`

func TestACheckThatNoTestMissesIsReported(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module guarded\n\ngo 1.26\n", "guarded.go": guarded, "guarded_test.go": halfTested} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	all, err := checksOf(".")
	if err != nil {
		t.Fatal(err)
	}
	verdicts := map[string]string{}
	for _, c := range all {
		if verdicts[c.text], err = c.try(context.Background(), time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{`user == ""`: "held by TestMay", "r.Owner != user": "held by TestMay", "r.Digest == digest": "missed by nobody"}
	if diff := cmp.Diff(want, verdicts); diff != "" {
		t.Error(diff)
	}
	after, err := os.ReadFile("guarded.go")
	if err != nil || string(after) != guarded {
		t.Errorf("the tree was changed: %s, %v", after, err)
	}
}

func TestAnExceptionNeedsAReason(t *testing.T) {
	if _, err := parseEquivalent("a.go: x != y"); err == nil || !strings.Contains(err.Error(), "line 1") {
		t.Error(err)
	}
	known, err := parseEquivalent("# nothing\n\na.go: x != y  # z compares them too\n")
	if err != nil || !known.has(check{file: "a.go", text: "x != y"}) || known.has(check{file: "a.go", text: "x == y"}) {
		t.Errorf("%v, %v", known, err)
	}
}

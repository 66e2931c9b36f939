package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../../.."

func TestThePageIsWhatTheLinesSay(t *testing.T) {
	tables, err := read()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, "docs", "documents.md"))
	if err != nil || string(got) != page(tables) {
		t.Errorf("docs/documents.md is not what the lines say (%v): run go run ./internal/testkit/documents", err)
	}
}

func TestEveryPlaceAndTestOfTheDocumentsIsThere(t *testing.T) {
	tables, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		for _, r := range table.rows {
			if r.deviates == "" && (r.where == "-" || r.tests == "-") {
				t.Errorf("%s: %s: nothing shows it, and no reason is given", table.heading, r.wants)
			}
			checkPlace(t, r.where)
			checkTests(t, r.tests)
		}
	}
}

func checkPlace(t *testing.T, where string) {
	t.Helper()
	if where == "-" {
		return
	}
	file, symbol, _ := strings.Cut(where, " ")
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
	if err != nil || !strings.Contains(string(text), symbol) {
		t.Errorf("%s has no %s: %v", file, symbol, err)
	}
}

var name = regexp.MustCompile(`^(Test|Fuzz|Example)\w+`)

func checkTests(t *testing.T, tests string) {
	t.Helper()
	if tests == "-" {
		return
	}
	for group := range strings.SplitSeq(tests, "; ") {
		pkg, names, ok := strings.Cut(group, " ")
		if !ok { // a file, such as those of the widget
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(pkg))); err != nil {
				t.Error(err)
			}
			continue
		}
		if pkg == "core" {
			pkg = "."
		}
		for one := range strings.SplitSeq(names, ", ") {
			if one = name.FindString(one); one == "" || !hasTest(t, pkg, one) {
				t.Errorf("there is no test %q in %s", one, group)
			}
		}
	}
}

var declared = map[string]string{} // the tests of a package, as text

func hasTest(t *testing.T, pkg, name string) bool {
	t.Helper()
	if _, read := declared[pkg]; !read {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var all strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(text)
		}
		declared[pkg] = all.String()
	}
	return strings.Contains(declared[pkg], "func "+name+"(")
}

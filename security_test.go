package parley_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every test that docs/security.md names is there, in the package that it names, or in
// vault where it names none.
func TestEveryTestOfTheSecurityTableExists(t *testing.T) {
	table, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if !strings.HasPrefix(line, "|") || len(cells) != 3 || strings.Contains(cells[2], "---") || strings.TrimSpace(cells[2]) == "tests" {
			continue
		}
		rows++
		if named := checkRow(t, cells[2]); named == 0 {
			t.Errorf("no test in the row %q", strings.TrimSpace(cells[0]))
		}
	}
	if rows < 20 {
		t.Errorf("%d rows were found", rows)
	}
}

var (
	securityEntry = regexp.MustCompile("`([a-z0-9/]+)`|\\b(core)\\b|\\b((?:Test|Fuzz)[A-Z]\\w*)|([\\w/-]+\\.test\\.ts)")
	securityTest  = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
)

// checkRow looks for the tests of one row and returns how many it names.
func checkRow(t *testing.T, cell string) (named int) {
	t.Helper()
	at := "vault"
	for _, m := range securityEntry.FindAllStringSubmatch(cell, -1) {
		switch {
		case m[1] != "":
			at = m[1]
		case m[2] != "":
			at = "."
		case m[4] != "":
			named++
			if _, err := os.Stat(m[4]); err != nil {
				t.Error(err)
			}
		default:
			named++
			if !testsOf(t, at)[m[3]] {
				t.Errorf("there is no %s in %s", m[3], at)
			}
		}
	}
	return named
}

var testNames = map[string]map[string]bool{}

// testsOf are the tests of a folder.
func testsOf(t *testing.T, folder string) map[string]bool {
	t.Helper()
	if names := testNames[folder]; names != nil {
		return names
	}
	names := map[string]bool{}
	testNames[folder] = names
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range securityTest.FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
	}
	return names
}

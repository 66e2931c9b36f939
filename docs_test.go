package parley_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// documents are the pages that people read on the web site of the repository.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md", ".github/*.md", ".github/*/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	if len(all) < 20 || !slices.Contains(all, "README.md") {
		t.Fatalf("%d documents: %q", len(all), all)
	}
	return all
}

// Every link of a document to another file, and to a heading in one, leads
// somewhere.
func TestEveryLinkOfTheDocumentsLeadsSomewhere(t *testing.T) {
	for _, page := range documents(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, wrong := range deadLinks(page, string(text)) {
			t.Error(wrong)
		}
	}
}

// Who opens docs/ finds every page in its index.
func TestEveryPageIsInTheIndex(t *testing.T) {
	index, err := os.ReadFile("docs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]int{}
	for _, target := range linksOf(string(index)) {
		target, _, _ = strings.Cut(target, "#")
		listed[filepath.ToSlash(filepath.Join("docs", target))]++
	}
	for _, page := range documents(t) {
		if page != "docs/README.md" && filepath.Dir(page) == "docs" && listed[page] == 0 {
			t.Errorf("%s is not in docs/README.md: add a line that says what it is for", page)
		}
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(linksOf(string(readme)), "docs/README.md") {
		t.Error("README.md does not lead to docs/README.md")
	}
}

// The changelog begins with what is unreleased; below are versions, newest first.
func TestTheChangelogHasVersions(t *testing.T) {
	text, err := os.ReadFile("CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	var sections []string
	for _, line := range prose(string(text)) {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			sections = append(sections, name)
		}
	}
	if len(sections) < 2 || sections[0] != "Unreleased" {
		t.Fatalf("sections %q", sections)
	}
	version := regexp.MustCompile(`^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(, (\d{4}-\d\d-\d\d|not tagged yet))$`)
	for _, name := range sections[1:] {
		if !version.MatchString(name) {
			t.Errorf("%q is neither %q nor %q", name, "v1.2.3, 2027-01-31", "v1.2.3, not tagged yet")
		}
	}
}

// README.md has people go install the program by its version: Go does that only
// for a module that replaces and excludes nothing.
func TestTheProgramCanBeInstalledByItsVersion(t *testing.T) {
	text, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if found := regexp.MustCompile(`(?m)^\s*(replace|exclude)\b.*`).FindString(string(text)); found != "" {
		t.Errorf("go.mod has %q: go install …@version refuses such a module", found)
	}
}

func TestALinkThatLeadsNowhereIsNoticed(t *testing.T) {
	text := "# One\n[a](docs/states.md) [b](docs/states.md#what-each-side-sees) [c](#one) [d](https://example.com/x) ![e](docs/screens/connect.png)\n" +
		"`[in code](nowhere)`\n```\n[in a block](nowhere)\n```\n"
	if wrong := deadLinks("README.md", text); len(wrong) != 0 {
		t.Errorf("good links: %q", wrong)
	}
	for _, link := range []string{"docs/nothing.md", "docs/states.md#nothing", "#nothing", "../outside.md", "docs/screens/nothing.png"} {
		if wrong := deadLinks("README.md", "# One\n[a]("+link+")\n"); len(wrong) != 1 {
			t.Errorf("%s: %q", link, wrong)
		}
	}
	if got, want := anchorsOf("# A `b`, c_d & e!\n## A\n## A\n"), []string{"a-b-c_d--e", "a", "a-1"}; !slices.Equal(got, want) {
		t.Errorf("anchors %q, not %q", got, want)
	}
}

var (
	documentLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	inlineCode   = regexp.MustCompile("`[^`\n]*`")
	heading      = regexp.MustCompile(`^#{1,6} (.+)$`)
)

// prose is a document without its blocks.
func prose(text string) []string {
	var lines []string
	fenced := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			fenced = !fenced
			continue
		}
		if !fenced {
			lines = append(lines, strings.TrimRight(line, "\n"))
		}
	}
	return lines
}

// linksOf are the targets of the links of a document.
func linksOf(text string) (targets []string) {
	for _, line := range prose(text) {
		for _, found := range documentLink.FindAllStringSubmatch(inlineCode.ReplaceAllString(line, "`"), -1) {
			targets = append(targets, found[1])
		}
	}
	return targets
}

// deadLinks says which links of a page lead nowhere. Other sites are not asked.
func deadLinks(page, text string) (wrong []string) {
	for _, target := range linksOf(text) {
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue
		}
		path, anchor, anchored := strings.Cut(target, "#")
		there := text
		if path != "" {
			file := filepath.Join(filepath.Dir(page), filepath.FromSlash(path))
			if strings.HasPrefix(file, "..") {
				wrong = append(wrong, fmt.Sprintf("%s links to %s, which is outside of the repository", page, target))
				continue
			}
			if _, err := os.Stat(file); err != nil {
				wrong = append(wrong, fmt.Sprintf("%s links to %s, which is not there", page, target))
				continue
			}
			if anchored {
				content, _ := os.ReadFile(file)
				there = string(content)
			}
		}
		if anchored && !slices.Contains(anchorsOf(there), anchor) {
			wrong = append(wrong, fmt.Sprintf("%s links to %s, which has no such heading", page, target))
		}
	}
	return wrong
}

// anchorsOf are the names by which links reach the headings of a document, as
// GitHub makes them.
func anchorsOf(text string) (anchors []string) {
	seen := map[string]int{}
	for _, line := range prose(text) {
		found := heading.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(found[1]))
		if seen[name]++; seen[name] > 1 {
			name = fmt.Sprintf("%s-%d", name, seen[name]-1)
		}
		anchors = append(anchors, name)
	}
	return anchors
}

package newcomer_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// root is the module's directory, seen from this one.
const root = "../.."

// block is a fenced block of a page, and how it is tried.
type block struct {
	page string // relative to the module
	line int    // of its fence
	lang string
	text string
	try  string // what its mark says; empty: it has none
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

// pages are the documents that a newcomer reads.
func pages(t *testing.T) []string {
	t.Helper()
	docs, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(docs) == 0 {
		t.Fatalf("%d pages: %v", len(docs), err)
	}
	return append([]string{filepath.Join(root, "README.md")}, docs...)
}

// blocksOf reads the blocks of a page.
func blocksOf(path string) ([]block, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	page := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
	var all []block
	var open *block
	before := ""
	for i, line := range strings.SplitAfter(string(text), "\n") {
		bare := strings.TrimSpace(line)
		switch {
		case open == nil && strings.HasPrefix(bare, "```"):
			open = &block{page: page, line: i + 1, lang: strings.TrimPrefix(bare, "```"), try: mark(before)}
		case open != nil && bare == "```":
			all, open = append(all, *open), nil
		case open != nil:
			open.text += line
		}
		before = bare
	}
	if open != nil {
		return nil, fmt.Errorf("%s: the block does not end", open)
	}
	return all, nil
}

// mark reads the line before a block.
func mark(line string) string {
	inner, ok := strings.CutPrefix(line, "<!-- try: ")
	if !ok {
		return ""
	}
	inner, ok = strings.CutSuffix(inner, " -->")
	if !ok {
		return ""
	}
	return inner
}

func TestABlockIsReadWithItsMark(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page.md")
	page := "text\n\n<!-- try: check -->\n```yaml\ndev: true\n```\n\n```\nbare\n```\n"
	if err := os.WriteFile(path, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := blocksOf(path)
	if err != nil || len(got) != 2 || got[0].try != "check" || got[0].text != "dev: true\n" || got[0].line != 4 || got[1].try != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte("```\nno end\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := blocksOf(path); err == nil {
		t.Error("a block without an end was read")
	}
}

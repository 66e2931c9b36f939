package kit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestProgressInAPipeIsPlainLines(t *testing.T) {
	var pipe, terminal strings.Builder
	for _, line := range []string{"a: %d calls\n", "b: %d calls", ""} {
		args := []any{7}[:strings.Count(line, "%")]
		tellProgress(&pipe, false, line, args...)
		tellProgress(&terminal, true, line, args...)
	}
	if got, want := pipe.String(), "a: 7 calls\nb: 7 calls\n"; got != want {
		t.Errorf("in a pipe %q; want %q", got, want)
	}
	if got, want := terminal.String(), "\r\033[Ka: 7 calls\n\r\033[Kb: 7 calls\r\033[K"; got != want {
		t.Errorf("on a terminal %q; want %q", got, want)
	}
}

func TestAFileAndAPipeAreNoTerminals(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	if isTerminal(file) || isTerminal(w) {
		t.Error("a file or a pipe is taken for a terminal")
	}
}

package newcomer_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// compile compiles a block within its frame, as a package of this module, and
// runs it if the mark says what it prints.
func compile(t *testing.T, b block, frame string) {
	frame, run := strings.CutSuffix(frame, ", prints")
	source := framed(t, b, frame)
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	// The package is in the module by an overlay only: nothing is written there.
	pkg := "interop/newcomer/block"
	real := filepath.Join(t.TempDir(), "block.go")
	overlay := filepath.Join(filepath.Dir(real), "overlay.json")
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(module, filepath.FromSlash(pkg), "block.go"): real}})
	if err == nil {
		err = errors.Join(os.WriteFile(real, []byte(source), 0o600), os.WriteFile(overlay, replaced, 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(filepath.Dir(real), "block")
	how := []string{"list", "-export", `-f={{""}}`} // which compiles it and does not link it
	if run {
		how = []string{"build", "-o", program}
	}
	cmd := exec.CommandContext(t.Context(), "go", append(how, "-overlay", overlay, "-gcflags=-e", "./"+pkg)...)
	cmd.Dir = module
	out, err := cmd.CombinedOutput()
	if said := compilerErrors(string(out)); said != "" || err != nil && strings.TrimSpace(string(out)) == "" {
		t.Fatalf("%s does not compile in %s: %v\n%s", b, frame, err, said)
	}
	if !run {
		return
	}
	got, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	if want := printed(source); err != nil || string(got) != want {
		t.Errorf("%s prints %q (%v), not %q", b, got, err, want)
	}
}

// framed puts a block where the frame has its mark. A line that is an ellipsis
// is what readers write themselves.
func framed(t *testing.T, b block, frame string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", frame))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(text), "//BLOCK") != 1 {
		t.Fatalf("testdata/%s has no mark, or several", frame)
	}
	var lines []string
	for line := range strings.Lines(b.text) {
		if strings.TrimSpace(line) == "…" {
			line = `panic("…")` + "\n"
		}
		lines = append(lines, line)
	}
	return strings.Replace(string(text), "//BLOCK", fmt.Sprintf("//line %s:%d\n%s", filepath.Base(b.page), b.line+1, strings.Join(lines, "")), 1)
}

// compilerErrors are those that are no fault of a piece: what it declares may be
// for what comes after it.
func compilerErrors(out string) string {
	var wrong []string
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "#") && !strings.Contains(line, "declared and not used") {
			wrong = append(wrong, line)
		}
	}
	return strings.Join(wrong, "\n")
}

// printed is what the last comment of a frame says.
func printed(source string) string {
	_, comment, _ := strings.Cut(source, "// Output:\n")
	var text strings.Builder
	for line := range strings.Lines(comment) {
		text.WriteString(strings.TrimPrefix(line, "// "))
	}
	return text.String()
}

package newcomer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// span is a command within a sentence: `go run ./bench core`, `make test`,
// `parley chat --user alice`.
var span = regexp.MustCompile("`((?:go run|go test|go install|go get|make|parley) [^`]+)`")

// Commands within sentences are too long, or too many, to run each: the programs
// and flags that they name are there.
func TestCommandsInSentencesAreThere(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	buildPrograms(t)
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(pages(t), filepath.Join(root, "CONTRIBUTING.md"), filepath.Join(root, "SECURITY.md")) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range span.FindAllStringSubmatch(string(text), -1) {
			words := strings.Fields(found[1])
			if wrong := wrongCommand(words, string(makefile)); wrong != "" {
				t.Errorf("%s: `%s`: %s", filepath.Base(path), found[1], wrong)
			}
		}
	}
}

func wrongCommand(words []string, makefile string) string {
	switch {
	case words[0] == "make":
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(words[1]) + `:`).MatchString(makefile) {
			return "the Makefile has no such target"
		}
	case words[0] == "parley":
		return unknownFlags(words[1:])
	case words[1] == "run" && words[2] == "./cmd/parley":
		return unknownFlags(words[3:])
	default:
		for _, word := range words[2:] {
			if path, _, versioned := strings.Cut(word, "@"); versioned && strings.HasPrefix(path, module) {
				word = "." + strings.TrimPrefix(path, module) // of this module: what is there now
			}
			if word != "." && !strings.HasPrefix(word, "./") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(strings.TrimSuffix(word, "/...")))); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

// unknownFlags asks parley's own help for the flags of a command.
func unknownFlags(words []string) string {
	if len(words) == 0 {
		return ""
	}
	help, _ := exec.Command(filepath.Join(programs.dir, "parley"), words[0], "-h").CombinedOutput()
	if strings.Contains(string(help), "unknown command") {
		return string(help)
	}
	for _, word := range words[1:] {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-[("), "=")
		name = strings.TrimRight(name, "])")
		if strings.HasPrefix(word, "-") && word != "--" && !regexp.MustCompile(`(?m)^\s+--?`+regexp.QuoteMeta(name)+`\b`).Match(help) {
			return "no flag " + word
		}
	}
	return ""
}

func TestACommandThatIsNotThereIsNoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the programs")
	}
	buildPrograms(t)
	for _, text := range []string{"make tea", "go run ./bench/nothing", "parley serve --nothing", "parley nothing", "go install " + module + "/cmd/nothing@latest", "go run ./cmd/parley chat --users ann"} {
		if wrongCommand(strings.Fields(text), "test:\n") == "" {
			t.Errorf("%q passes", text)
		}
	}
}

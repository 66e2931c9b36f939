package newcomer_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Every block of every page does what the page says.
func TestEveryBlockOfThePagesDoesWhatItSays(t *testing.T) {
	if testing.Short() {
		t.Skip("runs programs, servers and a browser")
	}
	buildPrograms(t)
	for _, path := range pages(t) {
		blocks, err := blocksOf(path)
		if err != nil {
			t.Fatal(err)
		}
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			d := newDesk(t)
			if slices.ContainsFunc(blocks, func(b block) bool { return b.try == "shell "+withPostgres }) {
				d.database = emptyDatabase(t) // where there is none the page is skipped
				t.Cleanup(d.leave)            // what uses it ends before it does
			}
			for _, b := range blocks {
				t.Run(b.String(), func(t *testing.T) { d.try(t, b) })
			}
		})
	}
}

// try does with a block what its mark says.
func (d *desk) try(t *testing.T, b block) {
	kind, rest, _ := strings.Cut(b.try, " ")
	if strings.Contains(b.text, "https://parley.example") && kind != "go" && kind != "quoted" && kind != "page" && kind != "policy" {
		d.needSite(t, "https://host.example")
	}
	switch strings.TrimRight(kind, ",;") {
	case "":
		t.Fatalf("%s has no mark: the package's documentation says which there are", b)
	case "no":
		if rest == "" {
			t.Fatalf("%s says no reason why it cannot be tried", b)
		}
	case "shell":
		if strings.Contains(b.text, exampleQuestion) {
			b.text = strings.ReplaceAll(b.text, exampleQuestion, d.openQuestion(t))
		}
		d.shell(t, b, rest)
	case "check":
		d.check(t, b, strings.TrimPrefix(rest, "after "))
	case "go":
		compile(t, b, strings.TrimPrefix(rest, "in "))
	case "answer":
		d.answered(t, b)
	case "event":
		d.event(t, b, rest)
	case "clients":
		d.clients(t, b)
	case "claude":
		d.claude(t, b)
	case "page":
		d.browse(t, b, strings.TrimPrefix(rest, "shows "), "")
	case "policy":
		d.browse(t, b, "", b.text)
	case "file":
		d.file(t, b, rest)
	case "quoted":
		quoted(t, b, strings.TrimPrefix(rest, "from "))
	default:
		t.Fatalf("%s: nobody knows how to try %q", b, b.try)
	}
}

// file saves a block in the desk's directory, for the commands that follow. One
// that is also a file of the tree is the same there, so that it is vetted.
func (d *desk) file(t *testing.T, b block, rest string) {
	name, twin, _ := strings.Cut(rest, ", as ")
	if name == "" || name != filepath.Base(name) {
		t.Fatalf("%s: %q is no name of a file", b, name)
	}
	if twin != "" {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(twin)))
		if err != nil {
			t.Fatal(err)
		}
		if wrong := firstDifference(string(text), b.text); wrong != "" {
			t.Errorf("%s is not %s: %s", b, twin, wrong)
		}
	}
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(d.here(b.text)), 0o600); err != nil {
		t.Fatal(err)
	}
}

// firstDifference is the first line that two texts do not share; nothing if they
// are the same.
func firstDifference(want, got string) string {
	if want == got {
		return ""
	}
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i, line := range gots {
		if i >= len(wants) || wants[i] != line {
			return fmt.Sprintf("line %d, %q", i+1, line)
		}
	}
	return fmt.Sprintf("it ends after line %d", len(gots))
}

// check has a configuration read, and leaves it for the commands that follow.
func (d *desk) check(t *testing.T, b block, after string) {
	config := d.here(b.text)
	if after != "" {
		frame, err := os.ReadFile(filepath.Join("testdata", after))
		if err != nil {
			t.Fatal(err)
		}
		config = string(frame) + config
	}
	if !strings.Contains(config, "listen:") {
		config = "listen: \"" + d.chat + "\"\n" + config
	}
	if err := os.WriteFile(filepath.Join(d.dir, "parley.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "parley", "check", "-c", "parley.yaml")
	cmd.Path, cmd.Dir, cmd.Env = filepath.Join(programs.dir, "parley"), d.dir, d.env("")
	cmd.Err = nil
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "warning") {
		t.Errorf("%s: %v\n%s", b, err, out)
	}
}

// quoted looks for the lines of a block in a file, one after the other.
func quoted(t *testing.T, b block, path string) {
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	rest := strings.Split(string(text), "\n")
	for line := range strings.Lines(b.text) {
		line = strings.TrimSpace(line)
		if line == "" || line == "…" {
			continue
		}
		for len(rest) > 0 && strings.TrimSpace(rest[0]) != line {
			rest = rest[1:]
		}
		if len(rest) == 0 {
			t.Fatalf("%s: %s does not say, or not in this order: %s", b, path, line)
		}
		rest = rest[1:]
	}
}

func TestAPageThatIsNotItsProgramIsNoticed(t *testing.T) {
	for got, want := range map[string]string{
		"a\nb\n": "", "a\nc\n": `line 2, "c"`, "a\n": "line 2, \"\"", "a\nb\nc\n": `line 3, "c"`, "a": "it ends after line 1", "": `line 1, ""`,
	} {
		if wrong := firstDifference("a\nb\n", got); wrong != want {
			t.Errorf("%q: %q, not %q", got, wrong, want)
		}
	}
}

package config_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
)

// Who wrote no YAML reads what to write.
func TestWhatIsNoYAMLIsSaidWithWhatToWrite(t *testing.T) {
	for text, want := range map[string]string{
		"store: memory:\n":                "line 1, column 8: mapping value is not allowed in this context: put quotes around a value that has a colon in it, as in store: \"memory:\"",
		"auth:\n\tjwt: {issuer: \"a\"}\n": "indent with spaces",
		"dev: true\nrules:\n  - {name: a, approvers: 2 of [bob, carol]}\n": `inside braces put quotes around a value that has a bracket, a brace or a comma in it, as in {approvers: "2 of [bob, carol]"}`,
	} {
		if _, err := config.Parse([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Some editors begin a file with a mark that nobody sees.
func TestAByteOrderMarkIsNoPartOfTheFirstKey(t *testing.T) {
	for _, text := range []string{"dev: true\nlimits: {questions: 3}\n", "limits: {questions: 3}\ndev: true\n"} {
		c, err := config.Parse([]byte("\ufeff"+text), nothing)
		if err != nil || !c.Dev || c.Limits.Questions != 3 {
			t.Errorf("%q: %v", text, err)
		}
	}
	if _, err := config.Parse([]byte("\ufeff"), nothing); err == nil || strings.Contains(err.Error(), "\ufeff") {
		t.Errorf("the mark alone: %v", err)
	}
	if _, err := config.Parse([]byte("dev: true\n\ufefftitle: x\n"), nothing); err == nil {
		t.Error("it is passed over in the middle of a file")
	}
}

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
	} {
		if _, err := config.Parse([]byte(text), nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

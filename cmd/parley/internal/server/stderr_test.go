package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// An operator with several programs must know which of them complains.
func TestWhatAProgramSaysOnItsStderrIsLoggedUnderItsName(t *testing.T) {
	script := filepath.Join(t.TempDir(), "loud.sh")
	if err := os.WriteFile(script, []byte("echo 'no key is set' >&2\nprintf 'and gone' >&2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, log := built(t, forDevelopment+"store: \"memory:\"\nservers: {loud: {command: [sh, "+script+"]}}\n")
	asksAt(s, surfaces["gateway"], "Authorization", "Bearer "+server.DevToken("alice"))
	for _, line := range []string{"no key is set", "and gone"} {
		if want := `level=INFO msg="server stderr" server=loud line="` + line + `"`; !strings.Contains(log.String(), want) {
			t.Errorf("no %s in\n%s", want, log)
		}
	}
}

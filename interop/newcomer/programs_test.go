package newcomer_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
)

// examples are the programs below examples/; those that listen take -addr.
var (
	examples = []string{"connect-account", "connect-url", "delete-account", "expense-agent", "expense-approval", "first-tool", "gateway", "transfer-funds"}
	listens  = map[string]bool{"connect-account": true, "connect-url": true, "delete-account": true, "expense-approval": true, "first-tool": true, "transfer-funds": true}
)

// programs are what pages run, built once, and aside as go run does it, for which
// they stand.
var programs struct{ dir string }

func TestMain(m *testing.M) {
	var err error
	if programs.dir, err = os.MkdirTemp("", "go-build-newcomer"); err != nil {
		panic(err)
	}
	code := browser.Main(m)
	_ = os.RemoveAll(programs.dir)
	os.Exit(code)
}

// buildPrograms builds them all with one command.
func buildPrograms(t *testing.T) {
	t.Helper()
	args := []string{"build", "-o", programs.dir + string(filepath.Separator), "./cmd/parley"}
	for _, name := range examples {
		args = append(args, "./examples/"+name)
	}
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

package kit

import (
	"fmt"
	"os"
	"path"
	"sync"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/shared"
)

// programs are those of this tree that the tests of this binary have built: each
// is built once, and those that only this binary has are removed by [Main].
var programs struct {
	mu    sync.Mutex
	dir   string
	built map[string]string // the file by its source
}

// BuildParley builds the program as this test was built: with the race
// detector, if that is on.
func BuildParley(t *testing.T) string {
	t.Helper()
	return Build(t, "../cmd/parley")
}

// Build builds a program of this tree, unless another test did already. The source is
// a folder, as from interop.
func Build(t *testing.T, source string) string {
	t.Helper()
	p := &programs
	p.mu.Lock()
	defer p.mu.Unlock()
	if program, ok := p.built[source]; ok {
		return program
	}
	program, err := shared.Program(t.Context(), p.dir, path.Join("interop", source))
	if err != nil {
		t.Fatal(err)
	}
	p.built[source] = program
	return program
}

// withPrograms runs what may build programs.
func withPrograms(run func() int) int {
	dir, err := os.MkdirTemp("", "parley-interop-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	programs.dir, programs.built = dir, map[string]string{}
	return run()
}

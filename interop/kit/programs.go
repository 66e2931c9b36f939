package kit

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// programs are those of this tree that the tests of this binary have built: each
// is built once, and all are removed by [Main].
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

// Build builds a program of this tree, unless another test did already.
func Build(t *testing.T, source string) string {
	t.Helper()
	p := &programs
	p.mu.Lock()
	defer p.mu.Unlock()
	if program, ok := p.built[source]; ok {
		return program
	}
	program := filepath.Join(p.dir, strconv.Itoa(len(p.built)), filepath.Base(source))
	args := []string{"build", "-o", program}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race")
	}
	if out, err := exec.CommandContext(t.Context(), "go", append(args, source)...).CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
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

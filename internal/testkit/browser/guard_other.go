//go:build !unix

package browser

import (
	"os"
	"os/exec"
)

// guard removes Chromium's directory. Nobody does it if our process is killed; Chromium itself ends, since the pipe of
// the debugging protocol is closed.
type guard struct{ dir string }

func newGuard(dir string) (*guard, error) { return &guard{dir}, nil }

func ownGroup(*exec.Cmd) {}

func (*guard) watch(int) {}

func (g *guard) close() { os.RemoveAll(g.dir) }

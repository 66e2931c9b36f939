//go:build !unix

package servers

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
)

// Neither server runs here natively: name one that runs elsewhere with PARLEY_TEST_REDIS and PARLEY_TEST_POSTGRES.

type guard struct{ dir string }

type process struct {
	pid  int
	done chan struct{}
	err  error
}

func newGuard(string, syscall.Signal) (*guard, error) {
	return nil, fmt.Errorf("on %s: %w", runtime.GOOS, errors.Join(ErrNotInstalled, errors.ErrUnsupported))
}

func (*guard) close()                                    {}
func (*guard) start(*exec.Cmd, string) (*process, error) { return nil, errors.ErrUnsupported }
func (*process) exited() bool                            { return true }
func (*process) signal(syscall.Signal)                   {}
func (*process) kill()                                   {}
func runAs(*exec.Cmd, account)                           {}

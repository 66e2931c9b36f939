//go:build unix

package browser

import (
	"fmt"
	"io"
	"os/exec"
	"syscall"
)

// guard is a shell that ends Chromium with all its processes and removes its directory, when it is told to and when our
// process is gone: either way the pipe it reads is closed.
type guard struct {
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// guardScript reads the number of the process group. The directory may resist while the last process dies.
const guardScript = `
while read -r line; do group=$line; done
[ -z "$group" ] || kill -s KILL -- "-$group"
n=0
until rm -rf "$1" || [ $n -ge 50 ]; do sleep 0.1; n=$((n+1)); done
`

// newGuard guards dir.
func newGuard(dir string) (*guard, error) {
	cmd := exec.Command("/bin/sh", "-c", guardScript, "parley-guard", dir)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // out of reach of the terminal's ^C
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &guard{cmd, pipe}, nil
}

// ownGroup makes cmd lead a process group of its own.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// watch names the process to end; it leads its group. It ends by itself, too, when the pipe of the debugging protocol is
// closed, unless it is stuck.
func (g *guard) watch(pid int) { _, _ = fmt.Fprintln(g.pipe, pid) }

// close ends what is left of the process, and removes the directory.
func (g *guard) close() {
	g.pipe.Close()
	_ = g.cmd.Wait()
}

//go:build unix

package servers

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// guard is a shell that ends a server and removes its directory when our process is gone. The kernel tells it by closing
// the pipe that it reads. (Linux's parent-death signal is tied to a thread, exists nowhere else, and would leave the
// directory.)
type guard struct {
	dir  string
	cmd  *exec.Cmd
	pipe io.WriteCloser
}

// guardScript reads the id of each process that starts, and an empty line when it has ended.
const guardScript = `
while read -r line; do pid=$line; done
if [ -n "$pid" ]; then
	kill -s "$2" "$pid"
	n=0
	while kill -0 "$pid" && [ $n -lt 50 ]; do sleep 0.1; n=$((n+1)); done
	kill -s KILL "$pid"
fi 2>/dev/null
rm -rf "$1"
`

// newGuard guards dir. In an emergency it ends the server with sig.
func newGuard(dir string, sig syscall.Signal) (*guard, error) {
	name := map[syscall.Signal]string{syscall.SIGKILL: "KILL", syscall.SIGQUIT: "QUIT"}[sig]
	cmd := exec.Command("/bin/sh", "-c", guardScript, "parley-guard", dir, name)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // out of reach of the terminal's ^C
	pipe, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &guard{dir, cmd, pipe}, nil
}

// close removes the directory. Nothing may run in it any more.
func (g *guard) close() {
	g.pipe.Close()
	_ = g.cmd.Wait()
}

// process is a running or ended child.
type process struct {
	pid  int
	done chan struct{} // closed when it has ended
	err  error         // how it ended; to be read after done
}

// start starts cmd, its output going to a fresh log file.
func (g *guard) start(cmd *exec.Cmd, log string) (*process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{pid: cmd.Process.Pid, done: make(chan struct{})}
	_, err = fmt.Fprintln(g.pipe, p.pid)
	go func() {
		defer close(p.done)
		p.err = cmd.Wait()
		_, _ = fmt.Fprintln(g.pipe)
	}()
	if err != nil {
		p.kill()
		return nil, fmt.Errorf("the guard is gone: %w", err)
	}
	return p, nil
}

func runAs(cmd *exec.Cmd, a account) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(a.uid), Gid: uint32(a.gid)}}
}

func (p *process) exited() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

func (p *process) signal(sig syscall.Signal) { _ = syscall.Kill(p.pid, sig) }

// kill ends the process and its children, and returns when they are gone. PostgreSQL's children are not in its process
// group, and one that is busy would survive its parent for a while and keep a new server from starting. So the parent is
// halted first, that it start no more of them, and ended last.
func (p *process) kill() {
	p.signal(syscall.SIGSTOP)
	for {
		pids := children(p.pid)
		if len(pids) == 0 {
			break
		}
		for _, pid := range pids {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		time.Sleep(time.Millisecond)
	}
	_ = syscall.Kill(-p.pid, syscall.SIGKILL) // it, and initdb's grandchildren
	<-p.done
}

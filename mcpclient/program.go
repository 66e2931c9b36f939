package mcpclient

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// program is a server that was started here, and speaks by its stdin and
// stdout.
type program struct {
	lines
	cmd    *exec.Cmd
	exited chan struct{}
}

const (
	// probeTime is how long a program may think about server/discover before it
	// is initialized: some answer nothing to a method that they do not know.
	probeTime = 3 * time.Second
	// closeTime is how long a program may take to exit once its stdin is closed.
	// Some never do, while they wait for an answer.
	closeTime = 500 * time.Millisecond
	// leaveTime is how long it may take once it was told to end.
	leaveTime = 2 * time.Second
)

// connectProgram starts a program, if there is room for it, and finds its era.
// One that exits at server/discover is started again and initialized.
func connectProgram(ctx context.Context, opts Options) (*Conn, error) {
	end, err := opts.Programs.take(ctx, opts.Use)
	if err != nil {
		return nil, err
	}
	c, err := greetProgram(ctx, opts)
	if err != nil {
		end()
		return nil, err
	}
	c.wire.(*program).whenExited(end)
	return c, nil
}

func greetProgram(ctx context.Context, opts Options) (*Conn, error) {
	c, err := startProgram(ctx, opts)
	if err != nil {
		return nil, err
	}
	err = c.greet(ctx)
	if errors.Is(err, ErrSessionGone) && ctx.Err() == nil {
		_ = c.Close()
		if c, err = startProgram(ctx, opts); err != nil {
			return nil, err
		}
		err = c.initialize(ctx)
	}
	if err != nil {
		_ = c.Close()
		if errors.Is(err, ErrSessionGone) {
			err = fmt.Errorf("%w: the program ended at once", ErrUnreachable)
		}
		return nil, err
	}
	return c, nil
}

func startProgram(ctx context.Context, opts Options) (*Conn, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	defer theirIn.Close()
	out, theirOut, err := os.Pipe()
	if err != nil {
		_ = in.Close()
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	defer theirOut.Close()
	cmd := exec.Command(opts.Command[0], opts.Command[1:]...)
	cmd.Env = append([]string{}, opts.Env...) // not nil: that would be our own
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirIn, theirOut, opts.Stderr
	cmd.WaitDelay = leaveTime
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		_, _ = in.Close(), out.Close()
		return nil, fmt.Errorf("%w: %w", ErrUnreachable, err)
	}
	c := newConn(ctx, opts)
	p := &program{lines: newLines(c, in, out), cmd: cmd, exited: make(chan struct{})}
	c.wire = p
	c.spawn(p.read)
	c.spawn(p.write)
	c.spawn(p.wait)
	return c, nil
}

// wait reaps the program. Those that it started go with it.
func (p *program) wait() {
	_, _ = p.cmd.Process.Wait()
	killGroup(p.cmd) // who has its stderr or stdout still would be waited for
	leave := time.NewTimer(leaveTime)
	defer leave.Stop()
	_ = p.cmd.Wait()
	if log, ok := p.cmd.Stderr.(*logWriter); ok {
		log.end() // nobody writes there any more
	}
	close(p.exited)
	for said := false; !said; leave.Reset(leaveTime) {
		select {
		case <-p.silent: // its last words count
			said = true
		case <-leave.C: // somebody outside of its group has its stdout, or a caller reads a large result
			said = !p.left.Load()
		}
	}
	p.conn.fail(fmt.Errorf("%w: the program exited", ErrSessionGone))
	_ = p.out.Close()
}

// whenExited has f called once the program is gone.
func (p *program) whenExited(f func()) {
	wait := func() {
		<-p.exited
		f()
	}
	if !p.conn.spawn(wait) {
		go wait() // the connection broke already; whoever closes it ends the program
	}
}

// close implements wire: the program's stdin is closed by write, which is how it
// is asked to exit; then it is told to, and then it is killed.
func (p *program) close([]*Exchange) error {
	for _, step := range []struct {
		after time.Duration
		force func(*exec.Cmd)
	}{{closeTime, endGroup}, {leaveTime, killGroup}} {
		select {
		case <-p.exited:
			return nil
		case <-time.After(step.after):
			step.force(p.cmd)
		}
	}
	<-p.exited
	return nil
}

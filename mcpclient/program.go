package mcpclient

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// program is a server that was started here, and speaks by its stdin and
// stdout.
type program struct {
	conn   *Conn
	cmd    *exec.Cmd
	in     *os.File // its stdin
	out    *os.File // its stdout
	lines  chan []byte
	silent chan struct{} // closed when all that it said was read
	exited chan struct{}
}

const (
	// probeTime is how long a program may think about server/discover before it
	// is initialized: some answer nothing to a method that they do not know.
	probeTime = 3 * time.Second
	// leaveTime is how long a program may take to exit once its stdin is closed,
	// and again once it was told to end.
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
	p := &program{conn: c, cmd: cmd, in: in, out: out, lines: make(chan []byte), silent: make(chan struct{}), exited: make(chan struct{})}
	c.wire = p
	c.spawn(p.read)
	c.spawn(p.write)
	c.spawn(p.wait)
	return c, nil
}

// start implements wire.
func (p *program) start(ctx, _ context.Context, x *Exchange, body []byte, r *Request) error {
	if err := p.send(ctx, body, r.Method); err != nil {
		return err
	}
	x.box.opened()
	return nil
}

// send implements wire. A message is one line; a line end in it is white space,
// because the JSON was checked.
func (p *program) send(ctx context.Context, body []byte, _ string) error {
	for i, c := range body {
		if c == '\n' || c == '\r' {
			body[i] = ' '
		}
	}
	select {
	case p.lines <- append(body, '\n'):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-p.conn.done:
		return p.conn.Err()
	}
}

// write writes whole lines, so that a caller who gives up leaves no half one.
func (p *program) write() {
	defer p.in.Close()
	for {
		select {
		case line := <-p.lines:
			if _, err := p.in.Write(line); err != nil {
				return // it exits, or will be told to
			}
		case <-p.conn.done:
			return
		}
	}
}

// read hands on what the program says.
func (p *program) read() {
	defer close(p.silent)
	r := bufio.NewReaderSize(p.out, 64<<10)
	for {
		line, err := readLine(r, p.conn.opts.MaxMessage)
		if err != nil {
			if errors.Is(err, ErrTooLarge) {
				p.conn.fail(err) // whose message it is, nobody knows
			}
			return
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		m, err := Envelope(line)
		if err != nil {
			p.conn.opts.Logger.Debug("an MCP server printed what is no message", "error", err)
			continue
		}
		p.conn.route(m)
	}
}

// readLine reads a line into memory of its own.
func readLine(r *bufio.Reader, limit int64) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if int64(len(line)+len(piece)) > limit+1 {
			return nil, ErrTooLarge
		}
		line = append(line, piece...)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// cancel implements wire.
func (p *program) cancel(x *Exchange) { p.conn.sayCancelled(x) }

// wait reaps the program. Those that it started go with it.
func (p *program) wait() {
	_ = p.cmd.Wait()
	killGroup(p.cmd)
	close(p.exited)
	select {
	case <-p.silent: // its last words count
	case <-time.After(leaveTime): // somebody outside of its group has its stdout
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
	for _, force := range []func(*exec.Cmd){endGroup, killGroup} {
		select {
		case <-p.exited:
			return nil
		case <-time.After(leaveTime):
			force(p.cmd)
		}
	}
	<-p.exited
	return nil
}

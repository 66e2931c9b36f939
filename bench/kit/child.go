// Package kit is what the benchmarks share: stores (Site), processes that are
// measured (Subject, which is this program again and reports itself, and Serving,
// which is parley serve), clients of MCP servers, times and tables.
package kit

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Subject is one server under measurement, in a process of its own. One that cannot
// report itself is looked at from outside.
type Subject struct {
	Name string // "bare", or the store's
	URL  string

	cmd *exec.Cmd
	in  io.WriteCloser // nil: it does not report
	out *json.Decoder
}

// StartChild runs this program again, as a server that reports.
func StartChild(ctx context.Context, name string, args ...string) (*Subject, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return StartReporting(ctx, name, self, args...)
}

// StartReporting runs a program that reports as Report does: it prints the address at
// which it listens as JSON, then a Consumption for every line that it reads, and ends
// with its input.
func StartReporting(ctx context.Context, name, program string, args ...string) (p *Subject, err error) {
	p = &Subject{Name: name, cmd: exec.CommandContext(ctx, program, args...)}
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	p.out = json.NewDecoder(out)
	if err := p.out.Decode(&p.URL); err != nil {
		return nil, fmt.Errorf("%s: the server did not start: %w", p.Name, err)
	}
	return p, nil
}

// Consumption asks the server what it uses. Settled, it collects garbage first.
func (p *Subject) Consumption(settled bool) (c Consumption, err error) {
	if p.in == nil {
		return Consumption{CPU: p.CPU(), RSS: residentOf(p.cmd.Process.Pid)}, nil
	}
	command := "now"
	if settled {
		command = "settled"
	}
	if _, err = fmt.Fprintln(p.in, command); err == nil {
		err = p.out.Decode(&c)
	}
	return c, err
}

// CPU is the server's processor time so far, as the system counts it.
func (p *Subject) CPU() time.Duration { return CPUOf(p.cmd.Process.Pid) }

// Stop ends the server by ending its input, or by a signal where it does not report,
// and waits for it.
func (p *Subject) Stop() {
	if p.in == nil {
		_ = p.cmd.Process.Kill()
	} else {
		p.in.Close()
	}
	_ = p.cmd.Wait()
}

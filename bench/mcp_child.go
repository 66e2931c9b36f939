package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// subject is one server under measurement, in a process of its own.
type subject struct {
	name string // "bare", or the store's
	url  string

	cmd *exec.Cmd
	in  io.WriteCloser
	out *json.Decoder
}

// startSubject starts a server; site is nil for the bare SDK.
func startSubject(ctx context.Context, s *site, space, profiles string) (*subject, error) {
	name := "bare"
	args := []string{"mcp-server"}
	if s != nil {
		name = s.name
		args = append(args, "-store", s.url(space), "-space", space)
	}
	if profiles != "" {
		args = append(args, "-profile", filepath.Join(profiles, name+"-"+space+".pprof"))
	}
	return startChild(ctx, name, args...)
}

// startChild runs this program again, as a server that reports.
func startChild(ctx context.Context, name string, args ...string) (*subject, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	p := &subject{name: name, cmd: exec.CommandContext(ctx, self, args...)}
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
	if err := p.out.Decode(&p.url); err != nil {
		return nil, fmt.Errorf("%s: the server did not start: %w", p.name, err)
	}
	return p, nil
}

// consumption asks the server what it uses. Settled, it collects garbage first.
func (p *subject) consumption(settled bool) (c consumption, err error) {
	command := "now"
	if settled {
		command = "settled"
	}
	if _, err = fmt.Fprintln(p.in, command); err == nil {
		err = p.out.Decode(&c)
	}
	return c, err
}

func (p *subject) stop() {
	p.in.Close()
	_ = p.cmd.Wait()
}

// startAll starts a bare server and one for each site, bare first. The returned
// function stops them.
func startAll(ctx context.Context, sites []*site, space, profiles string) (all []*subject, stop func(), err error) {
	stop = func() {
		for _, p := range all {
			p.stop()
		}
	}
	for _, s := range append([]*site{nil}, sites...) {
		p, err := startSubject(ctx, s, space, profiles)
		if err != nil {
			stop()
			return nil, nil, err
		}
		all = append(all, p)
	}
	return all, stop, nil
}

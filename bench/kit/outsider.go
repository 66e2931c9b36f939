package kit

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"time"
)

// outsiderPatience is how long a program of others may take until it listens.
const outsiderPatience = time.Minute

// StartOutsider runs a program of others that does not report, and returns when it
// listens at the address of its URL. What it uses is read from outside, without that of
// processes which it starts.
func StartOutsider(ctx context.Context, name, url, program string, args ...string) (*Subject, error) {
	p := &Subject{Name: name, URL: url, cmd: exec.CommandContext(ctx, program, args...)}
	var said strings.Builder
	p.cmd.Stdout, p.cmd.Stderr = &said, &said
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	address, _, _ := strings.Cut(strings.TrimPrefix(url, "http://"), "/")
	for deadline := time.Now().Add(outsiderPatience); ; time.Sleep(50 * time.Millisecond) {
		conn, err := net.Dial("tcp", address)
		if err == nil {
			conn.Close()
			return p, nil
		}
		if time.Now().After(deadline) || ctx.Err() != nil {
			p.Stop()
			text := said.String()
			return nil, fmt.Errorf("%s does not listen: %w\n%s", name, err, text[max(0, len(text)-1000):])
		}
	}
}

// FreeAddress is one at which nobody listens now.
func FreeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// victim is a parley serve that is attacked.
type victim struct {
	url string
	cmd *exec.Cmd
	log bytes.Buffer

	limit int64
	over  atomic.Bool
	peak  atomic.Int64
	ended chan struct{}
}

// attackOnce makes one attack on a process of its own.
func attackOnce(ctx context.Context, o resourceOptions, dir string, c attack) (m measured, err error) {
	ctx, stop := context.WithTimeout(ctx, o.wait)
	defer stop()
	s, err := openCounted(ctx, o.store, dir)
	if err != nil {
		return m, err
	}
	defer s.close()
	a, err := newAttacker(c)
	if err != nil {
		return m, err
	}
	defer a.close()
	v, err := startServe(ctx, []string{o.parley, "serve"}, o.limit, dir, func(listen string) string { return victimConfig(listen, s.url, a) })
	if err != nil {
		return m, err
	}
	defer v.stop()
	began := time.Now()
	note, err := c.run(ctx, a, v.url)
	if err != nil && !v.over.Load() && ctx.Err() == nil {
		return m, fmt.Errorf("%w\n%s", err, tail(v.log.String()))
	}
	select { // what it does after its answer counts as well
	case <-time.After(time.Second):
	case <-v.ended:
	}
	m = measured{hostile: a.hostile.Load(), took: time.Since(began), over: v.over.Load(), note: note}
	if v.over.Load() {
		m.note = ""
	} else if ctx.Err() != nil {
		m.note = "still at it when time was up"
	}
	m.peak, m.written = max(v.peak.Load(), v.memory("VmHWM")), s.written(v.cmd.Process.Pid)
	return m, nil
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

// victimConfig is the configuration of a victim.
func victimConfig(listen, store string, a *attacker) string {
	text := fmt.Sprintf(`listen: %s
store: %q
secrets: ["0123456789abcdef0123456789abcdef"]
auth:
  jwt: {issuer: %q, audience: parley, jwks_url: %q}
  oidc: {issuer: %q, client_id: parley, client_secret: "0123456789abcdef"}
models: {fake: {kind: openai, base_url: %q, api_key: k, model: fake}}
servers: {attacker: {url: %q, approve: never}}
`, listen, store, a.helper, a.helper+"/jwks", a.helper, a.helper+"/model/v1", a.url)
	if a.attack.agent {
		return text + "agents: {assistant: {model: fake, servers: [attacker]}}\n"
	}
	return text + "gateway: {}\n"
}

// startServe runs a program with a configuration, which is made for the address
// that it is to listen on, and waits until it is ready.
func startServe(ctx context.Context, program []string, limit int64, dir string, config func(listen string) string) (*victim, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	listen := listener.Addr().String()
	listener.Close()
	path := filepath.Join(dir, "parley.yaml")
	if err := os.WriteFile(path, []byte(config(listen)), 0o600); err != nil {
		return nil, err
	}
	v := &victim{url: "http://" + listen, limit: limit, ended: make(chan struct{}), cmd: exec.Command(program[0], append(program[1:], "-c", path)...)}
	v.cmd.Stdout, v.cmd.Stderr = &v.log, &v.log
	if err := v.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		_ = v.cmd.Wait()
		close(v.ended)
	}()
	go v.watch()
	for {
		answer, err := http.Get(v.url + "/readyz")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return v, nil
			}
		}
		select {
		case <-ctx.Done():
			v.stop()
			return nil, fmt.Errorf("it was not ready in time:\n%s", tail(v.log.String()))
		case <-v.ended:
			return nil, fmt.Errorf("it ended:\n%s", tail(v.log.String()))
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// watch ends a victim that takes more memory than it may, for the machine's sake.
func (v *victim) watch() {
	for {
		select {
		case <-v.ended:
			return
		case <-time.After(20 * time.Millisecond):
		}
		if now := v.memory("VmHWM"); now > 0 {
			v.peak.Store(now)
			if now > v.limit {
				v.over.Store(true)
				_ = v.cmd.Process.Kill()
				return
			}
		}
	}
}

// memory reads a figure of /proc, in bytes; 0 if the process is gone.
func (v *victim) memory(name string) int64 {
	raw, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", v.cmd.Process.Pid))
	for line := range strings.Lines(string(raw)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return n << 10
		}
	}
	return 0
}

func (v *victim) stop() {
	_ = v.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-v.ended:
	case <-time.After(5 * time.Second):
		if err := v.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			fmt.Fprintln(os.Stderr, "bench:", err)
		}
		<-v.ended
	}
}

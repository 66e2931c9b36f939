package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/parley-hq/parley/internal/testkit/servers"
)

// site is nodes of `parley serve` that share a store.
type site struct {
	dir     string
	behind  string // the URL of the servers
	store   string
	server  *servers.Server // nil: the store is a file
	nodes   []*node
	command func(*node) *exec.Cmd // that starts a node
}

// node is a process, again and again.
type node struct {
	site    *site
	address string
	file    string // its configuration

	mu    sync.Mutex
	cmd   *exec.Cmd
	ended chan struct{}
	log   *os.File
}

const (
	issuer   = "https://app.example"
	audience = "parley"
	tokenKey = "the key that signs tokens for tests, long enough"
	secret   = "a secret for tests, thirty-two bytes or more"
)

// newSite starts a store and its nodes.
func newSite(ctx context.Context, s settings, store, dir, behind string) (*site, error) {
	site := &site{dir: dir, behind: behind}
	site.command = func(n *node) *exec.Cmd { return exec.Command(s.program, "serve", "-c", n.file) }
	count, err := 2, error(nil)
	switch store {
	case "postgres":
		site.server, err = servers.StartPostgres(ctx, nil)
	case "redis":
		site.server, err = servers.StartRedis(ctx, nil)
	case "sqlite":
		site.store, count = "sqlite:"+filepath.Join(dir, "parley.db"), 1
	}
	if err != nil {
		return nil, err
	}
	if site.server != nil {
		site.store = site.server.URL
	}
	addresses, err := freeAddresses(count)
	if err != nil {
		return site, err
	}
	for i, address := range addresses {
		n := &node{site: site, address: address, file: filepath.Join(dir, fmt.Sprintf("%s-%d.yaml", store, i))}
		site.nodes = append(site.nodes, n)
		if n.log, err = openLog(s.keepLog, fmt.Sprintf("%s-%d.log", store, i)); err != nil {
			return site, err
		}
		if err := os.WriteFile(n.file, []byte(site.configuration(address, addresses[0])), 0o600); err != nil {
			return site, err
		}
		if err := n.start(ctx); err != nil {
			return site, err
		}
	}
	return site, nil
}

func openLog(dir, name string) (*os.File, error) {
	if dir == "" {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	return os.Create(filepath.Join(dir, name))
}

func (s *site) configuration(address, public string) string {
	return fmt.Sprintf(`
listen: %[1]q
public_url: "http://%[2]s"
store: %[3]q
secrets: [%[4]q]
dev: true
auth:
  jwt: {issuer: %[5]q, audience: %[6]q, hmac_key: %[7]q}
servers:
  old: {url: "%[8]s/old/mcp", approve: never}
  new: {url: "%[8]s/new/mcp", approve: never}
  strict: {url: "%[8]s/new/mcp", approve: always}
  strictold: {url: "%[8]s/old/mcp", approve: always}
gateway: {}
`, address, public, s.store, secret, issuer, audience, tokenKey, s.behind)
}

func (s *site) close() {
	for _, n := range s.nodes {
		n.kill()
		if n.log != nil {
			n.log.Close()
		}
	}
	if s.server != nil {
		s.server.Close()
	}
}

// start starts the node and waits until it serves.
func (n *node) start(ctx context.Context) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	cmd, ended := n.site.command(n), make(chan struct{})
	cmd.Stdout, cmd.Stderr = n.log, n.log
	if err := cmd.Start(); err != nil {
		return err
	}
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	n.cmd, n.ended = cmd, ended
	return n.serves(ctx)
}

// serves waits until the node is ready. mu is held.
func (n *node) serves(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+n.address+"/readyz", nil)
		if err != nil {
			return err
		}
		r.Close = true
		if answer, err := http.DefaultClient.Do(r); err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-n.ended:
			return fmt.Errorf("the node at %s ended", n.address)
		case <-ctx.Done():
			return fmt.Errorf("the node at %s does not serve: %w", n.address, ctx.Err())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (n *node) signal(s os.Signal) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.cmd != nil {
		_ = n.cmd.Process.Signal(s)
	}
}

// kill is kill -9. It may be repeated.
func (n *node) kill() {
	over := n.over()
	n.signal(syscall.SIGKILL)
	<-over
}

// alive reports whether the process is there.
func (n *node) alive() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	select {
	case <-n.ended:
		return false
	default:
		return n.ended != nil
	}
}

// over is closed when the process that runs now is gone. Whoever signals it takes this
// before: by the time that it is gone another fault's end may have started the next one.
func (n *node) over() <-chan struct{} {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended == nil {
		none := make(chan struct{})
		close(none)
		return none
	}
	return n.ended
}

// freeAddresses returns addresses on which nobody listens, of ports that no
// system gives to those who do not ask for one: theirs could be taken while a
// node is dead.
func freeAddresses(n int) (all []string, err error) {
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000)))
		if err != nil {
			continue
		}
		defer l.Close()
		if all = append(all, l.Addr().String()); len(all) == n {
			return all, nil
		}
	}
	return nil, errors.New("no port is free")
}

// Package servers starts private Redis and PostgreSQL servers for tests and benchmarks, from the binaries that are
// installed on the machine.
//
// A [Server] listens on a free port of 127.0.0.1 and keeps its data in a temporary directory. It can be stopped, killed
// and restarted on the same port with the same data, so a test can take a store away and give it back:
//
//	db := servers.OwnPostgres(t, nil)
//	store := open(t, db.URL)
//	db.Kill()
//	db.Restart(t.Context())
//
// Tests that only need some server share one per test binary:
//
//	func TestMain(m *testing.M) { os.Exit(servers.Main(m)) }
//	func TestStore(t *testing.T) { open(t, servers.Redis(t)) }
//
// A server never outlives the process that started it, however that ends. The methods of a Server may be called from
// several goroutines; they run one after another. Start servers outside a synctest bubble: a process does not know about
// the bubble's clock.
package servers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// ErrNotInstalled means that the server's binaries were not found.
var ErrNotInstalled = errors.New("not installed")

// errPortTaken means that somebody else took the port between our finding it free and the server's using it.
var errPortTaken = errors.New("port taken")

// Options of a server. Nil means the defaults.
type Options struct {
	// Durable keeps PostgreSQL's fsync on, as a benchmark should. By default it is off: a killed server still loses
	// nothing, only a power cut would hurt. Redis always syncs each write.
	Durable bool
}

// Server is a running, stopped or killed database server. Whoever started it must call Close.
type Server struct {
	URL string // stays the same over restarts

	engine engine
	dir    string
	port   int
	guard  *guard

	mu   sync.Mutex
	proc *process // the latest; nil before the first start
}

// engine is what differs between the servers.
type engine interface {
	url(port int) string
	prepare(ctx context.Context, g *guard) error // once, in the empty directory
	command(dir string, port int) *exec.Cmd
	ready(ctx context.Context, dir string, port, pid int) bool

	// signals returns the one that ends the server in order, without waiting for its clients, and the one that ends it
	// when its data is not needed any more.
	signals() (stop, abandon syscall.Signal)
}

const (
	pollInterval = 10 * time.Millisecond
	stopTimeout  = 30 * time.Second
)

// start starts a server in an empty directory, which is removed with it.
func start(ctx context.Context, e engine, dir string) (*Server, error) {
	_, abandon := e.signals()
	g, err := newGuard(dir, abandon)
	if err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	s := &Server{engine: e, dir: dir, guard: g}
	if err := s.startFirst(ctx); err != nil {
		g.close()
		return nil, err
	}
	return s, nil
}

func (s *Server) startFirst(ctx context.Context) error {
	if err := s.engine.prepare(ctx, s.guard); err != nil {
		return err
	}
	for {
		port, err := freePort()
		if err != nil {
			return err
		}
		s.port, s.URL = port, s.engine.url(port)
		if err := s.run(ctx); !errors.Is(err, errPortTaken) {
			return err
		}
	}
}

// Stop ends the server in order and waits until it is gone. Open connections are closed. Stopping a server that does
// not run does nothing.
func (s *Server) Stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stop()
}

func (s *Server) stop() error {
	if s.proc == nil || s.proc.exited() {
		return nil
	}
	stop, _ := s.engine.signals()
	s.proc.signal(stop)
	select {
	case <-s.proc.done:
		return nil
	case <-time.After(stopTimeout):
		s.proc.kill()
		return fmt.Errorf("%s did not stop within %v and was killed\n%s", s.URL, stopTimeout, s.log())
	}
}

// Kill ends the server and all its processes at once, as kill -9 or the kernel's out-of-memory killer does, and waits
// until it is gone.
func (s *Server) Kill() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.proc == nil || s.proc.exited() {
		return fmt.Errorf("kill %s: %w", s.URL, os.ErrProcessDone)
	}
	s.proc.kill()
	return nil
}

// Restart stops the server if it runs and starts it again on the same port with the same data. It returns when the
// server answers.
func (s *Server) Restart(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.stop(); err != nil {
		return err
	}
	for {
		err := s.run(ctx)
		if !errors.Is(err, errPortTaken) {
			return err
		}
		// Most likely a client's outgoing connection was given our port while we were away. It will pass.
		select {
		case <-ctx.Done():
			return fmt.Errorf("%w: %w", ctx.Err(), err)
		case <-time.After(pollInterval):
		}
	}
}

// Close stops the server and removes its data. It may be called more than once.
func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.stop() // if it did not stop it was killed, which is as good here
	s.guard.close()
}

// run starts the process and waits until it answers.
func (s *Server) run(ctx context.Context) error {
	proc, err := s.guard.start(s.engine.command(s.dir, s.port), filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	s.proc = proc
	for !s.engine.ready(ctx, s.dir, s.port, proc.pid) {
		select {
		case <-proc.done:
			err := fmt.Errorf("%s exited while starting\n%s", s.URL, s.log())
			if strings.Contains(s.log(), "already in use") {
				return fmt.Errorf("%w: %w", errPortTaken, err)
			}
			return err
		case <-ctx.Done():
			proc.kill()
			return fmt.Errorf("start %s: %w\n%s", s.URL, ctx.Err(), s.log())
		case <-time.After(pollInterval):
		}
	}
	return nil
}

// log returns the end of what the server wrote since it was last started.
func (s *Server) log() string { return tail(filepath.Join(s.dir, "log")) }

func tail(file string) string {
	const enough = 4000
	text, _ := os.ReadFile(file)
	return string(text[max(0, len(text)-enough):])
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

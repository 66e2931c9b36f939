package chat_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"sync"

	"github.com/parley-hq/parley"
)

// logged is what was logged.
type logged struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (l *logged) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.Write(line)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all.String()
}

// flaky is a store that fails to load when a test says so.
type flaky struct {
	*parley.MemoryStore
	mu    sync.Mutex
	fails int
}

func (f *flaky) fail(times int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fails = times
}

func (f *flaky) left() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fails
}

func (f *flaky) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	f.mu.Lock()
	failing := f.fails > 0
	if failing {
		f.fails--
	}
	f.mu.Unlock()
	if failing {
		return parley.Record{}, errors.New("the store is away")
	}
	return f.MemoryStore.Load(ctx, at)
}

// wires is a listener whose connections are pipes, so that nothing but time
// moves while everybody waits.
type wires struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (w *wires) Accept() (net.Conn, error) {
	select {
	case c := <-w.conns:
		return c, nil
	case <-w.done:
		return nil, net.ErrClosed
	}
}

func (w *wires) Close() error   { w.once.Do(func() { close(w.done) }); return nil }
func (w *wires) Addr() net.Addr { return &net.UnixAddr{Name: "wires"} }

func (w *wires) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case w.conns <- theirs:
		return ours, nil
	case <-w.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

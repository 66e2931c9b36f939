package redisstore

import (
	"bufio"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

const (
	readBuffer = 64 << 10 // of a connection that is shared

	// mostWaiting is how many bytes of commands wait to be written. Whoever comes
	// then waits until they are taken.
	mostWaiting = 1 << 20

	keptBuffer = 256 << 10 // a larger one is not kept for later
)

// wire is a socket that does not block those who write to it: what they write waits in
// memory until one of them sends all of it at once. TLS is above it, so what waits is
// encrypted already, and a part of it can be sent and the rest later.
type wire struct {
	net.Conn
	in    io.Reader
	alive atomic.Bool // something came, or went slowly, since this was last asked

	mu      sync.Mutex
	shared  bool // writes wait; a connection that is not shared writes at once
	waiting []byte
	spare   []byte        // waiting's other half
	writing bool          // somebody sends what waits
	taken   chan struct{} // closed when what waits is taken; nil: nobody asked
}

func newWire(socket net.Conn) *wire { return &wire{Conn: socket, in: socket} }

// share is called when the connection is ready for many.
func (w *wire) share() {
	w.in = bufio.NewReaderSize(w.Conn, readBuffer)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shared = true
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.in.Read(p)
	if n > 0 {
		w.alive.Store(true)
	}
	return n, err
}

func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	if !w.shared {
		w.mu.Unlock()
		return w.Conn.Write(p)
	}
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, p...)
	return len(p), nil
}

// SetReadDeadline does nothing: the library sets one before each reply, none as a rule.
func (w *wire) SetReadDeadline(time.Time) error { return nil }

// full returns what is closed when there is room again, or nil when there is.
func (w *wire) full() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.waiting) < mostWaiting {
		return nil
	}
	if w.taken == nil {
		w.taken = make(chan struct{})
	}
	return w.taken
}

// begin reports whether the caller has to send what waits. Else there is nothing, or
// somebody else is at it, who looks again before he stops: nothing is left lying.
func (w *wire) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.writing || len(w.waiting) == 0 {
		return false
	}
	w.writing = true
	return true
}

// take returns what waits, and takes back what it returned before. When there is nothing
// the caller is done.
func (w *wire) take(sent []byte) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if sent != nil && cap(sent) <= keptBuffer {
		w.spare = sent[:0]
	}
	if len(w.waiting) == 0 {
		w.writing = false
		return nil
	}
	batch := w.waiting
	w.waiting, w.spare = w.spare, nil
	if w.taken != nil {
		close(w.taken)
		w.taken = nil
	}
	return batch
}

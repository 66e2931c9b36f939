package main

import (
	"io"
	"net"
	"sync"
	"time"
)

// wire is a TCP proxy between two parties: what goes over it can be late, stand still
// or break off.
type wire struct {
	address string
	target  string

	listener net.Listener
	pairs    sync.WaitGroup

	mu    sync.Mutex
	open  map[net.Conn]bool
	delay time.Duration // of every piece
	shut  bool          // whoever comes is cut off
	flows chan struct{} // closed: nothing stands still
}

func newWire(target string) (*wire, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	w := &wire{address: listener.Addr().String(), target: target, listener: listener, open: map[net.Conn]bool{}, flows: make(chan struct{})}
	close(w.flows)
	w.pairs.Go(w.accept)
	return w, nil
}

func (w *wire) accept() {
	for {
		near, err := w.listener.Accept()
		if err != nil {
			return
		}
		w.pairs.Go(func() { w.connect(near) })
	}
}

func (w *wire) connect(near net.Conn) {
	defer w.drop(near)
	if !w.keep(near) {
		return
	}
	far, err := net.DialTimeout("tcp", w.target, 5*time.Second)
	if err != nil {
		return
	}
	defer w.drop(far)
	if !w.keep(far) {
		return
	}
	var both sync.WaitGroup
	both.Go(func() { w.carry(far, near) })
	both.Go(func() { w.carry(near, far) })
	both.Wait()
}

// carry takes bytes one way until either end is gone.
func (w *wire) carry(to, from net.Conn) {
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			w.mu.Lock()
			delay, flows := w.delay, w.flows
			w.mu.Unlock()
			<-flows
			time.Sleep(delay)
			if _, err := to.Write(buffer[:n]); err != nil {
				from.Close()
				return
			}
		}
		if err == io.EOF {
			return
		}
		if err != nil {
			from.Close()
			return
		}
	}
}

func (w *wire) keep(c net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open[c] = true
	return !w.shut
}

func (w *wire) drop(c net.Conn) {
	c.Close()
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, c)
}

// cut breaks all connections, as a dead peer's kernel does. Whoever comes before mend
// is cut off, too.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shut = true
	for c := range w.open {
		if tcp, ok := c.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		c.Close()
	}
}

// slow makes every piece late.
func (w *wire) slow(by time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.delay = by
}

// stall lets nothing pass, and nobody know.
func (w *wire) stall() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.flows = make(chan struct{})
}

// mend ends whatever is wrong.
func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shut, w.delay = false, 0
	select {
	case <-w.flows:
	default:
		close(w.flows)
	}
}

func (w *wire) close() {
	w.listener.Close()
	w.cut()
	w.mend()
	w.cut() // what was kept meanwhile
	w.pairs.Wait()
}

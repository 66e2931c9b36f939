package mcpclient

import (
	"context"
	"math"
	"sync"
)

// maxWaiting is how many messages wait for a caller to take them, unless they
// have more bytes than a message may have. The server's own stream is not read
// further then; of what comes by other ways, notifications are dropped.
const maxWaiting = 256

// mailbox holds the messages of one call until they are taken, by one taker.
type mailbox struct {
	limit int           // of the bytes that wait; a single message may be larger
	ready chan struct{} // holds one token if the state may have changed
	room  chan struct{} // the same, for a producer that waits for room

	mu    sync.Mutex
	queue []waiting
	size  int   // of the queue, in bytes
	open  bool  // the server took the call
	end   error // what comes after the queue; nil: more messages
}

// waiting is a message and how many bytes it keeps.
type waiting struct {
	Message
	size int
}

func (b *mailbox) init(limit int64) {
	b.limit = int(min(limit, math.MaxInt/2))
	b.ready, b.room = make(chan struct{}, 1), make(chan struct{}, 1)
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// opened says that the server took the call.
func (b *mailbox) opened() {
	b.mu.Lock()
	b.open = true
	b.mu.Unlock()
	signal(b.ready)
}

// put adds a message of so many bytes, and after it the end if end is not nil. It
// returns false if nobody will take it.
func (b *mailbox) put(m Message, size int, end error) bool {
	b.mu.Lock()
	ok := b.end == nil && (b.fits(size, 1) || m.ID != nil && b.fits(size, 2) || end != nil)
	if ok {
		b.queue, b.open, b.end = append(b.queue, waiting{m, size}), true, end
		b.size += size
	}
	b.mu.Unlock()
	signal(b.ready)
	return ok
}

// close ends the box, if it has no end yet.
func (b *mailbox) close(end error) {
	b.mu.Lock()
	if b.end == nil {
		b.end = end
	}
	b.mu.Unlock()
	signal(b.ready)
	signal(b.room)
}

// fits reports whether a message of so many bytes has room, in a box that is so
// many times larger. mu is held.
func (b *mailbox) fits(size, times int) bool {
	return len(b.queue) == 0 || len(b.queue) < times*maxWaiting && b.size+size <= times*b.limit
}

// waitRoom waits until the box has room for so many bytes, or ended.
func (b *mailbox) waitRoom(size int) {
	for {
		b.mu.Lock()
		ok := b.end != nil || b.fits(size, 1)
		b.mu.Unlock()
		if ok {
			return
		}
		<-b.room
	}
}

// waitOpen waits until the server took the call, or sent something about it, or
// the call failed: then it returns the failure.
func (b *mailbox) waitOpen(ctx context.Context) error {
	for {
		b.mu.Lock()
		open, end := b.open, b.end
		b.mu.Unlock()
		if open {
			return nil
		}
		if end != nil {
			return end
		}
		select {
		case <-b.ready:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// take returns the next message, and waits for it.
func (b *mailbox) take() (Message, error) {
	for {
		b.mu.Lock()
		if len(b.queue) > 0 {
			m := b.queue[0]
			b.queue[0] = waiting{}
			b.queue = b.queue[1:]
			b.size -= m.size
			b.mu.Unlock()
			signal(b.room)
			return m.Message, nil
		}
		end := b.end
		b.mu.Unlock()
		if end != nil {
			return Message{}, end
		}
		<-b.ready
	}
}

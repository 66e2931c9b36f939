package mcpclient

import (
	"context"
	"sync"
)

// maxWaiting is how many messages wait for a caller to take them. The server's
// own stream is not read further then; of what comes by other ways,
// notifications are dropped.
const maxWaiting = 256

// mailbox holds the messages of one call until they are taken, by one taker.
type mailbox struct {
	ready chan struct{} // holds one token if the state may have changed
	room  chan struct{} // the same, for a producer that waits for room

	mu    sync.Mutex
	queue []Message
	open  bool  // the server took the call
	end   error // what comes after the queue; nil: more messages
}

func (b *mailbox) init() {
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

// put adds a message, and after it the end if end is not nil. It returns false
// if nobody will take it.
func (b *mailbox) put(m Message, end error) bool {
	b.mu.Lock()
	ok := b.end == nil && (len(b.queue) < maxWaiting || m.ID != nil && len(b.queue) < 2*maxWaiting || end != nil)
	if ok {
		b.queue, b.open, b.end = append(b.queue, m), true, end
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

// waitRoom waits until the box is not full, or ended.
func (b *mailbox) waitRoom() {
	for {
		b.mu.Lock()
		ok := b.end != nil || len(b.queue) < maxWaiting
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
			b.queue[0] = Message{}
			b.queue = b.queue[1:]
			b.mu.Unlock()
			signal(b.room)
			return m, nil
		}
		end := b.end
		b.mu.Unlock()
		if end != nil {
			return Message{}, end
		}
		<-b.ready
	}
}

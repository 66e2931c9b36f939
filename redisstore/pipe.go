package redisstore

import (
	"context"
	"errors"
	"sync"
	"time"
)

// mostCalls is how many calls of a connection have no answer yet. Others wait.
const mostCalls = 1024

var errLeft = errors.New("the connection is no longer used")

// unsent is why a call was certainly not sent: the connection had ended before.
type unsent struct{ error }

func (u unsent) Unwrap() error { return u.error }

// command is what the server is told.
type command struct {
	name string
	args []any
}

// pipe is a connection that many share. Commands are collected in memory and sent together,
// by one of the callers; one goroutine hands out the replies, in their order. A caller that
// leaves has no part in that: its replies are read and dropped.
type pipe struct {
	conn   *conn
	room   chan struct{} // has a word for each call without an answer
	broken chan struct{} // closed with err
	spare  sync.Pool     // of *slot

	hurried time.Time     // until then who sends lets nobody go first; theirs alone
	hurry   time.Duration // how long that was, the last time

	mu           sync.Mutex // who holds it waits for nothing
	slots        [mostCalls]*slot
	first, count int
	leaving      bool
	err          error
}

// slot is the place for the replies to a call.
type slot struct {
	done    chan struct{} // has a word when all are there, or err is
	want    int
	replies []any // those of the server that refuse are redis.Error
	single  [1]any
	err     error
}

// newPipe starts the goroutines of a connection. They end with it, or with the link.
func newPipe(c *conn, l *link) *pipe {
	c.wire.share()
	p := &pipe{conn: c, room: make(chan struct{}, mostCalls), broken: make(chan struct{})}
	p.spare.New = func() any { return &slot{done: make(chan struct{}, 1)} }
	l.all.Go(p.read)
	l.all.Go(func() { p.attend(newSilence(l.server.timeout), l.closed) })
	return p
}

// whole reports whether the connection is not known to be broken.
func (p *pipe) whole() bool {
	select {
	case <-p.broken:
		return false
	default:
		return true
	}
}

// do sends commands and fills in their replies.
func (p *pipe) do(ctx context.Context, commands []command, replies []any) error {
	s, err := p.send(ctx, commands)
	if err != nil {
		return err
	}
	select {
	case <-s.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	err = s.err
	if err == nil {
		copy(replies, s.replies)
	}
	s.replies, s.single[0], s.err = nil, nil, nil
	p.spare.Put(s)
	return err
}

// send takes a place among the calls without an answer, and the commands on their way.
func (p *pipe) send(ctx context.Context, commands []command) (*slot, error) {
	select {
	case p.room <- struct{}{}:
	default:
		select {
		case p.room <- struct{}{}:
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-p.broken:
			return nil, unsent{p.err}
		}
	}
	for {
		s, full, err := p.collect(commands)
		if full == nil {
			return s, err
		}
		select {
		case <-full:
		case <-ctx.Done():
			<-p.room
			return nil, ctx.Err()
		case <-p.broken:
			return nil, unsent{p.err}
		}
	}
}

// collect puts commands behind those that wait, and sends them unless somebody else does. It
// does neither when too much waits, and returns what to wait for.
func (p *pipe) collect(commands []command) (s *slot, full <-chan struct{}, err error) {
	p.mu.Lock()
	if p.err != nil {
		defer p.mu.Unlock()
		return nil, nil, unsent{p.err}
	}
	if full = p.conn.wire.full(); full != nil {
		p.mu.Unlock()
		return nil, full, nil
	}
	for _, c := range commands {
		if err == nil {
			err = p.conn.Send(c.name, c.args...)
		}
	}
	if err == nil {
		err = p.conn.Flush() // to the wire, which only collects
	}
	s = p.spare.Get().(*slot)
	s.want, s.replies = len(commands), s.single[:0]
	p.slots[(p.first+p.count)%mostCalls] = s
	p.count++
	alone := p.count == 1
	p.mu.Unlock()
	if err != nil {
		p.fail(broke(err))
	} else if p.conn.wire.begin() {
		p.write(alone)
	}
	return s, nil, nil
}

// leave ends the connection as soon as all calls have their answers.
func (p *pipe) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leaving = true
	p.endIfLeft()
}

// endIfLeft needs mu, so that nobody sends anything between the look and the end.
func (p *pipe) endIfLeft() {
	if p.leaving && p.count == 0 && p.err == nil {
		p.end(errLeft)
	}
}

// fail ends the connection, and all calls without an answer with err. What they asked for
// may be done, or may not.
func (p *pipe) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.end(err)
	}
}

func (p *pipe) end(err error) {
	p.err = err
	close(p.broken)
	p.conn.end()
	for ; p.count > 0; p.count-- {
		s := p.slots[p.first]
		s.err = err
		s.done <- struct{}{}
		p.slots[p.first] = nil
		p.first = (p.first + 1) % mostCalls
	}
}

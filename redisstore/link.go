package redisstore

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/gomodule/redigo/redis"
)

// mostHops is how often a call follows where a cluster sends it.
const mostHops = 5

// link is the connection that all calls share. One that broke is made anew by the next call;
// those that come meanwhile wait for the same attempt.
type link struct {
	server server
	slot   int // of a cluster, that all keys are in
	closed chan struct{}
	all    sync.WaitGroup // the goroutines of connections and attempts
	places places

	mu      sync.Mutex
	pipe    *pipe // nil before the first
	dialing *attempt
	primary string        // that the sentinels named last, or nothing
	moved   chan struct{} // closed when another server is the right one
	lost    time.Time     // when a connection was lost the last time, if ever
}

// attempt connects for all who wait for it. It goes on when they leave.
type attempt struct {
	done chan struct{} // closed with pipe or err
	stop context.CancelFunc
	pipe *pipe
	err  error
}

func newLink(s server, slot int) *link {
	l := &link{server: s, slot: slot, closed: make(chan struct{}), moved: make(chan struct{}), places: places{given: s.addresses}}
	if s.masterSet != "" {
		l.all.Go(l.follow)
	}
	return l
}

// close ends all connections and waits for their goroutines.
func (l *link) close() {
	l.mu.Lock()
	close(l.closed)
	if l.dialing != nil {
		l.dialing.stop()
	}
	l.mu.Unlock()
	l.all.Wait()
}

func (l *link) isClosed() bool {
	select {
	case <-l.closed:
		return true
	default:
		return false
	}
}

// one sends a command and returns its reply; the server's refusal is an error.
func (l *link) one(ctx context.Context, name string, args ...any) (any, error) {
	var reply [1]any
	if err := l.do(ctx, []command{{name, args}}, reply[:]); err != nil {
		return nil, err
	}
	if refused, ok := reply[0].(redis.Error); ok {
		return nil, refused
	}
	return reply[0], nil
}

// do sends commands in one message and fills in their replies. It sends nothing twice but
// what a server of a cluster has sent away: what has no answer may be done.
func (l *link) do(ctx context.Context, commands []command, replies []any) error {
	for hop := 0; ; hop++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, err := l.connected(ctx)
		if err != nil {
			return err
		}
		err = p.do(ctx, commands, replies)
		if again := l.left(p, err, replies[0]); !again || hop == mostHops {
			return err
		}
	}
}

// left leaves a connection to a server that is the wrong one by now. It reports whether to
// call again: this server has done nothing of it.
func (l *link) left(p *pipe, err error, reply any) (again bool) {
	if err != nil {
		return errors.As(err, new(unsent))
	}
	refused, ok := reply.(redis.Error)
	if !ok {
		return false
	}
	switch to, moved := movedTo(refused, p.conn.address); {
	case moved && l.server.cluster:
		l.places.prefer(to)
		again = true
	case l.server.cluster && isRefusal(refused, "CLUSTERDOWN Hash slot not served"):
		l.places.avoid(p.conn.address)
	case !isReadOnly(refused):
		return false
	}
	l.mu.Lock()
	if l.pipe == p {
		l.pipe = nil
		l.moves()
	}
	l.mu.Unlock()
	p.leave()
	return again
}

// moves ends the subscriptions: their server is not the right one any more. It needs mu.
func (l *link) moves() {
	close(l.moved)
	l.moved, l.lost = make(chan struct{}), time.Now()
}

// replaced reports whether the sentinels have named another server since. It needs mu.
func (l *link) replaced(c *conn) bool { return l.primary != "" && l.primary != c.address }

// connected returns the connection, which it waits for until ctx ends.
func (l *link) connected(ctx context.Context) (*pipe, error) {
	l.mu.Lock()
	if l.isClosed() {
		l.mu.Unlock()
		return nil, errClosed
	}
	if p := l.pipe; p != nil && p.whole() {
		l.mu.Unlock()
		return p, nil
	}
	if l.dialing == nil {
		l.begin()
	}
	a := l.dialing
	l.mu.Unlock()
	select {
	case <-a.done:
		return a.pipe, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// whenMoved returns what is closed when the server of a connection is not the right one.
func (l *link) whenMoved(c *conn) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.replaced(c) {
		moved := make(chan struct{})
		close(moved)
		return moved
	}
	return l.moved
}

// lastLost is when a connection was lost the last time: those of others may be lost, too.
func (l *link) lastLost() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost
}

// begin begins an attempt to connect. It needs mu.
func (l *link) begin() {
	ctx, stop := context.WithCancel(context.Background())
	a := &attempt{done: make(chan struct{}), stop: stop}
	l.dialing = a
	l.all.Go(func() {
		defer close(a.done)
		defer stop()
		c, err := l.connect(ctx)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.dialing = nil
		switch {
		case err != nil:
			a.err = err
		case l.isClosed():
			c.end()
		case l.replaced(c):
			c.end()
			a.err = errMoved
		default:
			if l.pipe != nil {
				l.lost = time.Now()
			}
			a.pipe = newPipe(c, l)
			l.pipe = a.pipe
		}
		if l.isClosed() {
			a.err = errClosed
		}
	})
}

// connect makes a connection to the server that has the store's keys.
func (l *link) connect(ctx context.Context) (c *conn, err error) {
	switch {
	case l.server.masterSet != "":
		c, err = l.toPrimary(ctx)
	case l.server.cluster:
		c, err = l.toOwner(ctx)
	default:
		c, err = l.server.dial(ctx, l.server.addresses[0], nil)
	}
	switch {
	case err == nil:
		return c, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	}
	return nil, foreign(err)
}

package redisstore

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"

	"github.com/parley-hq/parley"
)

// errMoved is why a connection ends whose server is a replica by now, or has nothing of ours.
var errMoved = errors.New("another server is the primary now")

// Watch implements parley.Store. It has a connection of its own and returns
// when that breaks, so no gap goes unnoticed.
func (s *Store) Watch(ctx context.Context, settled func(parley.ID)) error {
	return s.subscribe(ctx, "watch", s.keys.channel(), func() { settled("") }, func(said string) { settled(parley.ID(said)) })
}

// subscribe hands on what is said on a channel until ctx ends, the store is closed
// or the connection breaks, and returns the reason. It calls begun first.
func (s *Store) subscribe(ctx context.Context, what, channel string, begun func(), heard func(string)) error {
	return s.server.explain(what, s.receive(ctx, channel, begun, heard))
}

func (s *Store) receive(ctx context.Context, channel string, begun func(), heard func(string)) error {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	go endWhen(ctx, s.link.closed, end, errClosed)
	c, err := s.link.connect(ctx)
	if err == nil {
		defer c.end()
		defer context.AfterFunc(ctx, c.end)()
		go endWhen(ctx, s.link.whenMoved(c), end, errMoved)
		err = c.listen(channel, s.server.timeout, begun, heard)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return foreign(err)
}

// endWhen ends ctx with why when something else has ended.
func endWhen(ctx context.Context, over <-chan struct{}, end context.CancelCauseFunc, why error) {
	select {
	case <-over:
		end(why)
	case <-ctx.Done():
	}
}

// listen subscribes, and returns when the connection breaks. It calls begun when the
// server has confirmed that, and so before every message.
func (c *conn) listen(channel string, timeout time.Duration, begun func(), heard func(string)) error {
	if err := c.Send("SUBSCRIBE", channel); err != nil {
		return err
	}
	if err := c.Flush(); err != nil {
		return err
	}
	stop := make(chan struct{})
	defer close(stop)
	var silent atomic.Bool
	go c.keepAlive(newSilence(timeout), &silent, stop)
	for confirmed := false; ; {
		reply, err := redis.Values(c.Receive())
		if isAnswer(err) && confirmed { // to a ping, by a user who may not ping
			continue
		}
		switch {
		case silent.Load():
			return fmt.Errorf("the subscription broke: no answer within %v", timeout)
		case err != nil:
			return fmt.Errorf("the subscription broke: %w", err)
		}
		kind, _ := redis.String(append(reply, "")[0], nil)
		switch {
		case kind == "subscribe" && !confirmed:
			confirmed = true
			begun()
		case kind == "message" && len(reply) == 3:
			said, _ := redis.String(reply[2], nil)
			heard(said)
		case kind == "unsubscribe":
			return errors.New("the server ended the subscription")
		}
	}
}

// keepAlive pings a connection that only listens, and ends it when it is silent.
func (c *conn) keepAlive(s silence, silent *atomic.Bool, stop <-chan struct{}) {
	tick := time.NewTicker(s.step)
	defer tick.Stop()
	for owed := true; ; { // the confirmation
		select {
		case <-tick.C:
		case <-stop:
			return
		}
		heard := c.wire.alive.Swap(false)
		owed = owed && !heard
		ping, over := s.next(heard, owed)
		if over {
			silent.Store(true)
		}
		if ping {
			owed = true
			over = c.Send("PING") != nil || c.Flush() != nil
		}
		if over {
			c.end()
			return
		}
	}
}

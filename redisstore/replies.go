package redisstore

import (
	"errors"
	"fmt"

	"github.com/gomodule/redigo/redis"
)

// read hands out replies until the connection breaks.
func (p *pipe) read() {
	for {
		reply, err := p.conn.Receive()
		if refused, ok := err.(redis.Error); ok {
			reply, err = refused, nil
		}
		if err != nil {
			p.fail(broke(err))
			return
		}
		if !p.hand(reply) {
			return
		}
	}
}

// hand gives a reply to the call whose turn it is.
func (p *pipe) hand(reply any) bool {
	p.mu.Lock()
	if p.count == 0 {
		p.mu.Unlock()
		p.fail(unasked(reply))
		return false
	}
	s := p.slots[p.first]
	s.replies = append(s.replies, reply)
	complete := len(s.replies) == s.want
	if complete {
		p.slots[p.first] = nil
		p.first, p.count = (p.first+1)%mostCalls, p.count-1
	}
	p.endIfLeft()
	p.mu.Unlock()
	if complete {
		<-p.room
		s.done <- struct{}{}
	}
	return true
}

func broke(err error) error { return fmt.Errorf("the connection broke: %w", err) }

// unasked is the end of a connection whose server speaks by itself, as one does that ends it.
func unasked(reply any) error {
	if said, ok := reply.(redis.Error); ok {
		return said
	}
	return errors.New("the server answers what nobody asked")
}

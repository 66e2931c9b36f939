package redisstore

import (
	"fmt"
	"time"
)

// pingGap is how long nothing is asked on a connection.
const pingGap = time.Second

// silence is how long a connection owes an answer, in steps. Who stands still with all of
// his process does not count them.
type silence struct {
	step, most  time.Duration // most negative: for ever
	lasts, idle time.Duration
}

func newSilence(most time.Duration) silence {
	step := pingGap
	if most >= 0 {
		step = min(step, max(most/4, time.Millisecond))
	}
	return silence{step: step, most: most}
}

// next is called once in a step. alive says that there was a sign of life in it, owed that
// an answer is missing.
func (s *silence) next(alive, owed bool) (ping, over bool) {
	s.lasts += s.step
	if alive || !owed {
		s.lasts = 0
	}
	s.idle += s.step
	if ping = !owed && s.idle >= pingGap; ping {
		s.idle = 0
	}
	return ping, s.most >= 0 && s.lasts > s.most
}

// attend pings the connection while nobody uses it, and ends it when it is silent or the
// store closed.
func (p *pipe) attend(s silence, closed <-chan struct{}) {
	tick := time.NewTicker(s.step)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-closed:
			p.fail(errClosed)
			return
		case <-p.broken:
			return
		}
		p.mu.Lock()
		owed := p.count > 0
		p.mu.Unlock()
		switch ping, over := s.next(p.conn.wire.alive.Swap(false), owed); {
		case over:
			p.fail(fmt.Errorf("no answer within %v", s.most))
		case ping:
			p.ping()
		}
	}
}

// ping asks for a sign of life, which any answer is.
func (p *pipe) ping() {
	select {
	case p.room <- struct{}{}:
		_, full, _ := p.collect([]command{{name: "PING"}})
		if full != nil {
			<-p.room
		}
	default:
	}
}

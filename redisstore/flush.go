package redisstore

import (
	"errors"
	"os"
	"runtime"
	"slices"
	"time"
)

const (
	// held is how long a write may hold the caller that does it: a full socket is
	// written to by a goroutine of its own. It is no end of the connection, which
	// comes when nothing is answered.
	held = 5 * time.Millisecond

	// turns is how often a caller sends what has come meanwhile from others.
	turns = 4

	// mostHurry is how long at most nobody is let go first: see yield.
	mostHurry = 2 * time.Second
)

// write sends what waits. Where others have calls on their way it lets those go first that
// can run: they are about to say something too, and all of it is one message then.
func (p *pipe) write(alone bool) {
	if !alone {
		p.yield()
	}
	batch := p.conn.wire.take(nil)
	for turn := 0; batch != nil; turn++ {
		_ = p.conn.wire.SetWriteDeadline(time.Now().Add(held))
		n, err := p.conn.wire.Conn.Write(batch)
		switch {
		case errors.Is(err, os.ErrDeadlineExceeded):
			go p.writeOut(batch[n:])
			return
		case err != nil:
			p.fail(broke(err))
			return
		}
		if batch = p.conn.wire.take(batch); batch != nil && turn == turns {
			go p.writeOut(batch)
			return
		}
	}
}

// yield lets others go first. That takes microseconds, but where all processors are taken by
// goroutines that compute, each of them goes first for ten milliseconds: then it is left out
// for a while, which gets longer each time that it is so again.
func (p *pipe) yield() {
	began := time.Now()
	if began.Before(p.hurried) {
		return
	}
	runtime.Gosched()
	now := time.Now()
	if now.Sub(began) < held {
		p.hurry = 0
		return
	}
	p.hurry = min(max(2*p.hurry, 4*held), mostHurry)
	p.hurried = now.Add(p.hurry)
}

// writeOut sends what waits, until there is nothing or the connection ends. A full socket
// that takes a piece is a sign of life, as a reply is that comes in pieces.
func (p *pipe) writeOut(batch []byte) {
	_ = p.conn.wire.SetWriteDeadline(time.Time{})
	for ; batch != nil; batch = p.conn.wire.take(batch) {
		for piece := range slices.Chunk(batch, keptBuffer) {
			if _, err := p.conn.wire.Conn.Write(piece); err != nil {
				p.fail(broke(err))
				return
			}
			p.conn.wire.alive.Store(true)
		}
	}
}

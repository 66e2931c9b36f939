package redisstore

import (
	"errors"
	"os"
	"runtime"
	"time"
)

const (
	// held is how long a write may hold the caller that does it: a full socket is
	// written to by a goroutine of its own. It is no end of the connection, which
	// comes when nothing is answered.
	held = 5 * time.Millisecond

	// turns is how often a caller sends what has come meanwhile from others.
	turns = 4
)

// write sends what waits. Where others have calls on their way it lets those go first that
// can run: they are about to say something too, and all of it is one message then.
func (p *pipe) write(alone bool) {
	if !alone {
		runtime.Gosched()
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

// writeOut sends what waits, until there is nothing or the connection ends.
func (p *pipe) writeOut(batch []byte) {
	_ = p.conn.wire.SetWriteDeadline(time.Time{})
	for ; batch != nil; batch = p.conn.wire.take(batch) {
		if _, err := p.conn.wire.Conn.Write(batch); err != nil {
			p.fail(broke(err))
			return
		}
	}
}

package toolbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// owner is whose connections and lists they are: nobody shares one.
type owner struct{ tenant, user, agent string }

func ownerOf(who agent.Caller) owner { return owner{who.Tenant, who.Owner(), who.Agent} }

// desk is what a box has for one owner.
type desk struct {
	turn     chan struct{} // holds a token while somebody connects: the next may share what comes of it
	queue    int           // how many want the turn
	sessions []*session
	list     list
	changes  int // how often the server said that its list changed
}

// session is one connection. To an older server it serves one call at a time,
// because such a server's questions do not say which call they belong to.
type session struct {
	box   *Box
	owner owner
	conn  *mcpclient.Conn
	over  chan struct{} // closed when it is closed

	// guarded by Box.mu
	uses  int
	idle  time.Time   // since when nobody uses it
	timer *time.Timer // nil: somebody does
	gone  bool        // nobody may take it any more
	shut  bool        // it is being closed
}

var errClosed = errors.New("this toolbox is closed")

// checkOut returns a connection of the caller's for one call.
func (b *Box) checkOut(ctx context.Context, who agent.Caller) (*session, error) {
	d, err := b.takeTurn(ctx, ownerOf(who))
	if err != nil {
		return nil, err
	}
	defer b.endTurn(ownerOf(who), d)
	if s := b.free(d); s != nil {
		return s, nil
	}
	return b.open(ctx, who, d)
}

// free takes a connection that there is already. Those that broke while nobody
// used them give their places back.
func (b *Box) free(d *desk) *session {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range slices.Clone(d.sessions) {
		switch {
		case s.conn.Err() != nil:
			b.retire(s)
		case s.uses == 0 || s.conn.Modern():
			s.uses++
			s.rest(nil)
			return s
		}
	}
	return nil
}

func (b *Box) takeTurn(ctx context.Context, o owner) (*desk, error) {
	b.mu.Lock()
	if b.closed {
		b.mu.Unlock()
		return nil, errClosed
	}
	d := b.desk(o)
	d.queue++
	b.mu.Unlock()
	select {
	case d.turn <- struct{}{}:
		return d, nil
	case <-ctx.Done():
		b.mu.Lock()
		defer b.mu.Unlock()
		d.queue--
		b.tidy(o)
		return nil, context.Cause(ctx)
	}
}

func (b *Box) endTurn(o owner, d *desk) {
	b.mu.Lock()
	defer b.mu.Unlock()
	<-d.turn
	d.queue--
	b.tidy(o)
}

// desk returns the owner's, which tidy takes away again. mu is held.
func (b *Box) desk(o owner) *desk {
	d := b.desks[o]
	if d == nil {
		d = &desk{turn: make(chan struct{}, 1)}
		b.desks[o] = d
	}
	return d
}

// tidy forgets an owner of whom there is nothing. mu is held.
func (b *Box) tidy(o owner) {
	if d := b.desks[o]; d != nil && d.queue == 0 && len(d.sessions) == 0 && d.list.tools == nil {
		delete(b.desks, o)
	}
}

// open makes a connection for one call, if there is a place for it.
func (b *Box) open(ctx context.Context, who agent.Caller, d *desk) (*session, error) {
	o := ownerOf(who)
	if err := b.takePlace(ctx, o); err != nil {
		return nil, err
	}
	s := &session{box: b, owner: o, over: make(chan struct{}), uses: 1}
	conn, err := b.connect(ctx, who, s.use())
	b.mu.Lock()
	closed := b.closed
	if err == nil && !closed {
		s.conn = conn
		d.sessions = append(d.sessions, s)
		b.mu.Unlock()
		return s, nil
	}
	b.leave(o)
	b.mu.Unlock()
	if err == nil {
		_ = conn.Close()
		err = errClosed
	}
	return nil, err
}

// use is what Programs knows of the session.
func (s *session) use() mcpclient.Use {
	b, p := s.box, s.owner.person()
	return mcpclient.Use{
		Owner: p.tenant + "\x00" + p.user,
		Idle: func() (time.Time, bool) {
			b.mu.Lock()
			defer b.mu.Unlock()
			return s.idle, s.uses == 0 && !s.gone
		},
		End: func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			if s.uses > 0 || s.gone {
				return false
			}
			b.retire(s)
			return true
		},
	}
}

// Acquire implements mcpcall.Host.
func (b *Box) Acquire(ctx context.Context, who mcpcall.Person, _ mcpcall.Server) (mcpcall.Conn, error) {
	s, err := b.checkOut(ctx, callerOf(who))
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Find implements mcpcall.Host.
func (b *Box) Find(context.Context, string, string) (mcpcall.Server, bool, error) {
	return b.server, true, nil
}

// Wire implements mcpcall.Conn.
func (s *session) Wire() *mcpclient.Conn { return s.conn }

// Lose implements mcpcall.Conn.
func (s *session) Lose() {
	s.box.mu.Lock()
	defer s.box.mu.Unlock()
	s.box.retire(s)
}

// Release implements mcpcall.Conn. Of a server that asks on its connection one
// whose call was given up may yet be asked about it.
func (s *session) Release(answered bool) { s.box.checkIn(s, answered || s.conn.Modern()) }

// checkIn gives a connection back. One that is broken, or that the caller does
// not trust any more, is closed as soon as nobody uses it.
func (b *Box) checkIn(s *session, trusted bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	s.uses--
	if !trusted || s.conn.Err() != nil {
		b.retire(s)
		return
	}
	switch {
	case s.uses > 0:
	case s.gone:
		b.close(s)
	default:
		s.idle = time.Now()
		s.rest(time.AfterFunc(b.opts.Idle, func() {
			b.mu.Lock()
			defer b.mu.Unlock()
			if s.uses == 0 {
				b.retire(s)
			}
		}))
	}
}

// rest replaces the timer that ends an idle connection. Box.mu is held.
func (s *session) rest(timer *time.Timer) {
	if s.timer != nil {
		s.timer.Stop()
	}
	s.timer = timer
}

// retire lets nobody take a connection any more, and closes it as soon as nobody
// uses it. mu is held.
func (b *Box) retire(s *session) {
	s.gone = true
	s.rest(nil)
	if d := b.desks[s.owner]; d != nil {
		d.sessions = slices.DeleteFunc(d.sessions, func(other *session) bool { return other == s })
		b.tidy(s.owner)
	}
	if s.uses == 0 {
		b.close(s)
	}
}

// close ends a connection, beside the caller. mu is held.
func (b *Box) close(s *session) {
	if s.shut {
		return
	}
	s.shut = true
	b.closing[s] = true
	b.work.Go(func() {
		if err := s.conn.Close(); err != nil {
			b.opts.Logger.Debug("a connection was not closed in order", "server", b.opts.Name, "err", err)
		}
		b.mu.Lock()
		b.leave(s.owner)
		delete(b.closing, s)
		b.mu.Unlock()
		close(s.over)
	})
}

// Close ends every connection, and the calls on them.
func (b *Box) Close() error {
	b.mu.Lock()
	b.closed = true
	b.stop()
	for _, d := range b.desks {
		for _, s := range slices.Clone(d.sessions) {
			s.gone = true
			s.rest(nil)
			b.close(s)
		}
		d.sessions, d.list = nil, list{}
	}
	b.mu.Unlock()
	b.calls.Close()
	b.work.Wait()
	return nil
}

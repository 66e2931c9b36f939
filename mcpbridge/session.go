package mcpbridge

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/parley-hq/parley/mcpclient"
)

// session is what requests up to 2025-11-25 carry. The zero value is none.
type session struct {
	number  int    // counted by the bridge, from 1
	id      string // empty if the server keeps no sessions
	version string
}

// said is what a request of the session says of it. A message of 2026-07-28 is in
// none, and says its version itself.
func (s session) said(m *message) mcpclient.Session {
	if m != nil && m.modern() {
		return mcpclient.Session{Version: m.version}
	}
	return mcpclient.Session{ID: s.id, Version: s.version}
}

var (
	// errInterrupted ends the calls of a session that the server lost.
	errInterrupted = errors.New("session lost under a call")
	// errReconnect: the session is lost, and only the client can begin another.
	errReconnect = errors.New("session lost")
)

// sessionState is the session of a run, and what it takes to begin it anew.
type sessionState struct {
	turn chan struct{} // has one element while somebody begins the session anew

	mu          sync.Mutex
	now         session
	lost        bool     // the server does not know it any more
	tied        bool     // the server remembers things of it that a new one would lack
	initialize  *message // the client's
	initialized *message
	level       *message           // the last logging/setLevel; nil if there was none
	stop        context.CancelFunc // ends its stream; nil if there is none
}

func (st *sessionState) current() session {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.now
}

// begin enters the session that the server opened in answer to initialize. It
// returns the one before, if that is to be ended.
func (st *sessionState) begin(initialize *message, id string, answer *message) session {
	st.mu.Lock()
	defer st.mu.Unlock()
	before := st.now
	if st.lost {
		before = session{}
	}
	if st.stop != nil {
		st.stop()
	}
	st.now = opened(st.now.number+1, id, answer)
	st.initialize, st.initialized, st.level, st.stop = initialize, nil, nil, nil
	st.lost, st.tied = false, false
	return before
}

// opened reads what the server says of a new session.
func opened(number int, id string, answer *message) session {
	var result struct {
		Version string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(answer.Result, &result)
	return session{number: number, id: id, version: result.Version}
}

// noteReady remembers the client's word that the session can be used.
func (st *sessionState) noteReady(m *message) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.initialized = m
}

// noteLevel remembers how much the client wants logged, for the next session.
func (st *sessionState) noteLevel(m *message) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.level = m
}

// tie notes that the session cannot be replaced without the client's knowledge.
func (st *sessionState) tie(s session) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.now.number == s.number {
		st.tied = true
	}
}

// lose notes that the server does not know a session any more.
func (st *sessionState) lose(s session) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.now.number == s.number {
		st.lost = true
	}
}

// opening are the messages of the client that began a session.
type opening struct{ initialize, initialized, level *message }

// snapshot returns all there is to know to decide how a call is made.
func (st *sessionState) snapshot() (now session, lost, tied bool, by opening) {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.now, st.lost, st.tied, opening{st.initialize, st.initialized, st.level}
}

// replace enters a session that the bridge opened.
func (st *sessionState) replace(next session) {
	st.mu.Lock()
	defer st.mu.Unlock()
	st.now, st.lost = next, false
}

// usableSession returns the session for a call, a new one if the server lost the
// last and nothing hangs on it. With another call under way it does not: that
// and this one fail, so that the client learns of it.
func (b *bridge) usableSession(ctx, callCtx context.Context, c *call) (session, error) {
	select {
	case b.session.turn <- struct{}{}:
		defer func() { <-b.session.turn }()
	case <-callCtx.Done():
		return session{}, context.Cause(callCtx)
	}
	s, lost, tied, by := b.session.snapshot()
	switch {
	case !lost:
		return s, nil
	case b.calls.underWay(s.number, c):
		b.calls.fail(s.number, c, errInterrupted)
		return session{}, errInterrupted
	case tied || by.initialized == nil:
		return session{}, errReconnect
	}
	next, err := b.reopen(ctx, s, by)
	if err != nil {
		return session{}, err
	}
	b.session.replace(next)
	b.startListening(ctx, next)
	// Calls that were posted to the old session without a sign of life since
	// will find out by themselves, or never.
	time.AfterFunc(grace, func() { b.calls.fail(s.number, nil, errInterrupted) })
	return next, nil
}

// reopen begins a session with the messages that began the last one. A server
// that now wants another version gets no session: the client speaks the old one.
func (b *bridge) reopen(ctx context.Context, last session, by opening) (session, error) {
	response, err := b.relay.Post(ctx, mcpclient.Session{}, by.initialize.raw, b.headers(by.initialize))
	if err != nil {
		return session{}, err
	}
	var answer *message
	err = response.Read(ctx, func(found mcpclient.Message, raw []byte) bool {
		if m := received(found, raw); m.Response() && string(m.id) == string(by.initialize.id) {
			answer = m
		}
		return answer != nil
	})
	if err != nil {
		return session{}, err
	}
	next := opened(last.number+1, response.Session(), answer)
	if answer.Error != nil || next.version != last.version {
		b.deleteSession(ctx, next)
		return session{}, errReconnect
	}
	if !b.deliver(ctx, next, by.initialized) || by.level != nil && !b.deliver(ctx, next, by.level) {
		return session{}, errReconnect
	}
	b.opts.Logger.Info("session begun anew: the server had lost the last one")
	return next, nil
}

// endSession tells the server that the session is over. It is the last thing in
// a run, so it has its own time.
func (b *bridge) endSession(ctx context.Context) {
	s, lost, _, _ := b.session.snapshot()
	if !lost {
		b.deleteSession(ctx, s)
	}
}

func (b *bridge) deleteSession(ctx context.Context, s session) {
	if s.id == "" {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if err := b.relay.End(ctx, s.said(nil)); err != nil {
		b.opts.Logger.Info("end of the session not told to the server", "err", err)
	}
}

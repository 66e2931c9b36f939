package mcphttp

import (
	"time"

	"github.com/parley-hq/parley/mcptool"
)

// Sessions whose clients have left go on with their calls, and are bounded in all.
// Each counts for whoever began it: what one leaves behind takes nothing from
// those who have less.

// leftBehind notes that the client of a session has left. Where more than so many
// have, it returns the one to give up, which counts no longer. The session's mu is
// held.
func (s *liveSessions) leftBehind(session *liveSession, most int) (given *liveSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID[session.id] != session {
		return nil
	}
	s.left[session] = time.Now()
	if most < 0 || len(s.left) <= most {
		return nil
	}
	given = s.firstOfMost()
	delete(s.left, given)
	return given
}

// firstOfMost is the session whose client left first, of those who have the most.
// It needs mu.
func (s *liveSessions) firstOfMost() *liveSession {
	count, most := map[string]int{}, 0
	for session := range s.left {
		count[session.share]++
		most = max(most, count[session.share])
	}
	return s.firstLeft(func(l *liveSession) bool { return count[l.share] == most })
}

// firstLeftOf is the session of a user whose client left first.
func (s *liveSessions) firstLeftOf(user string) *liveSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.firstLeft(func(l *liveSession) bool { return l.user == user })
}

// firstLeft is the session whose client left first, of those that fit. It needs mu.
func (s *liveSessions) firstLeft(fits func(*liveSession) bool) (first *liveSession) {
	for session, at := range s.left {
		if fits(session) && (first == nil || at.Before(s.left[first])) {
			first = session
		}
	}
	return first
}

// back notes that a session's client has not left, or that there is nothing left
// to go on. The session's mu is held.
func (s *liveSessions) back(session *liveSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.left, session)
}

// endLeft ends a session unless its client is back.
func (l *liveSession) endLeft() {
	l.mu.Lock()
	back := l.open > 0
	l.mu.Unlock()
	if !back {
		l.endBecause(mcptool.ErrGivenUp, false)
	}
}

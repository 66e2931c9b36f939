package mcptool

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errSessionEnded is why the calls of a session stop when its client deletes it.
var errSessionEnded = errors.New("the client ended the session")

// liveSessions are the sessions of one handler by the SDK's ids. The SDK ends a
// session only after its last call, and lets calls go on that wait for a person
// who can no longer answer: so the calls are ended here first.
type liveSessions struct {
	mu     sync.Mutex
	byID   map[string]*liveSession
	byUser map[string]map[*liveSession]struct{} // anonymous callers are one, without a name

	ended func(id string) // is told of each; nil: nobody
}

// liveSession is a client's session. It is busy while a request of it is open or
// a call in progress; when it has not been for a while it ends.
type liveSession struct {
	all     *liveSessions
	user    string // who began it, if known
	timeout time.Duration

	mu    sync.Mutex
	id    string
	conn  *mcp.ServerSession
	busy  int
	left  time.Time // when it was busy last
	ended bool
	idle  *time.Timer
	calls map[*context.CancelCauseFunc]struct{}
}

// liveSessionKey is where the context of a session's calls has its liveSession:
// the SDK derives it from that of the request that began the session.
type liveSessionKey struct{}

// newLiveSession returns the session that r begins, busy with r.
func newLiveSession(all *liveSessions, r *http.Request, timeout time.Duration) *liveSession {
	return &liveSession{all: all, user: userOf(r), timeout: timeout, busy: 1}
}

func userOf(r *http.Request) string {
	if token := auth.TokenInfoFromContext(r.Context()); token != nil {
		return token.UserID
	}
	return ""
}

func (s *liveSessions) add(id string, session *liveSession) {
	session.mu.Lock()
	session.id = id
	session.mu.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.byID == nil {
		s.byID, s.byUser = map[string]*liveSession{}, map[string]map[*liveSession]struct{}{}
	}
	s.byID[id] = session
	if s.byUser[session.user] == nil {
		s.byUser[session.user] = map[*liveSession]struct{}{}
	}
	s.byUser[session.user][session] = struct{}{}
}

// anonymousShare is for how many people the anonymous callers count together.
const anonymousShare = 10

// makeRoom ends the session of a user that has been idle for longest if they have
// as many as they may. It reports false when all of those are busy.
func (s *liveSessions) makeRoom(user string, most int) bool {
	if user == "" {
		most *= anonymousShare
	}
	s.mu.Lock()
	if len(s.byUser[user]) < most {
		s.mu.Unlock()
		return true
	}
	theirs := slices.Collect(maps.Keys(s.byUser[user]))
	s.mu.Unlock()
	var oldest *liveSession
	var since time.Time
	for _, session := range theirs {
		if left, idle := session.idleSince(); idle && (oldest == nil || left.Before(since)) {
			oldest, since = session, left
		}
	}
	if oldest != nil {
		oldest.end(true)
	}
	return oldest != nil
}

func (l *liveSession) idleSince() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.left, l.busy == 0 && !l.ended
}

func (s *liveSessions) get(id string) *liveSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.byID[id]
}

func (s *liveSessions) all() []*liveSession {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.byID))
}

func (s *liveSessions) remove(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := s.byID[id]
	delete(s.byID, id)
	if session == nil {
		return
	}
	if delete(s.byUser[session.user], session); len(s.byUser[session.user]) == 0 {
		delete(s.byUser, session.user)
	}
}

// enter returns a session for one more request, or nil. The caller leaves it.
func (s *liveSessions) enter(id string) *liveSession {
	session := s.get(id)
	if session == nil {
		return nil
	}
	session.mu.Lock()
	defer session.mu.Unlock()
	if session.ended {
		return nil
	}
	session.enter()
	return session
}

// enter needs mu.
func (l *liveSession) enter() {
	l.busy++
	if l.idle != nil {
		l.idle.Stop()
	}
}

func (l *liveSession) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.busy--
	l.left = time.Now()
	switch {
	case l.busy > 0, l.ended, l.id == "", l.timeout < 0:
	case l.idle == nil:
		l.idle = time.AfterFunc(l.timeout, func() { l.end(true) })
	default:
		l.idle.Reset(l.timeout)
	}
}

// belongsTo reports whether r comes from the user who began the session. If not
// the SDK refuses it.
func (l *liveSession) belongsTo(r *http.Request) bool { return l.user == "" || l.user == userOf(r) }

// end lets nobody in any more, stops the calls of the session, and closes it as
// soon as they have stopped. With ifIdle it spares a busy one.
func (l *liveSession) end(ifIdle bool) {
	l.mu.Lock()
	if ifIdle && l.busy > 0 {
		l.mu.Unlock()
		return
	}
	l.ended = true
	calls, id, conn := l.calls, l.id, l.conn
	l.calls = nil
	if l.idle != nil {
		l.idle.Stop()
	}
	l.mu.Unlock()
	l.all.remove(id)
	for cancel := range calls {
		(*cancel)(errSessionEnded)
	}
	if conn != nil {
		_ = conn.Close()
	}
	if l.all.ended != nil {
		l.all.ended(id)
	}
}

// bind is the middleware, for both directions, that ends calls with their
// session. It also reaches an Elicit whose context is detached from its call.
func (s *liveSessions) bind(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		conn, _ := req.GetSession().(*mcp.ServerSession)
		session, _ := ctx.Value(liveSessionKey{}).(*liveSession)
		if session == nil && conn != nil {
			session = s.get(conn.ID())
		}
		if session == nil || session.all != s || strings.HasPrefix(method, "notifications/") {
			return next(ctx, method, req)
		}
		ctx, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		if !session.begin(conn, &cancel) {
			return nil, errSessionEnded
		}
		result, err := next(ctx, method, req)
		session.done(&cancel)
		if err != nil && errors.Is(context.Cause(ctx), errSessionEnded) {
			err = fmt.Errorf("%w: %w", errSessionEnded, err)
		}
		return result, err
	}
}

// begin has cancel called when the session ends. It reports false when it has.
func (l *liveSession) begin(conn *mcp.ServerSession, cancel *context.CancelCauseFunc) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	if l.calls == nil {
		l.calls = map[*context.CancelCauseFunc]struct{}{}
	}
	l.calls[cancel] = struct{}{}
	l.conn = conn
	l.enter()
	return true
}

func (l *liveSession) done(cancel *context.CancelCauseFunc) {
	l.mu.Lock()
	delete(l.calls, cancel)
	l.mu.Unlock()
	l.leave()
}

package mcphttp

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

	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/mcptool"
)

// liveSessions are the sessions of one handler by the SDK's ids. The SDK ends a
// session only after its last call, and lets calls go on that wait for a person
// who can no longer answer: so the calls are ended here first.
type liveSessions struct {
	over func(id string) // is told of each that has ended; nil: nobody is

	mu     sync.Mutex
	byID   map[string]*liveSession
	byUser map[string]map[*liveSession]struct{} // anonymous callers are one, without a name
	left   map[*liveSession]time.Time           // those whose clients have left while calls go on, and when
}

// liveSession is a client's session. It is busy while a request of it is open or
// a call in progress; when it has not been for a while it ends. Where a call is in
// progress and no request open, its client has left: nobody can be asked there and
// nobody hears the result, but the call may go on.
type liveSession struct {
	all     *liveSessions
	user    string // who began it, if known
	share   string // whom it counts for among those that were left: see shareOf
	timeout time.Duration

	endpoint string // at which it began: see Options.Endpoint

	mu    sync.Mutex
	id    string
	conn  *mcp.ServerSession
	busy  int
	open  int       // requests; busy counts them as well
	left  time.Time // when it was busy last
	ended bool
	idle  *time.Timer
	calls map[*context.CancelCauseFunc]struct{}

	heard   int                // POSTs that came
	hearing map[string]*hearer // those that are open, by name

	asked   int64             // requests that were sent to the client here
	prompts map[int64]*prompt // those that are not answered
}

// liveSessionKey is where the context of a session's calls has its liveSession:
// the SDK derives it from that of the request that began the session.
type liveSessionKey struct{}

// newLiveSession returns the session that r begins, busy with r.
func newLiveSession(all *liveSessions, r *http.Request, timeout time.Duration) *liveSession {
	return &liveSession{all: all, user: userOf(r), timeout: timeout, busy: 1, open: 1}
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
		s.byID, s.byUser, s.left = map[string]*liveSession{}, map[string]map[*liveSession]struct{}{}, map[*liveSession]time.Time{}
	}
	s.byID[id] = session
	if s.byUser[session.user] == nil {
		s.byUser[session.user] = map[*liveSession]struct{}{}
	}
	s.byUser[session.user][session] = struct{}{}
}

// makeRoom ends a session of a user if they have as many as they may: the one that
// has been idle for longest, or else the one whose client left first. It reports
// false when all of those are in use.
func (s *liveSessions) makeRoom(user string, most int) bool {
	if most < 0 {
		return true
	}
	if user == "" {
		most *= limit.AnonymousShare
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
		return true
	}
	if oldest = s.firstLeftOf(user); oldest != nil {
		oldest.endLeft()
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
	delete(s.left, session)
	if delete(s.byUser[session.user], session); len(s.byUser[session.user]) == 0 {
		delete(s.byUser, session.user)
	}
}

// enter begins one more request, which leaves the session. It reports false where that
// has ended.
func (l *liveSession) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return false
	}
	l.use()
	if l.open++; l.open == 1 {
		l.all.back(l)
	}
	return true
}

// use counts one more that keeps the session busy. mu is held.
func (l *liveSession) use() {
	l.busy++
	if l.idle != nil {
		l.idle.Stop()
	}
}

// leave ends a request of the session. most is how many sessions there may be whose
// clients have left; negative: any number. It returns the one that was given up for
// being one too many, if any.
func (l *liveSession) leave(most int) (given *liveSession) {
	l.mu.Lock()
	l.open--
	if l.open == 0 && len(l.calls) > 0 && !l.ended {
		given = l.all.leftBehind(l, most)
	}
	l.mu.Unlock()
	l.rest()
	if given != nil {
		given.endLeft()
	}
	return given
}

// rest counts one less that keeps the session busy.
func (l *liveSession) rest() {
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

// belongsTo reports whether r comes from the user who began the session.
func (l *liveSession) belongsTo(r *http.Request) bool { return l.user == "" || l.user == userOf(r) }

// end lets nobody in any more, stops the calls of the session, and closes it as
// soon as they have stopped. With ifIdle it spares a busy one.
func (l *liveSession) end(ifIdle bool) { l.endBecause(mcptool.ErrSessionEnded, ifIdle) }

func (l *liveSession) endBecause(cause error, ifIdle bool) {
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
		(*cancel)(cause)
	}
	if conn != nil {
		_ = conn.Close()
	}
	if l.all.over != nil && id != "" {
		l.all.over(id)
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
			return nil, mcptool.ErrSessionEnded
		}
		result, err := next(ctx, method, req)
		session.done(&cancel)
		if err != nil && errors.Is(context.Cause(ctx), mcptool.ErrSessionEnded) {
			err = fmt.Errorf("%w: %w", mcptool.ErrSessionEnded, err)
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
	l.use()
	return true
}

func (l *liveSession) done(cancel *context.CancelCauseFunc) {
	l.mu.Lock()
	delete(l.calls, cancel)
	if len(l.calls) == 0 {
		l.all.back(l)
	}
	l.mu.Unlock()
	l.rest()
}

// Sessions is how many sessions live here, of clients up to 2025-11-25.
func (h *Handler) Sessions() int {
	h.sessions.mu.Lock()
	defer h.sessions.mu.Unlock()
	return len(h.sessions.byID)
}

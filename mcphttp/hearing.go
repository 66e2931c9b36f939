package mcphttp

import (
	"context"
	"net/http"
	"strconv"

	"github.com/parley-hq/parley/internal/crew"
)

// requestHeader names a request of a session to who handles what is in it. What a
// client sends there is overwritten.
const requestHeader = "Parley-Request"

// hearer is a POST of a session that is open.
type hearer struct {
	life   crew.Life
	stream *streamWriter // its answer; nil: it has not begun
}

// hears names a POST of the session until the returned function is called. The
// header is the caller's own.
func (l *liveSession) hears(r *http.Request) (over func()) {
	life := crew.Begin(context.Background())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hearing == nil {
		l.hearing = map[string]*hearer{}
	}
	l.heard++
	name := strconv.Itoa(l.heard)
	l.hearing[name] = &hearer{life: life}
	r.Header.Set(requestHeader, name)
	return func() {
		l.mu.Lock()
		delete(l.hearing, name)
		l.mu.Unlock()
		life.End()
	}
}

// hearsBy says what the answer to an open POST is written to.
func (l *liveSession) hearsBy(request http.Header, stream *streamWriter) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.hearing[request.Get(requestHeader)]; h != nil {
		h.stream = stream
	}
}

// streamOf is what the answer to an open POST is written to; nil: it has ended, or not
// begun.
func (l *liveSession) streamOf(request http.Header) *streamWriter {
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.hearing[request.Get(requestHeader)]; h != nil {
		return h.stream
	}
	return nil
}

// Heard implements mcptool.Session.
func (l *liveSession) Heard(request http.Header) context.Context {
	name := request.Get(requestHeader)
	if name == "" {
		return context.Background()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if h := l.hearing[name]; h != nil {
		return h.life.Context()
	}
	over, end := context.WithCancel(context.Background())
	end()
	return over
}

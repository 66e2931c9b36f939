package mcphttp

import (
	"context"
	"net/http"
	"strconv"
)

// requestHeader names a request of a session to who handles what is in it. What a
// client sends there is overwritten.
const requestHeader = "Parley-Request"

// hears names a POST of the session until the returned function is called. The
// header is the caller's own.
func (l *liveSession) hears(r *http.Request) (over func()) {
	ctx, end := context.WithCancel(context.Background())
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.hearing == nil {
		l.hearing = map[string]context.Context{}
	}
	l.heard++
	name := strconv.Itoa(l.heard)
	l.hearing[name] = ctx
	r.Header.Set(requestHeader, name)
	return func() {
		l.mu.Lock()
		delete(l.hearing, name)
		l.mu.Unlock()
		end()
	}
}

// Heard implements mcptool.Session.
func (l *liveSession) Heard(request http.Header) context.Context {
	name := request.Get(requestHeader)
	if name == "" {
		return context.Background()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx := l.hearing[name]; ctx != nil {
		return ctx
	}
	over, end := context.WithCancel(context.Background())
	end()
	return over
}

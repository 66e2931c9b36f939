package server

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/internal/patience"
)

// How long the last words may take: of runs to those who follow them, and of
// streams to their clients.
const (
	lastWords = 100 * time.Millisecond
	goodBye   = time.Second
)

// Run serves until ctx ends. Then it is not ready, and goes on for limits.drain_time, so
// that proxies learn of it. Then it takes no more requests, finishes for
// limits.stop_time what is under way, hands the runs of agents over that did not
// get to their end, and ends the streams that tell of them: their clients take
// them up elsewhere.
func (s *Server) Run(ctx context.Context) error {
	told := ctx
	listener := s.opts.Listener
	if listener == nil {
		var err error
		if listener, err = net.Listen("tcp", s.cfg.Listen); err != nil {
			return err
		}
	}
	metrics, seen, err := s.listenMetrics()
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if s.opts.Bound != nil {
		s.opts.Bound(listener.Addr())
	}
	ctx, stop := context.WithCancelCause(context.WithoutCancel(told))
	defer stop(nil)
	defer context.AfterFunc(told, func() { s.drain(ctx, told, stop) })()
	// What is run by own waits for the secrets; the node is known to the others before.
	// The hub and the node go last: questions are settled while runs are let go, and
	// others take nothing over that is still under way here.
	life, die := context.WithCancel(context.WithoutCancel(ctx))
	defer die()
	var last, all sync.WaitGroup
	last.Go(func() { stop(s.own(life, s.Hub.Run)) })
	last.Go(func() { stop(s.node.Run(life)) })
	last.Go(func() { stop(s.own(life, s.Audit.Run)) })
	toTrace, enough := context.WithCancel(context.WithoutCancel(ctx)) // the very last: of what the others did there are spans
	defer enough()
	var tracing sync.WaitGroup
	if s.traces != nil {
		tracing.Go(func() { _ = s.traces.Run(toTrace) })
	}
	talk := newTalks()
	all.Go(func() {
		stop(s.own(ctx, s.Agents.Run))
		time.Sleep(lastWords)
		talk.life.End()
	})
	all.Go(func() { s.lookForSecrets(ctx) })
	all.Go(func() {
		_ = s.own(ctx, func(ctx context.Context) error {
			s.noteSecrets(ctx)
			return nil
		})
	})
	all.Go(func() { stop(s.own(ctx, s.Vault.Run)) })
	all.Go(func() { stop(s.own(ctx, s.Permits.Run)) })
	all.Go(func() { stop(s.own(ctx, s.asked.Run)) })
	all.Go(func() { stop(s.own(ctx, s.Outbox.Run)) })
	for _, there := range s.remotes {
		all.Go(func() { stop(s.own(ctx, there.Run)) })
	}
	all.Go(func() { stop(s.own(ctx, s.lookout().Run)) })
	if s.Gateway != nil {
		all.Go(func() { stop(s.own(ctx, s.Gateway.Run)) })
	}
	if s.slack != nil {
		all.Go(func() { stop(s.own(ctx, s.slack.Run)) })
	}
	if s.offered != nil {
		all.Go(func() { stop(s.own(ctx, s.offered.Run)) })
	}
	if s.tasks != nil {
		all.Go(func() { stop(s.own(ctx, s.tasks.Run)) })
	}
	if metrics != nil {
		all.Go(func() { stop(seen.Serve(metrics)) })
		all.Go(func() {
			<-ctx.Done()
			_ = seen.Close()
		})
	}
	// Requests outlive ctx: one that was broken off by it would end without a word,
	// which HTTP makes a 200, and what a server does for it would be cancelled.
	requests, hangUp := context.WithCancel(context.WithoutCancel(ctx))
	bounds := s.cfg.Limits.Web()
	bounds.Notices = s.notices
	web := bounds.Server(talk.carry(endingWith(ctx, s.handler)))
	web.BaseContext = func(net.Listener) context.Context { return requests }
	all.Go(func() {
		defer hangUp()
		<-ctx.Done()
		wind, done := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Limits.Stop()+goodBye)
		defer done()
		if err := web.Shutdown(wind); err != nil {
			_ = web.Close() // the connections first: whoever still waits sees theirs break
		}
		talk.wait(wind)
	})
	s.once.Do(func() { close(s.ready) })
	err = s.serveWeb(web, bounds.Listener(listener))
	stop(err)
	all.Wait()
	die()
	last.Wait()
	enough()
	tracing.Wait()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) && !errors.Is(cause, http.ErrServerClosed) {
		return cause
	}
	return nil
}

// drain says that this node is not ready, and stops it after limits.drain_time.
func (s *Server) drain(ctx, told context.Context, stop context.CancelCauseFunc) {
	s.stopping.Store(true)
	patience.Sleep(ctx, s.cfg.Limits.Drain())
	stop(context.Cause(told))
}

// endingWith ends the streams that last as long as somebody listens when ctx
// ends: their clients take them up elsewhere. All other requests are finished.
func endingWith(ctx context.Context, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if listens(r) && !talks(r) {
			listening, leave := context.WithCancel(r.Context())
			defer leave()
			defer context.AfterFunc(ctx, leave)()
			r = r.WithContext(listening)
		}
		next.ServeHTTP(w, r)
	})
}

// talks reports whether a request is for a conversation with an agent: what it
// tells goes on until the run does not.
func talks(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/run/") || strings.HasPrefix(r.URL.Path, a2aPath)
}

// talking are the requests that tell of runs. They end when nothing runs here any
// more.
type talking struct {
	life crew.Life
	all  sync.WaitGroup
}

func newTalks() *talking {
	return &talking{life: crew.Begin(context.Background())}
}

// carry counts them, and lets them end with life.
func (t *talking) carry(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if talks(r) {
			t.all.Add(1)
			defer t.all.Done()
			ctx, cancel := context.WithCancelCause(r.Context())
			defer cancel(nil)
			defer context.AfterFunc(t.life.Context(), func() { cancel(chat.ErrStopping) })()
			r = r.WithContext(ctx)
		}
		next.ServeHTTP(w, r)
	})
}

// wait waits for them. Shutdown does not know of sockets.
func (t *talking) wait(ctx context.Context) {
	gone := make(chan struct{})
	go func() {
		t.all.Wait()
		close(gone)
	}()
	select {
	case <-gone:
	case <-ctx.Done():
	}
}

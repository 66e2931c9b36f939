package slackapp

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
)

// due are the jobs that this process knows to be due.
type due struct {
	mu   sync.Mutex
	keys []string
	in   map[string]bool // those of keys
	busy map[string]bool // those that are worked on here
	of   map[string]int  // how many of those somebody has
	wake chan struct{}
}

func newDue() *due {
	return &due{in: map[string]bool{}, busy: map[string]bool{}, of: map[string]int{}, wake: make(chan struct{}, 1)}
}

func (d *due) put(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.in[key] {
		return
	}
	d.in[key] = true
	d.keys = append(d.keys, key)
	d.tell()
}

func (d *due) tell() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// take returns a job that nobody works on here. Somebody who has as many under way as one
// may have waits for their own, and nobody else does.
func (d *due) take() (key string, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, key := range d.keys {
		by := whose(key)
		if d.busy[key] || d.of[by] >= mostOf {
			continue
		}
		d.keys = append(d.keys[:i:i], d.keys[i+1:]...)
		delete(d.in, key)
		d.busy[key] = true
		if by != "" {
			d.of[by]++
		}
		return key, true
	}
	return "", false
}

func (d *due) over(key string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.busy, key)
	if by := whose(key); by != "" {
		if d.of[by]--; d.of[by] == 0 {
			delete(d.of, by)
		}
	}
	d.tell()
}

// work does jobs until ctx ends.
func (a *App) work(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	all.Go(func() { a.lookForJobs(ctx) })
	all.Go(func() { a.watchQuestions(ctx) })
	free := make(chan struct{}, mostBusy)
	for ctx.Err() == nil {
		key, ok := a.due.take()
		if !ok {
			select {
			case <-ctx.Done():
			case <-a.due.wake:
			}
			continue
		}
		select {
		case free <- struct{}{}:
		case <-ctx.Done():
			a.due.over(key)
			continue
		}
		all.Go(func() {
			defer a.due.over(key)
			a.attend(ctx, key, sync.OnceFunc(func() { <-free }))
		})
	}
}

// lookForJobs finds the jobs that another process left, and those whose time has come.
func (a *App) lookForJobs(ctx context.Context) {
	var trouble quietlog.Trouble
	for {
		began := time.Now()
		var failed error
		for record, err := range parley.Each(ctx, a.records, jobAt(""), "") {
			if err != nil {
				failed = err
			}
			if parley.Unopened(err) {
				continue
			}
			if err != nil {
				break
			}
			var j job
			if json.Unmarshal(record.Data, &j) == nil && !j.Until.After(began) && !j.Next.After(began) {
				a.due.put(record.Key)
			}
		}
		trouble.Note(ctx, a.opts.Logger, "slack jobs not read", failed)
		// However many there are, looking takes a twentieth of the time at most.
		if !patience.Sleep(ctx, max(jobLook, 20*time.Since(began))) {
			return
		}
	}
}

// attend works on one job, if there is something to do. It calls free when it holds up
// nobody any more: a reply lasts as long as its run.
func (a *App) attend(ctx context.Context, key string, free func()) {
	defer free()
	h, err := a.claim(ctx, key, a.parked.forget(key))
	if err != nil || h == nil {
		if err != nil && ctx.Err() == nil {
			a.opts.Logger.WarnContext(ctx, "slack job not begun", "job", key, "err", err)
		}
		return
	}
	doing, lost := context.WithCancelCause(ctx)
	defer lost(nil)
	h.mu.Lock()
	h.lost = lost
	h.mu.Unlock()
	var renewing sync.WaitGroup
	renewing.Go(func() { h.renew(doing) })
	again, err := a.do(doing, h, free)
	lost(nil)
	renewing.Wait()
	if err != nil && ctx.Err() != nil { // another process goes on with it
		again, err = now(), nil
	}
	if err := a.conclude(context.WithoutCancel(ctx), h, again, err); err != nil && !errors.Is(err, errLost) {
		a.opts.Logger.WarnContext(ctx, "slack job not concluded", "job", key, "err", err)
	}
}

// do acts. It returns when to look again; zero: it is done.
func (a *App) do(ctx context.Context, h *held, free func()) (again time.Time, err error) {
	if h.state().Kind == replyJob {
		free()
		return a.tell(ctx, h)
	}
	ctx, stop := context.WithTimeout(ctx, acting)
	defer stop()
	if h.state().Kind == eventJob {
		return a.happened(ctx, h)
	}
	var press slack.InteractionCallback
	if err := json.Unmarshal(h.state().Body, &press); err != nil { // nor will it be readable later
		a.opts.Logger.WarnContext(ctx, "slack press unreadable", "job", h.key, "err", err)
		return time.Time{}, nil
	}
	return time.Time{}, a.press(ctx, press)
}

// conclude writes down what became of a job. One that failed is tried again, with growing
// pauses, or when Slack says.
func (a *App) conclude(ctx context.Context, h *held, again time.Time, err error) error {
	ctx, stop := context.WithTimeout(ctx, a.opts.Lease)
	defer stop()
	switch {
	case errors.Is(err, errLost):
		return nil
	case err == nil && again.IsZero():
		return h.finish(ctx)
	case err != nil && (hopeless(err) || h.state().Ends.Before(time.Now())):
		a.opts.Logger.WarnContext(ctx, "slack job given up", "job", h.key, "tries", h.state().Tries, "err", err)
		return h.finish(ctx)
	}
	tries := 0
	if err != nil {
		tries = h.state().Tries + 1
		again = now().Add(pauseAfter(tries, err))
		a.opts.Logger.InfoContext(ctx, "slack job failed", "job", h.key, "tries", tries, "next", again, "err", err)
	}
	if err := h.keep(ctx, func(j *job) { j.By, j.Until, j.Next, j.Tries = "", time.Time{}, again, tries }); err != nil {
		return err
	}
	if !again.After(time.Now()) {
		a.due.put(h.key)
	}
	return nil
}

// hopeless reports whether Slack will not take a call later either: who or where it was for
// is not there, or the app is not any more. A token that Slack does not know (invalid_auth)
// is the operator's mistake, which may be mended before the job ends.
func hopeless(err error) bool {
	return errors.Is(err, ErrNoWorkspace) || is(err, "channel_not_found", "not_in_channel", "is_archived", "user_not_found", "user_not_in_channel", "thread_not_found",
		"cannot_reply_to_message", "restricted_action", "account_inactive", "token_revoked", "missing_scope", "messages_tab_disabled")
}

func pauseAfter(tries int, err error) time.Duration {
	var limited *slack.RateLimitedError
	if errors.As(err, &limited) {
		return limited.RetryAfter
	}
	return min(time.Second<<min(tries-1, 6), time.Minute)
}

package slackapp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
)

// The kinds of jobs.
const (
	eventJob = "event" // something that happened in Slack
	pressJob = "press" // of a button
	replyJob = "reply" // the text of a run
)

// job is something to be done. Its record is there until it is done.
type job struct {
	Kind  string          `json:"kind"`
	Body  json.RawMessage `json:"body,omitempty"` // what Slack sent
	Reply *reply          `json:"reply,omitempty"`
	Came  time.Time       `json:"came"`
	Ends  time.Time       `json:"ends"` // then it is given up

	By    string    `json:"by,omitempty"`    // who works on it,
	Until time.Time `json:"until,omitzero"`  // and nobody else before
	Next  time.Time `json:"next,omitzero"`   // when it is to be looked at again
	Tries int       `json:"tries,omitempty"` // that failed in a row
	Asked bool      `json:"asked,omitempty"` // who sent it was asked to link their account
}

// Jobs and what is known of those that are done do not know their tenant before they are
// read.
const (
	anyTenant = parley.DefaultTenant
	jobKind   = "slack_job"
	doneKind  = "slack_done"
)

// Times of jobs.
const (
	jobTime  = time.Hour        // for what Slack told: it does not try longer itself
	doneTime = 2 * time.Hour    // that a job is known to be done
	jobLook  = time.Second      // how often jobs of others are looked for
	acting   = 20 * time.Second // for an event or a press: longer pauses are not waited for
	mostBusy = 64               // events and presses that are worked on at once,
	mostOf   = 8                // and of one Slack user's: the others are not held up
)

// jobsOf is what the keys of a Slack user's jobs begin with.
func jobsOf(what string, of account) string { return what + "/" + of.Team + "/" + of.User + "/" }

// whose is the part of a job's key that says whose it is; empty: nobody's.
func whose(key string) string {
	part := strings.SplitN(key, "/", 4)
	if len(part) < 4 {
		return ""
	}
	return part[1] + "/" + part[2]
}

func jobAt(key string) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: jobKind, Key: key}
}

func doneAt(key string) parley.Address {
	return parley.Address{Tenant: anyTenant, Kind: doneKind, Key: key}
}

// now is the present as stores keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// accept saves a job, so that it is done by whoever lives, once. One that is there or was
// done is not begun again.
func (a *App) accept(ctx context.Context, key string, j job) error {
	j.Came = now()
	if j.Ends.IsZero() {
		j.Ends = j.Came.Add(jobTime)
	}
	data, err := json.Marshal(j)
	if err != nil {
		return err
	}
	_, err = a.records.Save(ctx, parley.Record{Address: jobAt(key), Data: data, Expires: j.Ends.Add(jobTime)})
	if errors.Is(err, parley.ErrExists) {
		return nil
	}
	if err == nil {
		a.due.put(key)
	}
	return err
}

// held is a job that this process works on.
type held struct {
	app  *App
	key  string
	lost context.CancelCauseFunc

	mu     sync.Mutex
	record parley.Record
	job    job
}

// errLost says that another process has taken a job: whoever had it acts no more.
var errLost = errors.New("another process has this job")

// claim takes a job, if it is due or whoever asks knows that it is, and nobody has it. It
// is nil where there is nothing to do.
func (a *App) claim(ctx context.Context, key string, sooner bool) (*held, error) {
	record, err := a.records.Load(ctx, jobAt(key))
	if errors.Is(err, parley.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	h := &held{app: a, key: key, record: record}
	if err := json.Unmarshal(record.Data, &h.job); err != nil {
		return nil, fmt.Errorf("job %s: %w", key, err)
	}
	if t := now(); h.job.Until.After(t) || !sooner && h.job.Next.After(t) {
		return nil, nil
	}
	err = h.keep(ctx, func(j *job) { j.By, j.Until, j.Next = a.node, now().Add(a.opts.Lease), time.Time{} })
	if errors.Is(err, errLost) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	// It may be a copy that came after the first was done: who finishes one says so before
	// it is gone.
	switch _, err = a.records.Load(ctx, doneAt(key)); {
	case err == nil:
		return nil, h.forget(ctx)
	case !errors.Is(err, parley.ErrNotFound):
		return nil, err
	}
	return h, nil
}

// state is the job as it was saved last.
func (h *held) state() job {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.job
}

// keep changes and saves the job. errLost where it is another process's.
func (h *held) keep(ctx context.Context, change func(*job)) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	next := h.job
	change(&next)
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	r := h.record
	r.Data, r.Expires = data, next.Ends.Add(jobTime)
	version, err := h.app.records.Save(ctx, r)
	if parley.Overtaken(err) {
		if h.lost != nil {
			h.lost(errLost)
		}
		return errLost
	}
	if err != nil {
		return err
	}
	r.Version = version
	h.record, h.job = r, next
	return nil
}

// renew keeps the job for as long as ctx is.
func (h *held) renew(ctx context.Context) {
	for tick := time.NewTicker(h.app.opts.Lease / 4); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		err := h.keep(ctx, func(j *job) { j.Until = now().Add(h.app.opts.Lease) })
		if err != nil && ctx.Err() == nil {
			h.app.opts.Logger.WarnContext(ctx, "slack job not renewed", "job", h.key, "err", err)
		}
	}
}

// finish says that the job is done, then forgets it.
func (h *held) finish(ctx context.Context) error {
	_, err := h.app.records.Save(ctx, parley.Record{Address: doneAt(h.key), Data: []byte("{}"), Expires: now().Add(doneTime)})
	if err != nil && !errors.Is(err, parley.ErrExists) {
		return err
	}
	return h.forget(ctx)
}

func (h *held) forget(ctx context.Context) error {
	err := h.app.records.Delete(ctx, jobAt(h.key), 0)
	if errors.Is(err, parley.ErrNotFound) {
		return nil
	}
	return err
}

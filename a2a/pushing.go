package a2a

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a/v03"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/patience"
	"github.com/parley-hq/parley/internal/quietlog"
	"github.com/parley-hq/parley/notify"
)

// pushing is that a URL is to be told how a task goes on, until that has ended. Every
// process reads these records and follows the tasks; which turns were told is in the record,
// and the letter of a turn has the same id whoever posts it.
type pushing struct {
	Agent string    `json:"agent"`
	Ref   agent.Ref `json:"ref"`
	ID    string    `json:"id"`   // of the configuration
	Told  int       `json:"told"` // turns of the task
}

const (
	pushingKind  = "a2a.pushing"
	everybody    = "-tasks" // the tenant of these records, so that one scan finds them all
	pushPoll     = 2 * time.Second
	mostFollowed = 1000 // tasks that one process follows for this
)

func pushingAt(ref agent.Ref, id string) parley.Address {
	digest := sha256.Sum256([]byte(id))
	return parley.Address{Tenant: everybody, Kind: pushingKind, Key: fmt.Sprintf("%s/%x", ref, digest[:16])}
}

// beginPush has a URL told of a task from where it stands.
func (o *offer) beginPush(ctx context.Context, run agent.Run, id string) error {
	w, err := o.follow(ctx, parley.OwnerOf(run.Ref.Tenant, run.Ref.User), run)
	if err != nil {
		return err
	}
	defer w.close()
	told := w.turns
	if !w.ended() && w.asks(nil) { // it may not have been told of that yet
		told--
	}
	data, err := json.Marshal(pushing{Agent: o.name, Ref: run.Ref, ID: id, Told: told})
	if err != nil {
		return err
	}
	_, err = o.records.Save(ctx, parley.Record{Address: pushingAt(run.Ref, id), Data: data, Expires: o.until()})
	if errors.Is(err, parley.ErrExists) {
		err = nil
	}
	o.pushes.hint()
	return err
}

// pushes are the tasks that this process follows for their URLs.
type pushes struct {
	wake chan struct{}

	mu  sync.Mutex
	all map[string]bool // by the key of the record
}

func (p *pushes) prepare() { p.wake, p.all = make(chan struct{}, 1), map[string]bool{} }

func (p *pushes) hint() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// take reports whether nobody here follows a task yet, and takes it.
func (p *pushes) take(key string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all[key] || len(p.all) >= mostFollowed {
		return false
	}
	p.all[key] = true
	return true
}

func (p *pushes) leave(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.all, key)
}

// push follows the tasks that are to be told of, until ctx ends.
func (a *Agents) push(ctx context.Context) error {
	var all sync.WaitGroup
	defer all.Wait()
	var trouble quietlog.Trouble
	for ctx.Err() == nil {
		var failed error
		for record, err := range parley.Each(ctx, a.records, parley.Address{Tenant: everybody, Kind: pushingKind}, "") {
			if err != nil {
				failed = err
			}
			if parley.Unopened(err) {
				continue
			}
			if err != nil {
				break
			}
			if !a.pushes.take(record.Key) {
				continue
			}
			all.Go(func() {
				defer a.pushes.leave(record.Key)
				if err := a.tell(ctx, record.Address); err != nil && ctx.Err() == nil {
					a.opts.Logger.WarnContext(ctx, "push notifications interrupted", "err", err)
					patience.Sleep(ctx, pushPoll)
				}
			})
		}
		trouble.Note(ctx, a.opts.Logger, "tasks with push notifications not read", failed)
		a.await(ctx)
	}
	return context.Cause(ctx)
}

func (a *Agents) await(ctx context.Context) {
	t := time.NewTimer(pushPoll)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-a.pushes.wake:
	case <-t.C:
	}
}

// tell tells one URL of one task, until that has ended.
func (a *Agents) tell(ctx context.Context, at parley.Address) error {
	record, err := a.records.Load(ctx, at)
	if isNotFound(err) {
		return nil
	}
	var p pushing
	if err == nil {
		err = json.Unmarshal(record.Data, &p)
	}
	if err != nil {
		return err
	}
	o := a.offers[p.Agent]
	who := parley.OwnerOf(p.Ref.Tenant, p.Ref.User)
	if o == nil || a.opts.Post == nil {
		patience.Sleep(ctx, time.Minute) // other processes may have it
		return nil
	}
	run, err := a.runtime.Find(ctx, who, p.Ref.Conversation, p.Ref.Run)
	if isNotFound(err) {
		return a.drop(ctx, at)
	}
	if err != nil {
		return err
	}
	w, err := o.follow(ctx, who, run)
	if err != nil {
		return err
	}
	defer w.close()
	for {
		over, err := w.tellTurn(ctx, at)
		if err != nil || over {
			return err
		}
		e, err := w.next(ctx, a.opts.Heartbeat)
		switch {
		case err == nil:
			w.take(e)
		case errors.Is(err, io.EOF):
		case !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil:
			return err
		}
	}
}

func (a *Agents) drop(ctx context.Context, at parley.Address) error {
	err := a.records.Delete(ctx, at, 0)
	if isNotFound(err) {
		return nil
	}
	return err
}

// tellTurn posts how the task stands, if that was not told. It reports whether there is
// nothing more to tell.
func (w *following) tellTurn(ctx context.Context, at parley.Address) (over bool, err error) {
	if w.f.Ready() {
		return false, nil // more has happened already
	}
	record, err := w.records.Load(ctx, at)
	if isNotFound(err) {
		return true, nil // somebody else has told all
	}
	var p pushing
	if err == nil {
		err = json.Unmarshal(record.Data, &p)
	}
	if err != nil {
		return false, err
	}
	if p.Told < w.turns {
		stored, err := w.records.Load(ctx, pushAt(p.Ref, p.ID))
		if isNotFound(err) {
			return true, w.drop(ctx, at) // its client does not want it any more
		}
		if err == nil {
			err = w.postTurn(ctx, stored, at.Key)
		}
		if err != nil {
			return false, err
		}
		p.Told = w.turns
		if record.Data, err = json.Marshal(p); err == nil {
			_, err = w.records.Save(ctx, record)
		}
		if err != nil && !parley.Overtaken(err) {
			return false, err
		}
	}
	if !w.ended() {
		return false, nil
	}
	return true, w.drop(ctx, at)
}

// postTurn posts the task as it stands.
func (w *following) postTurn(ctx context.Context, stored parley.Record, key string) error {
	p, err := readPush(stored)
	if err != nil {
		return err
	}
	none := 0
	t, err := w.task(ctx, &none)
	if err != nil {
		return err
	}
	for i, one := range t.Artifacts { // bytes are for those who ask for them
		if one.ID != w.textArtifact() {
			t.Artifacts = t.Artifacts[:i]
			break
		}
	}
	var told any = a2a.StreamResponse{Event: t}
	if p.Old {
		if told, err = v03.Event(t); err != nil {
			return err
		}
	}
	body, err := json.Marshal(told)
	if err != nil {
		return err
	}
	l := notify.Letter{ID: letterID(key, w.turns), Owner: w.run.Ref.User, URL: p.Config.URL, Body: body, Header: map[string]string{}}
	if p.Config.Token != "" {
		l.Header["A2A-Notification-Token"], l.Header["X-A2A-Notification-Token"] = p.Config.Token, p.Config.Token
	}
	if auth := p.Config.Auth; auth != nil && auth.Scheme != "" {
		l.Header["Authorization"] = auth.Scheme + " " + auth.Credentials
	}
	err = w.opts.Post.Post(ctx, l)
	if errors.Is(err, parley.ErrTooLarge) {
		w.opts.Logger.WarnContext(ctx, "push notification left out", "task", t.ID, "err", err)
		return nil
	}
	return err
}

// letterID is the id of the letter about a turn of a task.
func letterID(key string, turn int) parley.ID {
	digest := sha256.Sum256(fmt.Appendf(nil, "%s %d", key, turn))
	return parley.ID(base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding).EncodeToString(digest[:20]))
}

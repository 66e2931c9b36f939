package remote

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/vault"
)

// A task that nobody wants any more is cancelled at the other side. That it shall be is
// written down before it is tried, and whoever looks after questions does it as soon as an
// agent that is away is back, whichever process dies.
const (
	endingKey = "end-"
	// stubborn is for how long an agent that does not hear it is told.
	stubborn = 7 * 24 * time.Hour
)

// noteEnd writes down that the task is to be cancelled.
func (t *talk) noteEnd(ctx context.Context) (parley.Address, error) {
	sum := sha256.Sum256([]byte(t.state.Task))
	at := t.waits()
	at.Key += endingKey + base64.RawURLEncoding.EncodeToString(sum[:18])
	now := time.Now().UTC()
	data, err := json.Marshal(wait{
		Tenant: t.call.Tenant, User: t.call.Owner(), Method: t.call.Method, Agent: t.call.Agent, Talk: t.call.Conversation,
		Task: t.state.Task, Context: t.state.Context, URL: t.state.URL, Door: t.state.Door, End: true, Made: now, Next: now.Add(farewell),
	})
	if err != nil {
		return at, err
	}
	_, err = t.opts.Records.Save(ctx, parley.Record{Address: at, Owner: t.call.Owner(), Data: data, Expires: now.Add(stubborn).Truncate(time.Millisecond)})
	if errors.Is(err, parley.ErrExists) {
		err = nil
	}
	return at, err
}

// end cancels the task at the other side, now or as soon as it is there again.
func (t *talk) end(ctx context.Context) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer stop()
	at, noted := t.noteEnd(ctx)
	err := t.cancelTask(ctx)
	switch {
	case heardOfEnd(err):
		t.forgetEnd(ctx, at)
	case noted != nil:
		err = errors.Join(err, noted)
	}
	return err
}

func (t *talk) cancelTask(ctx context.Context) error {
	ctx, stop := context.WithTimeout(ctx, farewell)
	defer stop()
	_, err := t.client.CancelTask(ctx, &a2a.CancelTaskRequest{ID: t.state.Task})
	return classified(err)
}

// heardOfEnd reports whether the agent has answered that a task is to be cancelled, be it
// that it cannot be any more: telling it again changes nothing.
func heardOfEnd(err error) bool {
	var required *vault.RequiredError
	return err == nil || final(err) && !errors.As(err, &required)
}

func (t *talk) forgetEnd(ctx context.Context, at parley.Address) {
	_ = t.opts.Records.Delete(context.WithoutCancel(ctx), at, 0) // it is told once more otherwise
}

// endLater tells an agent that a task of its is to be cancelled, and reports whether it
// has heard it.
func (r *Remote) endLater(ctx context.Context, who parley.Principal, w wait) bool {
	if w.URL != r.opts.URL || w.Door != r.opts.Door {
		return true // it is another by now, and is told nothing of it
	}
	caller := agent.Caller{Principal: who, Agent: w.Agent, Conversation: w.Talk}
	client, known, err := r.dial(ctx, caller)
	if err != nil {
		return false
	}
	t := &talk{Remote: r, call: &agent.Invocation{Caller: caller}, client: client, known: known, state: state{URL: w.URL, Task: w.Task, Context: w.Context}}
	return heardOfEnd(t.cancelTask(ctx))
}

// unheard is the end of a call whose person declined what an agent asks that is away: it
// could not be told so, and its task is cancelled later.
func (t *talk) unheard(ctx context.Context, err error) error {
	said := t.declinedHere()
	if t.state.Task == "" || said == "" || !errors.Is(err, mcpclient.ErrUnreachable) && !errors.Is(err, mcpclient.ErrUnderway) {
		return err
	}
	if _, noted := t.noteEnd(ctx); noted != nil {
		return errors.Join(err, noted)
	}
	return t.failed(err, "asked the user something, %s. It is away, and is told to cancel the task as soon as it is back; whether something of it was carried out before is not known.", because(said))
}

package a2a

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/a2aproject/a2a-go/v2/a2a"
	"github.com/a2aproject/a2a-go/v2/a2asrv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/internal/patience"
)

var _ a2asrv.RequestHandler = (*offer)(nil)

// SendMessage implements a2asrv.RequestHandler. Unless the client wants the task at once,
// it returns when the task has ended or waits for somebody.
func (o *offer) SendMessage(ctx context.Context, req *a2a.SendMessageRequest) (a2a.SendMessageResult, error) {
	t, err := o.send(ctx, req)
	if err != nil {
		return nil, o.explain(ctx, "message not taken", err)
	}
	return t, nil
}

func (o *offer) send(ctx context.Context, req *a2a.SendMessageRequest) (*a2a.Task, error) {
	taking, taken := lasting(ctx)
	defer taken()
	w, err := o.receive(taking, arrived(ctx).who, req)
	if err != nil {
		return nil, err
	}
	defer w.close()
	if req.Config != nil && req.Config.ReturnImmediately {
		err = w.catchUp(ctx)
	} else {
		if _, err = w.rest(ctx, nil, hooks{}); err == nil { // which may have taken long
			err = o.still(arrived(ctx))
		}
	}
	if errors.Is(context.Cause(ctx), chat.ErrStopping) { // the task goes on elsewhere
		ctx, err = context.WithoutCancel(ctx), nil
	}
	if err != nil {
		return nil, err
	}
	var length *int
	if req.Config != nil {
		length = req.Config.HistoryLength
	}
	return w.task(ctx, length)
}

// lastTime is how long taking a message may go on when the server is being stopped.
const lastTime = time.Second

// lasting is ctx, but that a server which is being stopped gives it a moment: a message
// that was taken is said to be.
func lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	lasts, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() {
		cause := context.Cause(ctx)
		if errors.Is(cause, chat.ErrStopping) {
			patience.Sleep(lasts, lastTime)
		}
		cancel(cause)
	})
	return lasts, func() { stop(); cancel(nil) }
}

// SendStreamingMessage implements a2asrv.RequestHandler. The stream ends with the task, and
// when that waits for a message; where a person goes to a page it goes on by itself, and
// so does the stream.
func (o *offer) SendStreamingMessage(ctx context.Context, req *a2a.SendMessageRequest) iter.Seq2[a2a.Event, error] {
	return o.streaming(ctx, true, func(who parley.Principal) (*following, error) { return o.receive(ctx, who, req) })
}

// errOnlyLive is what a client is told that subscribes to what has ended.
var errOnlyLive = a2a.NewError(a2a.ErrUnsupportedOperation, "the task has ended, so nothing more will happen: get it instead")

// SubscribeToTask implements a2asrv.RequestHandler. The first event is the task as it
// stands, also while it waits for somebody; the stream ends with the task.
func (o *offer) SubscribeToTask(ctx context.Context, req *a2a.SubscribeToTaskRequest) iter.Seq2[a2a.Event, error] {
	return o.streaming(ctx, false, func(who parley.Principal) (*following, error) {
		w, err := o.followTask(ctx, who, req.ID)
		if err == nil && w.ended() {
			w.close()
			return nil, errOnlyLive
		}
		return w, err
	})
}

func (o *offer) streaming(ctx context.Context, untilAsked bool, begin func(parley.Principal) (*following, error)) iter.Seq2[a2a.Event, error] {
	return func(yield func(a2a.Event, error) bool) {
		came := arrived(ctx)
		w, err := begin(came.who)
		if err == nil {
			defer w.close()
			err = (&stream{following: w, came: came, untilAsked: untilAsked, yield: yield}).run(ctx)
		}
		if err != nil && !errors.Is(err, errGone) && ctx.Err() == nil {
			yield(nil, o.explain(ctx, "stream ended", err))
		}
	}
}

// GetTask implements a2asrv.RequestHandler.
func (o *offer) GetTask(ctx context.Context, req *a2a.GetTaskRequest) (*a2a.Task, error) {
	if err := o.reading(ctx); err != nil {
		return nil, o.explain(ctx, "task not read", err)
	}
	w, err := o.followTask(ctx, arrived(ctx).who, req.ID)
	if err != nil {
		return nil, o.explain(ctx, "task not read", err)
	}
	defer w.close()
	t, err := w.task(ctx, req.HistoryLength)
	if err != nil {
		return nil, o.explain(ctx, "task not read", err)
	}
	return t, nil
}

// CancelTask implements a2asrv.RequestHandler. It withdraws the questions of the task. A
// task that was canceled stays so, and is no error.
func (o *offer) CancelTask(ctx context.Context, req *a2a.CancelTaskRequest) (*a2a.Task, error) {
	t, err := o.cancel(ctx, req.ID)
	if err != nil {
		return nil, o.explain(ctx, "task not canceled", err)
	}
	return t, nil
}

func (o *offer) cancel(ctx context.Context, id a2a.TaskID) (*a2a.Task, error) {
	who := arrived(ctx).who
	run, _, err := o.find(ctx, who, id)
	if err != nil {
		return nil, err
	}
	if err := o.runtime.StopRun(ctx, who, run.Ref.Conversation, run.Ref.Run); err != nil && !errors.Is(err, agent.ErrNoRun) {
		return nil, err
	}
	w, err := o.follow(ctx, who, run)
	if err != nil {
		return nil, err
	}
	defer w.close()
	for !w.ended() { // its questions are withdrawn, so it comes to that
		e, err := w.next(ctx, o.opts.Heartbeat)
		if err == nil {
			w.take(e)
		} else if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return nil, err
		}
	}
	t, err := w.taskWith(ctx, nil, nil)
	if err == nil && t.Status.State != a2a.TaskStateCanceled {
		return nil, a2a.NewError(a2a.ErrTaskNotCancelable, "the task has ended already")
	}
	return t, err
}

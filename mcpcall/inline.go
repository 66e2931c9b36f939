package mcpcall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcpclient"
)

// inline asks what an older server asks while it waits on its connection.
type inline struct {
	call  *Call
	f     *Request
	work  sync.WaitGroup
	count int

	mu   sync.Mutex
	open map[string]context.CancelFunc // by the server's ids
}

func (c *Call) newInline(f *Request) *inline {
	return &inline{call: c, f: f, open: map[string]context.CancelFunc{}}
}

// end gives up the questions that are open.
func (in *inline) end() {
	in.mu.Lock()
	for _, giveUp := range in.open {
		giveUp()
	}
	in.mu.Unlock()
	in.work.Wait()
}

// ask asks the person while the server waits. A server that asks too often is
// refused.
func (in *inline) ask(ctx context.Context, q ask, id json.RawMessage) error {
	c := in.call
	if in.count++; in.count > maxRounds {
		return Failed("%s", c.Target.endless())
	}
	ctx, cancel := context.WithCancel(ctx)
	in.mu.Lock()
	in.open[string(id)] = cancel
	in.mu.Unlock()
	key := fmt.Sprintf("line%d.%d", len(c.rounds), in.count)
	in.work.Go(func() {
		defer in.close(string(id))
		outcome, err := c.Inline(ctx, key, parley.Request{
			From: c.Target.Server.Name, Mode: q.Mode, Message: q.Message, Schema: q.Schema, URL: q.URL, Trigger: parley.TriggerMCP,
		})
		var result json.RawMessage
		var fail *mcpclient.Error
		switch {
		case ctx.Err() != nil: // nobody waits for it any more
			in.f.unasked()
			return
		case errors.As(err, &fail): // it is the server's to know
		case err != nil:
			fail = &mcpclient.Error{Code: jsonrpc.CodeInternalError, Message: "the question could not be asked"}
		default:
			result = mcpclient.Answer(string(outcome.Action), outcome.Content)
		}
		if err := in.f.reply(ctx, id, result, fail); err != nil && ctx.Err() == nil {
			c.calls.opts.Logger.DebugContext(ctx, "server not answered", "server", c.Target.Server.Name, "err", err)
		}
	})
	return nil
}

// takenBack ends a question that the server no longer waits for.
func (in *inline) takenBack(params json.RawMessage) {
	if id, ok := mcpclient.Member(params, "requestId"); ok {
		in.close(string(id))
	}
}

func (in *inline) close(id string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if cancel := in.open[id]; cancel != nil {
		cancel()
		delete(in.open, id)
	}
}

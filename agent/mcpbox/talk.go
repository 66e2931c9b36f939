package mcpbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/mcpclient"
)

// Codes of JSON-RPC errors that are sent to servers.
const (
	codeNotFound = -32601
	codeParams   = -32602
	codeInternal = -32603
)

// progressTokens are unique among the calls of this process.
var progressTokens atomic.Int64

// exchange makes the call once and returns the server's response. A session that
// the server has forgotten is begun again: it did not take the call.
func (b *Box) exchange(ctx context.Context, c *agent.Invocation, number int, params json.RawMessage) (mcpclient.Message, error) {
	m, err := b.attempt(ctx, c, number, params)
	if errors.Is(err, mcpclient.ErrSessionGone) && !errors.Is(err, mcpclient.ErrUnderway) && ctx.Err() == nil {
		m, err = b.attempt(ctx, c, number, params)
	}
	return m, err
}

func (b *Box) attempt(ctx context.Context, c *agent.Invocation, number int, params json.RawMessage) (mcpclient.Message, error) {
	ctx, clock := newClock(ctx, b.opts.CallTime)
	defer clock.stop()
	s, err := b.checkOut(ctx, c.Caller)
	if err != nil {
		return mcpclient.Message{}, err
	}
	request := mcpclient.Request{
		Method: "tools/call", Name: c.Tool.Name, Params: params, Header: http.Header{},
		Progress: strconv.AppendInt(nil, progressTokens.Add(1), 10), // a server that works for long can say so
	}
	for _, mirror := range mcpclient.Mirrors(c.Tool.Schema) {
		mirror.Set(request.Header, c.Args)
	}
	x, err := s.conn.Call(ctx, request)
	var m mcpclient.Message
	if err == nil {
		t := &talk{box: b, call: c, conn: s.conn, x: x, clock: clock, number: number, asked: map[string]context.CancelFunc{}}
		m, err = t.run(ctx)
		x.Close()
	}
	if err != nil && context.Cause(ctx) == errLate {
		err = sentLate(fmt.Errorf("%w: %w", errLate, err))
	}
	// One whose call was given up may yet be asked about it.
	b.checkIn(s, err == nil || s.conn.Modern() && ctx.Err() != nil)
	return m, err
}

// talk is a call while it is open, with what an older server asks meanwhile.
type talk struct {
	box    *Box
	call   *agent.Invocation
	conn   *mcpclient.Conn
	x      *mcpclient.Exchange
	clock  *clock
	number int // of the round
	count  int // of questions

	work sync.WaitGroup

	mu    sync.Mutex
	asked map[string]context.CancelFunc // the questions that are open, by their ids
}

// run returns the response. The questions that are open then are given up.
func (t *talk) run(ctx context.Context) (mcpclient.Message, error) {
	asking, end := context.WithCancel(ctx)
	defer t.work.Wait()
	defer end()
	defer context.AfterFunc(ctx, t.x.Close)()
	for {
		m, err := t.x.Next()
		t.clock.heard()
		switch {
		case err != nil && ctx.Err() != nil:
			return m, context.Cause(ctx)
		case err != nil:
			return m, err
		case m.Response():
			return m, nil
		case m.Request() && m.Method == "elicitation/create" && !t.conn.Modern():
			if t.count++; t.count > maxRounds {
				return m, t.box.endless()
			}
			t.ask(asking, m, t.count)
		case m.Request():
			t.reply(ctx, m.ID, nil, &mcpclient.Error{Code: codeNotFound, Message: "this client does not offer it"})
		case m.Method == "notifications/cancelled":
			if id, ok := mcpclient.Member(m.Params, "requestId"); ok {
				t.takeBack(string(id))
			}
		}
	}
}

// ask asks the person while the server waits.
func (t *talk) ask(ctx context.Context, m mcpclient.Message, n int) {
	wire, err := mcpclient.ReadQuestion(m.Params)
	q, refused := t.box.question(wire)
	if err == nil {
		err = refused
	}
	if err != nil {
		t.reply(ctx, m.ID, nil, &mcpclient.Error{Code: codeParams, Message: "the question is refused: " + err.Error()})
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	t.mu.Lock()
	t.asked[string(m.ID)] = cancel
	t.mu.Unlock()
	t.clock.hold()
	t.work.Go(func() {
		defer t.takeBack(string(m.ID))
		outcome, err := t.call.Ask(ctx, fmt.Sprintf("line%d.%d", t.number, n), q)
		t.clock.goOn()
		switch {
		case ctx.Err() != nil: // nobody waits for it any more
		case errors.Is(err, agent.ErrNobodyAsked): // what the protocol has for a client that shows no questions
			t.reply(ctx, m.ID, nil, &mcpclient.Error{Code: codeParams, Message: agent.ErrNobodyAsked.Error()})
		case errors.Is(err, agent.ErrUnaskable):
			t.reply(ctx, m.ID, nil, &mcpclient.Error{Code: codeParams, Message: err.Error()})
		case err != nil:
			t.reply(ctx, m.ID, nil, &mcpclient.Error{Code: codeInternal, Message: "the question could not be asked"})
		default:
			t.reply(ctx, m.ID, mcpclient.Answer(string(outcome.Action), outcome.Content), nil)
		}
	})
}

// takeBack ends a question.
func (t *talk) takeBack(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if cancel := t.asked[id]; cancel != nil {
		cancel()
		delete(t.asked, id)
	}
}

// reply answers the server. Where that fails the call ends by itself.
func (t *talk) reply(ctx context.Context, id, result json.RawMessage, fail *mcpclient.Error) {
	if err := t.x.Reply(ctx, id, result, fail); err != nil && ctx.Err() == nil {
		t.box.opts.Logger.DebugContext(ctx, "a server was not answered", "server", t.box.opts.Name, "err", err)
	}
}

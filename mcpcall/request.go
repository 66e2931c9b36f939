package mcpcall

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/tracing"
	"github.com/parley-hq/parley/vault"
)

// Request is a request on its way to a server, and what comes back.
type Request struct {
	Who     Person
	Target  Target
	Contact *mcptool.Contact // who called, if they can be told something meanwhile

	calls *Calls
	wire  mcpclient.Request
	bytes int          // of its parameters
	first chan Arrival // what came first; of capacity one
	life  crew.Life    // of the request, which outlives whoever makes it

	lent, refused atomic.Int64 // how often the server has asked for what the client lends, and what nobody can be asked

	mu       sync.Mutex
	conn     *Conn
	x        *mcpclient.Exchange
	taken    bool // the first message was read
	answered bool // the server has responded
	closed   bool
	unwanted bool // its client cancelled it
	asked    int  // how many questions of the server's have no answer yet
	limit    *time.Timer
	late     bool // the server was silent for too long
	sent     bool // there is a connection to the server: it is its turn
	span     *tracing.Live
}

// Arrival is a message of the server's, or why none comes.
type Arrival struct {
	Message mcpclient.Message
	Err     error
}

// progressTokens are unique among the calls of this process.
var progressTokens atomic.Int64

// start sends a request. progress asks the server to tell of its progress. The
// request ends with its response or with Close.
func (g *Calls) start(ctx context.Context, who Person, t Target, params json.RawMessage, progress bool) *Request {
	f := g.Request(ctx, who, t, params, progress)
	g.work.Go(f.Do)
	return f
}

// Request returns a request that is yet to be made, by Do. Of ctx it has the trace, and
// nothing else: it outlives it.
func (g *Calls) Request(ctx context.Context, who Person, t Target, params json.RawMessage, progress bool) *Request {
	f := &Request{calls: g, Who: who, Target: t, bytes: len(params), life: crew.Begin(g.life.Context()), first: make(chan Arrival, 1), wire: mcpclient.Request{
		Method: t.Method, Name: t.Name, Params: params, Header: t.headers(params), LogLevel: who.Level, Task: t.Tool.Task,
	}}
	f.wire.Trace, f.span = g.traced(ctx, t)
	if g.opts.CallTime > 0 {
		f.limit = time.AfterFunc(g.opts.CallTime, f.overdue)
	}
	if progress {
		f.wire.Progress = strconv.AppendInt(nil, progressTokens.Add(1), 10)
	}
	return f
}

// Large lets the first message be a result that is read as it comes.
func (f *Request) Large() { f.wire.Large = true }

// Do makes the request. What comes first is for First, or Next.
func (f *Request) Do() {
	ctx := f.life.Context()
	message, err := f.send(ctx, f.wire)
	if errors.Is(err, mcpclient.ErrSessionGone) && !errors.Is(err, mcpclient.ErrUnderway) {
		// The server did not know the session, so it did not take the call.
		message, err = f.send(ctx, f.wire)
	}
	f.wire.Params = nil // it is not sent again
	message, err = f.heard(message, err)
	var provider *vault.ProviderError
	if errors.Is(err, mcpclient.ErrUnreachable) && !errors.As(err, &provider) && !f.life.Over() && f.calls.opts.Missed != nil {
		f.calls.opts.Missed(f.Who, f.Target.Server)
	}
	f.first <- Arrival{message, err}
}

// First waits for what comes first. Unread leaves it to Next.
func (f *Request) First() Arrival { return <-f.first }

// Unread takes back that the first message was read.
func (f *Request) Unread(a Arrival) { f.first <- a }

// send makes the request on a connection and returns what comes first.
func (f *Request) send(ctx context.Context, request mcpclient.Request) (mcpclient.Message, error) {
	l, err := f.calls.Conns.acquireCall(ctx, f.Who, f.Target.Server)
	if err != nil {
		return mcpclient.Message{}, err
	}
	f.leaves()
	x, err := l.Wire().Call(ctx, request)
	if err == nil && !f.hold(l, x) {
		x.Close()
		err = mcpclient.ErrClosed
	}
	if err != nil {
		if errors.Is(err, mcpclient.ErrSessionGone) {
			l.Lose()
		}
		l.releaseCall(false)
		return mcpclient.Message{}, err
	}
	m, err := x.Next()
	if err != nil {
		if errors.Is(err, mcpclient.ErrSessionGone) {
			l.Lose()
		}
		f.release()
	}
	return m, err
}

// leaves begins the server's time: before there was a connection it had nothing to answer.
func (f *Request) leaves() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = true
	if f.limit != nil && !f.closed && f.asked == 0 {
		f.limit.Reset(f.calls.opts.CallTime)
	}
}

// hold keeps the connection and the exchange for as long as the request lasts.
func (f *Request) hold(l *Conn, x *mcpclient.Exchange) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.conn, f.x = l, x
	return true
}

// release ends the exchange and gives the connection back, if they are held.
func (f *Request) release() {
	f.mu.Lock()
	x, l, answered := f.x, f.conn, f.answered
	f.x, f.conn = nil, nil
	f.mu.Unlock()
	if x != nil {
		x.Close()
		l.releaseCall(answered)
	}
}

// Next returns the next message. When ctx ends first, so does the request.
func (f *Request) Next(ctx context.Context) (mcpclient.Message, error) {
	f.mu.Lock()
	taken, x := f.taken, f.x
	f.mu.Unlock()
	if !taken {
		select {
		case a := <-f.first:
			f.mu.Lock()
			f.taken = true
			f.mu.Unlock()
			return whole(a.Message, a.Err)
		case <-ctx.Done():
			f.Close()
			return mcpclient.Message{}, context.Cause(ctx)
		}
	}
	if x == nil {
		return mcpclient.Message{}, mcpclient.ErrClosed
	}
	stop := context.AfterFunc(ctx, f.Close)
	defer stop()
	m, err := x.Next()
	m, err = whole(f.heard(m, err))
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return m, err
}

// whole reads a large result to its end: only who reads the first message
// passes it on as it comes.
func whole(m mcpclient.Message, err error) (mcpclient.Message, error) {
	if err == nil {
		err = m.Whole()
	}
	return m, err
}

// reply answers a question of the server's.
func (f *Request) reply(ctx context.Context, id, result json.RawMessage, fail *mcpclient.Error) error {
	f.mu.Lock()
	x := f.x
	if f.asked--; f.asked == 0 && f.limit != nil && !f.closed {
		f.limit.Reset(f.calls.opts.CallTime) // it is the server's turn
	}
	f.mu.Unlock()
	if x == nil {
		return mcpclient.ErrClosed
	}
	return x.Reply(ctx, id, result, fail)
}

// unasked notes that a question of the server's gets no answer.
func (f *Request) unasked() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.asked--; f.asked == 0 && f.limit != nil && !f.closed {
		f.limit.Reset(f.calls.opts.CallTime)
	}
}

// Close ends the request; a server that still works on it is told.
func (f *Request) Close() {
	f.life.End()
	f.mu.Lock()
	f.closed = true
	f.told("closed")
	if f.limit != nil {
		f.limit.Stop()
	}
	f.mu.Unlock()
	f.release()
}

// overdue ends a request whose server is silent, though it is its turn to speak.
func (f *Request) overdue() {
	f.mu.Lock()
	f.late = !f.closed && f.asked == 0
	late := f.late
	f.mu.Unlock()
	if late {
		f.Close()
	}
}

// heard notes what the server said, or why it says nothing more. It has its time
// anew after each word, and all the time while a person thinks.
func (f *Request) heard(m mcpclient.Message, err error) (mcpclient.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answered = f.answered || err == nil && m.Response()
	switch {
	case err != nil:
		f.told("failed")
	case m.Response() && m.Error != nil:
		f.told("error")
	case m.Response():
		f.told("")
	}
	switch {
	case err != nil && f.late && !f.sent:
		return m, Failed("%s could not be spoken to for %v; the call was not sent.", f.Target.Server.Label(), f.calls.opts.CallTime)
	case err != nil && f.late && f.Target.Tool.Repeatable():
		return m, Failed("%s has not answered for %v. It may be called again.", f.Target.Server.Label(), f.calls.opts.CallTime)
	case err != nil && f.late:
		limit := f.calls.opts.CallTime
		return m, Failed("%s has not answered for %v: whether the call was carried out is not known. Find out before you make it again.", f.Target.Server.Label(), limit)
	case f.limit == nil || f.closed:
	case err != nil, m.Response() && m.Rest == nil:
		f.limit.Stop()
	case m.Request():
		f.asked++
		f.limit.Stop()
	case f.asked == 0:
		f.limit.Reset(f.calls.opts.CallTime)
	}
	return m, err
}

// Abandon ends a request whose client no longer wants it.
func (f *Request) Abandon() {
	f.mu.Lock()
	f.unwanted = true
	f.mu.Unlock()
	f.Close()
}

// Abandoned reports whether that was so.
func (f *Request) Abandoned() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unwanted
}

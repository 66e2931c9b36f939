package mcpclient

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/tracing"
)

// wire carries messages to a server.
type wire interface {
	// start sends a call. What comes of it goes to x. ctx bounds until the
	// server took it, life all that comes of it.
	start(ctx, life context.Context, x *Exchange, body []byte, r *Request) error
	// send sends what gets no answer; method is empty for an answer.
	send(ctx context.Context, body []byte, method string) error
	// cancel tells the server that nobody waits for x any more. It does not
	// block.
	cancel(x *Exchange)
	// close says good-bye; open are the calls that had no response yet.
	close(open []*Exchange) error
}

// Conn is a connection to a server.
type Conn struct {
	opts    Options
	wire    wire
	version string
	modern  bool
	server  ServerInfo
	meta    []byte // the members of every request's _meta
	direct  bool   // all about a call comes on its own stream: Next reads it

	ids     atomic.Int64
	asking  chan struct{}  // a token for each request of no call that is being answered
	notices *limit.Notices // of what a server may do as often as it likes
	done    chan struct{}

	// life bounds what the connection does by itself: it is no caller's.
	life crew.Life
	work sync.WaitGroup

	telling sync.WaitGroup // cancelled calls that the server is being told of

	closing sync.Once
	closed  error // what Close returns

	mu      sync.Mutex
	open    []*Exchange      // by their ids, so the oldest first
	asked   map[string]aside // the server's requests that came by no call's stream and have no answer, by their ids
	cause   error            // why done is closed
	retired bool             // the server does not know the session: it takes no further calls
	came    int64            // how many of them there were
	gaveUp  bool             // a call was forgotten that may yet be answered
}

const maxAsking = 16

func newConn(ctx context.Context, opts Options) *Conn {
	c := &Conn{opts: opts, notices: limit.NewNotices(opts.Logger, 0), asking: make(chan struct{}, maxAsking), done: make(chan struct{}), asked: map[string]aside{}, life: crew.Begin(context.WithoutCancel(ctx))}
	return c
}

// Modern reports whether the server is of 2026-07-28, which has no sessions.
func (c *Conn) Modern() bool { return c.modern }

// Version is the protocol version that both sides speak.
func (c *Conn) Version() string { return c.version }

// Server is what the server said of itself.
func (c *Conn) Server() ServerInfo { return c.server }

// Done is closed when the connection is gone: closed, its process exited, or its
// session forgotten by the server.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err is why the connection takes no calls any more; nil while it does. Those
// that were open when the server forgot the session may come to their end yet.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause == nil && c.retired {
		return ErrSessionGone
	}
	return c.cause
}

// Call sends a request. ctx bounds until the server took it; the Exchange lives
// on. The errors are those of Connect, and ErrSessionGone: connect again. Where
// the server may have taken the call already it is ErrUnderway as well. A
// JSON-RPC error that comes with an HTTP status of 4xx is the response.
func (c *Conn) Call(ctx context.Context, req Request) (*Exchange, error) {
	return c.call(ctx, &req, false)
}

func (c *Conn) call(ctx context.Context, r *Request, internal bool) (*Exchange, error) {
	x := &Exchange{conn: c, id: c.ids.Add(1), progress: r.Progress, internal: internal, direct: c.direct, large: r.Large, tasks: c.opts.Tasks && !internal && r.Method == "tools/call"}
	params := r.Params
	if r.Task && x.tasks && !c.modern && c.server.Tasks {
		params, x.tasked = asTask(params), true
	}
	meta := c.meta
	if r.LogLevel != "" && c.modern {
		meta = append(slices.Clip(meta), `,"`+metaLogLevel+`":`...)
		meta = appendText(meta, r.LogLevel)
	}
	body, err := requestBody(x.id, r.Method, params, meta, r.Progress, r.Trace)
	if err != nil {
		return nil, err
	}
	if !x.direct {
		x.box.init(c.opts.MaxMessage)
	}
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	x.cancel, x.gone = cancel, life.Done()
	if err = c.remember(x); err == nil {
		err = c.wire.start(ctx, life, x, body, r)
	}
	if err != nil && ctx.Err() != nil && x.abandon() {
		c.spawn(x.skim)
		return nil, err
	}
	if err != nil {
		if c.forsake(x) && ctx.Err() != nil {
			c.wire.cancel(x) // it may be at work already
		}
		x.abort(err)
		return nil, err
	}
	return x, nil
}

// Notify sends a notification. params is a JSON object, or empty.
func (c *Conn) Notify(ctx context.Context, method string, params json.RawMessage) error {
	body, err := requestBody(0, method, params, nil, nil, tracing.Context{})
	if err != nil {
		return err
	}
	if c.life.Over() {
		return c.Err()
	}
	return c.wire.send(ctx, body, method)
}

// Do makes a request that concerns nobody's call, and returns its result. What
// the server asks meanwhile is not about it. The errors are those of Call, of
// Next, and *Error.
func (c *Conn) Do(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	return c.request(ctx, method, params)
}

// request makes a call of the connection's own and returns its result.
func (c *Conn) request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	x, err := c.call(ctx, &Request{Method: method, Params: params}, true)
	if err != nil {
		return nil, err
	}
	defer x.Close()
	return x.await(ctx)
}

// await returns the result of a call of the connection's own.
func (x *Exchange) await(ctx context.Context) (json.RawMessage, error) {
	defer context.AfterFunc(ctx, x.Close)()
	m, err := x.Next()
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, err
	case m.Error != nil:
		return nil, m.Error
	}
	return m.Result, nil
}

// Close ends the connection and every Exchange on it: a session is ended, a
// program's process group is killed.
func (c *Conn) Close() error {
	c.closing.Do(func() {
		open := c.fail(ErrClosed)
		c.telling.Wait()
		c.closed = c.wire.close(open)
		c.work.Wait()
	})
	return c.closed
}

// fail ends the connection for a reason, the first one counts, and returns the
// calls that were open.
func (c *Conn) fail(cause error) []*Exchange {
	c.mu.Lock()
	if c.cause != nil {
		c.mu.Unlock()
		return nil
	}
	c.cause = cause
	open := c.open
	c.open = nil
	clear(c.asked)
	c.mu.Unlock()
	c.life.End()
	close(c.done)
	for _, x := range open {
		x.abort(x.own(underway(cause)))
	}
	return open
}

// retire takes no further calls, since the server does not know the session. What
// it has of other calls comes on their own responses: they end by themselves, and
// the connection with the last of them.
func (c *Conn) retire() {
	c.mu.Lock()
	c.retired = true
	idle := len(c.open) == 0
	c.mu.Unlock()
	if idle {
		c.fail(ErrSessionGone)
	}
}

// spawn runs f beside the caller; Close waits for it. It returns false if the
// connection is gone.
func (c *Conn) spawn(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cause != nil {
		return false
	}
	c.work.Go(f)
	return true
}

func (c *Conn) remember(x *Exchange) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.cause != nil:
		return c.cause
	case c.retired:
		return ErrSessionGone
	}
	i := len(c.open)
	for i > 0 && c.open[i-1].id > x.id { // two calls may come in another order than their ids
		i--
	}
	c.open = slices.Insert(c.open, i, x)
	return nil
}

// forget reports whether the call was still open. What it was asked and has not
// answered may be another's to answer.
func (c *Conn) forget(x *Exchange) bool {
	known, last, left := c.cross(x)
	for _, q := range left {
		if !c.attribute(q.Message, q.size) {
			c.ask(q.Message, q.size)
		}
	}
	if last {
		c.fail(ErrSessionGone)
	}
	return known
}

// cross takes a call off the open ones. last: the connection was retired, and it
// was the last one. left is what it was asked and has not answered.
func (c *Conn) cross(x *Exchange) (known, last bool, left []waiting) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i, ok := c.index(x.id)
	if !ok {
		return false, false, nil
	}
	c.open = slices.Delete(c.open, i, i+1)
	return true, c.retired && len(c.open) == 0, c.unanswered(x)
}

func (c *Conn) index(id int64) (int, bool) {
	return slices.BinarySearchFunc(c.open, id, func(x *Exchange, id int64) int {
		switch {
		case x.id < id:
			return -1
		case x.id > id:
			return 1
		}
		return 0
	})
}

func (c *Conn) find(id json.RawMessage) *Exchange {
	n, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if i, ok := c.index(n); ok {
		return c.open[i]
	}
	return nil
}

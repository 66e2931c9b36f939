package gateway

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/vault"
)

// target is what a call is for.
type target struct {
	server Server
	tool   tool        // of tools/call
	method string      // tools/call, prompts/get, resources/read or completion/complete
	name   string      // the server's own: of the tool or prompt, or the URI
	header http.Header // that its calls have, where that is known already
}

// headers are those of a call with these parameters.
func (t target) headers(params json.RawMessage) http.Header {
	if t.header != nil {
		return t.header
	}
	return t.tool.headers(params)
}

// flight is a request on its way to a server, and what comes back.
type flight struct {
	gateway *Gateway
	who     person
	target  target
	request mcpclient.Request
	bytes   int              // of its parameters
	first   chan arrival     // what came first; of capacity one
	contact *mcptool.Contact // who called, if they can be told something meanwhile
	ctx     context.Context  // of the request, which outlives whoever makes it
	cancel  context.CancelFunc

	lent atomic.Int64 // how often the server has asked for what the client lends

	mu       sync.Mutex
	line     *line
	x        *mcpclient.Exchange
	taken    bool // the first message was read
	closed   bool
	unwanted bool // its client cancelled it
	asked    int  // how many questions of the server's have no answer yet
	limit    *time.Timer
	late     bool // the server was silent for too long
	sent     bool // there is a line to the server: it is its turn
}

// arrival is a message of the server's, or why none comes.
type arrival struct {
	message mcpclient.Message
	err     error
}

// progressTokens are unique among the calls of this process.
var progressTokens atomic.Int64

// launch sends a request. progress asks the server to tell of its progress. The
// flight ends with its response or with close.
func (g *Gateway) launch(who person, t target, params json.RawMessage, progress bool) *flight {
	f := g.newFlight(who, t, params, progress)
	g.work.Go(f.fly)
	return f
}

// newFlight returns a flight that has to fly yet.
func (g *Gateway) newFlight(who person, t target, params json.RawMessage, progress bool) *flight {
	f := &flight{gateway: g, who: who, target: t, bytes: len(params), first: make(chan arrival, 1), request: mcpclient.Request{
		Method: t.method, Name: t.name, Params: params, Header: t.headers(params), LogLevel: who.level, Task: t.tool.task,
	}}
	f.ctx, f.cancel = context.WithCancel(g.ctx)
	if g.opts.CallTime > 0 {
		f.limit = time.AfterFunc(g.opts.CallTime, f.overdue)
	}
	if progress {
		f.request.Progress = strconv.AppendInt(nil, progressTokens.Add(1), 10)
	}
	return f
}

// fly makes the request and puts what comes first into f.first.
func (f *flight) fly() {
	message, err := f.send(f.ctx, f.request)
	if errors.Is(err, mcpclient.ErrSessionGone) && !errors.Is(err, mcpclient.ErrUnderway) {
		// The server did not know the session, so it did not take the call.
		message, err = f.send(f.ctx, f.request)
	}
	f.request.Params = nil // it is not sent again
	message, err = f.heard(message, err)
	var provider *vault.ProviderError
	if errors.Is(err, mcpclient.ErrUnreachable) && !errors.As(err, &provider) && f.ctx.Err() == nil {
		f.gateway.shelves.of(f.who, f.target.server).doubt()
	}
	f.first <- arrival{message, err}
}

// send makes the request on a line and returns what comes first.
func (f *flight) send(ctx context.Context, request mcpclient.Request) (mcpclient.Message, error) {
	l, err := f.gateway.lines.take(ctx, f.who, f.target.server)
	if err != nil {
		return mcpclient.Message{}, err
	}
	f.leaves()
	x, err := l.conn.Call(ctx, request)
	if err == nil && !f.hold(l, x) {
		x.Close()
		err = mcpclient.ErrClosed
	}
	if err != nil {
		if errors.Is(err, mcpclient.ErrSessionGone) {
			l.lose()
		}
		l.give()
		return mcpclient.Message{}, err
	}
	m, err := x.Next()
	if err != nil {
		if errors.Is(err, mcpclient.ErrSessionGone) {
			l.lose()
		}
		f.letGo()
	}
	return m, err
}

// leaves begins the server's time: before there was a line it had nothing to answer.
func (f *flight) leaves() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = true
	if f.limit != nil && !f.closed && f.asked == 0 {
		f.limit.Reset(f.gateway.opts.CallTime)
	}
}

// hold keeps the line and the exchange for as long as the flight lasts.
func (f *flight) hold(l *line, x *mcpclient.Exchange) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.line, f.x = l, x
	return true
}

// letGo ends the exchange and gives the line back, if they are held.
func (f *flight) letGo() {
	f.mu.Lock()
	x, l := f.x, f.line
	f.x, f.line = nil, nil
	f.mu.Unlock()
	if x != nil {
		x.Close()
		l.give()
	}
}

// next returns the next message. When ctx ends first, so does the flight.
func (f *flight) next(ctx context.Context) (mcpclient.Message, error) {
	f.mu.Lock()
	taken, x := f.taken, f.x
	f.mu.Unlock()
	if !taken {
		select {
		case a := <-f.first:
			f.mu.Lock()
			f.taken = true
			f.mu.Unlock()
			return whole(a.message, a.err)
		case <-ctx.Done():
			f.close()
			return mcpclient.Message{}, context.Cause(ctx)
		}
	}
	if x == nil {
		return mcpclient.Message{}, mcpclient.ErrClosed
	}
	stop := context.AfterFunc(ctx, f.close)
	defer stop()
	m, err := x.Next()
	m, err = whole(f.heard(m, err))
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return m, err
}

// whole reads a large result to its end: only the shortcut passes it on as it
// comes.
func whole(m mcpclient.Message, err error) (mcpclient.Message, error) {
	if err == nil {
		err = m.Whole()
	}
	return m, err
}

// reply answers a question of the server's.
func (f *flight) reply(ctx context.Context, id, result json.RawMessage, fail *mcpclient.Error) error {
	f.mu.Lock()
	x := f.x
	if f.asked--; f.asked == 0 && f.limit != nil && !f.closed {
		f.limit.Reset(f.gateway.opts.CallTime) // it is the server's turn
	}
	f.mu.Unlock()
	if x == nil {
		return mcpclient.ErrClosed
	}
	return x.Reply(ctx, id, result, fail)
}

// close ends the flight; a server that still works on it is told.
func (f *flight) close() {
	f.cancel()
	f.mu.Lock()
	f.closed = true
	if f.limit != nil {
		f.limit.Stop()
	}
	f.mu.Unlock()
	f.letGo()
}

// overdue ends a flight whose server is silent, though it is its turn to speak.
func (f *flight) overdue() {
	f.mu.Lock()
	f.late = !f.closed && f.asked == 0
	late := f.late
	f.mu.Unlock()
	if late {
		f.close()
	}
}

// heard notes what the server said, or why it says nothing more. It has its time
// anew after each word, and all the time while a person thinks.
func (f *flight) heard(m mcpclient.Message, err error) (mcpclient.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err != nil && f.late && !f.sent:
		return m, failed("%s could not be spoken to for %v; the call was not sent.", f.target.server.Name, f.gateway.opts.CallTime)
	case err != nil && f.late && f.target.tool.repeatable():
		return m, failed("%s has not answered for %v. It may be called again.", f.target.server.Name, f.gateway.opts.CallTime)
	case err != nil && f.late:
		limit := f.gateway.opts.CallTime
		return m, failed("%s has not answered for %v: whether the call was carried out is not known. Find out before you make it again.", f.target.server.Name, limit)
	case f.limit == nil || f.closed:
	case err != nil, m.Response() && m.Rest == nil:
		f.limit.Stop()
	case m.Request():
		f.asked++
		f.limit.Stop()
	case f.asked == 0:
		f.limit.Reset(f.gateway.opts.CallTime)
	}
	return m, err
}

// flightHeader leads from a request that the shortcut has begun to its flight.
// Nobody outside knows the ids.
const flightHeader = "Parley-Flight"

// flights are those that were begun by the shortcut: on their way to a client
// that can be told no more than a result, or to a crossing.
type flights struct {
	mu      sync.Mutex
	handed  map[string]*flight
	running map[flightKey]*flight
}

// flightKey is a client's name for a request.
type flightKey struct{ session, id string }

func (a *flights) init() {
	a.handed, a.running = map[string]*flight{}, map[flightKey]*flight{}
}

// handedFor is how long a flight waits for the crossing of a session's request.
const handedFor = 30 * time.Second

// hand leaves a flight to the crossing of the same request, which is told of it
// by the header of the request that is returned. One that nobody takes is closed:
// when the request is over, or, since requests of sessions outlive their
// connections, after a while.
func (a *flights) hand(f *flight, r *http.Request, session string) *http.Request {
	id := rand.Text()
	a.mu.Lock()
	a.handed[id] = f
	a.mu.Unlock()
	drop := func() {
		if f := a.take(id); f != nil {
			f.close()
		}
	}
	if session == "" {
		context.AfterFunc(r.Context(), drop)
	} else {
		waiting, over := context.WithTimeout(f.gateway.ctx, handedFor)
		context.AfterFunc(waiting, func() {
			over()
			drop()
		})
	}
	handed := *r
	handed.Header = r.Header.Clone()
	handed.Header.Set(flightHeader, id)
	return &handed
}

// begun reports whether a request is that of a flight which waits for its crossing.
func (a *flights) begun(header http.Header) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.handed[header.Get(flightHeader)] != nil
}

func (a *flights) take(id string) *flight {
	if id == "" {
		return nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	f := a.handed[id]
	delete(a.handed, id)
	return f
}

// run remembers a flight of a session while the shortcut waits for it, so that
// its client can cancel it.
func (a *flights) run(key flightKey, f *flight) (end func()) {
	if key.session == "" {
		return func() {}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.running[key] = f
	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.running[key] == f {
			delete(a.running, key)
		}
	}
}

// cancelled ends the flight that a client of a session no longer wants.
func (a *flights) cancelled(session string, params json.RawMessage) {
	id, ok := mcpclient.Member(params, "requestId")
	if !ok {
		return
	}
	a.mu.Lock()
	f := a.running[flightKey{session, string(id)}]
	a.mu.Unlock()
	if f != nil {
		f.mu.Lock()
		f.unwanted = true
		f.mu.Unlock()
		f.close()
	}
}

func (f *flight) cancelled() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unwanted
}

package mcptool

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/mcpclient"
)

// CallsOptions is how many calls may be in progress at once. Zero fields mean the
// defaults, negative ones no limit.
type CallsOptions struct {
	PerPerson int // or program; default 512. Callers whom nobody knows have ten times as many together
	InAll     int // default 4,096
}

// Calls counts the calls that are in progress in this process, whether or not
// their clients still wait: those that a server works on, those that wait for a
// person on their open connection, and tasks. A call that was suspended, or whose
// task is over, is none. One with long arguments counts for several. Make it with
// NewCalls.
type Calls struct {
	perPerson, inAll       int
	people, strangers, all *limit.Held

	mu       sync.Mutex
	messages map[string]func() // counted before they were read, by the id for who reads them: what ends their count
}

// NewCalls returns a count with these bounds.
func NewCalls(opts *CallsOptions) *Calls {
	o := CallsOptions{}
	if opts != nil {
		o = *opts
	}
	c := &Calls{perPerson: cmp.Or(o.PerPerson, 512), inAll: cmp.Or(o.InAll, 4096), messages: map[string]func(){}}
	c.people, c.strangers, c.all = limit.NewHeld(c.perPerson, 0), limit.NewHeld(c.perPerson*limit.AnonymousShare, 0), limit.NewHeld(0, c.inAll)
	return c
}

// callWeight is how many bytes of arguments a call has that counts for one more.
const callWeight = 64 << 10

// Begin counts a call of somebody, with so many bytes of arguments, until end is
// called. The error, a *jsonrpc.Error, says that there are too many: nothing was
// begun.
func (c *Calls) Begin(who parley.Principal, bytes int) (end func(), err error) {
	held, key := c.whose(who)
	n := 1 + bytes/callWeight
	their, ok := held.TakeMany(key, n)
	if !ok {
		return nil, tooManyCalls(fmt.Sprintf("you have too many calls in progress: wait until one ends, or cancel one. There may be %d", c.perPerson))
	}
	one, ok := c.all.TakeMany("", n)
	if !ok {
		their()
		return nil, tooManyCalls("too many calls are in progress here: try again in a moment")
	}
	return func() { their(); one() }, nil
}

// GoOn counts a call that was let in already.
func (c *Calls) GoOn(who parley.Principal, bytes int) (end func()) {
	held, key := c.whose(who)
	n := 1 + bytes/callWeight
	their, one := held.AddMany(key, n), c.all.AddMany("", n)
	return func() { their(); one() }
}

// countedHeader leads from a message to its count. Nobody outside knows the ids.
const countedHeader = "Parley-Counted"

// hold keeps a count for whoever reads the message that the returned request carries.
// drop ends the count, unless they have taken it on.
func (c *Calls) hold(r *http.Request, end func()) (counted *http.Request, drop func()) {
	id := rand.Text()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.messages[id] = end
	again := *r
	again.Header = r.Header.Clone()
	again.Header.Set(countedHeader, id)
	return &again, func() {
		if end, held := c.takeOn(again.Header); held {
			end()
		}
	}
}

// takeOn is the count of a message that was counted before it was read.
func (c *Calls) takeOn(header http.Header) (end func(), held bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := header.Get(countedHeader)
	end, held = c.messages[id]
	delete(c.messages, id)
	return end, held
}

// Count counts the call that a message asks for by the length of its parameters, before
// any of them is read: the error is that of Calls.Begin. The message is read from the
// returned request, whose reader takes the count on; what nobody took on is over with
// end. What goes on was let in, and so is a message that asks for no call.
func (a *Asker) Count(r *http.Request, m mcpclient.Message) (counted *http.Request, end func(), err error) {
	if !m.Request() || !slices.Contains([]string{"tools/call", "prompts/get", "resources/read", "completion/complete"}, m.Method) {
		return r, func() {}, nil
	}
	who, err := a.caller(&mcp.RequestExtra{TokenInfo: auth.TokenInfoFromContext(r.Context()), Header: r.Header})
	if err != nil {
		return r, func() {}, nil // whoever reads it says what is wrong
	}
	var over func()
	if a.continues(r.Context(), m.Params) {
		over = a.opts.Calls.GoOn(who, len(m.Params))
	} else if over, err = a.opts.Calls.Begin(who, len(m.Params)); err != nil {
		return nil, nil, err
	}
	limit.Understood(r.Context()) // it is bounded by its count from here on
	counted, end = a.opts.Calls.hold(r, over)
	return counted, end, nil
}

// continues reports whether parameters have a requestState of ours. With another one
// nobody comes in who would be one too many.
func (a *Asker) continues(ctx context.Context, params json.RawMessage) bool {
	raw, ok := mcpclient.Member(params, "requestState")
	var token string
	if !ok || json.Unmarshal(raw, &token) != nil || token == "" {
		return false
	}
	keys, err := a.Keys(ctx)
	if err != nil {
		return false
	}
	_, err = keys.OpenToken(statePurpose, token)
	return err == nil
}

// InProgress is how many there are.
func (c *Calls) InProgress() int { return c.all.Open() }

// whose is who a call counts for. Sessions and calls of nobody in particular could
// be as many as they like: they count together, and may be more.
func (c *Calls) whose(who parley.Principal) (held *limit.Held, key string) {
	key, known := shareOf(who)
	if known {
		return c.people, key
	}
	return c.strangers, key
}

// shareOf names whose share of what is bounded somebody takes from: a person's, a
// program's, or that of all in their tenant who are not known.
func shareOf(who parley.Principal) (key string, known bool) {
	tenant := cmp.Or(who.Tenant, parley.DefaultTenant)
	switch {
	case who.IsPerson():
		return tenant + "\x00" + who.User, true
	case who.Key != "":
		return tenant + "\x00\x00" + who.Key, true
	}
	return tenant, false
}

// Share names whose share of what is bounded a request takes from. A caller who
// cannot be has no calls that could go on, and no name.
func (a *Asker) Share(extra *mcp.RequestExtra) string {
	who, err := a.caller(extra)
	if err != nil {
		return ""
	}
	share, _ := shareOf(who)
	return share
}

// CodeTooManyCalls is the JSON-RPC code of a call that was not begun because too
// many are in progress.
const CodeTooManyCalls = -32000

func tooManyCalls(text string) error {
	return &jsonrpc.Error{Code: CodeTooManyCalls, Message: text}
}

// counted counts a request that a handler may take long for, until end is called: by
// what Count has counted, or anew where it came another way.
// What goes on was counted when it began, and was let in: a client that comes back
// for it, or that hands a requestState over, is.
func (at *attached) counted(req mcp.Request) (end func(), err error) {
	bytes, goesOn := 0, false
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		bytes, goesOn = len(r.Params.Arguments), r.Params.RequestState != ""
	case *mcp.GetPromptRequest:
		for name, value := range r.Params.Arguments {
			bytes += len(name) + len(value)
		}
		goesOn = r.Params.RequestState != ""
	case *mcp.ReadResourceRequest:
		bytes, goesOn = len(r.Params.URI), r.Params.RequestState != ""
	default:
		return func() {}, nil
	}
	calls := at.asker.opts.Calls
	extra := req.GetExtra()
	if extra != nil && extra.Header != nil {
		if end, held := calls.takeOn(extra.Header); held {
			return end, nil
		}
	}
	sr := req.(serverRequest)
	_, who, err := at.asker.client(sr)
	if err != nil {
		return nil, err
	}
	if goesOn || extra != nil && extra.Header != nil && at.asker.opts.Begun(extra.Header) {
		return calls.GoOn(who, bytes), nil
	}
	return calls.Begin(who, bytes)
}

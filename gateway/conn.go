package gateway

import (
	"context"
	"sync"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// conn is a connection to a server with what the gateway passes on of it.
type conn struct {
	*mcpcall.Conn
	gateway *Gateway
	told    chan mcpclient.Message // what belongs to no call and waits to be passed on
	stirred chan struct{}          // has something in it when changed has

	subscribing sync.Mutex // held while a subscription of an older server's comes or goes

	mu         sync.Mutex
	subscribed map[string][]*subscription // by the server's own URIs
	own        *listing                   // what the server offers to this session; nil: what it offers to all
	level      string                     // from which on an older server logs; empty: as it likes
	changed    map[string]bool            // the kinds of lists that it says have changed
}

// prepare has a connection hear what belongs to its session.
func (g *Gateway) prepare(_ context.Context, c *mcpcall.Conn, _ person, opts *mcpclient.Options) error {
	if c.Key().Lists {
		opts.Notify = func(m mcpclient.Message) { g.toolCache.Heard(c, m) }
		return nil
	}
	l := &conn{Conn: c, gateway: g, told: make(chan mcpclient.Message, maxTold), stirred: make(chan struct{}, 1)}
	c.Attached = l
	opts.Notify, opts.SessionOnly, opts.Request, opts.Tasks = l.heard, true, l.asked, true
	return nil
}

// acquire returns a connection to a server; the caller releases it.
func (g *Gateway) acquire(ctx context.Context, who person, s Server) (*conn, error) {
	c, err := g.calls.Conns.Acquire(ctx, who, s)
	if err != nil {
		return nil, err
	}
	return c.Attached.(*conn), nil
}

// connsOf are the connections of a session that are connected.
func (g *Gateway) connsOf(session string) (found []*conn) {
	for _, c := range g.calls.Conns.OfSession(session) {
		if l, ok := c.Attached.(*conn); ok {
			found = append(found, l)
		}
	}
	return found
}

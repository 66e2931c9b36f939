package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/mcptool"
)

// subscribing answers the methods by which clients say that they want to hear of
// changed resources. The SDK, whose own list of subscriptions does not know whose
// a resource is, does the rest.
func (g *Gateway) subscribing(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		session := req.GetSession().ID()
		switch params := req.GetParams().(type) {
		case *mcp.SubscribeParams:
			if err := g.subscribeSession(ctx, requester(req), session, params.URI); err != nil {
				return nil, g.asker.Public(ctx, err)
			}
		case *mcp.UnsubscribeParams:
			g.clients.unsubscribe(session, params.URI)
		case *mcp.SubscriptionsListenParams:
			listen, ok := req.(*mcp.ServerRequest[*mcp.SubscriptionsListenParams])
			if ok && params.Notifications != nil && len(params.Notifications.ResourceSubscriptions) > 0 {
				return g.listen(ctx, method, listen, next)
			}
		}
		return next(ctx, method, req)
	}
}

// subscribed is for the SDK, which says that there are subscriptions if somebody
// takes them.
func subscribed[R any](context.Context, R) error { return nil }

// subscribeSession has a session hear of a resource.
func (g *Gateway) subscribeSession(ctx context.Context, who person, session, uri string) error {
	full, known := g.clients.subscriptions(session, uri)
	switch {
	case known:
		return nil
	case full:
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("a session hears of %d resources at most: unsubscribe from one first", maxSubscriptions)}
	}
	sub, err := g.subscribe(ctx, who, uri, func(ctx context.Context, params map[string]any) {
		if to := g.sessions.Contact(session); to != nil {
			g.notify(ctx, to, updatedMethod, params)
		}
	})
	if err != nil {
		return err
	}
	if !g.clients.subscribe(session, uri, sub) || g.sessions.Contact(session) == nil {
		sub.life.End() // somebody was faster, or the session has ended
	}
	return nil
}

// listen serves a stream of 2026-07-28 on which a client hears of resources. What
// no server tells of is left out of what is acknowledged.
func (g *Gateway) listen(ctx context.Context, method string, req *mcp.ServerRequest[*mcp.SubscriptionsListenParams], next mcp.MethodHandler) (mcp.Result, error) {
	uris := slices.Compact(slices.Sorted(slices.Values(req.Params.Notifications.ResourceSubscriptions)))
	if len(uris) > maxSubscriptions {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("resourceSubscriptions: %d at most", maxSubscriptions)}
	}
	stream := g.clients.open(req.Session, g.asker.ContactOf(req.Session))
	defer g.clients.close(req.Session)
	who, taken := requester(req), make([]string, 0, len(uris))
	var mu sync.Mutex
	var all sync.WaitGroup
	for _, uri := range uris {
		all.Go(func() {
			sub, err := g.subscribe(ctx, who, uri, func(telling context.Context, params map[string]any) {
				g.onStream(ctx, telling, stream, params)
			})
			if err != nil {
				g.opts.Logger.DebugContext(ctx, "resource not subscribed", "uri", uri[:min(len(uri), maxURI)], "err", err)
				return
			}
			context.AfterFunc(ctx, sub.life.End)
			mu.Lock()
			defer mu.Unlock()
			taken = append(taken, uri)
		})
	}
	all.Wait()
	slices.Sort(taken)
	wanted, params := *req.Params.Notifications, *req.Params
	wanted.ResourceSubscriptions, params.Notifications = taken, &wanted
	return next(ctx, method, &mcp.ServerRequest[*mcp.SubscriptionsListenParams]{Session: req.Session, Params: &params, Extra: req.Extra})
}

// stream is a client's subscriptions/listen.
type stream struct {
	contact *mcptool.Contact
	acked   chan struct{} // closed when it was acknowledged
	id      any           // set then
}

// onStream tells the client of a stream, after it was acknowledged: the context
// of its request leads there.
func (g *Gateway) onStream(request, telling context.Context, s *stream, params map[string]any) {
	select {
	case <-s.acked:
	case <-telling.Done():
		return
	}
	params["_meta"] = map[string]any{mcp.MetaKeySubscriptionID: s.id}
	g.notify(request, s.contact, updatedMethod, params)
}

func (g *Gateway) notify(ctx context.Context, to *mcptool.Contact, method string, params map[string]any) {
	var raw json.RawMessage // without parameters: some clients take null for none, others do not
	var err error
	if params != nil {
		raw, err = json.Marshal(params)
	}
	if err == nil {
		err = to.Notify(ctx, method, raw)
	}
	if err != nil {
		g.opts.Logger.DebugContext(ctx, "client not told", "method", method, "err", err)
	}
}

// acknowledged notes the id of a stream, which the SDK gives it.
func (g *Gateway) acknowledged(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		params, ok := req.GetParams().(*mcp.SubscriptionsAcknowledgedParams)
		if session, known := req.GetSession().(*mcp.ServerSession); ok && known && err == nil {
			g.clients.acknowledge(session, params.Meta[mcp.MetaKeySubscriptionID])
		}
		return result, err
	}
}

func (c *clients) open(session *mcp.ServerSession, contact *mcptool.Contact) *stream {
	s := &stream{contact: contact, acked: make(chan struct{})}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.streams == nil {
		c.streams = map[*mcp.ServerSession]*stream{}
	}
	c.streams[session] = s
	return s
}

func (c *clients) close(session *mcp.ServerSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.streams, session)
}

func (c *clients) acknowledge(session *mcp.ServerSession, id any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.streams[session]; s != nil && s.id == nil {
		s.id = id
		close(s.acked)
	}
}

// subscriptions reports whether a session has as many as it may, and whether it
// has this one.
func (c *clients) subscriptions(session, uri string) (full, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := c.subscribed[session]
	return len(all) >= maxSubscriptions, all[uri] != nil
}

func (c *clients) subscribe(session, uri string, s *subscription) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.subscribed == nil {
		c.subscribed = map[string]map[string]*subscription{}
	}
	all := c.subscribed[session]
	if all == nil {
		all = map[string]*subscription{}
		c.subscribed[session] = all
	}
	if all[uri] != nil || len(all) >= maxSubscriptions {
		return false
	}
	all[uri] = s
	return true
}

func (c *clients) unsubscribe(session, uri string) {
	c.mu.Lock()
	s := c.subscribed[session][uri]
	delete(c.subscribed[session], uri)
	c.mu.Unlock()
	if s != nil {
		s.life.End()
	}
}

// forget ends what a session has asked for.
func (c *clients) forget(session string) {
	c.mu.Lock()
	all := slices.Collect(maps.Values(c.subscribed[session]))
	delete(c.subscribed, session)
	delete(c.levels, session)
	c.mu.Unlock()
	for _, s := range all {
		s.life.End()
	}
}

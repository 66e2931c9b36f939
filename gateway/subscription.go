package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/parley-hq/parley/internal/crew"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

const updatedMethod = "notifications/resources/updated"

// maxSubscriptions is how many resources a session, or a stream of 2026-07-28,
// may hear of.
const maxSubscriptions = 256

// maxURI is how long the name of a resource may be that is kept. Links that are
// shown have the same bound.
const maxURI = 8 << 10

// subscription is a resource of a server's whose changes a client hears of. It
// keeps a connection to the server for as long as it lasts.
type subscription struct {
	gateway *Gateway
	who     person
	server  Server
	uri     string // the server's own
	name    string // as it is called here
	tell    func(ctx context.Context, params map[string]any)
	life    crew.Life
}

// errNoUpdates is for servers that do not say when their resources change.
func errNoUpdates(server string) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: server + " does not say when its resources change"}
}

// subscribe has somebody hear of a resource until ctx ends, or the returned
// subscription is cancelled.
func (g *Gateway) subscribe(ctx context.Context, who person, uri string, tell func(context.Context, map[string]any)) (*subscription, error) {
	if len(uri) > maxURI {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("uri: it has %d KiB at most", maxURI>>10)}
	}
	s, own, known, err := g.resourceOwner(ctx, who, fullURI(ctx, uri))
	switch {
	case err != nil:
		return nil, err
	case !known:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "there is no such resource"}
	}
	if err := g.calls.Credential(ctx, who, s); err != nil {
		return nil, protocolFailure(failed("%s", mcpcall.Reason(err, s.Name)))
	}
	sub := &subscription{gateway: g, who: who, server: s, uri: own, name: uri, tell: tell, life: crew.Begin(g.life.Context())}
	first := make(chan error, 1)
	g.work.Go(func() { sub.keep(sub.life.Context(), first) })
	select {
	case err = <-first:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err == nil {
		return sub, nil
	}
	sub.life.End()
	var wire *mcpclient.Error
	var ours *jsonrpc.Error
	switch {
	case errors.As(err, &ours):
		return nil, err
	case errors.As(err, &wire):
		return nil, errorFor(wire, who.Session == "")
	}
	return nil, protocolFailure(failed("%s", mcpcall.Reason(err, s.Name)))
}

// keep subscribes at the server, again whenever the connection was lost, and says
// of the first time how it went. What changed meanwhile is not known, so the
// client looks for itself then.
func (s *subscription) keep(ctx context.Context, first chan<- error) {
	for pause := time.Second; ; pause = min(2*pause, 30*time.Second) {
		began := time.Now()
		err := s.once(ctx, func() {
			if first != nil {
				first <- nil
				first = nil
				return
			}
			s.updated(map[string]any{"uri": s.name})
		})
		switch {
		case first != nil:
			first <- err
			return
		case ctx.Err() != nil:
			return
		case time.Since(began) > time.Minute:
			pause = time.Second
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// once subscribes on a connection and waits until that is over. begun is called when
// the server has taken it.
func (s *subscription) once(ctx context.Context, begun func()) error {
	l, err := s.gateway.acquire(ctx, s.who, s.server)
	if err != nil {
		return err
	}
	defer l.Release(true)
	if !l.Wire().Server().Subscribe {
		return errNoUpdates(s.server.Name)
	}
	if l.Wire().Modern() {
		defer l.listen(s)()
		wanted, _ := json.Marshal(map[string]any{"notifications": map[string]any{"resourceSubscriptions": []string{s.uri}}})
		begun() // it says so on the stream, or refuses at once
		_, err := l.Wire().Do(ctx, "subscriptions/listen", wanted)
		return err
	}
	last, err := s.ask(ctx, l)
	if err != nil {
		last()
		return err
	}
	begun()
	select {
	case <-l.Wire().Done():
	case <-ctx.Done():
	}
	s.leave(ctx, l, last)
	return nil
}

// ask subscribes at an older server. One subscription at a time comes or goes on a
// connection: one that goes must not take along one that comes.
func (s *subscription) ask(ctx context.Context, l *conn) (last func() bool, err error) {
	l.subscribing.Lock()
	defer l.subscribing.Unlock()
	last = l.listen(s)
	params, _ := json.Marshal(map[string]string{"uri": s.uri})
	_, err = l.Wire().Do(ctx, "resources/subscribe", params)
	return last, err
}

// leave unsubscribes, if nobody else on the connection wants to hear of the resource.
func (s *subscription) leave(ctx context.Context, l *conn, last func() bool) {
	l.subscribing.Lock()
	defer l.subscribing.Unlock()
	if !last() || l.Wire().Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), attuneTime)
	defer cancel()
	params, _ := json.Marshal(map[string]string{"uri": s.uri})
	_, _ = l.Wire().Do(ctx, "resources/unsubscribe", params)
}

// listen has a subscription hear what its connection brings. The returned function ends
// that, and reports whether nobody else on the connection wants to hear of the
// resource.
func (l *conn) listen(s *subscription) (end func() bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.subscribed == nil {
		l.subscribed = map[string][]*subscription{}
	}
	l.subscribed[s.uri] = append(l.subscribed[s.uri], s)
	return func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		rest := slices.DeleteFunc(slices.Clone(l.subscribed[s.uri]), func(other *subscription) bool { return other == s })
		l.subscribed[s.uri] = rest
		if len(rest) == 0 {
			delete(l.subscribed, s.uri)
		}
		return len(rest) == 0
	}
}

// updated tells those who subscribed that a resource has changed. It may be a
// part of the one that they subscribed to.
func (l *conn) updated(params json.RawMessage) {
	quoted, _ := mcpclient.Member(params, "uri")
	var uri string
	if json.Unmarshal(quoted, &uri) != nil {
		return
	}
	l.mu.Lock()
	concerned := slices.Clone(l.subscribed[uri])
	if concerned == nil {
		for own, all := range l.subscribed {
			if strings.HasPrefix(uri, own) {
				concerned = append(concerned, all...)
			}
		}
	}
	l.mu.Unlock()
	for _, s := range concerned {
		s.updated(map[string]any{"uri": s.nameOf(uri)})
	}
}

// nameOf is what the resource, or a part of it, is called here.
func (s *subscription) nameOf(uri string) string {
	if front, ok := strings.CutSuffix(s.name, s.uri); ok {
		return front + uri
	}
	if ofApp(uri) {
		return appURI(s.server.Name, uri)
	}
	return s.name
}

func (s *subscription) updated(params map[string]any) {
	ctx, cancel := context.WithTimeout(s.life.Context(), passTime)
	defer cancel()
	s.tell(ctx, params)
}

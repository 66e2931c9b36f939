package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/toolname"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/vault"
)

// listMember is what the result of a list method calls its list.
var listMember = map[string]string{
	"tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates",
}

// offer is a server with what it offers, or why it offers nothing.
type offer struct {
	server  Server
	listing *listing
	err     error

	unconnectable bool // the name of the tool that connects it means another's
}

// offers are what all servers offer to somebody, in their order. Servers that are
// not known yet are waited for a while, all at once.
func (g *Gateway) offers(ctx context.Context, who person) ([]offer, error) {
	servers, err := g.opts.Catalogue.Servers(ctx, who.Tenant)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, g.opts.ListTimeout)
	defer cancel()
	all := make([]offer, len(servers))
	var wg sync.WaitGroup
	only := onlyServer(ctx)
	for i, s := range servers {
		all[i].server = s
		if only != "" && s.Name != only {
			continue // who came by one server's endpoint waits for no other
		}
		if all[i].listing = g.ownListing(who, s); all[i].listing != nil {
			continue
		}
		list := g.toolCache.Of(who, s)
		var ready bool
		if all[i].listing, ready, all[i].err = list.Ready(); ready {
			continue
		}
		wg.Go(func() { all[i].listing, all[i].err = list.Current(ctx) })
	}
	wg.Wait()
	g.tellApart(ctx, who.Tenant, all)
	return all, nil
}

// viewer is how a client sees lists.
type viewer struct {
	modern bool      // it is of 2026-07-28
	plain  bool      // without output schemas: what may be a question for the model instead does not fit them
	apps   bool      // with the tools that are for servers' user interfaces
	own    *appNames // by the server's own names; nil: by those of the endpoint for all
}

// items are what a list method lists for somebody.
func (g *Gateway) items(ctx context.Context, who person, method string, as viewer) ([]json.RawMessage, error) {
	list := []json.RawMessage{}
	only := onlyServer(ctx)
	if only != "" {
		_, own := g.ownAppNames(only)
		as.own = &own
	}
	if method == "tools/list" && only == "" && g.opts.Ask != nil {
		list = append(list, g.opts.Ask.tool())
	}
	if method == "tools/list" && only == "" && g.opts.Expose == Execute {
		return append(list, findSchema, executeSchema), nil
	}
	all, err := g.offers(ctx, who)
	if err != nil {
		return nil, err
	}
	uris := map[string]bool{}
	for _, s := range all {
		switch {
		case s.listing != nil:
			list = s.listing.append(list, method, as, s.server.Name, uris)
		case method == "tools/list" && s.connectable():
			list = append(list, as.named(connectTool(s.server), "name", connectName))
		}
	}
	if method == "tools/list" && only == "" && as.apps {
		return g.appendBare(ctx, who, list, as)
	}
	return list, nil
}

// named is an entry with the name that its viewer knows it by.
func (as viewer) named(raw json.RawMessage, member, own string) json.RawMessage {
	if as.own == nil {
		return raw
	}
	return as.own.ownEntry(raw, member, own)
}

// append adds what a server offers. A resource whose URI another server has
// taken stands behind its server's name.
func (l *listing) append(list []json.RawMessage, method string, as viewer, server string, taken map[string]bool) []json.RawMessage {
	switch method {
	case "tools/list":
		for _, t := range l.tools {
			if t.AppOnly && !as.apps {
				continue // who shows none would show it to a model
			}
			if as.own != nil && mcptool.OwnTool(t.name) {
				continue // by that name ours is called
			}
			list = append(list, as.named(t.seen(as), "name", t.name))
		}
	case "prompts/list":
		for _, it := range l.prompts {
			list = append(list, as.named(it.as(as.modern), "name", it.name))
		}
	case "resources/list", "resources/templates/list":
		items, member := l.resources, "uri"
		if method != "resources/list" {
			items, member = l.templates, "uriTemplate"
		}
		for _, it := range items {
			if as.own != nil && mcptool.OwnApp(it.name) {
				continue // by that name ours is read
			}
			raw := it.as(as.modern)
			if taken[it.name] && !ofApp(it.name) {
				raw, _ = rewrite(raw, func(members map[string]json.RawMessage) {
					members[member], _ = json.Marshal(server + "+" + it.name)
				})
			}
			taken[it.name] = true
			list = append(list, as.named(raw, member, it.name))
		}
	}
	return list
}

// listFor is a list as one client sees it, with the tools that mcptool has for
// clients that cannot ask.
func (g *Gateway) listFor(ctx context.Context, who person, peer mcphttp.Peer, method string, modern bool) ([]json.RawMessage, error) {
	fallback := g.asker.FallbackTools(peer.Capabilities)
	list, err := g.items(ctx, who, method, viewer{modern: modern, plain: len(fallback) > 0, apps: showsApps(peer.Capabilities)})
	if err != nil || method != "tools/list" {
		return list, err
	}
	for _, t := range fallback {
		raw, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		list = append(list, raw)
	}
	return list, nil
}

// serveList writes a list, in one page.
func (g *Gateway) serveList(w http.ResponseWriter, r *http.Request, peer mcphttp.Peer, m mcpclient.Message) {
	if cursor, there := mcpclient.Member(m.Params, "cursor"); there && len(cursor) > len(`""`) {
		writeMessage(w, m.ID, mcpclient.Message{Error: &mcpclient.Error{Code: jsonrpc.CodeInvalidParams, Message: "cursor: lists come in one page"}}, false)
		return
	}
	list, err := g.listFor(r.Context(), callerOf(r, peer), peer, m.Method, peer.Session == "")
	if err != nil {
		writeMessage(w, m.ID, mcpclient.Message{Error: &mcpclient.Error{Code: jsonrpc.CodeInternalError, Message: g.asker.Public(r.Context(), fmt.Errorf("%s: %w", m.Method, err)).Error()}}, false)
		return
	}
	size := 128
	for _, raw := range list {
		size += len(raw) + 1
	}
	body := make([]byte, 0, size)
	body = append(append(body, `{"jsonrpc":"2.0","id":`...), m.ID...)
	body = append(body, `,"result":{`...)
	if peer.Session == "" {
		body = append(body, `"resultType":"complete","ttlMs":1000,"cacheScope":"private",`...)
	}
	body = append(append(append(body, '"'), listMember[m.Method]...), `":[`...)
	for i, raw := range list {
		if i > 0 {
			body = append(body, ',')
		}
		body = append(body, raw...)
	}
	writeJSON(w, append(body, `]}}`...))
}

// listed answers the lists of requests that the shortcut left to the SDK.
func (g *Gateway) listed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		member, ok := listMember[method]
		if err != nil || !ok {
			return result, err
		}
		var peer mcphttp.Peer
		modern := false
		if r, ok := req.(interface {
			ClientCapabilities() *mcp.ClientCapabilities
			ProtocolVersion() string
		}); ok {
			peer.Capabilities, modern = r.ClientCapabilities(), r.ProtocolVersion() >= mcpclient.ModernVersion
		}
		list, err := g.listFor(ctx, requester(req), peer, method, modern)
		if err != nil {
			return nil, g.asker.Public(ctx, fmt.Errorf("%s: %w", method, err))
		}
		raw, err := json.Marshal(map[string]any{member: list})
		if err != nil {
			return nil, err
		}
		clearList(result)
		return result, json.Unmarshal(raw, result)
	}
}

func clearList(result mcp.Result) {
	switch r := result.(type) {
	case *mcp.ListToolsResult:
		r.Tools = nil
	case *mcp.ListPromptsResult:
		r.Prompts = nil
	case *mcp.ListResourcesResult:
		r.Resources = nil
	case *mcp.ListResourceTemplatesResult:
		r.ResourceTemplates = nil
	}
}

// announce tells clients that lists have changed.
func (g *Gateway) announce() {
	if !g.life.Over() {
		g.asker.Relay(g.server, g) // the SDK tells of it when something is added
	}
}

// lookUpTool finds the tool that a call is for.
func (g *Gateway) lookUpTool(ctx context.Context, who person, name string) (target, error) {
	s, own, ok, err := g.split(ctx, who.Tenant, name)
	if err != nil {
		return target{}, err
	}
	called := name
	if only := onlyServer(ctx); only != "" {
		called, _ = toolname.Within(only, name)
	}
	unknown := &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "unknown tool " + strings.ToValidUTF8(quote(called), "?")}
	if !ok {
		return target{}, unknown
	}
	t := target{Server: s, Method: "tools/call", Name: own}
	ctx, cancel := context.WithTimeout(ctx, g.opts.ListTimeout)
	defer cancel()
	l, err := g.offered(ctx, who, s)
	switch {
	case errors.Is(err, vault.ErrRequired), errors.Is(err, vault.ErrNoPerson):
		return t, nil // what it is will be seen when the person has connected
	case err != nil:
		return t, g.calls.NotSent(ctx, err, s.Name)
	}
	known, ok := l.tool(own)
	if !ok {
		return t, unknown
	}
	t.Tool = known.Tool
	return t, nil
}

func quote(name string) string {
	raw, _ := json.Marshal(name[:min(len(name), 100)])
	return string(raw)
}

// resourceOwner finds whose resource a URI is: a server's that it names, one
// that lists it, one with a template that it fits, or the only one with
// resources. A user interface is that of the server that it names, or nobody's.
func (g *Gateway) resourceOwner(ctx context.Context, who person, uri string) (Server, string, bool, error) {
	if ofApp(uri) {
		return g.appOwner(ctx, who.Tenant, uri)
	}
	all, err := g.offers(ctx, who)
	if err != nil {
		return Server{}, "", false, err
	}
	only := onlyServer(ctx)
	var having []Server
	for i, s := range all {
		if s.listing == nil { // one that is down may be back
			all[i].listing = g.toolCache.Of(who, s.server).Offered()
			s = all[i]
		}
		if only != "" && s.server.Name != only {
			continue
		}
		if own, ok := strings.CutPrefix(uri, s.server.Name+"+"); ok && strings.Contains(own, ":") && !ofApp(own) {
			return s.server, own, true, nil
		}
		if s.listing != nil && len(s.listing.resources)+len(s.listing.templates) > 0 {
			having = append(having, s.server)
		}
	}
	for _, listed := range []func(*listing) bool{
		func(l *listing) bool { return l.lists(uri) },
		func(l *listing) bool { return l.fits(uri) },
	} {
		for _, s := range all {
			if s.listing != nil && listed(s.listing) {
				return s.server, uri, true, nil
			}
		}
	}
	if len(having) == 1 {
		return having[0], uri, true, nil
	}
	return Server{}, "", false, nil
}

// lists reports whether a URI, or a template, is listed.
func (l *listing) lists(uri string) bool {
	named := func(it item) bool { return it.name == uri }
	return slices.ContainsFunc(l.resources, named) || slices.ContainsFunc(l.templates, named)
}

// fits reports whether a URI begins and ends as one of the templates does.
func (l *listing) fits(uri string) bool {
	for _, it := range l.templates {
		head, rest, ok := strings.Cut(it.name, "{")
		if !ok {
			continue
		}
		tail := rest[strings.LastIndex(rest, "}")+1:]
		if strings.HasPrefix(uri, head) && strings.HasSuffix(uri, tail) && len(uri) >= len(head)+len(tail) && head != "" {
			return true
		}
	}
	return false
}

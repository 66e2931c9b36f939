package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
)

// The extension by which clients say that they show servers' user interfaces,
// and what these are.
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appsMIME      = "text/html;profile=mcp-app"
)

// showingApps is what servers are told of a client that says so. It is the same for
// all of them, whatever else they say there, since connections and lists go by it.
const showingApps = `,"extensions":{"` + appsExtension + `":{"mimeTypes":["` + appsMIME + `"]}}`

// appScheme begins the URIs of user interfaces. Hosts draw what they read there
// for the tool that names it, so it is always said whose it is: the ui://REST of a
// server is ui://SERVER/REST here, whatever REST says. Nothing of REST is read or
// changed, so that the way back is exact.
const appScheme = "ui://"

func ofApp(uri string) bool {
	return len(uri) >= len(appScheme) && strings.EqualFold(uri[:len(appScheme)], appScheme)
}

// appURI is the name here of a server's user interface.
func appURI(server, uri string) string {
	return uri[:len(appScheme)] + appHost(server) + "/" + uri[len(appScheme):]
}

// appHost is a server's name as a URI takes it: letters, digits, "-" and "_" as they
// are, which is all that names have in Parley's configuration and API. Of others each
// other byte is written as %XX. It is the only spelling: no other means the server.
// One that is called as we are has another, since ours are there by that name.
func appHost(server string) string {
	if mcptool.OwnApp(appScheme + server + "/") {
		return fmt.Sprintf("%%%02X", server[0]) + server[1:]
	}
	return strings.ReplaceAll(url.QueryEscape(server), "+", "%20") // which is how it writes a space
}

// splitApp takes such a name apart.
func splitApp(uri string) (host, own string, ok bool) {
	if !ofApp(uri) {
		return "", "", false
	}
	host, rest, ok := strings.Cut(uri[len(appScheme):], "/")
	return host, uri[:len(appScheme)] + rest, ok
}

// appOwner is the server whose user interface a name here is, and the server's own
// name for it: that of the server that it names, or nobody's, listed or not.
func (g *Gateway) appOwner(ctx context.Context, tenant, uri string) (Server, string, bool, error) {
	host, own, ok := splitApp(uri)
	if !ok {
		return Server{}, "", false, nil
	}
	s, known, err := g.find(ctx, tenant, func(s Server) bool { return appHost(s.Name) == host })
	return s, own, known, err
}

// showsApps reports whether a client says that it shows user interfaces.
func showsApps(c *mcp.ClientCapabilities) bool { return mcptool.ShowsApps(c) }

// showsTools reports whether clients see the tools themselves.
func (g *Gateway) showsTools(ctx context.Context) bool {
	return g.opts.Expose == Tools || onlyServer(ctx) != ""
}

// callable reports whether a tool may be called: one that is for its server's
// user interface only where there can be one. A client that shows none would let
// its model call it.
func (g *Gateway) callable(ctx context.Context, call *mcptool.Call, t target) error {
	if !t.Tool.AppOnly {
		return nil
	}
	if request := call.Request(); g.showsTools(ctx) && request != nil && showsApps(request.ClientCapabilities()) {
		return nil
	}
	return failed("%s is for the user interface of %s: it cannot be called otherwise.", t.Name, t.Server.Label())
}

// othersTime is how long servers may take to say what they offer, where an approval
// depends on it.
const othersTime = time.Second

// othersApps reports whether another server's user interface may be on the screen of
// who is at an endpoint. At that for all a host takes all of them for one server's, and
// lets each call what is for any. In doubt it may: of a server that does not answer, or
// has shown one before, wherever.
func (g *Gateway) othersApps(ctx context.Context, who parley.Principal, endpoint, server string) bool {
	if endpoint != "" {
		return false // it is the server's own
	}
	ctx, cancel := context.WithTimeout(context.WithValue(ctx, serverKey{}, ""), othersTime)
	defer cancel()
	all, err := g.offers(ctx, person{Principal: who, Able: showingApps})
	if err != nil {
		g.opts.Logger.WarnContext(ctx, "user interfaces of servers not known", "err", err)
		return true
	}
	return slices.ContainsFunc(all, func(s offer) bool {
		return s.server.Name != server && (s.listing == nil || s.listing.showsApps() || g.hasBrought(ctx, s.server.Name))
	})
}

// broughtKind is the kind of the records that say which servers have user interfaces.
// They are of no tenant: what one of that name does elsewhere makes nobody less careful.
const (
	broughtKind   = "gateway_app"
	broughtTenant = "-apps"
	broughtFor    = 90 * 24 * time.Hour
)

func broughtAt(server string) parley.Address {
	return parley.Address{Tenant: broughtTenant, Kind: broughtKind, Key: server}
}

// brings notes that a server has a user interface, for every node and for later: it may
// list it to one session alone, or no more.
func (g *Gateway) brings(server string) {
	if _, known := g.brought.LoadOrStore(server, true); known {
		return
	}
	g.work.Go(func() {
		ctx, cancel := context.WithTimeout(g.life.Context(), passTime)
		defer cancel()
		_, err := parley.Update(ctx, g.records, broughtAt(server), func(r *parley.Record) (bool, error) {
			r.Data, r.Expires = json.RawMessage("{}"), time.Now().Add(broughtFor)
			return true, nil
		})
		if err != nil && ctx.Err() == nil {
			g.opts.Logger.WarnContext(ctx, "server with a user interface not noted", "server", server, "err", err)
		}
	})
}

// hasBrought reports whether a server had a user interface, here or at another node.
func (g *Gateway) hasBrought(ctx context.Context, server string) bool {
	if _, known := g.brought.Load(server); known {
		return true
	}
	_, err := g.records.Load(ctx, broughtAt(server))
	return !errors.Is(err, parley.ErrNotFound)
}

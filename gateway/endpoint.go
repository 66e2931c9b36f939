package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/toolname"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// A gateway has an endpoint for all servers, and one for each: there a server's tools,
// prompts and resources have the names that the server gives them, and a host keeps its
// user interfaces apart from those of others. What is asked for there is the same as at
// the endpoint for all: it gets the name that it has there before anything is looked up,
// ruled on or written down, and only what the client sees differs.

// ServerPath is where a gateway serves one server by itself; {server} is its name.
const ServerPath = Path + "/servers/{server}"

// ServerMetadataPath is the MetadataPath of that.
const ServerMetadataPath = "/.well-known/oauth-protected-resource" + ServerPath

// serverHeader says by whose own endpoint a request came, to who has its header alone.
// It is set here, whatever a client sends.
const serverHeader = "Parley-Server"

// serverKey is where a context has the same.
type serverKey struct{}

// onlyServer is the server by whose own endpoint a request came; empty: it came by that
// of all.
func onlyServer(ctx context.Context) string {
	name, _ := ctx.Value(serverKey{}).(string)
	return name
}

// byEndpoint notes by which endpoint a request came.
func byEndpoint(r *http.Request) *http.Request {
	name := r.PathValue("server")
	if _, sent := r.Header[serverHeader]; name == "" && !sent {
		return r
	}
	r = r.WithContext(context.WithValue(r.Context(), serverKey{}, name))
	r.Header = r.Header.Clone()
	r.Header.Del(serverHeader)
	if name != "" {
		r.Header.Set(serverHeader, url.PathEscape(name))
	}
	return r
}

// resourceOf is what a token may be for at an endpoint: its URL.
func (g *Gateway) resourceOf(server string) string {
	if server == "" {
		return g.opts.PublicURL + Path
	}
	return g.opts.PublicURL + Path + "/servers/" + url.PathEscape(server)
}

// located lets requests through that are for a server which the caller's tenant has. To
// who asks for another it is the same whether another tenant has it.
func (g *Gateway) located(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := onlyServer(r.Context())
		if name == "" {
			next.ServeHTTP(w, r)
			return
		}
		_, known, err := g.Find(r.Context(), callerOfToken(auth.TokenInfoFromContext(r.Context())).Tenant, name)
		switch {
		case err != nil:
			if r.Context().Err() == nil {
				g.opts.Logger.ErrorContext(r.Context(), "servers not read", "err", err)
			}
			http.Error(w, "the servers cannot be looked up just now: try again", http.StatusServiceUnavailable)
		case !known:
			http.Error(w, "there is no such server", http.StatusNotFound)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// endpointOf is the same as onlyServer, of a request that comes by the SDK.
func endpointOf(extra *mcp.RequestExtra) string {
	name, _ := url.PathUnescape(extra.Header.Get(serverHeader)) // it was escaped here
	return name
}

// addressed gives what a request is for its name at the endpoint for all.
func (g *Gateway) addressed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if extra := req.GetExtra(); extra != nil {
			ctx = context.WithValue(ctx, serverKey{}, endpointOf(extra))
		}
		switch r := req.(type) {
		case *mcp.CallToolRequest:
			params := *r.Params
			if !g.fullyNamed(ctx, r, params.Name) {
				params.Name = g.toolName(ctx, requester(r), params.Name)
			}
			req = &mcp.CallToolRequest{Session: r.Session, Params: &params, Extra: r.Extra}
		case *mcp.GetPromptRequest:
			params := *r.Params
			params.Name = g.fullName(ctx, params.Name)
			req = &mcp.GetPromptRequest{Session: r.Session, Params: &params, Extra: r.Extra}
		case *mcp.ReadResourceRequest:
			params := *r.Params
			params.URI = fullURI(ctx, params.URI)
			req = &mcp.ReadResourceRequest{Session: r.Session, Params: &params, Extra: r.Extra}
		}
		return next(ctx, method, req)
	}
}

// fullName is the name of a tool or prompt at the endpoint for all.
func (g *Gateway) fullName(ctx context.Context, name string) string {
	if only := onlyServer(ctx); only != "" && !mcptool.OwnTool(name) {
		return toolname.Join(only, name)
	}
	return name
}

// fullURI is the name of a resource at the endpoint for all, which says whose it is.
func fullURI(ctx context.Context, uri string) string {
	switch only := onlyServer(ctx); {
	case only == "", mcptool.OwnApp(uri):
		return uri
	case ofApp(uri):
		return appURI(only, uri)
	default:
		return only + "+" + uri
	}
}

// ownEntry is an entry of a list, as the endpoint for all shows it, with its own name:
// the member that says which one it is.
func (n appNames) ownEntry(raw json.RawMessage, member, name string) json.RawMessage {
	if _, there := mcpclient.Member(raw, "_meta"); !there {
		return renamed(raw, member, name) // as most are, and lists may have thousands
	}
	own, _ := rewrite(raw, func(members map[string]json.RawMessage) {
		members[member], _ = json.Marshal(name)
		named := n.meta
		if member == "name" {
			named = n.toolMeta
		}
		if meta, ok := members["_meta"]; ok {
			members["_meta"] = named(meta)
		}
	})
	return own // it was read before
}

// renamed is an entry with another text in a member that it has. The rest is not read.
func renamed(raw json.RawMessage, member, text string) json.RawMessage {
	before, there := mcpclient.Member(raw, member)
	if !there {
		return raw
	}
	after, _ := json.Marshal(text)
	at := cap(raw) - cap(before) // they share their memory
	return slices.Concat(raw[:at], after, raw[at+len(before):])
}

package gateway

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/toolname"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
)

// A user interface calls the tools of its server by the names that it was written with,
// and hosts look for them in the list. So at the endpoint for all, clients that show
// user interfaces are listed such tools a second time by their bare names, for apps
// alone. A call by such a name is one by the full name, before anything else is done
// with it.

// bareTool is a tool that can be called by its bare name.
type bareTool struct {
	tool
	of offer
}

// bareTools are those of somebody, in the order of the servers: the tools for apps of
// servers that have user interfaces, whose names no other server's tool has and which
// mean nothing else here. A server that is down counts with what it offered lately; while
// one is there that nobody knows yet, there are none.
func (g *Gateway) bareTools(ctx context.Context, who person) ([]bareTool, error) {
	all, err := g.offers(ctx, who)
	if err != nil {
		return nil, err
	}
	var found []bareTool
	named := map[string]int{}
	for _, s := range all {
		l := s.listing
		if l == nil {
			l = g.toolCache.Of(who, s.server).Offered()
		}
		if l == nil {
			return nil, nil // it may have tools of any name
		}
		for _, t := range l.tools {
			named[t.name]++
			if l.apps && t.ForApps && !taken(t.name, all) {
				found = append(found, bareTool{t, s})
			}
		}
	}
	return slices.DeleteFunc(found, func(t bareTool) bool { return named[t.name] > 1 }), nil
}

// taken reports whether a name means something at the endpoint for all, or may.
func taken(name string, all []offer) bool {
	return mcptool.OwnTool(name) || slices.Contains([]string{findTools, executeTool, connectName, AskPerson}, name) ||
		slices.ContainsFunc(all, func(s offer) bool { _, its := toolname.Within(s.server.Name, name); return its })
}

// appendBare adds them to a list.
func (g *Gateway) appendBare(ctx context.Context, who person, list []json.RawMessage, as viewer) ([]json.RawMessage, error) {
	all, err := g.bareTools(ctx, who)
	for _, t := range all {
		if t.of.listing != nil {
			list = append(list, t.bare(as))
		}
	}
	return list, err
}

// bare is the tool under its bare name. It is for apps that there are: it brings none.
func (t bareTool) bare(as viewer) json.RawMessage {
	raw, _ := rewrite(t.seen(as), func(members map[string]json.RawMessage) {
		meta, ui := map[string]json.RawMessage{}, map[string]json.RawMessage{}
		_ = json.Unmarshal(members["_meta"], &meta) // what is no object is nothing
		_ = json.Unmarshal(meta["ui"], &ui)
		for _, name := range []string{"ui/resourceUri", "openai/outputTemplate"} {
			delete(meta, name)
		}
		delete(ui, "resourceUri")
		ui["visibility"] = json.RawMessage(`["app"]`)
		meta["ui"], _ = json.Marshal(ui)
		meta["openai/visibility"] = json.RawMessage(`"private"`)
		members["_meta"], _ = json.Marshal(meta)
		members["name"], _ = json.Marshal(t.name)
	})
	return raw // it was read before
}

// hasApp reports whether a tool, as clients see it, names a user interface.
func (t tool) hasApp() bool {
	meta, _ := mcpclient.Member(t.raw, "_meta")
	ui, _ := mcpclient.Member(meta, "ui")
	_, named := mcpclient.Member(ui, "resourceUri")
	_, older := mcpclient.Member(meta, "ui/resourceUri")
	_, openAI := mcpclient.Member(meta, "openai/outputTemplate")
	return named || older || openAI
}

// fullyNamed reports whether a name needs nobody to know what its client shows, which
// takes the SDK long to tell.
func (g *Gateway) fullyNamed(ctx context.Context, req mcp.Request, name string) bool {
	if onlyServer(ctx) != "" {
		return false
	}
	who, _ := principalOf(cmp.Or(req.GetExtra(), &mcp.RequestExtra{}))
	_, _, full, err := g.split(ctx, who.Tenant, name)
	return full && err == nil
}

// toolName is the full name of a tool that is called.
func (g *Gateway) toolName(ctx context.Context, who person, name string) string {
	if onlyServer(ctx) != "" || g.opts.Expose != Tools || !strings.Contains(string(who.Able), showingApps) {
		return g.fullName(ctx, name)
	}
	if _, _, full, err := g.split(ctx, who.Tenant, name); full || err != nil || mcptool.OwnTool(name) {
		return name
	}
	all, err := g.bareTools(ctx, who)
	if err != nil {
		return name // who looks the tool up says so
	}
	for _, t := range all {
		if t.name == name {
			return toolname.Join(t.of.server.Name, name)
		}
	}
	return name
}

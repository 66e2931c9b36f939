package gateway

import (
	"context"
	"slices"
	"strings"
)

// separator stands between a server's name and its tool's.
const separator = "__"

// split takes the name of a tool or prompt here apart. Names of servers may have
// the separator in them, so the servers decide: the longest that fits. What is
// called as the gateway's own tool is no server's, whatever servers are called.
func (g *Gateway) split(ctx context.Context, tenant, name string) (Server, string, bool, error) {
	if name == AskPerson {
		return Server{}, "", false, nil
	}
	all, err := g.opts.Catalogue.Servers(ctx, tenant)
	if err != nil {
		return Server{}, "", false, err
	}
	var found Server
	own := ""
	for _, s := range all {
		if tool, ok := strings.CutPrefix(name, s.Name+separator); ok && tool != "" && len(s.Name) > len(found.Name) {
			found, own = s, tool
		}
	}
	if only := onlyServer(ctx); only != "" && found.Name != only {
		return Server{}, "", false, nil // its own endpoint leads to no other server
	}
	return found, own, own != "", nil
}

// tellApart leaves out of all what split would take for another server's, or for
// the gateway's own: what is listed under a name is what is called by it.
func (g *Gateway) tellApart(ctx context.Context, all []offer) {
	for i, s := range all {
		var longer []string // how the names of servers begin that split prefers
		for _, other := range all {
			if strings.HasPrefix(other.server.Name, s.server.Name) && other.server.Name != s.server.Name {
				longer = append(longer, other.server.Name+separator)
			}
		}
		if s.listing == nil || len(longer) == 0 && !strings.HasPrefix(AskPerson, s.server.Name+separator) {
			continue
		}
		ambiguous := func(it item) bool {
			name := s.server.Name + separator + it.name
			return name == AskPerson || slices.ContainsFunc(longer, func(prefix string) bool { return strings.HasPrefix(name, prefix) && name != prefix })
		}
		told := s.listing.without(ambiguous)
		if left := len(s.listing.tools) + len(s.listing.prompts) - len(told.tools) - len(told.prompts); left > 0 {
			g.opts.Logger.WarnContext(ctx, "names left out: they mean another's", "server", s.server.Name, "names", left)
		}
		all[i].listing = told
	}
}

// without returns a listing without some of its tools and prompts.
func (l *listing) without(which func(item) bool) *listing {
	told := *l
	told.tools = slices.DeleteFunc(slices.Clone(l.tools), func(t tool) bool { return which(t.item) })
	told.prompts = slices.DeleteFunc(slices.Clone(l.prompts), which)
	told.byName = make(map[string]int, len(told.tools))
	for i, t := range told.tools {
		told.byName[t.name] = i
	}
	return &told
}

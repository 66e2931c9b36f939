package gateway

import (
	"context"
	"slices"
	"sync"

	"github.com/parley-hq/parley/internal/lately"
	"github.com/parley-hq/parley/internal/toolname"
)

// nameOf is a server as far as names go.
func nameOf(s Server) toolname.Server { return toolname.Server{Name: s.Name, Own: s.Own} }

// split takes the name of a tool or prompt here apart: the servers decide, by
// toolname.Owner. What is called as the gateway's own tool is no server's, whatever
// servers are called.
func (g *Gateway) split(ctx context.Context, tenant, name string) (Server, string, bool, error) {
	if name == AskPerson {
		return Server{}, "", false, nil
	}
	all, err := g.opts.Catalogue.Servers(ctx, tenant)
	if err != nil {
		return Server{}, "", false, err
	}
	i, own := toolname.Owner(name, all, nameOf)
	if i < 0 {
		return Server{}, "", false, nil
	}
	if only := onlyServer(ctx); only != "" && all[i].Name != only {
		return Server{}, "", false, nil // its own endpoint leads to no other server
	}
	return all[i], own, true, nil
}

// tellApart leaves out of all what split would take for another server's, or for
// the gateway's own: what is listed under a name is what is called by it.
func (g *Gateway) tellApart(ctx context.Context, tenant string, all []offer) {
	for i, s := range all {
		var rivals []Server // whose names can mean the same, and s itself
		for _, other := range all {
			if toolname.Meet(other.server.Name, s.server.Name) {
				rivals = append(rivals, other.server)
			}
		}
		_, ours := toolname.Within(s.server.Name, AskPerson)
		if len(rivals) == 1 && !ours {
			continue
		}
		others := func(tool string) bool {
			name := toolname.Join(s.server.Name, tool)
			owner, _ := toolname.Owner(name, rivals, nameOf)
			return name == AskPerson || owner >= 0 && rivals[owner].Name != s.server.Name
		}
		all[i].unconnectable = others(connectName)
		if s.listing == nil {
			continue
		}
		told := s.listing.without(func(it item) bool { return others(it.name) })
		if left := len(s.listing.tools) + len(s.listing.prompts) - len(told.tools) - len(told.prompts); g.leftOut.news(tenant, s.server.Name, left) {
			g.opts.Logger.WarnContext(ctx, "names left out: they mean another's", "server", s.server.Name, "tenant", tenant, "names", left)
		}
		all[i].listing = told
	}
}

// leftOut is how many names of servers were left out at most, as the log has it: lists
// are made all the time.
type leftOut struct {
	mu   sync.Mutex
	told lately.Map[[2]string, int] // by tenant and server
}

// news reports whether it is to be told that so many are left out.
func (l *leftOut) news(tenant, server string, names int) bool {
	const most = 1000
	l.mu.Lock()
	defer l.mu.Unlock()
	key := [2]string{tenant, server}
	if before, _ := l.told.Get(key); names <= before { // some people are listed less than others
		return false
	}
	l.told.Put(key, names, most)
	return true
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

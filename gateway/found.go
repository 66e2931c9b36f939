package gateway

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/parley-hq/parley/internal/toolfind"
	"github.com/parley-hq/parley/mcpclient"
)

// words are a listing's tools as a search sees them. They are made once, and kept
// with the listing.
type words struct {
	of   []tool // all that the server lists
	once sync.Once
	made *toolfind.Index
}

func (w *words) index() *toolfind.Index {
	w.once.Do(func() { w.made = indexOf(w.of) })
	return w.made
}

// indexOf is what a search sees of tools. Those for user interfaces are not found.
func indexOf(tools []tool) *toolfind.Index {
	seen := make([]toolfind.Tool, len(tools))
	for i, t := range tools {
		seen[i] = toolfind.Tool{
			Name: t.name, Title: t.Title, Description: t.description, Schema: t.Schema,
			ReadOnly: t.ReadOnly != nil && *t.ReadOnly, Left: t.AppOnly,
		}
	}
	return toolfind.New(seen)
}

// readListing asks a server what it offers. Where tools are searched for, what that
// takes is made beside it and counts as its memory.
func (g *Gateway) readListing(ctx context.Context, conn *mcpclient.Conn, who person, server Server) (*listing, error) {
	l, err := g.fetchListing(ctx, conn, who, server)
	if err == nil && g.opts.Expose == Execute {
		l.Bytes += l.words.index().Bytes()
	}
	return l, err
}

// search returns the tools that fit best, and how many fit.
func search(all []offer, query, server string, limit int, modern bool) ([]json.RawMessage, int) {
	var sources []toolfind.Source
	var tools [][]tool
	for _, s := range all {
		if server != "" && s.server.Name != server {
			continue
		}
		from := toolfind.Source{Server: s.server.Name, Title: s.server.Title}
		offered := s.offered()
		switch l := s.listing; {
		case l == nil && len(offered) == 0:
			continue
		case l == nil:
			from.Index = indexOf(offered)
		default:
			from.Index, offered = l.words.index(), l.words.of
			if len(l.tools) < len(offered) { // some mean another server's
				from.Has = func(i int) bool { _, ok := l.tool(offered[i].name); return ok }
			}
		}
		sources, tools = append(sources, from), append(tools, offered)
	}
	hits, total := toolfind.Search(sources, query, limit)
	found := make([]json.RawMessage, 0, len(hits))
	for _, h := range hits {
		found = append(found, tools[h.Source][h.Tool].as(modern))
	}
	return found, total
}

package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/parley-hq/parley/internal/toolname"
	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// listing is what a server offers.
type listing struct {
	mcpcall.Listed
	tools     []tool
	prompts   []item
	resources []item
	templates []item

	instructions string // what the server tells models of itself
	hasResources bool   // it says so, whether or not it lists any
	apps         bool   // a tool names a user interface

	byName map[string]int // of tools, by the server's own names
	words  *words         // by which its tools are found
}

// item is a prompt, a resource or a template, as clients see it.
type item struct {
	name  string // the server's own; a resource's URI
	raw   json.RawMessage
	older json.RawMessage // for clients up to 2025-11-25; nil: raw
}

// as is the item for a client.
func (it item) as(modern bool) json.RawMessage {
	if modern || it.older == nil {
		return it.raw
	}
	return it.older
}

// tool is a tool, as clients see it, and what is known of it.
type tool struct {
	item
	mcpcall.Tool
	description string
	plain       *item // without its output schema, if it has one
}

func (l *listing) tool(name string) (tool, bool) {
	if l == nil {
		return tool{}, false
	}
	i, ok := l.byName[name]
	if !ok {
		return tool{}, false
	}
	return l.tools[i], true
}

// showsApps reports whether the server has user interfaces.
func (l *listing) showsApps() bool {
	app := func(it item) bool { return ofApp(it.name) }
	return l.apps || slices.ContainsFunc(l.resources, app) || slices.ContainsFunc(l.templates, app)
}

// seen is the tool as a client sees it.
func (t tool) seen(as viewer) json.RawMessage {
	if as.plain && t.plain != nil {
		return t.plain.as(as.modern)
	}
	return t.as(as.modern)
}

// fetchListing asks a server what it offers.
func (g *Gateway) fetchListing(ctx context.Context, conn *mcpclient.Conn, _ person, server Server) (*listing, error) {
	info, apps := conn.Server(), g.appNames(server.Name)
	l := &listing{byName: map[string]int{}, words: &words{}, instructions: cut(info.Instructions, maxInstructions), hasResources: info.Resources}
	tools, err := mcpcall.ListTools(ctx, conn, maxListed, &l.Faults)
	if err != nil {
		return nil, err
	}
	for i, t := range tools {
		l.byName[t.Name] = i
		l.tools = append(l.tools, asTool(server.Name, apps, t))
		l.apps = l.apps || l.tools[i].hasApp()
	}
	for _, kind := range []struct {
		there          bool
		method, member string
		kind           mcpclient.Kind
		to             *[]item
	}{
		{info.Prompts, "prompts/list", "prompts", mcpclient.KindPrompt, &l.prompts},
		{info.Resources, "resources/list", "resources", mcpclient.KindResource, &l.resources},
		{info.Resources, "resources/templates/list", "resourceTemplates", mcpclient.KindTemplate, &l.templates},
	} {
		if !kind.there {
			continue
		}
		all, err := conn.List(ctx, kind.method, kind.member)
		var wire *mcpclient.Error
		switch {
		case errors.As(err, &wire):
			continue // it says that it has them, and does not list them
		case errors.Is(err, mcpclient.ErrNoList):
			l.Faults.Add(mcpclient.Fault{Kind: kind.kind, Reason: "they are no list"})
			continue // its tools can be called all the same
		case err != nil:
			return nil, fmt.Errorf("%s: %w", kind.member, err)
		}
		seen := map[string]bool{}
		for _, raw := range all {
			e, err := mcpclient.ReadEntry(kind.kind, raw)
			if err == nil && kind.kind != mcpclient.KindPrompt && disguisedApp(e.Name) {
				err = mcpclient.Fault{Kind: kind.kind, Name: mcpclient.ShownName(e.Name), Reason: "its URI could be taken for that of a user interface"}
			}
			l.Faults.Add(err, e.Faults...)
			if err == nil && !seen[e.Name] {
				seen[e.Name] = true
				*kind.to = append(*kind.to, named(server.Name, apps, e))
			}
		}
	}
	if l.showsApps() {
		g.brings(server.Name)
	}
	l.words.of = l.tools
	l.weigh()
	return l, nil
}

// maxListed is how many bytes a tool may be listed with: any number, within those of
// all lists.
const maxListed = math.MaxInt

// asTool gives a tool its name here.
func asTool(server string, apps appNames, known mcpclient.Tool) tool {
	t := tool{item: named(server, apps, known.Entry), Tool: mcpcall.ToolOf(known), description: known.Description}
	t.Task = false
	if _, ok := mcpclient.Member(t.raw, "execution"); ok {
		t.item, t.Task = *t.item.without("execution"), known.Task // tasks of 2025-11-25 end here: clients call all tools alike
	}
	t.Schema, _ = mcpclient.Member(t.raw, "inputSchema") // of the same bytes
	if _, ok := mcpclient.Member(t.raw, "outputSchema"); ok {
		t.plain = t.item.without("outputSchema")
	}
	return t
}

// named gives a thing its name here: of two servers' things with one name both
// can be meant.
func named(server string, apps appNames, e mcpclient.Entry) item {
	it := item{name: e.Name, raw: inNameOf(server, apps, e, e.Raw)}
	if e.Older != nil {
		it.older = inNameOf(server, apps, e, e.Older)
	}
	return it
}

func inNameOf(server string, apps appNames, e mcpclient.Entry, raw json.RawMessage) json.RawMessage {
	if e.Kind == mcpclient.KindResource || e.Kind == mcpclient.KindTemplate {
		if _, meta := mcpclient.Member(raw, "_meta"); meta || mayLink(raw) {
			raw = change(raw, members{"uri": apps.uris, "uriTemplate": apps.uris, "_meta": apps.meta})
		}
		return slices.Clone(raw)
	}
	renamed, _ := rewrite(raw, func(members map[string]json.RawMessage) {
		members["name"], _ = json.Marshal(toolname.Join(server, e.Name))
		if meta, ok := members["_meta"]; ok {
			members["_meta"] = apps.toolMeta(meta)
		}
	})
	return renamed // it was read before
}

// without is the item without one of its members.
func (it item) without(member string) *item {
	drop := func(members map[string]json.RawMessage) { delete(members, member) }
	less := &item{name: it.name}
	less.raw, _ = rewrite(it.raw, drop)
	if it.older != nil {
		less.older, _ = rewrite(it.older, drop)
	}
	return less
}

func rewrite(raw json.RawMessage, change func(map[string]json.RawMessage)) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	change(members)
	return json.Marshal(members)
}

// weigh notes how large a listing is and what tells it from others.
func (l *listing) weigh() {
	hash := sha256.New()
	add := func(it item, kind byte) {
		fmt.Fprintf(hash, "%c%d:%d:", kind, len(it.name), len(it.raw))
		hash.Write([]byte(it.name))
		hash.Write(it.raw)
		l.Bytes += len(it.name) + len(it.raw) + len(it.older) + 100
	}
	for _, t := range l.tools {
		add(t.item, 't')
		l.Bytes += len(t.Title) + len(t.description) + 200
		if t.plain != nil {
			l.Bytes += len(t.plain.raw) + len(t.plain.older)
		}
	}
	for kind, items := range [][]item{l.prompts, l.resources, l.templates} {
		for _, it := range items {
			add(it, "prm"[kind])
		}
	}
	fmt.Fprintf(hash, "i%d:%s%v", len(l.instructions), l.instructions, l.hasResources)
	l.Bytes += len(l.instructions)
	l.Digest, l.Listed.Tools = [sha256.Size]byte(hash.Sum(nil)), len(l.tools)
}

package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
)

// withLinks gives the resources that a result links to or holds their names here:
// by its own URI another server's might be read. It is for the results of tools,
// prompts and resources.
func (g *Gateway) withLinks(ctx context.Context, who person, of Server, result json.RawMessage) json.RawMessage {
	if !mayLink(result) {
		return result
	}
	n := g.naming(ctx, who, of)
	blocks := func(raw json.RawMessage) json.RawMessage { return changeEach(raw, n.block) }
	return change(result, members{
		"_meta": n.apps.meta, "content": blocks,
		"contents": func(raw json.RawMessage) json.RawMessage { return changeEach(raw, n.held) },
		"messages": func(raw json.RawMessage) json.RawMessage {
			return changeEach(raw, func(message json.RawMessage) json.RawMessage {
				return change(message, members{"content": blocks})
			})
		},
	})
}

// mayLink reports whether there may be a link in a result, or what only we say. ASCII that is written
// as an escape may be one.
func mayLink(result json.RawMessage) bool {
	for _, sign := range [][]byte{[]byte(`"resource`), []byte(`"contents"`), []byte(`\u00`), []byte(`"parley/`), []byte(`"elicitation`)} {
		if bytes.Contains(result, sign) {
			return true
		}
	}
	for rest := []byte(result); ; {
		at := bytes.IndexByte(rest, ':')
		if at < 0 {
			return false
		}
		if at >= 2 && bytes.EqualFold(rest[at-2:at], []byte("ui")) {
			return true
		}
		rest = rest[at+1:]
	}
}

// naming gives what is in a server's result its name here.
type naming struct {
	gateway *Gateway
	who     person
	of      Server
	apps    appNames
	owner   func(uri string) (s Server, own string, known bool, err error) // whose resource it is
}

func (g *Gateway) naming(ctx context.Context, who person, of Server) naming {
	if onlyServer(ctx) == of.Name {
		apps, _ := g.ownAppNames(of.Name)
		return naming{g, who, of, apps, func(string) (Server, string, bool, error) { return of, "", true, nil }}
	}
	apps := g.appNames(of.Name)
	name := apps.rename
	apps.rename = func(uri string) string {
		g.brings(of.Name) // a client may draw it
		return name(uri)
	}
	return naming{g, who, of, apps, func(uri string) (Server, string, bool, error) { return g.resourceOwner(ctx, who, uri) }}
}

// held names a resource that the result holds itself: it is read again by that
// name.
func (n naming) held(raw json.RawMessage) json.RawMessage {
	return change(raw, members{"uri": n.link, "_meta": n.apps.meta})
}

// block names what a block of content has: a link, or a resource.
func (n naming) block(raw json.RawMessage) json.RawMessage {
	names := members{"_meta": n.apps.meta, "uri": n.apps.uris, "resource": n.held}
	var of struct {
		Type string `json:"type"`
	}
	if json.Unmarshal(raw, &of) == nil && of.Type == "resource_link" {
		names["uri"] = n.link
	}
	return change(raw, names)
}

// link names what a link leads to. What nobody lists on the web, clients fetch
// themselves.
func (n naming) link(raw json.RawMessage) json.RawMessage {
	var uri string
	if json.Unmarshal(raw, &uri) != nil {
		return raw
	}
	if ofApp(uri) {
		return n.apps.uris(raw)
	}
	owner, _, known, err := n.owner(uri)
	onTheWeb := strings.HasPrefix(uri, "https://") || strings.HasPrefix(uri, "http://")
	if err != nil || known && owner.Name == n.of.Name || !known && (onTheWeb || !n.readable()) {
		return raw
	}
	renamed, _ := json.Marshal(n.of.Name + "+" + uri)
	return renamed
}

// readable reports whether the server has resources: of one that has none nothing
// can be read by another name either.
func (n naming) readable() bool {
	l := n.gateway.toolCache.Known(n.who, n.of)
	return l == nil || l.hasResources
}

// members are functions that change members of an object, by name. What becomes
// nil is left out.
type members map[string]func(json.RawMessage) json.RawMessage

// change returns an object with some of its members changed. What is no object,
// or does not change, stays as it is.
func change(raw json.RawMessage, by members) json.RawMessage {
	var all map[string]json.RawMessage
	if len(raw) == 0 || raw[0] != '{' || json.Unmarshal(raw, &all) != nil {
		return raw
	}
	changed := false
	for name, one := range by {
		before, there := all[name]
		if !there {
			continue
		}
		after := one(before)
		if after == nil {
			delete(all, name)
			changed = true
		} else if !bytes.Equal(before, after) {
			all[name], changed = after, true
		}
	}
	if !changed {
		return raw
	}
	whole, _ := json.Marshal(all)
	return whole
}

// changeEach changes every element of a list, or what stands alone.
func changeEach(raw json.RawMessage, by func(json.RawMessage) json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if len(raw) == 0 || raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return by(raw)
	}
	changed := false
	for i, before := range list {
		if list[i] = by(before); !bytes.Equal(before, list[i]) {
			changed = true
		}
	}
	if !changed {
		return raw
	}
	whole, _ := json.Marshal(list)
	return whole
}

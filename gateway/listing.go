package gateway

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/parley-hq/parley/mcpclient"
)

// listing is what a server offers.
type listing struct {
	tools     []tool
	prompts   []item
	resources []item
	templates []item

	instructions string // what the server tells models of itself
	hasResources bool   // it says so, whether or not it lists any

	byName map[string]int // of tools, by the server's own names
	unread int            // how many things are listed that cannot be read
	bytes  int            // how much memory it takes
	digest [sha256.Size]byte
}

// item is a prompt, a resource or a template, as clients see it.
type item struct {
	name string // the server's own; a resource's URI
	raw  json.RawMessage
}

// tool is a tool, as clients see it, and what is known of it.
type tool struct {
	item
	title       string
	description string
	plain       json.RawMessage // raw without its output schema, if it has one
	mirrors     []mcpclient.Mirror
	appOnly     bool // it is for the server's user interface, not for models
	task        bool // it is called as a task of 2025-11-25, or not at all
	readOnly    *bool
	destructive *bool
	idempotent  *bool
	openWorld   *bool
}

// repeatable reports whether the server says that making a call twice does no
// more than making it once.
func (t tool) repeatable() bool {
	return t.readOnly != nil && *t.readOnly || t.idempotent != nil && *t.idempotent
}

// headers are those of a call with these parameters.
func (t tool) headers(params json.RawMessage) http.Header {
	if len(t.mirrors) == 0 {
		return nil
	}
	arguments, _ := mcpclient.Member(params, "arguments")
	headers := http.Header{}
	for _, m := range t.mirrors {
		m.Set(headers, arguments)
	}
	return headers
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

// same reports whether two listings show the same.
func (l *listing) same(other *listing) bool {
	if l == nil || other == nil {
		return l == other
	}
	alike := func(a, b item) bool { return bytes.Equal(a.raw, b.raw) }
	return slices.EqualFunc(l.tools, other.tools, func(a, b tool) bool { return alike(a.item, b.item) }) &&
		slices.EqualFunc(l.prompts, other.prompts, alike) && slices.EqualFunc(l.resources, other.resources, alike) &&
		slices.EqualFunc(l.templates, other.templates, alike)
}

// fetchListing asks a server what it offers.
func fetchListing(ctx context.Context, conn *mcpclient.Conn, server Server) (*listing, error) {
	info := conn.Server()
	l := &listing{byName: map[string]int{}, instructions: cut(info.Instructions, maxInstructions), hasResources: info.Resources}
	if info.Tools {
		all, err := conn.List(ctx, "tools/list", "tools")
		if err != nil {
			return nil, fmt.Errorf("tools: %w", err)
		}
		for _, raw := range all {
			t, err := readTool(server.Name, raw)
			if err != nil {
				l.unread++ // it cannot be called; the others can
				continue
			}
			if _, twice := l.byName[t.name]; twice {
				continue // the first one is called anyway
			}
			l.byName[t.name] = len(l.tools)
			l.tools = append(l.tools, t)
		}
	}
	for _, kind := range []struct {
		there                bool
		method, member, name string
		prefix               bool
		to                   *[]item
	}{
		{info.Prompts, "prompts/list", "prompts", "name", true, &l.prompts},
		{info.Resources, "resources/list", "resources", "uri", false, &l.resources},
		{info.Resources, "resources/templates/list", "resourceTemplates", "uriTemplate", false, &l.templates},
	} {
		if !kind.there {
			continue
		}
		all, err := conn.List(ctx, kind.method, kind.member)
		var wire *mcpclient.Error
		if errors.As(err, &wire) {
			continue // it says that it has them, and does not list them
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", kind.member, err)
		}
		for _, raw := range all {
			it, err := readItem(server.Name, kind.name, kind.prefix, raw)
			if err != nil {
				l.unread++
				continue
			}
			*kind.to = append(*kind.to, it)
		}
	}
	return l, l.weigh()
}

// readTool gives a tool its name here.
func readTool(server string, raw json.RawMessage) (tool, error) {
	it, err := readItem(server, "name", true, raw)
	if err != nil {
		return tool{}, err
	}
	t := tool{item: it}
	var known struct {
		Title        string          `json:"title"`
		Description  string          `json:"description"`
		InputSchema  json.RawMessage `json:"inputSchema"`
		OutputSchema json.RawMessage `json:"outputSchema"`
		Annotations  *struct {
			Title           string `json:"title"`
			ReadOnlyHint    *bool  `json:"readOnlyHint"`
			DestructiveHint *bool  `json:"destructiveHint"`
			IdempotentHint  *bool  `json:"idempotentHint"`
			OpenWorldHint   *bool  `json:"openWorldHint"`
		} `json:"annotations"`
		Execution *struct {
			TaskSupport string `json:"taskSupport"`
		} `json:"execution"`
	}
	if err := json.Unmarshal(raw, &known); err != nil {
		return tool{}, fmt.Errorf("tool %q: %w", it.name, err)
	}
	t.appOnly = mcpclient.AppOnly(raw)
	t.title, t.description, t.mirrors = known.Title, known.Description, mcpclient.Mirrors(known.InputSchema)
	if a := known.Annotations; a != nil {
		t.readOnly, t.destructive, t.idempotent, t.openWorld = a.ReadOnlyHint, a.DestructiveHint, a.IdempotentHint, a.OpenWorldHint
		if t.title == "" {
			t.title = a.Title
		}
	}
	if known.Execution != nil {
		// Tasks of 2025-11-25 end here: clients call all tools alike.
		t.task = known.Execution.TaskSupport == "required"
		if it.raw, err = rewrite(it.raw, func(members map[string]json.RawMessage) { delete(members, "execution") }); err != nil {
			return tool{}, err
		}
		t.raw = it.raw
	}
	if len(known.OutputSchema) > 0 {
		t.plain, err = rewrite(it.raw, func(members map[string]json.RawMessage) { delete(members, "outputSchema") })
	}
	return t, err
}

// readItem gives a thing its name here: of two servers' things with one name
// both can be meant.
func readItem(server, member string, prefix bool, raw json.RawMessage) (item, error) {
	quoted, ok := mcpclient.Member(raw, member)
	it := item{raw: slices.Clone(raw)}
	if !ok || json.Unmarshal(quoted, &it.name) != nil || it.name == "" {
		return it, fmt.Errorf("%w: something is listed without a %s", mcpclient.ErrProtocol, member)
	}
	if !prefix {
		if mayLink(raw) {
			it.raw = slices.Clone(renameApps(server, raw))
		}
		return it, nil
	}
	var err error
	it.raw, err = rewrite(raw, func(members map[string]json.RawMessage) {
		members[member], _ = json.Marshal(server + separator + it.name)
		if meta, ok := members["_meta"]; ok {
			members["_meta"] = toolMeta(server, meta)
		}
	})
	return it, err
}

func rewrite(raw json.RawMessage, change func(map[string]json.RawMessage)) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return nil, err
	}
	change(members)
	return json.Marshal(members)
}

// words are what a search looks at.
func (t tool) words() string { return strings.ToLower(t.name + " " + t.title + " " + t.description) }

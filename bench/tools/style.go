package tools

import (
	"encoding/json"
	"strings"
)

// style is how the author of a server names and describes tools.
type style struct {
	name   func(words []string) string
	last   bool // the verb comes last
	titles bool
	hints  bool              // says which tools only read
	verbs  map[string]string // what it calls list, get, search, create, update and delete
	says   map[string]string // what it says of them; N is the thing, S several of them, T the server
	coda   string
}

var verbs = []string{"list", "get", "search", "create", "update", "delete"}

func by(words ...string) map[string]string {
	of := map[string]string{}
	for i, v := range verbs {
		of[v] = words[i]
	}
	return of
}

func snake(words []string) string { return strings.Join(words, "_") }
func kebab(words []string) string { return strings.Join(words, "-") }

func camel(words []string) string {
	name := words[0]
	for _, w := range words[1:] {
		name += strings.ToUpper(w[:1]) + w[1:]
	}
	return name
}

var styles = []style{
	{
		name: snake, titles: true, hints: true, verbs: by("list", "get", "search", "create", "update", "delete"),
		says: by("List S.", "Get a N by ID.", "Search S by text.", "Create a N.", "Update a N.", "Delete a N."),
	},
	{
		name: camel, verbs: by("list", "fetch", "find", "add", "edit", "remove"),
		says: by("Returns all S that the user can see.", "Fetches one N with all of its fields.", "Finds S that match a query.", "Adds a new N to T.", "Edits fields of a N.", "Removes a N for good."),
		coda: " Returns JSON.",
	},
	{
		name: kebab, hints: true, verbs: by("get-all", "retrieve", "query", "create", "modify", "delete"),
		says: by("Get a page of S from T.", "Retrieve the details of a N.", "Query S with filters and sorting.", "Creates a N and returns its identifier.", "Modify an existing N.", "Permanently delete a N. This cannot be undone."),
		coda: " Requires a token with the right scope.",
	},
	{
		name: snake, last: true, verbs: by("list", "read", "search", "create", "update", "delete"),
		says: by("Lists S with pagination (limit, cursor).", "Reads a N.", "Full-text search over S.", "Creates a N in T.", "Updates a N; fields that are left out stay as they are.", "Deletes a N."),
	},
	{
		name: snake, titles: true, verbs: by("list", "get", "lookup", "new", "set", "archive"),
		says: by("Use this tool to see the S of the account. Supports filters.", "Use this tool to get information on a N.", "Use this tool to look up S by name or other properties.", "Use this tool to make a new N.", "Use this tool to set properties of a N.", "Use this tool to archive or delete a N."),
		coda: " Ask the user before you call it when in doubt.",
	},
}

// object is the six tools for one kind of thing.
func (st style) object(does, noun, server, parameters string) []Tool {
	words := strings.Split(noun, "_")
	spoken := strings.Join(words, " ")
	var all []Tool
	for _, v := range verbs {
		thing := noun
		if v == "list" || v == "search" {
			thing = plural(noun)
		}
		verb := strings.Split(st.verbs[v], "-")
		parts := append(verb, strings.Split(thing, "_")...)
		if st.last {
			parts = append(words[:len(words):len(words)], verb...)
		}
		own := map[string]string{
			"list": "limit, cursor", "get": noun + "_id", "search": "query, limit", "create": parameters,
			"update": noun + "_id, " + parameters, "delete": noun + "_id",
		}[v]
		says := strings.NewReplacer("a N", article(spoken)+" "+spoken, "N", spoken, "S", plural(spoken), "T", server).Replace(skipCapitals(st.says[v]))
		all = append(all, st.tool(does+"."+v, parts, restore(says), own, v == "list" || v == "get" || v == "search"))
	}
	return all
}

// skipCapitals keeps the first letters of sentences from being taken for S and T.
func skipCapitals(s string) string {
	return strings.NewReplacer("Search", "\x01earch", "Supports", "\x01upports", "This", "\x02his").Replace(s)
}

func restore(s string) string { return strings.NewReplacer("\x01", "S", "\x02", "T").Replace(s) }

func (st style) action(does, name, says, server, parameters string) Tool {
	words := strings.Split(name, "_")
	read := words[0] == "get" || words[0] == "list" || words[0] == "search" || words[0] == "check"
	return st.tool(does, words, says, parameters, read)
}

func (st style) tool(does string, words []string, says, parameters string, read bool) Tool {
	t := Tool{Does: does, Name: st.name(words), Description: says + st.coda, ReadOnly: read && st.hints}
	if st.titles {
		t.Title = strings.ToUpper(words[0][:1]) + strings.Join(words, " ")[1:]
	}
	properties := map[string]any{}
	for _, p := range strings.Split(parameters, ", ") {
		properties[st.name(strings.Split(p, "_"))] = map[string]any{"type": "string", "description": "The " + strings.ReplaceAll(p, "_", " ")}
	}
	t.InputSchema, _ = json.Marshal(map[string]any{"type": "object", "properties": properties})
	return t
}

func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "ay") && !strings.HasSuffix(noun, "ey"):
		return noun[:len(noun)-1] + "ies"
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"):
		return noun + "es"
	}
	return noun + "s"
}

func article(noun string) string {
	if strings.ContainsRune("aeiou", rune(noun[0])) {
		return "an"
	}
	return "a"
}

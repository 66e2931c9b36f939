package vault

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/parley-hq/parley/internal/toolname"
	"github.com/parley-hq/parley/legible"
)

// product is what we are called. The tools of the gateway itself begin with it.
const product = "parley"

// reserved reports whether a server called so would have tools that are called as
// ours are, or look so.
func reserved(name string) bool {
	first, _ := toolname.Cut(name)
	return legible.Alike(first, product)
}

// quotes are marks as they stand around whose question an agent passes on: X, for “Y”,
// beside those that Unicode calls so.
const quotes = "\"＂〝〞〟❛❜❝❞❟❠🙶🙷″‴⁗‵‶‷ʺ˝ˮ〃"

// quoted reports whether a title has quotation marks, or two apostrophes for one.
func quoted(title string) bool {
	mark := func(c rune) bool {
		return strings.ContainsRune(quotes, c) || unicode.In(c, unicode.Pi, unicode.Pf) && c != '’' || strings.ContainsRune("„‚「」『』《》〈〉", c)
	}
	return strings.ContainsFunc(title, mark) || strings.Contains(title, "''") || strings.Contains(title, "’’") || strings.Contains(title, "``")
}

// bracketed reports whether a title has brackets, other than round ones.
func bracketed(title string) bool {
	return strings.ContainsFunc(title, func(c rune) bool {
		return unicode.In(c, unicode.Ps, unicode.Pe) && !strings.ContainsRune("()（）", c)
	})
}

// delegation is how the tools begin by which models delegate.
const delegation = "delegate_to_"

// checkTitle refuses what would be shown otherwise than it is written, or could end
// the name that stands in brackets in front of a question.
func checkTitle(title string) error {
	switch {
	case legible.Line(title) != title || strings.TrimSpace(title) != title:
		return errors.New("title: it has characters that nobody sees, spaces around it, or right-to-left letters beside others: write it without them")
	case quoted(title):
		return errors.New("title: it has quotation marks, which stand around whose question somebody passes on: write it without them")
	case bracketed(title):
		return errors.New("title: it has brackets, which stand around titles: write it without them")
	}
	return nil
}

// CheckPlain refuses a name with which tools could be called as those of another server.
func CheckPlain(server string) error {
	if toolname.Plain(server) {
		return nil
	}
	return errors.New("__ stands between a server's name and its tool's, and with such a name a tool could pass for another server's: give the server a name without __, and with no _ at its end")
}

// passesFor says for which of the operator's servers people could take s, a
// tenant's own. One of the very same name is in the way otherwise.
func (s Server) passesFor(operators map[string]Server) (problems []error) {
	for _, name := range slices.Sorted(maps.Keys(operators)) {
		theirs := operators[name]
		if s.Name == name {
			continue
		}
		if legible.Alike(s.Name, name) || legible.Alike(s.Name, theirs.Label()) {
			problems = append(problems, fmt.Errorf("name: it reads like that of %s, which is the operator's: give the server another name", name))
		}
		if s.Title != "" && (called(s.Title, theirs.Label()) || called(s.Title, name)) {
			problems = append(problems, fmt.Errorf("title: it reads like that of %s, which is the operator's: give the server another title", name))
		}
	}
	if what := legible.Foreign(s.Title); what != "" {
		problems = append(problems, fmt.Errorf("title: it has %s, and could be taken for another title: write each word in one alphabet that is in common use", what))
	}
	if s.Title != "" && called(s.Title, product) {
		problems = append(problems, errors.New("title: it reads like the name of this program: give the server another title"))
	}
	if called(s.Title, "you") {
		problems = append(problems, errors.New("title: it reads like the person who is asked: give the server another title"))
	}
	if len(s.Name) >= len(delegation) && legible.Alike(s.Name[:len(delegation)], delegation) {
		problems = append(problems, fmt.Errorf("name: tools that begin with %s are how agents delegate: give the server another name", delegation))
	}
	if err := CheckPlain(s.Name); err != nil {
		problems = append(problems, fmt.Errorf("name: %w", err))
	}
	if s.Protocol == A2A && s.Auth.Type == MCP {
		problems = append(problems, errors.New("auth.type: "+MCPIsNotForAgents))
	}
	return problems
}

// MCPIsNotForAgents says why an agent elsewhere does not have the auth type mcp.
const MCPIsNotForAgents = "mcp is how MCP servers say where their tokens come from, and this is an A2A agent; use oauth2 with a provider, bearer, api_key or none"

// called reports whether people could take a title for a name: all of it, or what it says
// before it goes on, as in "X, for Y".
func called(title, name string) bool {
	return legible.Alike(title, name) || legible.Alike(legible.Head(title), name)
}

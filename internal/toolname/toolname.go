// Package toolname is how the name of a server and that of its tool, or prompt, are one
// name, and whose tool such a name means. Everybody who joins such names, or takes them
// apart, does it here.
package toolname

import "strings"

// mark stands between a server's name and its tool's.
const mark = "__"

// Server is a server, as far as names go.
type Server struct {
	Name string
	Own  bool // a tenant's own, not the operator's
}

// Join is the name of a server's tool.
func Join(server, tool string) string { return server + mark + tool }

// Cut takes a name apart at the first place where it can be. Without one, all of it is
// the server.
func Cut(name string) (server, tool string) {
	server, tool, _ = strings.Cut(name, mark)
	return server, tool
}

// Bare reports whether a name is not the name of any server's tool.
func Bare(name string) bool { return !strings.Contains(name, mark) }

// Plain reports whether the names of a server's tools can be taken apart in one way only,
// whatever other plain servers are called: Cut does it.
func Plain(server string) bool {
	cut, _ := Cut(Join(server, ""))
	return cut == server
}

// Within reports whether a name can be that of a server's tool.
func Within(server, name string) (tool string, ok bool) {
	rest, its := strings.CutPrefix(name, server)
	tool, ok = strings.CutPrefix(rest, mark)
	return tool, its && ok && tool != ""
}

// Meet reports whether tools of the two servers can have the same name.
func Meet(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return strings.HasPrefix(b, a) && strings.HasPrefix(Join(b, ""), Join(a, "")) // most differ at the first letters
}

// Owner says whose tool a name means, and how the server calls it. Where it can be that of
// several, the operator's servers go before a tenant's own, and of those the longest name
// counts. It is -1 if it is nobody's.
func Owner[S any](name string, all []S, as func(S) Server) (owner int, tool string) {
	owner = -1
	var found Server
	for i, one := range all {
		s := as(one)
		own, ok := Within(s.Name, name)
		if ok && (owner < 0 || s.before(found)) {
			owner, found, tool = i, s, own
		}
	}
	return owner, tool
}

func (s Server) before(other Server) bool {
	if s.Own != other.Own {
		return other.Own
	}
	return len(s.Name) > len(other.Name)
}

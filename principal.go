package parley

import (
	"cmp"
	"fmt"
	"strings"
)

// Principal is who acts, as established by a verified token, cookie or session.
type Principal struct {
	Tenant string // empty: "default"
	User   string // empty: nobody whom a question could be for
	Method string // how we know: "jwt", "oidc", "session", "dev", "api_key", "login"
	Kind   Kind   // what it is; zero: a person
	Key    string // of a program, and of its sessions and calls: which key of its tenant's it has
}

// ByToken reports whether the principal is known by a token of an issuer's. A program may hold
// one, and a model that uses the program: what it says and answers may not be the person's.
func (p Principal) ByToken() bool { return p.Method == "jwt" }

// DefaultTenant is the tenant of requests and principals that name none.
const DefaultTenant = "default"

// Kind is what a principal is. Whether somebody is a known person is told by it,
// never by a name: names come from tokens.
type Kind string

const (
	// KindPerson is a person. It is the zero value: whoever makes a Principal by
	// hand means one.
	KindPerson Kind = ""
	// KindSession is a session that nobody in particular has begun.
	KindSession Kind = "session"
	// KindCall is one call of nobody in particular: whoever holds its state.
	KindCall Kind = "call"
	// KindProgram is a service with a key. It has no User, and is asked nothing:
	// Open refuses a question for one.
	KindProgram Kind = "program"
	// KindGroup is several people, of whom some are to answer. Nobody signs in as one:
	// each of them is asked a question of their own, and whoever asked them settles
	// the group's.
	KindGroup Kind = "group"
)

// The names of sessions, calls, programs and groups, by which what is theirs is stored.
// No person can be called that.
const (
	sessionPrefix = "mcp-session:"
	callPrefix    = "mcp-call:"
	programPrefix = "parley-program:"
	groupPrefix   = "parley-group:"
)

// SessionPrincipal is the session of that name, where nobody is known.
func SessionPrincipal(tenant, session string) Principal {
	return Principal{Tenant: tenant, User: sessionPrefix + session, Method: "session", Kind: KindSession}
}

// CallPrincipal is the call with that id, where neither a person nor a session is
// known.
func CallPrincipal(tenant, id string) Principal {
	return Principal{Tenant: tenant, User: callPrefix + id, Method: "call", Kind: KindCall}
}

// GroupPrincipal is the group of that name.
func GroupPrincipal(tenant, name string) Principal {
	return Principal{Tenant: tenant, User: groupPrefix + name, Method: "group", Kind: KindGroup}
}

// Group is the name of a group that p is, or empty.
func (p Principal) Group() string {
	if p.Kind != KindGroup {
		return ""
	}
	return strings.TrimPrefix(p.User, groupPrefix)
}

// OwnerOf is the principal whose things are stored under a name: Request.To, or
// Record.Owner. It is for programs that act on what they have stored, never for
// a name that somebody brings.
func OwnerOf(tenant, name string) Principal {
	if key, ok := strings.CutPrefix(name, programPrefix); ok {
		return Principal{Tenant: tenant, Kind: KindProgram, Key: key}
	}
	return Principal{Tenant: tenant, User: name, Kind: kindOf(name)}
}

// Owner is the name under which what is p's is stored, as OwnerOf reads it. A
// program has things of its own, by its key, though it is nobody whom a question
// could be for. It is empty for who has nothing.
func (p Principal) Owner() string {
	if p.Kind == KindProgram && p.Key != "" {
		return programPrefix + p.Key
	}
	return p.User
}

func kindOf(name string) Kind {
	switch {
	case strings.HasPrefix(name, sessionPrefix):
		return KindSession
	case strings.HasPrefix(name, callPrefix):
		return KindCall
	case strings.HasPrefix(name, programPrefix):
		return KindProgram
	case strings.HasPrefix(name, groupPrefix):
		return KindGroup
	}
	return KindPerson
}

// IsPerson reports whether p is a known person.
func (p Principal) IsPerson() bool { return p.Kind == KindPerson && p.User != "" }

// Anonymous reports whether p is a session or a call that nobody is known for. The
// name of one means nothing to people.
func (p Principal) Anonymous() bool { return p.Kind == KindSession || p.Kind == KindCall }

// OfProgram reports whether p is a program, or a session or a call of one: nobody
// who can approve anything, or have others approve it.
func (p Principal) OfProgram() bool {
	return p.Kind == KindProgram || p.Kind != KindPerson && p.Key != ""
}

// Acts reports whether p can begin something that lasts and is theirs: a known
// person, or a program with a key, whom nobody can ask anything.
func (p Principal) Acts() bool {
	return (p.IsPerson() || p.Kind == KindProgram && p.Key != "") && p.Validate() == nil
}

// Validate reports whether p is what it says: ErrPrincipal for a person with the
// name of a session, call, program or group, a program with a user, and a kind that is not known.
// Surfaces call it for every principal that they are given.
func (p Principal) Validate() error {
	switch p.Kind {
	case KindPerson, KindSession, KindCall, KindGroup:
		if p.User != "" && kindOf(p.User) != p.Kind {
			return fmt.Errorf("%w: the name is that of another kind", ErrPrincipal)
		}
	case KindProgram:
		if p.User != "" {
			return fmt.Errorf("%w: a program is no user", ErrPrincipal)
		}
	default:
		return fmt.Errorf("%w: it is of no known kind", ErrPrincipal)
	}
	return nil
}

// Owns reports whether r is p's to see and to answer.
func (p Principal) Owns(r Request) bool {
	return p.User != "" && p.User == r.To && p.tenant() == r.Tenant && p.Kind == kindOf(r.To)
}

func (p Principal) tenant() string { return cmp.Or(p.Tenant, DefaultTenant) }

package mcptool

import (
	"cmp"
	"crypto/rand"
	"runtime"
	"strings"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
)

// Prefixes of principals that are no known person.
const (
	sessionUser = "mcp-session:"
	callUser    = "mcp-call:"
)

// known reports whether p is a person of a verified token.
func known(p parley.Principal) bool {
	return p.User != "" && !strings.HasPrefix(p.User, sessionUser) && !strings.HasPrefix(p.User, callUser)
}

// Known reports whether p is a person of a verified token, and not a session or a
// call that stands for nobody in particular.
func Known(p parley.Principal) bool { return known(p) }

// OfSession is the principal of a session that nobody in particular has begun.
func OfSession(tenant, session string) parley.Principal {
	return parley.Principal{Tenant: tenant, User: sessionUser + session, Method: "session"}
}

// principal says on whose behalf a request comes: the person of the verified
// token, or the session. In the sessionless era without a token it is nobody
// until a call is made up for them.
func (a *Asker) principal(extra *mcp.RequestExtra, session *mcp.ServerSession, modern bool) parley.Principal {
	tenant := parley.DefaultTenant
	if extra != nil {
		if a.opts.Principal != nil {
			p, ok := a.opts.Principal(extra)
			if ok && p.User != "" {
				return p
			}
			tenant = cmp.Or(p.Tenant, tenant)
		} else if p, ok := tokenPrincipal(extra); ok {
			return p
		}
	}
	if modern && session.ID() == "" && extra != nil && extra.Header != nil {
		return parley.Principal{Tenant: tenant, Method: "call"}
	}
	return OfSession(tenant, a.sessions.name(session))
}

// tokenPrincipal takes the user from the token that the SDK has verified.
func tokenPrincipal(extra *mcp.RequestExtra) (parley.Principal, bool) {
	info := extra.TokenInfo
	if info == nil || info.UserID == "" {
		return parley.Principal{}, false
	}
	tenant, _ := info.Extra["tenant"].(string)
	if tenant == "" {
		tenant = parley.DefaultTenant
	}
	return parley.Principal{Tenant: tenant, User: info.UserID, Method: "token"}, true
}

// sessionNames names sessions: by their id, or, where the transport has none, by
// a name of our own for as long as the session lives.
type sessionNames struct {
	mu    sync.Mutex
	names map[weak.Pointer[mcp.ServerSession]]string
}

func (n *sessionNames) name(s *mcp.ServerSession) string {
	if id := s.ID(); id != "" {
		return id
	}
	key := weak.Make(s)
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.names == nil {
		n.names = map[weak.Pointer[mcp.ServerSession]]string{}
	}
	if n.names[key] == "" {
		n.names[key] = rand.Text()
		runtime.AddCleanup(s, n.forget, key)
	}
	return n.names[key]
}

func (n *sessionNames) forget(key weak.Pointer[mcp.ServerSession]) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.names, key)
}

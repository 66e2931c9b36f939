package mcptool

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"runtime"
	"strings"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
)

// OfSession is the principal of a session that nobody in particular has begun,
// or a program: who is what is known of them. Its name does not tell the session's,
// which is all that it takes to speak in it: approvers, logs and the audit see the name.
func OfSession(who parley.Principal, session string) parley.Principal {
	digest := sha256.Sum256([]byte("whose session is " + session))
	p := parley.SessionPrincipal(who.Tenant, strings.ToLower(base32.StdEncoding.EncodeToString(digest[:]))[:26])
	p.Key = who.Key
	return p
}

// ofCall makes up who makes a call where neither a person nor a session is known:
// whoever holds its state, and the same key.
func ofCall(who parley.Principal) parley.Principal {
	p := parley.CallPrincipal(who.Tenant, string(parley.NewID()))
	p.Key = who.Key
	return p
}

// principal says on whose behalf a request comes: the person of the verified
// token, or the session. In the sessionless era without a token it is nobody
// until a call is made up for them.
func (a *Asker) principal(extra *mcp.RequestExtra, session *mcp.ServerSession, modern bool) (parley.Principal, error) {
	who := parley.Principal{Kind: parley.KindCall}
	if extra != nil {
		p, err := a.caller(extra)
		if err != nil {
			a.opts.Logger.Warn("token refused", "err", err)
			return parley.Principal{}, errCaller
		}
		if p.User != "" {
			return p, nil
		}
		who = p
	}
	who.Tenant = cmp.Or(who.Tenant, parley.DefaultTenant)
	if modern && session.ID() == "" && extra != nil && extra.Header != nil {
		return who, nil
	}
	return OfSession(who, a.sessions.name(session)), nil
}

// errCaller answers a request whose token was verified and names nobody who can
// be. It does not repeat what the token says.
var errCaller = &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the token does not say who you are in a way that can be used here: ask who issued it"}

// caller is who the verified token speaks of: a person, a program, or nobody in
// particular, who has no User.
func (a *Asker) caller(extra *mcp.RequestExtra) (parley.Principal, error) {
	nobody := parley.Principal{Tenant: parley.DefaultTenant, Method: "call", Kind: parley.KindCall}
	if a.opts.Principal == nil {
		if extra.TokenInfo == nil || extra.TokenInfo.UserID == "" {
			return nobody, nil
		}
		return PersonOf(extra.TokenInfo, extra.TokenInfo.UserID)
	}
	p, ok := a.opts.Principal(extra)
	if err := p.Validate(); err != nil {
		return p, err
	}
	p.Tenant = cmp.Or(p.Tenant, parley.DefaultTenant)
	if ok && p.User != "" || p.Kind == parley.KindProgram {
		return p, nil
	}
	nobody.Tenant, nobody.Key = p.Tenant, p.Key
	return nobody, nil
}

// PersonOf is the person of a token that the SDK has verified: user, wherever the
// token has it, in the tenant of its Extra. The error is a *parley.ClaimError.
func PersonOf(info *auth.TokenInfo, user any) (parley.Principal, error) {
	claims := map[string]any{"sub": user}
	if tenant, named := info.Extra["tenant"]; named {
		claims["tenant"] = tenant
	}
	return parley.Claims{}.Person(claims, "token")
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

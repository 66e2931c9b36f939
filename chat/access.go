package chat

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
)

// errWhoIsThere says that nobody knows who sends a request, nor that they may
// not: what would say so is away.
var errWhoIsThere = errors.New("finding out who sends this")

// caller returns who sends a request. Conversations belong to people, and to
// programs by their keys: a service without one has none.
func (c *Chat) caller(r *http.Request) (parley.Principal, error) {
	p, err := c.opts.Principal(r)
	switch {
	case errors.Is(err, ErrUnauthenticated):
		return p, err
	case err != nil:
		return p, fmt.Errorf("%w: %w", errWhoIsThere, err)
	case !p.Acts():
		return p, agent.ErrNoPerson
	}
	return p, nil
}

// accountHeader tells a client whose conversations it is shown, so that it keeps
// those of several people who share a browser apart.
const accountHeader = "x-parley-account"

// account names a person and says nothing else of them.
func account(p parley.Principal) string {
	digest := sha256.Sum256([]byte(cmp.Or(p.Tenant, parley.DefaultTenant) + "\x00" + p.User))
	return base64.RawURLEncoding.EncodeToString(digest[:12])
}

// presence returns what reports whether who sent a request would be let in now.
// A stream outlives tokens, and people who sign out. It is asked at any time and
// finds out once a heartbeat.
func (c *Chat) presence(r *http.Request, who parley.Principal) func() error {
	looked := time.Now()
	return func() error {
		if time.Since(looked) < c.opts.Heartbeat {
			return nil
		}
		looked = time.Now()
		return c.still(r, who)
	}
}

// still returns ErrUnauthenticated when who is no longer who sends r. What cannot
// be found out just now is asked again.
func (c *Chat) still(r *http.Request, who parley.Principal) error {
	p, err := c.caller(r)
	switch {
	case errors.Is(err, ErrUnauthenticated):
		return err
	case err == nil && !same(p, who):
		return ErrUnauthenticated
	}
	return nil
}

// same reports whether two requests came from the same person or program.
func same(a, b parley.Principal) bool { return a.Owner() == b.Owner() && a.Tenant == b.Tenant }

// shareWith lets pages of the configured origins read the answer. It reports
// whether the request only asked for that.
func (c *Chat) shareWith(w http.ResponseWriter, r *http.Request) (answered bool) {
	origin := r.Header.Get("Origin")
	asks := r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
	h := w.Header()
	h.Add("Vary", "Origin")
	if !c.origins[strings.ToLower(origin)] {
		c.noteForeign(r, origin)
		if asks {
			c.failHere(w, r, errForeign)
		}
		return asks
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Credentials", "true")
	// Clients tell the time of a question's expiry by the server's clock.
	h.Set("Access-Control-Expose-Headers", "date, "+conversationHeader+", "+accountHeader+", "+streamHeader)
	if !asks {
		return false
	}
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	// Clients bring headers of their own. Whoever may send cookies may send them.
	h.Add("Vary", "Access-Control-Request-Headers")
	h.Set("Access-Control-Allow-Headers", r.Header.Get("Access-Control-Request-Headers"))
	h.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// noteForeign tells the operator now and then of pages of an origin that is not
// configured: their browsers do not let them read why nothing works.
func (c *Chat) noteForeign(r *http.Request, origin string) {
	if u, err := url.Parse(origin); origin == "" || err == nil && strings.EqualFold(u.Host, r.Host) {
		return
	}
	c.foreigners.Tell("origin refused", "origin", fmt.Sprintf("%.200s", origin), "do", "add it to origins in the configuration, if its pages may use this server")
}

// refuseForeign refuses what a page of another site sends with its visitor's
// cookie. A browser never adds a bearer token by itself, so a request with one
// is meant, also behind a proxy that passes on where the page came from.
func (c *Chat) refuseForeign(r *http.Request) error {
	if bearer(r) || c.foreign.Check(r) == nil {
		return nil
	}
	return errForeign
}

func bearer(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && token != ""
}

// known reports whether a socket is opened by a program, or by a page of this
// site or of one that is configured. Browsers let every page open sockets, with
// cookies, and ask nobody.
func (c *Chat) known(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" || c.origins[strings.ToLower(origin)] {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host)
}

package mcphttp

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/seal"
)

// credentials are the headers by which clients say who they are. They are for
// the node that the client talks to.
var credentials = []string{"Authorization", "Cookie", "Proxy-Authorization"}

// Peers are the nodes that share a store, as one of them sees the others. What is
// forwarded between them carries no credentials. A sealed letter takes their place:
// it says who sent the request, is good for this request to that node, once, for a
// minute. So every node that shares the store has to use Peers, their clocks may not
// be further apart than that, and what a TokenInfo has in Extra is told as JSON.
type Peers struct {
	letters *letters
	refused *limit.Notices
}

// NewPeers returns the peers of the asker's node. A nil logger is slog.Default().
func NewPeers(asker *mcptool.Asker, logger *slog.Logger) *Peers {
	if logger == nil {
		logger = slog.Default()
	}
	return &Peers{&letters{node: asker.Node().ID(), keys: asker.Keys}, limit.NewNotices(logger, 0)}
}

// Entrance returns a handler that tells requests of other nodes from those of
// clients, and gives each to its own: nodes gets what another node has forwarded,
// with the TokenInfo of the client that sent it there; clients gets everything else.
// clients has to find out who sends a request; nodes, usually the bare [Handler], has
// not.
func (p *Peers) Entrance(clients, nodes http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sealed := r.Header.Get(forwardedHeader)
		if len(sealed) <= parley.NodeIDLength { // none, or the name of a node that sends credentials
			clients.ServeHTTP(w, r)
			return
		}
		l, err := p.letters.open(r, sealed)
		if err != nil {
			p.refused.Tell("forwarded request refused", "from", r.RemoteAddr, "err", err) // anybody can send as many as they like
			http.Error(w, "Forbidden: this was not forwarded by another node, or is sent again", http.StatusForbidden)
			return
		}
		ServeAs(w, r, l.Token.info(), nodes)
	})
}

// ServeAs serves r as a request whose token was verified as token; nil: there was
// none. The SDK takes that from a bearer token alone, so it is shown one that says
// nothing; next gets the request as it came.
func ServeAs(w http.ResponseWriter, r *http.Request, token *auth.TokenInfo, next http.Handler) {
	if token == nil {
		next.ServeHTTP(w, r)
		return
	}
	shown := *r
	shown.Header = http.Header{"Authorization": {"Bearer verified"}}
	verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return token, nil }
	auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(
		http.HandlerFunc(func(w http.ResponseWriter, known *http.Request) { next.ServeHTTP(w, r.WithContext(known.Context())) }),
	).ServeHTTP(w, &shown)
}

// letterTime is how long a letter is good for.
const letterTime = time.Minute

// letter is what one node tells another of a request that it forwards.
type letter struct {
	From    string     `json:"from"`
	To      string     `json:"to"`
	Nonce   string     `json:"nonce"`
	Until   time.Time  `json:"until"`
	Request string     `json:"request"` // digest of what is asked for
	Body    string     `json:"body"`    // digest
	Length  int64      `json:"length"`  // of the body
	Token   *tokenInfo `json:"token,omitempty"`
}

// tokenInfo is an auth.TokenInfo.
type tokenInfo struct {
	User    string         `json:"user"`
	Scopes  []string       `json:"scopes,omitempty"`
	Expires time.Time      `json:"expires,omitzero"`
	Extra   map[string]any `json:"extra,omitempty"`
}

func (t *tokenInfo) info() *auth.TokenInfo {
	if t == nil {
		return nil
	}
	return &auth.TokenInfo{UserID: t.User, Scopes: t.Scopes, Expiration: t.Expires, Extra: t.Extra}
}

// letters writes and reads letters.
type letters struct {
	node string
	keys func(context.Context) (*seal.Keyring, error)

	mu   sync.Mutex
	seen map[string]time.Time // nonces, and until when their letters are good
}

// letterBinding keeps letters apart from everything else that is sealed.
var letterBinding = parley.Binding{Purpose: "mcp.forward"}

// write returns the letter for a request that goes to another node.
func (ls *letters) write(r *http.Request, to string, uri *url.URL, body []byte) (string, error) {
	l := letter{
		From: ls.node, To: to, Nonce: rand.Text(), Until: time.Now().Add(letterTime),
		Request: requestDigest(r, uri.RequestURI()), Body: digestOf(body), Length: int64(len(body)),
	}
	if info := auth.TokenInfoFromContext(r.Context()); info != nil {
		l.Token = &tokenInfo{User: info.UserID, Scopes: info.Scopes, Expires: info.Expiration, Extra: info.Extra}
	}
	plain, err := json.Marshal(l)
	if err != nil {
		return "", err
	}
	keys, err := ls.keys(r.Context())
	if err != nil {
		return "", err
	}
	sealed, err := keys.Seal(plain, letterBinding)
	return base64.RawURLEncoding.EncodeToString(sealed), err
}

// open reads the letter of a request, whose body it replaces by what it has read.
func (ls *letters) open(r *http.Request, sealed string) (letter, error) {
	var l letter
	raw, err := base64.RawURLEncoding.DecodeString(sealed)
	if err != nil {
		return l, err
	}
	keys, err := ls.keys(r.Context())
	if err != nil {
		return l, err
	}
	plain, err := keys.Open(raw, letterBinding)
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(plain, &l); err != nil {
		return l, err
	}
	switch {
	case l.To != ls.node:
		return l, fmt.Errorf("it is for the node %.20q", l.To)
	case !time.Now().Before(l.Until):
		return l, errors.New("it is too old")
	case l.Request != requestDigest(r, r.RequestURI):
		return l, errors.New("it is about another request")
	case !ls.first(l):
		return l, errors.New("it was used before")
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, l.Length+1))
	if err != nil {
		return l, err
	}
	if digestOf(body) != l.Body {
		return l, errors.New("it is about another body")
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	return l, nil
}

// first reports whether a letter is used for the first time. Only this node can
// open it, and it has another name when it starts again.
func (ls *letters) first(l letter) bool {
	now := time.Now()
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if _, again := ls.seen[l.Nonce]; again {
		return false
	}
	if len(ls.seen)%1000 == 999 {
		for nonce, until := range ls.seen {
			if now.After(until) {
				delete(ls.seen, nonce)
			}
		}
	}
	if ls.seen == nil {
		ls.seen = map[string]time.Time{}
	}
	ls.seen[l.Nonce] = l.Until
	return true
}

// requestDigest is of what a request asks for, but for its body: the method, the
// URI, and the headers that mean something here.
func requestDigest(r *http.Request, uri string) string {
	parts := []string{r.Method, uri}
	for _, name := range []string{mcpclient.SessionHeader, mcpclient.VersionHeader, mcpclient.MethodHeader, mcpclient.NameHeader, "Last-Event-Id", "Content-Type", "Accept"} {
		parts = append(parts, r.Header.Values(name)...)
		parts = append(parts, "") // no header has this value: they are trimmed, and counted by it
	}
	plain, _ := json.Marshal(parts) // strings cannot fail
	return digestOf(plain)
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

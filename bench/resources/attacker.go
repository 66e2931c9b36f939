package resources

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakemodel"
)

// attacker is an MCP server that means harm, and besides it those whom the victim
// trusts: who signs its people's tokens, and its model.
type attacker struct {
	attack attack
	url    string // of the server
	helper string

	hostile atomic.Int64 // bytes that were sent to harm
	keySets atomic.Int64 // how often the key set was fetched
	key     *ecdsa.PrivateKey
	servers []*http.Server
}

// hostileListener counts what is sent through it.
type hostileListener struct {
	net.Listener
	sent *atomic.Int64
}

func (l hostileListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return hostileConn{c, l.sent}, err
}

type hostileConn struct {
	net.Conn
	sent *atomic.Int64
}

func (c hostileConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.sent.Add(int64(n))
	return n, err
}

func newAttacker(c attack) (*attacker, error) {
	a := &attacker{attack: c}
	var err error
	if a.key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader); err != nil {
		return nil, err
	}
	hostile, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	helper, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	a.url, a.helper = "http://"+hostile.Addr().String()+"/mcp", "http://"+helper.Addr().String()
	mux := http.NewServeMux()
	mux.HandleFunc("/jwks", a.keys)
	mux.HandleFunc("/.well-known/openid-configuration", a.provider)
	mux.Handle("/model/", http.StripPrefix("/model", fakemodel.New(callsOnce, nil)))
	for listener, handler := range map[net.Listener]http.Handler{hostileListener{hostile, &a.hostile}: http.HandlerFunc(a.serve), helper: mux} {
		server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
		a.servers = append(a.servers, server)
		go func() { _ = server.Serve(listener) }()
	}
	return a, nil
}

func (a *attacker) close() {
	for _, s := range a.servers {
		s.Close()
	}
}

// callsOnce is a model that calls the tool it is given and is content then.
func callsOnce(r fakemodel.Request) fakemodel.Reply {
	if r.Last().Role == "user" && len(r.Tools) > 0 {
		return fakemodel.Reply{Calls: []fakemodel.Call{{Tool: r.Tools[0], Args: "{}"}}}
	}
	return fakemodel.Reply{Text: "The model is done."}
}

// serve is the server of 2026-07-28.
func (a *attacker) serve(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params map[string]json.RawMessage
	}
	if r.Method != http.MethodPost || json.NewDecoder(r.Body).Decode(&m) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	reply := func(result string) { fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result) }
	switch m.Method {
	case "server/discover":
		reply(`{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"serverInfo":{"name":"attacker","version":"1"}}`)
	case "tools/list":
		if a.attack.list != nil {
			reply(a.attack.list())
			return
		}
		reply(`{"resultType":"complete","tools":[{"name":"hit","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]}`)
	case "tools/call":
		a.attack.call(w, m.ID, m.Params)
	default:
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, m.ID)
	}
}

func encoded(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func (a *attacker) keys(w http.ResponseWriter, _ *http.Request) {
	a.keySets.Add(1)
	public, _ := a.key.PublicKey.Bytes() // 4, x, y
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"keys":[{"kty":"EC","crv":"P-256","kid":"k1","use":"sig","alg":"ES256","x":%q,"y":%q}]}`, encoded(public[1:33]), encoded(public[33:]))
}

// provider is where people would sign in.
func (a *attacker) provider(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{
		"issuer": a.helper, "authorization_endpoint": a.helper + "/authorize", "token_endpoint": a.helper + "/token", "jwks_uri": a.helper + "/jwks",
		"response_types_supported": []string{"code"}, "subject_types_supported": []string{"public"}, "id_token_signing_alg_values_supported": []string{"ES256"},
	})
}

// token is one of a person's; a forged one has a signature of nobody's.
func (a *attacker) token(user string, forged bool) string {
	head := encoded([]byte(`{"alg":"ES256","typ":"JWT","kid":"k1"}`))
	body := encoded(fmt.Appendf(nil, `{"iss":%q,"aud":"parley","sub":%q,"exp":%d,"iat":%d}`, a.helper, user, time.Now().Add(time.Hour).Unix(), time.Now().Unix()))
	digest := sha256.Sum256([]byte(head + "." + body))
	signature := make([]byte, 64)
	r, s, err := ecdsa.Sign(rand.Reader, a.key, digest[:])
	if err != nil || forged {
		_, _ = rand.Read(signature)
	} else {
		r.FillBytes(signature[:32])
		s.FillBytes(signature[32:])
	}
	return head + "." + body + "." + encoded(signature)
}

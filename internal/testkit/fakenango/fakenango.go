// Package fakenango is a fake of Nango, for tests alone: it speaks the wire
// format of Nango's API and webhooks, and has a connect page whose buttons
// pretend that an account was connected, or that it was not. No account is
// real, nothing is stored, and every token that it gives is made up.
//
// A [Server] is an [http.Handler] with the endpoints that Parley uses (connect
// sessions, reading, listing and deleting connections) and the connect page.
// What it refuses, it refuses as Nango does, with its status and code.
//
//	fake := fakenango.New(&fakenango.Options{
//		APIKey: "key", WebhookKey: "signing key",
//		Integrations: map[string]fakenango.Integration{"tracker": {}},
//	})
//	defer fake.Close()
//	site := httptest.NewServer(fake)
//	fake.SetDelivery(fakenango.Delivery{URL: parley + "/nango/webhook"})
//
// Tests lose, delay and double its webhooks with [Server.SetDelivery], make it
// fail with [Server.Fail], break what it keeps with [Server.Invalidate],
// [Server.Remove] and [Server.Put], and read what happened with
// [Server.Requests], [Server.Sent] and [Server.Connections].
//
// A Server may be used by any number of goroutines.
package fakenango

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// Options configures a [Server]. Zero fields mean the defaults.
type Options struct {
	APIKey       string                 // default "fake-nango-api-key"
	WebhookKey   string                 // signs the webhooks; default: APIKey
	Integrations map[string]Integration // by their id; default none

	// PublicURL is where the connect page is. Default: the host that the API
	// was called at, by the same scheme.
	PublicURL string

	Delivery Delivery     // of the webhooks
	Client   *http.Client // delivers them; default http.DefaultClient
}

// Integration is a service that accounts can be connected of.
type Integration struct {
	AuthMode string         // the type of its credentials; default OAUTH2
	TTL      time.Duration  // how long its tokens last; default an hour. They are renewed when they are read after that
	Fields   map[string]any // the credentials themselves, besides their type; default: made up, for the types with one token or key
}

// Server is a fake Nango. Make it with New.
type Server struct {
	opts Options
	mux  *http.ServeMux

	deliveries sync.WaitGroup
	closed     chan struct{}

	mu          sync.Mutex
	sessions    map[string]*session
	connections []*Connection // the oldest first
	delivery    Delivery
	faults      []Fault
	requests    []Request
	sent        []Sent
}

// New returns a server without connections.
func New(opts *Options) *Server {
	s := &Server{mux: http.NewServeMux(), closed: make(chan struct{}), sessions: map[string]*session{}}
	if opts != nil {
		s.opts = *opts
	}
	s.opts.APIKey = cmp.Or(s.opts.APIKey, "fake-nango-api-key")
	s.opts.WebhookKey = cmp.Or(s.opts.WebhookKey, s.opts.APIKey)
	if s.opts.Client == nil {
		s.opts.Client = http.DefaultClient
	}
	s.delivery = s.opts.Delivery
	s.mux.HandleFunc("POST /connect/sessions", s.api(s.postSession))
	s.mux.HandleFunc("POST /connect/sessions/reconnect", s.api(s.postReconnect))
	s.mux.HandleFunc("GET /connections", s.api(s.listConnections))
	s.mux.HandleFunc("GET /connections/{id}", s.api(s.getConnection))
	s.mux.HandleFunc("DELETE /connections/{id}", s.api(s.deleteConnection))
	s.mux.HandleFunc("GET /connect-ui/{$}", s.showPage)
	s.mux.HandleFunc("POST /connect-ui/{$}", s.submitPage)
	return s
}

// Close ends the deliveries that are under way. The server goes on answering.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.closed:
	default:
		close(s.closed)
	}
	s.mu.Unlock()
	s.deliveries.Wait()
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.mux.ServeHTTP(w, r) }

// Request is a call of the API that was made.
type Request struct {
	Method string
	Path   string
	Query  url.Values
	Body   string
}

// Requests returns the calls of the API so far, the oldest first, also those
// that were refused.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// reply is what an endpoint answers.
type reply struct {
	status int
	body   any
}

func refuse(status int, code string) reply {
	return reply{status, map[string]any{"error": map[string]any{"code": code, "message": "a message of the fake Nango"}}}
}

// api wraps an endpoint: it takes the call down, checks the key, and answers
// with a fault if one is due. The endpoint runs under the lock.
func (s *Server) api(endpoint func(r *http.Request, body []byte) reply) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<20))
		if err != nil {
			write(w, refuse(http.StatusRequestEntityTooLarge, "payload_too_big"))
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.requests = append(s.requests, Request{Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(), Body: string(body)})
		if fault, ok := s.fault(r); ok {
			fault.write(w)
			return
		}
		token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case !ok:
			write(w, refuse(http.StatusUnauthorized, "missing_auth_header"))
		case token != s.opts.APIKey:
			write(w, refuse(http.StatusUnauthorized, "unknown_account"))
		case len(body) > 0 && !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json"):
			write(w, refuse(http.StatusUnsupportedMediaType, "invalid_content_type"))
		default:
			write(w, endpoint(r, body))
		}
	}
}

func write(w http.ResponseWriter, answer reply) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(answer.status)
	_ = json.NewEncoder(w).Encode(answer.body) // the client may be gone
}

func random(bytes int) string {
	b := make([]byte, bytes)
	rand.Read(b)
	return hex.EncodeToString(b)
}

// uuid is what Nango's connection ids look like.
func uuid() string {
	h := random(16)
	return h[:8] + "-" + h[8:12] + "-4" + h[13:16] + "-a" + h[17:20] + "-" + h[20:]
}

func (i Integration) mode() string       { return cmp.Or(i.AuthMode, "OAUTH2") }
func (i Integration) ttl() time.Duration { return cmp.Or(i.TTL, time.Hour) }

// credentials makes up new ones.
func (i Integration) credentials() map[string]any {
	made := map[string]any{"type": i.mode()}
	if i.Fields != nil {
		maps.Copy(made, i.Fields)
		return made
	}
	secret := "fake-secret-" + random(12)
	switch i.mode() {
	case "API_KEY":
		made["apiKey"] = secret
		return made
	case "BASIC":
		made["username"], made["password"] = "fake-user", secret
		return made
	case "OAUTH2_CC", "JWT", "TWO_STEP", "SIGNATURE":
		made["token"] = secret
	default:
		made["access_token"] = secret
		made["raw"] = map[string]any{"access_token": secret, "token_type": "bearer"}
	}
	made["expires_at"] = time.Now().Add(i.ttl()).UTC().Format("2006-01-02T15:04:05.000Z")
	return made
}

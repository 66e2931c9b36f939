// Package chat is the surface for chat clients: they send what a person says,
// and are streamed what an agent does, what it asks, and how that was answered.
//
// Its nouns:
//
//   - Turn: one message of a person, and the run of package agent that it
//     starts.
//   - Narrator: tells a run in the words of one kind of client: chunks of the
//     AI SDK, chunks of OpenAI's API, or the events of a chat with MCP servers.
//   - Elicitation: a question as clients see it, the same for all of them.
//   - Answer: what comes back, by its own endpoint, as a part of a message, or
//     on a socket.
//
// A Chat is an [http.Handler] for the paths below /run; docs/chat.md describes
// what goes over the wire.
//
//	surface, err := chat.New(runtime, hub, &chat.Options{Principal: whoAsks})
//	mux.Handle("/run/", surface)
//
// Streams only tell. A client that leaves ends its stream and nothing else, any
// number of them may follow one run, and each is told from its start. A Chat
// keeps no state, so it is safe for concurrent use and any process may serve
// the next request.
package chat

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/limit"
)

// Via is the surface that answers given here come through.
const Via = "chat"

// ErrUnauthenticated is what Options.Principal returns, or wraps, when a request
// carries no valid credential.
var ErrUnauthenticated = errors.New("not signed in: send a valid token, or sign in first")

// Options configures a Chat. Nil and zero fields mean the defaults.
type Options struct {
	// Principal says who sends a request, from a verified token or cookie; it is
	// required. ErrUnauthenticated when it cannot say. A program with a Key
	// has conversations of its own, in which nobody can be asked anything; a service
	// without one has none.
	Principal func(*http.Request) (parley.Principal, error)

	// DefaultAgent answers when a request names no agent. Default: the agent of
	// the runtime, if it has only one.
	DefaultAgent string
	// PublicURL is where people reach this site, such as https://parley.example.
	// Default: none; then notices have no links.
	PublicURL string
	// Origins are sites whose pages may use this one, with their visitors'
	// cookies, such as https://app.example. Default: none but this site's own.
	Origins []string

	// Approvals knows whom calls wait for. Default: clients are not told who has
	// answered.
	Approvals Approvals

	// Heartbeat is how long a stream may be silent before it sends a comment.
	// Default 15 s.
	Heartbeat time.Duration
	// Looking is told, again and again while a stream is open on which a question waits,
	// that its person sees the questions of this conversation. Default: nobody is.
	Looking func(ctx context.Context, p parley.Principal, session string)

	// OAuthWait is how long the questions of /run/ws and /run/sse stay open.
	// Default 300 s.
	OAuthWait time.Duration

	Limits Limits
	Logger *slog.Logger // default slog.Default()
}

// Limits caps what clients send. Zero fields mean the defaults.
type Limits struct {
	Body  int64 // bytes of a request, and of a message on a socket; default 1 MiB
	Turns int   // turns of one socket at a time; default 8
}

// Chat serves chat clients. Make one with New.
type Chat struct {
	rt      *agent.Runtime
	hub     *parley.Hub
	opts    Options
	origins map[string]bool
	foreign *http.CrossOriginProtection
	// of other origins, for the operator
	foreigners *limit.Notices
	mux        *http.ServeMux
	opened     time.Time
}

// New returns the surface of a runtime whose questions are the hub's.
func New(rt *agent.Runtime, hub *parley.Hub, opts *Options) (*Chat, error) {
	c := &Chat{rt: rt, hub: hub, origins: map[string]bool{}, foreign: http.NewCrossOriginProtection(), opened: time.Now()}
	if opts != nil {
		c.opts = *opts
	}
	if c.opts.Principal == nil {
		return nil, errors.New("chat: Options.Principal is required: it says who sends a request")
	}
	c.opts.Heartbeat = cmp.Or(c.opts.Heartbeat, 15*time.Second)
	c.opts.OAuthWait = cmp.Or(c.opts.OAuthWait, 300*time.Second)
	c.opts.Limits.Body = cmp.Or(c.opts.Limits.Body, 1<<20)
	c.opts.Limits.Turns = cmp.Or(c.opts.Limits.Turns, 8)
	if c.opts.Logger == nil {
		c.opts.Logger = slog.Default()
	}
	c.foreigners = limit.NewNotices(c.opts.Logger, 0)
	if err := c.setAgent(); err != nil {
		return nil, err
	}
	if err := c.setOrigins(); err != nil {
		return nil, err
	}
	c.mux = c.routes()
	return c, nil
}

func (c *Chat) setAgent() error {
	agents := c.rt.Agents()
	if c.opts.DefaultAgent != "" && agents[c.opts.DefaultAgent] == nil {
		return fmt.Errorf("chat: the default agent %q: %w", c.opts.DefaultAgent, agent.ErrUnknownAgent)
	}
	if c.opts.DefaultAgent == "" && len(agents) == 1 {
		for name := range agents {
			c.opts.DefaultAgent = name
		}
	}
	return nil
}

func (c *Chat) setOrigins() error {
	c.opts.PublicURL = strings.TrimRight(c.opts.PublicURL, "/")
	all := c.opts.Origins
	if c.opts.PublicURL != "" {
		public, err := url.Parse(c.opts.PublicURL)
		if err != nil {
			return fmt.Errorf("chat: the public URL: %w", err)
		}
		all = append([]string{public.Scheme + "://" + public.Host}, all...)
	}
	for _, origin := range all {
		if err := c.foreign.AddTrustedOrigin(origin); err != nil {
			return fmt.Errorf("chat: the origin %q: %w", origin, err)
		}
		c.origins[strings.ToLower(origin)] = true
	}
	return nil
}

func (c *Chat) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("POST /run/api/chat", c.handle(c.fail, c.takeTurn))
	mux.Handle("GET /run/api/chat", c.handle(c.fail, c.listConversations))
	mux.Handle("GET /run/api/chat/{id}", c.handle(c.fail, c.showHistory))
	mux.Handle("GET /run/api/chat/{id}/files/{file}", c.handle(c.fail, c.showFile))
	mux.Handle("GET /run/api/chat/{id}/stream", c.handle(c.fail, c.resume))
	mux.Handle("DELETE /run/api/chat/{id}/stream", c.handle(c.fail, c.stop))
	mux.Handle("POST /run/api/elicitation-responses", c.handle(c.fail, c.takeResponse))
	mux.Handle("POST /run/v1/chat/completions", c.handle(c.failCompletion, c.complete))
	mux.Handle("GET /run/v1/models", c.handle(c.failCompletion, c.listModels))
	mux.Handle("GET /run/v1/models/{model}", c.handle(c.failCompletion, c.showModel))
	mux.Handle("GET /run/ws", c.handle(c.fail, c.serveSocket))
	mux.Handle("POST /run/sse", c.handle(c.failEvent, c.serveEvents))
	return mux
}

// ServeHTTP implements http.Handler.
func (c *Chat) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if c.shareWith(w, r) {
		return
	}
	if err := c.refuseForeign(r); err != nil {
		c.failHere(w, r, err)
		return
	}
	if _, pattern := c.mux.Handler(r); pattern == "" {
		c.failNoPath(w, r)
		return
	}
	c.mux.ServeHTTP(w, r)
}

// handler serves a request of a person's or a program's. What it returns is answered as an
// error, so it returns nil once it has begun to answer.
type handler func(w http.ResponseWriter, r *http.Request, p parley.Principal) error

func (c *Chat) handle(fail func(http.ResponseWriter, *http.Request, error), h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p, err := c.caller(r)
		if err == nil {
			w.Header().Set(accountHeader, account(p))
			err = h(w, r, p)
		}
		if err != nil {
			fail(w, r, err)
		}
	})
}

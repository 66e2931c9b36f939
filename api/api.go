// Package api is the management API: MCP servers, OAuth providers and services,
// connections, permissions, rules and questions, as JSON below /api, described
// by an OpenAPI 3.1 document at /api/openapi.json. Programs ask people here.
//
// Its nouns:
//
//   - Caller: who sends a request. An administrator manages the things of their
//     tenant; a person sees and removes what is their own, and nothing else.
//   - Servers: the MCP servers of the configuration and of this API, with the
//     rule for approvals that each has. The gateway reads the same list.
//   - Permits: what people have allowed and refused, and the rules that say which
//     calls need an approval: the conditions of package permit.
//   - Problem: what every refusal is, as application/problem+json (RFC 9457),
//     with the path of each member that is wrong.
//
// An API is an [http.Handler]:
//
//	surface, err := api.New(hub, vault, permits, records, &api.Options{Caller: whoAsks})
//	mux.Handle("/api/", surface)
//
// Secrets go in and never come out: what is shown says only whether there is
// one. Nothing here answers a question or approves a call, since a model could
// hold the key of a program: a question can be withdrawn, and that is a no.
//
// An API keeps no state, so it is safe for concurrent use and any process may
// serve the next request. Changes to one thing come one after the other.
package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/asking"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// Options configures an API. Nil and zero fields mean the defaults.
type Options struct {
	// Caller says who sends a request, from a verified token or cookie; it is
	// required. ErrUnauthenticated when it cannot say.
	Caller func(*http.Request) (Caller, error)

	// Servers are the MCP servers, shared with the gateway. Default: those of
	// the vault, with what this API keeps of them in the records.
	Servers *Servers
	// Requests is the hub's store, for administrators, who see the questions of
	// their whole tenant. Default: the hub's own, if it keeps records as well.
	Requests Requests

	// Approvals knows whom calls wait for. Default: nobody is told who has answered.
	Approvals Approvals
	// Escalates says whom a rule of the configuration asks besides. Default: nobody.
	Escalates func(rule string) []Escalation
	// Asking is what programs ask through this API. Default: they ask nobody.
	Asking *asking.Questions
	// Health knows how servers are. Default: nobody does.
	Health Health
	// Attached says what uses a server, for its checklist. Default: the
	// checklist leaves that out.
	Attached func(ctx context.Context, tenant, server string) (Attachment, error)

	// Notices is how people are told of questions. Default: nobody is, and /api/me
	// is not there.
	Notices Notices

	// Logins are the programs that act as people. Default: there are none, and
	// /api/logins is not there.
	Logins Logins

	// Audit keeps decisions. Changes that it cannot be told of are not made. Default:
	// nobody does, and /api/audit is not there.
	Audit Audit

	// Runs are the turns of conversations with agents. Default: there are none, and
	// /api/runs is not there.
	Runs Runs
	// TraceView is where people look at the trace of a run: a URL with {trace} in it.
	// Default: nowhere.
	TraceView string

	// Agents are the names of the agents, to which servers are given.
	Agents []string
	// Elsewhere are those of Agents that nothing can be given to: they are elsewhere, and
	// so is all that they have.
	Elsewhere []string
	// Outbound says which URLs servers and providers may have. Default: public
	// ones by https.
	Outbound *outbound.Options
	// PublicURL is where browsers reach this site, such as
	// https://parley.example. Default: the host that a request names.
	PublicURL string

	// Unsigned is why nobody could sign with a passkey here: no rule wants that then.
	// Default: people can.
	Unsigned error

	Logger *slog.Logger // default slog.Default()
}

// Permits is the permission table, and the conditions that say which calls need
// an approval. *permit.Permits is one.
type Permits interface {
	List(ctx context.Context, tenant, user string) ([]permit.Permission, error)
	Revoke(ctx context.Context, tenant, user, id string) error

	Conditions(ctx context.Context, tenant string) ([]permit.PlacedCondition, error)
	PutCondition(ctx context.Context, tenant string, c permit.Condition) error
	RemoveCondition(ctx context.Context, tenant, name string) error
}

// Requests is the part of parley.Store that is read here.
type Requests interface {
	Get(ctx context.Context, id parley.ID) (parley.Request, error)
	List(ctx context.Context, q parley.Query) ([]parley.Request, error)
}

// Health knows how servers are.
type Health interface {
	// Status returns how a server is. Its texts are shown to administrators.
	Status(ctx context.Context, tenant string, one Server) (Status, error)
}

// Attachment is what uses a server.
type Attachment struct {
	Agents  []string // the agents that have it
	Gateway bool     // it is behind the gateway
}

// API serves the management API. Make one with New.
type API struct {
	hub      *parley.Hub
	vault    *vault.Vault
	permits  Permits
	records  parley.Records
	servers  *Servers
	requests Requests
	opts     Options
	surveys  chan struct{} // has a place for each that goes through the runs
	tests    *limit.Rates  // of notifications, by person
	foreign  *http.CrossOriginProtection
	mux      *http.ServeMux
	document []byte // the description, as JSON
	lookout  *lookout
}

// New returns the API. The records keep what the vault does not know of a
// server; give it sealed ones (seal.Records) where others can write to the
// store.
func New(hub *parley.Hub, v *vault.Vault, permits Permits, records parley.Records, opts *Options) (*API, error) {
	if hub == nil || v == nil || permits == nil || records == nil || opts == nil || opts.Caller == nil {
		return nil, errors.New("api: a hub, a vault, permits, records and Options.Caller are needed")
	}
	a := &API{
		hub: hub, vault: v, permits: permits, records: records, opts: *opts, servers: opts.Servers, requests: opts.Requests,
		foreign: http.NewCrossOriginProtection(), mux: http.NewServeMux(), surveys: make(chan struct{}, surveysAtOnce),
		tests: limit.NewRates(limit.Rate{PerSecond: 1.0 / 20, Burst: 5}),
	}
	if a.servers == nil {
		a.servers = NewServers(v, records, nil)
	}
	if a.requests == nil {
		a.requests, _ = hub.Records().(Requests)
	}
	if a.requests == nil {
		return nil, errors.New("api: Options.Requests is needed: the hub's store keeps no records")
	}
	if a.opts.Logger == nil {
		a.opts.Logger = slog.Default()
	}
	if a.opts.PublicURL != "" {
		public, err := originOf(a.opts.PublicURL)
		if err == nil {
			err = a.foreign.AddTrustedOrigin(public)
		}
		if err != nil {
			return nil, fmt.Errorf("api: the public URL: %w", err)
		}
	}
	a.lookout = &lookout{hub: hub, requests: a.requests, logger: a.opts.Logger}
	return a, a.routes()
}

// ServeHTTP implements http.Handler.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if _, pattern := a.mux.Handler(r); pattern == "" {
		a.failNoPath(w, r)
		return
	}
	if r.URL.Path == descriptionPath {
		a.mux.ServeHTTP(w, r)
		return
	}
	if !bearer(r) && a.foreign.Check(r) != nil {
		a.write(w, problem(http.StatusForbidden, "Another site sent this, so nothing was done."))
		return
	}
	caller, err := a.opts.Caller(r)
	if err == nil {
		err = caller.check()
	}
	if err != nil {
		a.failCaller(w, r, err)
		return
	}
	if said := garbled(r); said != nil {
		a.write(w, said)
		return
	}
	caller.host, caller.path = r.Host, r.URL.Path
	caller.again = func() (Caller, error) { return a.opts.Caller(r.WithContext(context.WithoutCancel(r.Context()))) }
	a.mux.ServeHTTP(w, r.WithContext(withCaller(r.Context(), caller)))
}

func (a *API) routes() error {
	described := a.blank()
	a.serverRoutes(described)
	a.providerRoutes(described)
	a.serviceRoutes(described)
	a.connectionRoutes(described)
	a.permissionRoutes(described)
	a.ruleRoutes(described)
	a.trialRoutes(described)
	a.elicitationRoutes(described)
	a.runRoutes(described)
	a.meRoutes(described)
	a.loginRoutes(described)
	a.auditRoutes(described)
	return a.describe(described)
}

var _ http.Handler = (*API)(nil)

// nothing is the answer of what has nothing to tell.
type nothing struct{}

// listOf is how lists are sent.
type listOf[T any] struct {
	Items []T `json:"items" nullable:"false"`
}

type listAnswer[T any] struct {
	Body listOf[T]
}

func listed[T any](items []T) *listAnswer[T] {
	if items == nil {
		items = []T{}
	}
	return &listAnswer[T]{Body: listOf[T]{Items: items}}
}

// texts is never nil: clients are promised a list.
func texts(all []string) []string { return append([]string{}, all...) }

type answer[T any] struct {
	Body T
}

// created is the answer to something new.
type created[T any] struct {
	Location string `header:"Location"`
	Body     T
}

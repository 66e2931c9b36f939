package api

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/vault"
)

// serverWire is a server as it is shown.
type serverWire struct {
	Name      string     `json:"name"`
	ID        uint32     `json:"server_id" minimum:"1" doc:"The number by which the events oauth_required and oauth_connection_resolved name it: always the same for a name."`
	Title     string     `json:"title,omitempty" doc:"What people see; default: the name."`
	URL       string     `json:"url,omitempty" doc:"Without its query, if it comes from the configuration: that may hold a secret."`
	Transport string     `json:"transport" enum:"http,stdio,a2a" doc:"http, stdio: it speaks MCP. a2a: it is an agent elsewhere, to which the agents delegate that have it; the gateway does not offer it."`
	Auth      authWire   `json:"auth"`
	Approve   string     `json:"approve" enum:"never,unsafe,always,refuse" doc:"Which calls of its tools need an approval; unsafe: those that are not declared to be read-only; refuse: none is made."`
	Enabled   bool       `json:"enabled"`
	Agents    []string   `json:"agents" nullable:"false" doc:"The agents that have it."`
	Source    string     `json:"source" enum:"configuration,api" doc:"Where it comes from. What comes from the configuration is changed there."`
	Status    statusWire `json:"status"`
}

type authWire struct {
	Type            string   `json:"type" enum:"none,bearer,api_key,oauth2,mcp"`
	Scope           string   `json:"scope" enum:"platform,mentor,user" doc:"Whose credential: one for the tenant, for each agent, or for each person, who is asked for it in the chat."`
	Provider        string   `json:"provider,omitempty"`
	Service         string   `json:"service,omitempty"`
	Scopes          []string `json:"scopes" nullable:"false"`
	Header          string   `json:"header,omitempty"`
	Prefix          string   `json:"prefix,omitempty"`
	Issuer          string   `json:"issuer,omitempty"`
	ClientID        string   `json:"client_id,omitempty"`
	Source          string   `json:"source,omitempty"`
	Integration     string   `json:"integration,omitempty"`
	HasToken        bool     `json:"has_token"`
	HasClientSecret bool     `json:"has_client_secret"`
}

// serverInput is a server as clients write it.
type serverInput struct {
	Name      string    `json:"name,omitempty" pattern:"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" doc:"Needed for a new one; otherwise that of the path."`
	Title     string    `json:"title,omitempty" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f]*$"`
	URL       string    `json:"url,omitempty" maxLength:"2048" doc:"Where it speaks MCP over HTTP; of an agent elsewhere what its card is below, or the card itself."`
	Transport string    `json:"transport,omitempty" enum:"http,a2a" doc:"a2a: it is an agent elsewhere. It stays what it is. Default http."`
	Command   []string  `json:"command,omitempty" nullable:"false" doc:"Refused: programs are started by the configuration only."`
	Auth      authInput `json:"auth,omitempty"`
	Approve   string    `json:"approve,omitempty" enum:"never,unsafe,always,refuse" doc:"Default unsafe."`
	Enabled   *bool     `json:"enabled,omitempty" doc:"Default true."`
	Agents    []string  `json:"agents,omitempty" nullable:"false" maxItems:"100" doc:"The agents of the chat that have its tools, or delegate to it. Default: none."`

	AuthType  string `json:"auth_type,omitempty" enum:"none,bearer,api_key,oauth2,mcp" doc:"The same as type in auth."`
	AuthScope string `json:"auth_scope,omitempty" enum:"platform,mentor,user" doc:"The same as scope in auth."`
}

// spelledOut returns the input with its short forms in their places.
func (in serverInput) spelledOut() (serverInput, error) {
	for _, one := range []struct {
		short, member string
		given         string
		to            *string
	}{{"auth_type", "type", in.AuthType, &in.Auth.Type}, {"auth_scope", "scope", in.AuthScope, &in.Auth.Scope}} {
		switch {
		case one.given == "":
		case *one.to != "" && *one.to != one.given:
			return in, saysOtherwise(one.short, one.member)
		default:
			*one.to = one.given
		}
	}
	return in, nil
}

func saysOtherwise(short, member string) error {
	return invalid(pathOf(short), "it says something else than "+member+" in auth")
}

type authInput struct {
	Type         string         `json:"type,omitempty" enum:"none,bearer,api_key,oauth2,mcp" doc:"Default none."`
	Scope        string         `json:"scope,omitempty" enum:"platform,mentor,user" doc:"Default platform."`
	Provider     string         `json:"provider,omitempty" maxLength:"64" doc:"oauth2: the provider, or"`
	Service      string         `json:"service,omitempty" maxLength:"64" doc:"oauth2: the service of a provider."`
	Scopes       []string       `json:"scopes,omitempty" nullable:"false" maxItems:"100"`
	Header       string         `json:"header,omitempty" pattern:"^[A-Za-z0-9-]{1,64}$" doc:"bearer, api_key: where the value goes; default Authorization and X-API-Key."`
	Prefix       string         `json:"prefix,omitempty" pattern:"^[ -~]{0,64}$" doc:"In front of the value; default \"Bearer \" in Authorization."`
	Token        *parley.Secret `json:"token,omitempty" writeOnly:"true" maxLength:"16384" doc:"bearer, api_key with scope platform: the credential. Left out: as it was; empty: removed."`
	Issuer       string         `json:"issuer,omitempty" maxLength:"2048" doc:"mcp: where we are registered already."`
	ClientID     string         `json:"client_id,omitempty" maxLength:"2048"`
	ClientSecret *parley.Secret `json:"client_secret,omitempty" writeOnly:"true" maxLength:"16384" doc:"Left out: as it was; empty: removed."`
	Source       string         `json:"source,omitempty" maxLength:"64" doc:"Keeps the credentials instead of the vault."`
	Integration  string         `json:"integration,omitempty" maxLength:"200"`
}

type named struct {
	Name string `path:"name" maxLength:"64"`
}

func (a *API) serverRoutes(to *huma.OpenAPI) {
	const tag, list, one = "servers", "/api/servers", "/api/servers/{name}"
	add(a, to, operation{
		id: "list-servers", tag: tag, summary: "All servers of the tenant: MCP servers, and agents elsewhere", method: http.MethodGet, path: list, who: administrators,
	}, a.listServers)
	add(a, to, operation{
		id: "create-server", tag: tag, summary: "Add a server", method: http.MethodPost, path: list, who: administrators,
		status: http.StatusCreated, errors: []int{http.StatusConflict},
	}, a.createServer)
	add(a, to, operation{
		id: "get-server", tag: tag, summary: "One server", method: http.MethodGet, path: one, who: administrators, errors: []int{http.StatusNotFound},
	}, a.getServer)
	add(a, to, operation{
		id: "replace-server", tag: tag, summary: "Replace a server", method: http.MethodPut, path: one, who: administrators,
		about:  "What is left out gets its default, but a secret stays. Where the URL leads to another host, a secret has to be given again.",
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.replaceServer)
	add(a, to, operation{
		id: "patch-server", tag: tag, summary: "Change a server", method: http.MethodPatch, path: one, who: administrators,
		about:  "A JSON merge patch (RFC 7396): what is left out stays, null is the default.",
		errors: []int{http.StatusNotFound, http.StatusConflict}, kinds: []string{"application/merge-patch+json"},
	}, a.patchServer)
	add(a, to, operation{
		id: "remove-server", tag: tag, summary: "Remove a server", method: http.MethodDelete, path: one, who: administrators,
		about:  "Its connections stay until they are disconnected.",
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.removeServer)
	add(a, to, operation{
		id: "get-checklist", tag: tag, summary: "What is still missing before people can connect their accounts in the chat",
		method: http.MethodGet, path: one + "/checklist", who: administrators, errors: []int{http.StatusNotFound},
	}, a.getChecklist)
}

// statusesAtOnce is how many servers are looked at at a time: some have to be asked.
const statusesAtOnce = 16

func (a *API) listServers(ctx context.Context, c Caller, _ *nothing) (*listAnswer[serverWire], error) {
	all, err := a.servers.List(ctx, c.tenant())
	if err != nil {
		return nil, err
	}
	shown := make([]serverWire, len(all))
	var work sync.WaitGroup
	places := make(chan struct{}, statusesAtOnce)
	for i, one := range all {
		places <- struct{}{}
		work.Go(func() {
			defer func() { <-places }()
			shown[i] = a.showServer(ctx, c, one)
		})
	}
	work.Wait()
	return listed(shown), nil
}

func (a *API) getServer(ctx context.Context, c Caller, in *named) (*answer[serverWire], error) {
	one, err := a.servers.Get(ctx, c.tenant(), in.Name)
	if err != nil {
		return nil, err
	}
	return &answer[serverWire]{a.showServer(ctx, c, one)}, nil
}

func (a *API) createServer(ctx context.Context, c Caller, in *struct{ Body serverInput }) (*created[serverWire], error) {
	if in.Body.Name == "" {
		return nil, invalid("body.name", "a new server needs a name")
	}
	one, err := a.readServer(in.Body, Server{})
	if err != nil {
		return nil, err
	}
	if err := a.servers.Create(ctx, c.tenant(), one); err != nil {
		return nil, err
	}
	if one, err = a.servers.Get(ctx, c.tenant(), one.Name); err != nil {
		return nil, err
	}
	return &created[serverWire]{Location: "/api/servers/" + one.Name, Body: a.showServer(ctx, c, one)}, nil
}

func (a *API) replaceServer(ctx context.Context, c Caller, in *struct {
	Name string `path:"name" maxLength:"64"`
	Body serverInput
}) (*answer[serverWire], error) {
	return a.changeServer(ctx, c, in.Name, func(Server) (serverInput, error) { return in.Body, nil })
}

// changeServer stores what input makes of the server that is there.
func (a *API) changeServer(ctx context.Context, c Caller, name string, input func(Server) (serverInput, error)) (*answer[serverWire], error) {
	err := a.servers.Change(ctx, c.tenant(), name, func(old Server) (Server, error) {
		in, err := input(old)
		if err != nil {
			return Server{}, err
		}
		if in.Name != "" && in.Name != name {
			return Server{}, invalid("body.name", "a server keeps its name: remove it and add another")
		}
		in.Name = name
		return a.readServer(in, old)
	})
	if err != nil {
		return nil, err
	}
	return a.getServer(ctx, c, &named{name})
}

func (a *API) removeServer(ctx context.Context, c Caller, in *named) (*nothing, error) {
	return nil, a.servers.Remove(ctx, c.tenant(), in.Name)
}

// readServer makes a server of what a client sent. old is the one it replaces:
// its secrets stay, as long as they go to the same place.
func (a *API) readServer(in serverInput, old Server) (Server, error) {
	in, err := in.spelledOut()
	if err != nil {
		return Server{}, err
	}
	switch {
	case len(in.Command) > 0:
		return Server{}, invalid("body.command", "a program is started only by the configuration; here a server has a url")
	case in.URL == "":
		return Server{}, invalid("body.url", "a server here has a url; one that is started as a program comes from the configuration")
	}
	if err := a.opts.Outbound.Check(in.URL); err != nil {
		return Server{}, invalid("body.url", err.Error())
	}
	protocol, err := a.readTransport(in, old)
	if err != nil {
		return Server{}, err
	}
	for _, name := range in.Agents {
		if !slices.Contains(a.opts.Agents, name) {
			return Server{}, invalid("body.agents", fmt.Sprintf("there is no agent %q; there are: %s", name, cmp.Or(strings.Join(a.opts.Agents, ", "), "none")))
		}
	}
	for _, name := range in.Agents {
		if slices.Contains(a.opts.Elsewhere, name) {
			return Server{}, invalid("body.agents", fmt.Sprintf("the agent %q is elsewhere, where its tools and delegates are its own", name))
		}
	}
	if protocol == vault.A2A && in.Auth.Source != "" && !a.vault.HasSource(in.Auth.Source) {
		return Server{}, invalid("body.auth.source", fmt.Sprintf("there is no source %q: leave it out, and the vault keeps the credential", in.Auth.Source))
	}
	auth := vault.Auth{
		Type: vault.AuthType(in.Auth.Type), Scope: vault.Scope(in.Auth.Scope), Provider: in.Auth.Provider, Service: in.Auth.Service, Scopes: in.Auth.Scopes,
		Header: in.Auth.Header, Prefix: in.Auth.Prefix, Issuer: in.Auth.Issuer, ClientID: in.Auth.ClientID, Source: in.Auth.Source, Integration: in.Auth.Integration,
	}
	fixed := (auth.Type == vault.Bearer || auth.Type == vault.APIKey) && (auth.Scope == vault.Platform || auth.Scope == "")
	if auth.Token, err = kept("body.auth.token", in.Auth.Token, old.Auth.Token, fixed, sameOrigin(in.URL, old.URL)); err != nil {
		return Server{}, err
	}
	registered := auth.Type == vault.MCP && auth.ClientID != ""
	if auth.ClientSecret, err = kept("body.auth.client_secret", in.Auth.ClientSecret, old.Auth.ClientSecret, registered, auth.Issuer == old.Auth.Issuer); err != nil {
		return Server{}, err
	}
	return Server{
		Server:  vault.Server{Name: in.Name, Title: in.Title, URL: in.URL, Protocol: protocol, Auth: auth},
		Approve: permit.Rule(in.Approve), Enabled: in.Enabled == nil || *in.Enabled, Agents: distinct(in.Agents),
	}, nil
}

// readTransport is what a server speaks. It stays as it was: what waits at it, and the
// connections of people, are at one of its kind. An agent elsewhere is called as those
// here are, so it has a name of its own among them.
func (a *API) readTransport(in serverInput, old Server) (vault.Protocol, error) {
	protocol := old.Protocol
	if in.Transport != "" {
		protocol = ""
		if in.Transport == string(vault.A2A) {
			protocol = vault.A2A
		}
	}
	if old.Name != "" && protocol != old.Protocol {
		return "", invalid("body.transport", "a server keeps its transport: remove it and add another")
	}
	if protocol != vault.A2A {
		return protocol, nil
	}
	for _, name := range a.opts.Agents {
		for member, given := range map[string]string{"name": in.Name, "title": in.Title} {
			if given != "" && (legible.Alike(given, name) || legible.Alike(legible.Head(given), name)) {
				return "", invalid("body."+member, fmt.Sprintf("it reads like the name of the agent %s of the configuration: take another %s", name, member))
			}
		}
	}
	return protocol, nil
}

func distinct(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// kept returns the secret after a change. One that is not given stays while it
// is of use, and only where it was: who may change an address could otherwise
// have it sent to their own.
func kept(path string, given *parley.Secret, old parley.Secret, used, same bool) (parley.Secret, error) {
	switch {
	case given != nil:
		return *given, nil
	case old == "" || !used:
		return "", nil
	case !same:
		return "", invalid(path, "it would go to another place than before: give it again, or remove it with an empty value")
	}
	return old, nil
}

func sameOrigin(a, b string) bool {
	one, err := originOf(a)
	other, otherErr := originOf(b)
	return err == nil && otherErr == nil && one == other
}

func (a *API) showServer(ctx context.Context, c Caller, one Server) serverWire {
	auth := one.Auth
	shown := serverWire{
		Name: one.Name, ID: vault.ServerID(one.Name), Title: one.Title, URL: one.URL, Transport: "http", Approve: string(one.Approve), Enabled: one.Enabled, Agents: texts(one.Agents), Source: "api",
		Status: a.showStatus(ctx, c, one),
		Auth: authWire{
			Type: string(auth.Type), Scope: string(auth.Scope), Provider: auth.Provider, Service: auth.Service, Scopes: texts(auth.Scopes),
			Issuer: auth.Issuer, ClientID: auth.ClientID, Source: auth.Source, HasToken: auth.Token != "", HasClientSecret: auth.ClientSecret != "",
		},
	}
	if auth.Type == vault.Bearer || auth.Type == vault.APIKey {
		shown.Auth.Header, shown.Auth.Prefix = auth.Header, auth.Prefix
	}
	if auth.Source != "" {
		shown.Auth.Integration = auth.Integration
	}
	switch {
	case one.Protocol == vault.A2A:
		shown.Transport = string(vault.A2A)
	case one.URL == "":
		shown.Transport = "stdio"
	}
	if one.Configured {
		shown.URL, shown.Source = withoutQuery(one.URL), "configuration"
		shown.Agents = a.agentsWith(ctx, c, one)
	}
	return shown
}

// agentsWith are the agents that the configuration gives a server of its own.
func (a *API) agentsWith(ctx context.Context, c Caller, one Server) []string {
	if a.opts.Attached == nil {
		return texts(one.Agents)
	}
	at, err := a.opts.Attached(ctx, c.tenant(), one.Name)
	if err != nil {
		a.opts.Logger.WarnContext(ctx, "agents of a server unknown", "server", one.Name, "err", err)
	}
	return texts(at.Agents)
}

func withoutQuery(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path, RawPath: u.RawPath}).String()
}

package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/parley-hq/parley/vault"
)

// checklistWire says what a server has and lacks before people are asked in the
// chat to connect their accounts.
type checklistWire struct {
	Server      string     `json:"server"`
	Ready       bool       `json:"ready" doc:"Everything but the person's connection is there: the chat asks for that."`
	RedirectURI string     `json:"redirect_uri,omitempty" doc:"What has to be registered with the provider, to the letter."`
	Items       []itemWire `json:"items" nullable:"false"`
}

type itemWire struct {
	Item   string `json:"item" enum:"provider,metadata,client_credentials,redirect_uri,service,token,auth_type,auth_scope,enabled,attached,connection"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail" doc:"How it is, in a sentence."`
	Fix    string `json:"fix,omitempty" doc:"What to do about it."`
}

// checklist goes through the pieces in the order in which they are set up.
type checklist struct {
	api    *API
	tenant string
	server Server
	looks  bool // at metadata
	out    checklistWire
}

func (l *checklist) item(name string, ok bool, detail, fix string) {
	if ok {
		fix = ""
	}
	l.out.Items = append(l.out.Items, itemWire{Item: name, OK: ok, Detail: detail, Fix: fix})
	if !ok && name != "connection" {
		l.out.Ready = false
	}
}

// change says where a member of the server is changed.
func (l *checklist) change(member, value string) string {
	if l.server.Configured && l.server.Protocol == vault.A2A {
		return fmt.Sprintf("Set agents.%s.%s to %s in the configuration.", l.server.Name, member, value)
	}
	if l.server.Configured {
		return fmt.Sprintf("Set servers.%s.%s to %s in the configuration.", l.server.Name, member, value)
	}
	return fmt.Sprintf("Set %s to %s with PATCH /api/servers/%s.", member, value, l.server.Name)
}

func (a *API) getChecklist(ctx context.Context, c Caller, in *struct {
	Name  string `path:"name" maxLength:"64"`
	Agent string `query:"agent" maxLength:"512" doc:"Whether this agent has the server. Default: any agent, or the gateway."`
	// It takes as long as the server does, so it is asked for.
	Metadata bool   `query:"metadata" doc:"Whether the metadata of a server with auth.type mcp, and of the authorization server that it names, can be found now."`
	User     string `query:"user" maxLength:"512" doc:"Whether this person is connected. Default: yourself; nobody for programs."`
}) (*answer[checklistWire], error) {
	server, err := a.servers.Get(ctx, c.tenant(), in.Name)
	if err != nil {
		return nil, err
	}
	user, err := c.person(in.User)
	if err != nil {
		return nil, err
	}
	l := &checklist{api: a, tenant: c.tenant(), server: server, looks: in.Metadata, out: checklistWire{Server: server.Name, Ready: true, Items: []itemWire{}}}
	if err := l.authority(ctx); err != nil {
		return nil, err
	}
	l.itself()
	if err := l.attached(ctx, in.Agent); err != nil {
		return nil, err
	}
	if user != "" {
		if err := l.connected(ctx, user); err != nil {
			return nil, err
		}
	}
	return &answer[checklistWire]{l.out}, nil
}

// authority looks at who issues the tokens.
func (l *checklist) authority(ctx context.Context) error {
	auth := l.server.Auth
	switch {
	case auth.Source != "":
		there := l.api.vault.HasSource(auth.Source)
		detail := fmt.Sprintf("The source %s keeps the credentials of this server, and has its own provider.", auth.Source)
		if !there {
			detail = fmt.Sprintf("The server names the source %q, and there is none of this name.", auth.Source)
		}
		l.item("provider", there, detail, "Configure the source, or take auth.source out of the server.")
		return nil
	case auth.Type == vault.MCP:
		return l.named(ctx)
	case l.handed():
		return l.token(ctx)
	}
	name, err := l.service(ctx)
	if err != nil {
		return err
	}
	if name == "" {
		l.without("Which provider it is, the service says.", "Add the service first; it names its provider.")
		return nil
	}
	p, err := l.api.vault.Provider(ctx, l.tenant, name)
	if errors.Is(err, vault.ErrUnknown) {
		l.without(fmt.Sprintf("The provider %q is not registered here.", name),
			"Add it with POST /api/providers, with its auth_url, token_url, client_id and client_secret.")
		return nil
	}
	if err != nil {
		return err
	}
	return l.provider(ctx, p)
}

// handed reports whether the server takes a token that somebody hands in, so that nobody
// issues it in the chat.
func (l *checklist) handed() bool {
	return l.server.Auth.Source == "" && (l.server.Auth.Type == vault.Bearer || l.server.Auth.Type == vault.APIKey)
}

// token looks for the token of the platform. Those of people and agents are theirs.
func (l *checklist) token(ctx context.Context) error {
	if l.server.Auth.Scope != vault.Platform {
		return nil
	}
	_, err := l.api.vault.Credential(ctx, vault.Need{Tenant: l.tenant, Server: l.server.Name})
	switch {
	case err == nil:
		l.item("token", true, "The tenant's token is stored.", "")
	case errors.Is(err, vault.ErrRequired):
		l.item("token", false, "Nobody has stored the token that the server takes.", l.change("auth.token", "it"))
	default:
		return err
	}
	return nil
}

// service looks at what is used of the provider, and returns the provider's name
// if it is known.
func (l *checklist) service(ctx context.Context) (provider string, err error) {
	auth := l.server.Auth
	switch {
	case auth.Provider != "":
		l.item("service", true, "The server names its provider itself, so it needs no service.", "")
		return auth.Provider, nil
	case auth.Service == "":
		l.item("service", false, "The server names neither a service nor a provider.", l.change("auth.service", "the name of a service"))
		return "", nil
	}
	service, err := l.api.vault.Service(ctx, l.tenant, auth.Service)
	if errors.Is(err, vault.ErrUnknown) {
		l.item("service", false, fmt.Sprintf("The server names the service %q, and there is none of this name.", auth.Service),
			"Add it with POST /api/services, with its provider and scopes.")
		return "", nil
	}
	if err != nil {
		return "", err
	}
	l.item("service", true, fmt.Sprintf("The service %s is there, of the provider %s.", service.Name, service.Provider), "")
	return service.Provider, nil
}

// without names what is missing along with the provider.
func (l *checklist) without(detail, fix string) {
	l.item("provider", false, detail, fix)
	l.item("client_credentials", false, "The client id and the client secret belong to the provider, which is missing.", "Add the provider with them.")
	l.item("redirect_uri", false, "The redirect URI belongs to the provider, which is missing.",
		"Add the provider: the answer has the redirect URI that has to be registered there.")
}

func (l *checklist) provider(ctx context.Context, p vault.Provider) error {
	detail, open := fmt.Sprintf("The provider %s is there, with its auth_url and token_url.", p.Label()), true
	if !l.server.Configured {
		err := l.api.vault.CheckServer(ctx, l.tenant, l.server.Server)
		if err != nil && !errors.Is(err, vault.ErrInvalid) {
			return err
		}
		if open = !errors.Is(err, vault.ErrNotOpen); !open {
			detail = fmt.Sprintf("The provider %s is the operator's, and not open to this server, or not for all the scopes that it asks for.", p.Label())
		}
	}
	l.item("provider", open, detail, "Ask the operator to open it to this tenant in the configuration, or add a provider of your own with POST /api/providers.")
	detail = "The client id and the client secret are stored."
	if p.ClientSecret == "" {
		detail = "The client id is stored and no client secret: that is right for a public client only."
	}
	l.item("client_credentials", true, detail, "")
	l.redirect(l.api.vault.RedirectURI(p))
	return nil
}

// named looks at a server that names its authorization server itself.
func (l *checklist) named(ctx context.Context) error {
	l.item("provider", true, "The server names its authorization server itself when somebody connects.", "")
	if err := l.metadata(ctx); err != nil {
		return err
	}
	detail := "We register there by ourselves, or by our client document."
	if l.server.Auth.ClientID != "" {
		detail = "The client id for " + l.server.Auth.Issuer + " is stored."
	}
	l.item("client_credentials", true, detail, "")
	document, err := l.api.vault.ClientDocument(ctx, l.server.ClientSlug())
	if err != nil {
		return err
	}
	var client struct {
		Redirects []string `json:"redirect_uris"`
	}
	if err := json.Unmarshal(document, &client); err != nil || len(client.Redirects) == 0 {
		return errors.Join(err, errors.New("the client document names no redirect URI"))
	}
	l.redirect(client.Redirects[0])
	return nil
}

// metadata asks the server, and whom it names. Its problems are for administrators.
func (l *checklist) metadata(ctx context.Context) error {
	if !l.looks {
		return nil
	}
	issuer, err := l.api.vault.Authority(ctx, l.server.Server)
	var failed *vault.ProviderError
	switch {
	case err == nil:
		l.item("metadata", true, "The server names "+issuer+", whose metadata was found.", "")
	case errors.As(err, &failed):
		l.item("metadata", false, undiscovered(failed), "See that the server is up and names an authorization server that can be reached, or set auth.type and a provider of your own.")
	default:
		return err
	}
	return nil
}

// undiscovered says where a server's metadata was looked for and what is wrong with
// it. Why an address was not reached is in the log alone: it may name what is inside
// the operator's network.
func undiscovered(err *vault.ProviderError) string {
	var why *vault.DiscoveryError
	if !errors.As(err, &why) {
		return err.Error()
	}
	var all []string
	for _, p := range why.Problems {
		said := p.Error()
		if errors.Unwrap(p) != nil {
			said = p.URL + ": cannot be reached"
		}
		all = append(all, said)
	}
	const long = 1000
	return strings.ToValidUTF8(fmt.Sprintf("Its metadata cannot be used: %.*s", long, strings.Join(all, "; ")), "�")
}

// redirect tells what to register. Whether it is, only the provider knows.
func (l *checklist) redirect(uri string) {
	l.out.RedirectURI = uri
	u, err := url.Parse(uri)
	ok := err == nil && (u.Scheme == "https" || slices.Contains([]string{"localhost", "127.0.0.1", "::1"}, u.Hostname()))
	if !ok {
		l.item("redirect_uri", false, "The redirect URI is "+uri+", and providers take https only.", "Set public_url in the configuration to an https address.")
		return
	}
	l.item("redirect_uri", true, "Register exactly this redirect URI with the provider; whether it is, only the provider knows: "+uri, "")
}

// itself looks at the server's own settings.
func (l *checklist) itself() {
	auth := l.server.Auth
	kind := auth.Type == vault.OAuth2 || auth.Type == vault.MCP || l.handed()
	l.item("auth_type", kind, fmt.Sprintf("The server's auth.type is %s.", auth.Type), l.change("auth.type", `"oauth2"`)+" It names a provider or a service then.")
	detail := "The server's auth.scope is user: each person connects their own account."
	switch {
	case l.handed() && auth.Scope == vault.User:
		detail = "The server's auth.scope is user: each person hands in their own token."
	case l.handed() && auth.Scope == vault.Platform:
		detail = "The server's auth.scope is platform: one token is for all, and nobody is asked in the chat."
	case l.handed():
		detail = "The server's auth.scope is mentor: each agent has its own token, and nobody is asked in the chat."
	case auth.Scope != vault.User:
		detail = fmt.Sprintf("The server's auth.scope is %s: nobody is asked in the chat.", auth.Scope)
	}
	l.item("auth_scope", auth.Scope == vault.User || l.handed(), detail, l.change("auth.scope", `"user"`))
	detail = "The server is enabled."
	if !l.server.Enabled {
		detail = "The server is disabled: its tools are neither shown nor called."
	}
	l.item("enabled", l.server.Enabled, detail, l.change("enabled", "true"))
}

func (l *checklist) attached(ctx context.Context, agent string) error {
	if l.api.opts.Attached == nil {
		return nil
	}
	at, err := l.api.opts.Attached(ctx, l.tenant, l.server.Name)
	if err != nil {
		return err
	}
	users := slices.Clone(at.Agents)
	if at.Gateway {
		users = append(users, "the gateway")
	}
	switch {
	case agent != "" && slices.Contains(at.Agents, agent):
		l.item("attached", true, fmt.Sprintf("The agent %s has the server.", agent), "")
	case agent != "" && !l.server.Configured:
		l.item("attached", false, fmt.Sprintf("The agent %q does not have the server.", agent),
			fmt.Sprintf("Add %q to agents with PATCH /api/servers/%s.", agent, l.server.Name))
	case agent != "":
		member := "servers"
		if l.server.Protocol == vault.A2A {
			member = "delegates"
		}
		l.item("attached", false, fmt.Sprintf("The agent %q does not have the server.", agent),
			fmt.Sprintf("Add %s to agents.%s.%s in the configuration.", l.server.Name, agent, member))
	case len(users) > 0:
		l.item("attached", true, "The server is used by "+strings.Join(users, ", ")+".", "")
	case l.server.Protocol == vault.A2A && !l.server.Configured:
		l.item("attached", false, "No agent delegates to it.", fmt.Sprintf("Name agents in agents with PATCH /api/servers/%s.", l.server.Name))
	case l.server.Protocol == vault.A2A:
		l.item("attached", false, "No agent delegates to it.", fmt.Sprintf("Add %s to the delegates of an agent in the configuration.", l.server.Name))
	case !l.server.Configured:
		l.item("attached", false, "No agent has the server, and there is no gateway.",
			fmt.Sprintf("Name agents in agents with PATCH /api/servers/%s, or add gateway: {} to the configuration, which offers all servers that are added here.", l.server.Name))
	default:
		l.item("attached", false, "Neither an agent nor the gateway has the server.",
			fmt.Sprintf("Add %s to the servers of an agent or of the gateway in the configuration.", l.server.Name))
	}
	return nil
}

func (l *checklist) connected(ctx context.Context, user string) error {
	if l.server.Auth.Scope != vault.User || l.server.Auth.Source != "" || l.server.Auth.Type == vault.None {
		return nil
	}
	all, err := l.api.vault.Connections(ctx, l.tenant, vault.User, user)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(all, func(one vault.Connection) bool { return one.Server == l.server.Name })
	const fix = "Nothing to set up: the chat asks when a tool of the server is needed."
	switch {
	case at < 0:
		l.item("connection", false, user+" has not connected an account yet.", fix)
	case all[at].Status != vault.Active:
		l.item("connection", false, fmt.Sprintf("The connection of %s is %s.", user, all[at].Status), fix)
	default:
		l.item("connection", true, user+" has connected an account.", "")
	}
	return nil
}

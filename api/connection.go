package api

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley/vault"
)

// connectionWire is a connection as it is shown: whose credential for which
// server, never the credential.
type connectionWire struct {
	Server    string     `json:"server"`
	Scope     string     `json:"scope" enum:"platform,mentor,user"`
	Title     string     `json:"server_title,omitempty" doc:"How people know the server, if otherwise."`
	Owner     string     `json:"owner,omitempty" doc:"The person or the agent; nobody for the platform's."`
	Type      string     `json:"type" enum:"none,bearer,api_key,oauth2,mcp"`
	Provider  string     `json:"provider,omitempty"`
	Issuer    string     `json:"issuer,omitempty"`
	Status    string     `json:"status" enum:"active,expired,rejected,revoked,insufficient_scope"`
	Scopes    []string   `json:"scopes" nullable:"false"`
	CreatedAt *time.Time `json:"created_at,omitempty"`
	UpdatedAt *time.Time `json:"updated_at,omitempty"`
	ExpiresAt *time.Time `json:"expires_at,omitempty" doc:"Of the access token, if that is known."`
	Renews    bool       `json:"renews" doc:"It can be refreshed."`
	UsedAt    *time.Time `json:"used_at,omitempty" doc:"When a call last carried it, to within about a minute."`
	UsedBy    *usersWire `json:"used_by,omitempty" doc:"What makes calls of this server, for whoever has a connection."`
}

// usersWire is what uses a server.
type usersWire struct {
	Agents  []string `json:"agents" nullable:"false"`
	Gateway bool     `json:"gateway" doc:"It is behind the gateway, which other programs use for you."`
}

type credentialInput struct {
	Value string `json:"value" writeOnly:"true" maxLength:"16384" doc:"The key or token."`
	Owner string `json:"owner,omitempty" maxLength:"512" pattern:"^[^\\x00-\\x1f\\x7f]*$" doc:"Scope mentor: the agent."`
}

type disconnectedWire struct {
	Disconnected bool   `json:"disconnected"`
	Warning      string `json:"warning,omitempty" doc:"What is left to do elsewhere."`
}

func (a *API) connectionRoutes(to *huma.OpenAPI) {
	const tag = "connections"
	add(a, to, operation{
		id: "list-connections", tag: tag, summary: "Stored credentials, without their secrets", method: http.MethodGet, path: "/api/connections", who: everybody,
		about: "Administrators see those of the tenant, other people their own. Those that another source keeps are not listed.",
	}, a.listConnections)
	add(a, to, operation{
		id: "provide-credential", tag: tag, summary: "Store the key or token that a server takes for the platform or an agent",
		method: http.MethodPut, path: "/api/connections/{server}", who: administrators,
		about:  "A person's own credential is not taken here: the person enters it on a page, or connects the account there.",
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.provideCredential)
	add(a, to, operation{
		id: "disconnect", tag: tag, summary: "Remove a stored credential, and have its provider revoke it",
		method: http.MethodDelete, path: "/api/connections/{server}", who: everybody, errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.disconnect)
}

func (a *API) listConnections(ctx context.Context, c Caller, in *struct {
	Server string `query:"server" maxLength:"64"`
	User   string `query:"user" maxLength:"512" doc:"Only those of this person."`
}) (*listAnswer[connectionWire], error) {
	scope, owner := vault.User, in.User
	switch {
	case c.Admin && in.User == "":
		scope = ""
	default:
		var err error
		if owner, err = c.person(in.User); err != nil {
			return nil, err
		}
	}
	all, err := a.vault.Connections(ctx, c.tenant(), scope, owner)
	if err != nil {
		return nil, err
	}
	var shown []connectionWire
	users := map[string]*usersWire{} // by server: a tenant has few
	title := a.titles(c)
	for _, one := range all {
		if in.Server != "" && one.Server != in.Server {
			continue
		}
		by, known := users[one.Server]
		if !known {
			if by, err = a.usersOf(ctx, c.tenant(), one.Server); err != nil {
				return nil, err
			}
			users[one.Server] = by
		}
		next := showConnection(one)
		next.UsedBy, next.Title = by, title(ctx, one.Server)
		shown = append(shown, next)
	}
	return listed(shown), nil
}

// usersOf is what uses a server; nil: that is not known, or it is no more.
func (a *API) usersOf(ctx context.Context, tenant, server string) (*usersWire, error) {
	if a.opts.Attached == nil {
		return nil, nil
	}
	at, err := a.opts.Attached(ctx, tenant, server)
	if errors.Is(err, vault.ErrUnknown) {
		return nil, nil
	}
	return &usersWire{Agents: texts(at.Agents), Gateway: at.Gateway}, err
}

func (a *API) provideCredential(ctx context.Context, c Caller, in *struct {
	Server string `path:"server" maxLength:"64"`
	Body   credentialInput
}) (*answer[connectionWire], error) {
	server, err := a.vault.Server(ctx, c.tenant(), in.Server)
	if err != nil {
		return nil, err
	}
	need := vault.Need{Tenant: c.tenant(), Server: server.Name}
	switch scope := server.Auth.Scope; {
	case server.Auth.Type == vault.None:
		return nil, problem(http.StatusConflict, "This server takes no credential. Change its auth first.")
	case scope == vault.User:
		return nil, problem(http.StatusConflict, "This server takes each person's own credential. The person provides it, on the hosted page.")
	case scope == vault.Mentor && in.Body.Owner == "":
		return nil, invalid("body.owner", "this server takes an agent's credential: name the agent")
	case scope == vault.Mentor:
		need.Agent = in.Body.Owner
	case in.Body.Owner != "":
		return nil, invalid("body.owner", "the platform's credential has no owner")
	}
	if err := a.vault.Provide(ctx, need, in.Body.Value); errors.Is(err, vault.ErrKey) {
		return nil, invalid("body.value", err.Error())
	} else if err != nil {
		return nil, err
	}
	all, err := a.vault.Connections(ctx, c.tenant(), server.Auth.Scope, in.Body.Owner)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(one vault.Connection) bool { return one.Server == server.Name })
	if at < 0 { // a source keeps it, and lists nothing
		now := time.Now().UTC()
		return &answer[connectionWire]{connectionWire{
			Server: server.Name, Scope: string(server.Auth.Scope), Owner: in.Body.Owner, Type: string(server.Auth.Type), Status: string(vault.Active),
			Scopes: []string{}, UpdatedAt: &now,
		}}, nil
	}
	return &answer[connectionWire]{showConnection(all[at])}, nil
}

func (a *API) disconnect(ctx context.Context, c Caller, in *struct {
	Server string `path:"server" maxLength:"64"`
	Scope  string `query:"scope" enum:"platform,mentor,user" doc:"Default: user for people, the server's own for programs."`
	Owner  string `query:"owner" maxLength:"512" doc:"The person or the agent. Default, with scope user: yourself."`
}) (*answer[disconnectedWire], error) {
	key, err := a.keyOf(ctx, c, vault.Key{Tenant: c.tenant(), Server: in.Server, Scope: vault.Scope(in.Scope), Owner: in.Owner})
	if err != nil {
		return nil, err
	}
	err = a.vault.Disconnect(ctx, key)
	if errors.Is(err, vault.ErrNotRevoked) {
		return &answer[disconnectedWire]{disconnectedWire{
			Disconnected: true, Warning: "The provider could not be told. Revoke the access there as well.",
		}}, nil
	}
	if err != nil {
		return nil, err
	}
	return &answer[disconnectedWire]{disconnectedWire{Disconnected: true}}, nil
}

// keyOf fills in what a caller means, and refuses what is not theirs.
func (a *API) keyOf(ctx context.Context, c Caller, key vault.Key) (vault.Key, error) {
	if key.Scope == "" {
		key.Scope = vault.User
		if c.User == "" {
			server, err := a.vault.Server(ctx, key.Tenant, key.Server)
			if err != nil {
				return key, err
			}
			key.Scope = server.Auth.Scope
		}
	}
	var err error
	switch {
	case key.Scope == vault.User:
		key.Owner, err = c.person(key.Owner)
	case !c.Admin:
		err = problem(http.StatusForbidden, "You remove what is your own. The credentials of agents and of the platform are for administrators.")
	case key.Scope == vault.Platform && key.Owner != "":
		err = invalid("query.owner", "the platform's credential has no owner")
	}
	if err == nil && key.Owner == "" && key.Scope != vault.Platform {
		err = invalid("query.owner", "say whose credential: name the person or the agent")
	}
	return key, err
}

func showConnection(one vault.Connection) connectionWire {
	return connectionWire{
		Server: one.Server, Scope: string(one.Scope), Owner: one.Owner, Type: string(one.Type), Provider: one.Provider, Issuer: one.Issuer,
		Status: string(one.Status), Scopes: texts(one.Scopes),
		CreatedAt: moment(one.Created), UpdatedAt: moment(one.Updated), ExpiresAt: moment(one.Expires), Renews: one.Renews, UsedAt: moment(one.Used),
	}
}

package api

import (
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
)

// permissionWire is what a person once said about calls of a tool.
type permissionWire struct {
	ID        string     `json:"id"`
	User      string     `json:"user"`
	Effect    string     `json:"effect" enum:"allow,deny"`
	Server    string     `json:"server,omitempty"`
	Title     string     `json:"server_title,omitempty" doc:"How people know the server, if otherwise."`
	Tool      string     `json:"tool,omitempty" doc:"Empty: every tool of the server."`
	Session   string     `json:"session,omitempty" doc:"Only in this conversation, which nobody but the person is told."`
	Digest    string     `json:"digest,omitempty" doc:"Only with these arguments."`
	Arguments string     `json:"arguments,omitempty" doc:"Those arguments, as canonical JSON, where the permission stays or the call was refused; nobody but the person is told. A refusal of before they were kept has none."`
	Once      bool       `json:"once" doc:"It is for one call."`
	CreatedAt *time.Time `json:"created_at,omitempty"`
	Until     *time.Time `json:"until,omitempty" doc:"Left out: until it is revoked."`
	Question  string     `json:"question,omitempty" doc:"The question that it was the answer to."`
	Uses      int        `json:"uses" doc:"How many calls it has let through."`
}

type whose struct {
	User string `query:"user" maxLength:"512" doc:"Whose. Default: your own; programs name a person."`
}

func (a *API) permissionRoutes(to *huma.OpenAPI) {
	const tag = "permissions"
	add(a, to, operation{
		id: "list-permissions", tag: tag, summary: "What a person has allowed and refused, and what still holds",
		method: http.MethodGet, path: "/api/permissions", who: everybody,
	}, a.listPermissions)
	add(a, to, operation{
		id: "revoke-permission", tag: tag, summary: "Revoke a permission", method: http.MethodDelete, path: "/api/permissions/{id}", who: everybody,
		about:  "A refusal is the person's own word: nobody else takes it back.",
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.revokePermission)
}

func (a *API) listPermissions(ctx context.Context, c Caller, in *whose) (*listAnswer[permissionWire], error) {
	_, all, err := a.permissionsOf(ctx, c, in.User)
	if err != nil {
		return nil, err
	}
	var shown []permissionWire
	known := a.titles(c)
	for _, p := range all {
		one := showPermission(c, p)
		one.Title = known(ctx, p.Server)
		shown = append(shown, one)
	}
	return listed(shown), nil
}

func (a *API) permissionsOf(ctx context.Context, c Caller, asked string) (string, []permit.Permission, error) {
	user, err := c.person(asked)
	if err != nil {
		return "", nil, err
	}
	if user == "" {
		return "", nil, invalid("query.user", "permissions are a person's: say whose")
	}
	all, err := a.permits.List(ctx, c.tenant(), user)
	return user, all, err
}

func (a *API) revokePermission(ctx context.Context, c Caller, in *struct {
	ID   string `path:"id" maxLength:"512"`
	User string `query:"user" maxLength:"512" doc:"Whose. Default: your own; programs name a person."`
}) (*nothing, error) {
	user, all, err := a.permissionsOf(ctx, c, in.User)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(all, func(p permit.Permission) bool { return p.ID == in.ID })
	if at < 0 {
		return nil, parley.ErrNotFound
	}
	if all[at].Effect == permit.Deny && user != c.User {
		return nil, problem(http.StatusForbidden, "This is a refusal, and the person's own word: nobody else takes it back.")
	}
	return nil, a.permits.Revoke(ctx, c.tenant(), user, in.ID)
}

func showPermission(c Caller, p permit.Permission) permissionWire {
	shown := permissionWire{
		ID: p.ID, User: person(p.User), Effect: string(p.Effect), Server: p.Server, Tool: p.Tool, Digest: p.Digest, Once: p.Call != "",
		CreatedAt: moment(p.Created), Until: moment(p.Until), Question: string(p.Question), Uses: p.Uses,
	}
	if p.User == c.User {
		shown.Session, shown.Arguments = p.Session, p.Arguments
	}
	return shown
}

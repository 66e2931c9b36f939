package api

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley/login"
)

// Logins are the programs that act as people. *login.Logins is one.
type Logins interface {
	List(ctx context.Context, tenant, user string) ([]login.Login, error)
	Revoke(ctx context.Context, tenant, user, id string) error
}

var _ Logins = (*login.Logins)(nil)

// loginWire is a program that acts as a person. Its token is not shown.
type loginWire struct {
	ID        string    `json:"id"`
	Program   string    `json:"program" doc:"What it called itself: its own words."`
	Address   string    `json:"address,omitempty" doc:"Whence it asked, as this server saw it."`
	Scope     string    `json:"scope,omitempty" enum:"mcp" doc:"mcp: only the gateway and agents over MCP. Left out: everything that the person may do with a token."`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
}

func (a *API) loginRoutes(to *huma.OpenAPI) {
	if a.opts.Logins == nil {
		return
	}
	const tag = "logins"
	add(a, to, operation{
		id: "list-logins", tag: tag, summary: "The programs that act as a person, newest first",
		method: http.MethodGet, path: "/api/logins", who: everybody,
	}, a.listLogins)
	add(a, to, operation{
		id: "end-login", tag: tag, summary: "End a login", method: http.MethodDelete, path: "/api/logins/{id}", who: everybody,
		about:  "The program's token is refused from its next request on.",
		errors: []int{http.StatusNotFound},
	}, a.endLogin)
}

func (a *API) listLogins(ctx context.Context, c Caller, in *whose) (*listAnswer[loginWire], error) {
	user, err := a.loginsOf(c, in.User)
	if err != nil {
		return nil, err
	}
	all, err := a.opts.Logins.List(ctx, c.tenant(), user)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(x, y login.Login) int { return cmp.Or(y.Created.Compare(x.Created), cmp.Compare(x.ID, y.ID)) })
	var shown []loginWire
	for _, one := range all {
		shown = append(shown, loginWire{one.ID, one.Program, one.Address, string(one.Scope), one.Created.UTC(), one.Expires.UTC()})
	}
	return listed(shown), nil
}

func (a *API) endLogin(ctx context.Context, c Caller, in *struct {
	ID   string `path:"id" maxLength:"64"`
	User string `query:"user" maxLength:"512" doc:"Whose. Default: your own; programs name a person."`
}) (*nothing, error) {
	user, err := a.loginsOf(c, in.User)
	if err != nil {
		return nil, err
	}
	return nil, a.opts.Logins.Revoke(ctx, c.tenant(), user, in.ID)
}

func (a *API) loginsOf(c Caller, asked string) (string, error) {
	user, err := c.person(asked)
	if err == nil && user == "" {
		err = invalid("query.user", "logins are a person's: say whose")
	}
	return user, err
}

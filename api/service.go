package api

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"github.com/parley-hq/parley/vault"
)

// serviceWire is a service as it is shown.
type serviceWire struct {
	Name     string   `json:"name"`
	Title    string   `json:"title,omitempty"`
	Provider string   `json:"provider"`
	Scopes   []string `json:"scopes" nullable:"false"`
	Source   string   `json:"source" enum:"configuration,api"`
}

// serviceInput is a service as clients write it.
type serviceInput struct {
	Name     string   `json:"name,omitempty" pattern:"^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$" doc:"Needed for a new one; otherwise that of the path."`
	Title    string   `json:"title,omitempty" maxLength:"200" pattern:"^[^\\x00-\\x1f\\x7f]*$"`
	Provider string   `json:"provider" maxLength:"64"`
	Scopes   []string `json:"scopes,omitempty" nullable:"false" maxItems:"100" doc:"Default: those of the provider."`
}

func (a *API) serviceRoutes(to *huma.OpenAPI) {
	const tag, list, one = "services", "/api/services", "/api/services/{name}"
	add(a, to, operation{
		id: "list-services", tag: tag, summary: "All services of the tenant: what is used of a provider", method: http.MethodGet, path: list, who: administrators,
	}, a.listServices)
	add(a, to, operation{
		id: "create-service", tag: tag, summary: "Add a service", method: http.MethodPost, path: list, who: administrators,
		status: http.StatusCreated, errors: []int{http.StatusConflict},
	}, a.createService)
	add(a, to, operation{
		id: "get-service", tag: tag, summary: "One service", method: http.MethodGet, path: one, who: administrators, errors: []int{http.StatusNotFound},
	}, a.getService)
	add(a, to, operation{
		id: "replace-service", tag: tag, summary: "Replace a service", method: http.MethodPut, path: one, who: administrators,
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.replaceService)
	add(a, to, operation{
		id: "remove-service", tag: tag, summary: "Remove a service", method: http.MethodDelete, path: one, who: administrators,
		errors: []int{http.StatusNotFound, http.StatusConflict},
	}, a.removeService)
}

func (a *API) listServices(ctx context.Context, c Caller, _ *nothing) (*listAnswer[serviceWire], error) {
	all, err := a.vault.Services(ctx, c.tenant())
	if err != nil {
		return nil, err
	}
	var shown []serviceWire
	for _, s := range all {
		shown = append(shown, showService(s))
	}
	return listed(shown), nil
}

func (a *API) getService(ctx context.Context, c Caller, in *named) (*answer[serviceWire], error) {
	s, err := a.vault.Service(ctx, c.tenant(), in.Name)
	if err != nil {
		return nil, err
	}
	return &answer[serviceWire]{showService(s)}, nil
}

func (a *API) createService(ctx context.Context, c Caller, in *struct{ Body serviceInput }) (*created[serviceWire], error) {
	if in.Body.Name == "" {
		return nil, invalid("body.name", "a new service needs a name")
	}
	var shown *answer[serviceWire]
	err := a.change(ctx, c, "api_service", in.Body.Name, func() error {
		old, err := a.vault.Service(ctx, c.tenant(), in.Body.Name)
		if err = free(err, old.Tenant); err != nil {
			return err
		}
		shown, err = a.putService(ctx, c, in.Body)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &created[serviceWire]{Location: "/api/services/" + in.Body.Name, Body: shown.Body}, nil
}

func (a *API) replaceService(ctx context.Context, c Caller, in *struct {
	Name string `path:"name" maxLength:"64"`
	Body serviceInput
}) (shown *answer[serviceWire], err error) {
	err = a.change(ctx, c, "api_service", in.Name, func() error {
		old, err := a.vault.Service(ctx, c.tenant(), in.Name)
		if err = owned(err, old.Tenant); err != nil {
			return err
		}
		if in.Body.Name != "" && in.Body.Name != in.Name {
			return invalid("body.name", "a service keeps its name: remove it and add another")
		}
		in.Body.Name = in.Name
		shown, err = a.putService(ctx, c, in.Body)
		return err
	})
	return shown, err
}

func (a *API) putService(ctx context.Context, c Caller, in serviceInput) (*answer[serviceWire], error) {
	if in.Provider == "" {
		return nil, invalid("body.provider", "a service is of a provider: name it")
	}
	s := vault.Service{Name: in.Name, Title: in.Title, Provider: in.Provider, Scopes: in.Scopes}
	if err := a.vault.PutService(ctx, c.tenant(), s); err != nil {
		return nil, err
	}
	return a.getService(ctx, c, &named{in.Name})
}

func (a *API) removeService(ctx context.Context, c Caller, in *named) (*nothing, error) {
	return nil, a.change(ctx, c, "api_service", in.Name, func() error { return a.vault.RemoveService(ctx, c.tenant(), in.Name) })
}

func showService(s vault.Service) serviceWire {
	return serviceWire{Name: s.Name, Title: s.Title, Provider: s.Provider, Scopes: texts(s.Scopes), Source: sourceOf(s.Tenant)}
}

package api

import (
	"context"
	"net/http"
)

// handler does what an operation is for, with what its input points to.
type handler func(ctx context.Context, c Caller, in any) (out any, err error)

// endpoint is an operation that is served.
type endpoint struct {
	operation
	api *API
	in  *input
	out *output
	do  handler
}

// ServeHTTP implements http.Handler.
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	caller := callerOf(r.Context())
	// The right is checked before anything of the request is looked at.
	if err := e.who.check(caller); err != nil {
		e.api.write(w, explain(err))
		return
	}
	in, wrong := e.in.read(w, r)
	if wrong != nil {
		e.api.write(w, wrong)
		return
	}
	status, err := e.answer(w, r, caller, in)
	if err != nil {
		e.api.fail(w, r, e.id, err)
		return
	}
	if e.method != http.MethodGet && !e.quiet && status < http.StatusMultipleChoices {
		e.api.logChange(r, e.id, caller)
	}
}

// answer has the operation done, and sends what came of it unless that is an error.
func (e *endpoint) answer(w http.ResponseWriter, r *http.Request, c Caller, in any) (status int, err error) {
	end, err := e.api.record(r.Context(), e.operation, c)
	if err != nil {
		return 0, err
	}
	out, err := e.do(r.Context(), c, in)
	if err = end(out, err); err != nil {
		return 0, err
	}
	return e.out.write(w, r, out)
}

func (a *API) logChange(r *http.Request, operation string, c Caller) {
	a.opts.Logger.InfoContext(r.Context(), "changed through the API",
		"operation", operation, "path", r.URL.Path, "tenant", c.tenant(), "user", c.User, "key", c.Key, "method", c.Method)
}

package api

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
)

// operation is one method of one path.
type operation struct {
	id, tag, summary string
	about            string
	method, path     string
	who              right
	quiet            bool                      // it comes often, and changes nothing that anybody would look for in the log
	elsewhere        bool                      // what it does is recorded where it is done: a question
	status           int                       // of success; default 200, or 204 without a body
	answers          map[string]*huma.Response // by status, that its types do not tell
	kinds            []string                  // content types of its body, besides JSON as such
	errors           []int                     // besides those that every operation has
}

// add serves an operation. In and Out are pointers to what inputOf and outputOf take. All
// pointers are one to the compiler: of a function for the structs themselves it would make
// one for each operation.
func add[In, Out any](a *API, to *huma.OpenAPI, o operation, h func(context.Context, Caller, In) (Out, error)) {
	a.serve(to, o, reflect.TypeFor[In](), reflect.TypeFor[Out](), func(ctx context.Context, c Caller, in any) (any, error) {
		return h(ctx, c, in.(In))
	})
}

// serve describes an operation and serves it. It panics where a type wants what nobody
// here looks at: a check that is not made would be missed by no test.
func (a *API) serve(to *huma.OpenAPI, o operation, in, out reflect.Type, do handler) {
	schemas := to.Components.Schemas
	e := &endpoint{operation: o, api: a, do: do}
	var err error
	if e.in, err = inputOf(in, schemas, o); err == nil {
		e.out, err = outputOf(out, schemas, o)
	}
	if err != nil {
		panic("api: operation " + o.id + ": " + err.Error())
	}
	to.AddOperation(e.describe(schemas))
	a.mux.Handle(o.method+" "+o.path, e)
}

// describe returns what clients are told of an operation.
func (e *endpoint) describe(schemas huma.Registry) *huma.Operation {
	described := &huma.Operation{
		OperationID: e.id, Tags: []string{e.tag}, Summary: e.summary, Description: e.about, Method: e.method, Path: e.path,
		Responses: map[string]*huma.Response{},
	}
	for _, p := range e.in.params {
		described.Parameters = append(described.Parameters, p.describe())
	}
	if e.in.body != nil {
		described.RequestBody = &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{}}
		for _, kind := range append([]string{"application/json"}, e.kinds...) {
			described.RequestBody.Content[kind] = &huma.MediaType{Schema: e.in.body.schema}
		}
	}
	for status, answer := range e.answers {
		described.Responses[status] = answer
	}
	e.out.describe(described.Responses)
	problem := schemas.Schema(reflect.TypeFor[huma.ErrorModel](), true, "")
	for _, status := range e.refusals() {
		described.Responses[strconv.Itoa(status)] = &huma.Response{
			Description: http.StatusText(status), Content: map[string]*huma.MediaType{"application/problem+json": {Schema: problem}},
		}
	}
	return described
}

// refusals are the statuses of problems.
func (o operation) refusals() []int {
	statuses := []int{
		http.StatusUnauthorized, http.StatusForbidden, http.StatusUnprocessableEntity, http.StatusTooManyRequests,
		http.StatusInternalServerError, http.StatusServiceUnavailable,
	}
	if o.method != http.MethodGet && o.method != http.MethodDelete {
		statuses = append(statuses, http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	return append(statuses, o.errors...)
}

package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

const descriptionPath = "/api/openapi.json"

const (
	maxBody = 1 << 20 // bytes of a request
	about   = "Manages the MCP servers, OAuth providers, connections, permissions, rules and questions of a tenant. " +
		"Administrators see all of their tenant; other people see and remove what is their own. " +
		"Secrets go in and never come out. Nothing here answers a question or approves a call."
)

// described returns the part of the API that describes itself. Of huma's own
// paths it has none: no page that loads scripts from elsewhere, no schemas.
func (a *API) described() huma.API {
	return humago.New(a.mux, huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title: "Parley management API", Version: "1", Description: about, License: &huma.License{Name: "Apache 2.0", Identifier: "Apache-2.0"},
			},
			Servers: []*huma.Server{{URL: a.origin()}},
			Tags: []*huma.Tag{
				{Name: "servers", Description: "MCP servers, and what each lacks before people can connect."},
				{Name: "providers", Description: "OAuth providers, with our client at each."},
				{Name: "services", Description: "What is used of a provider."},
				{Name: "connections", Description: "Stored credentials, without their secrets."},
				{Name: "permissions", Description: "What people have allowed and refused."},
				{Name: "rules", Description: "Which calls need an approval, and whose."},
				{Name: "elicitations", Description: "Questions to people, and how they ended."},
				{Name: "logins", Description: "Programs that act as a person: parley login."},
				{Name: "runs", Description: "Turns of conversations with agents, and what they were spent on."},
				{Name: "audit", Description: "Every decision, in a chain that can be verified."},
				{Name: "me", Description: "How you are told of questions."},
			},
			Components: &huma.Components{
				Schemas: huma.NewMapRegistry("#/components/schemas/", schemaName),
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token":   {Type: "http", Scheme: "bearer", Description: "A JSON Web Token of a person, or the key of a program."},
					"session": {Type: "apiKey", In: "cookie", Name: "__Host-parley_session", Description: "The session of the hosted pages; parley_session over http."},
				},
			},
			Security: []map[string][]string{{"token": {}}, {"session": {}}},
		},
		Formats:                      map[string]huma.Format{"application/json": bodies, "json": bodies},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{keepValues},
	})
}

// origin is where the paths of the description begin: at this site, or where the
// description itself was found.
func (a *API) origin() string {
	if public, err := originOf(a.opts.PublicURL); err == nil {
		return public
	}
	return "/"
}

// keepValues takes out of problems what the client sent: it may be a secret,
// and the answer may be logged.
func keepValues(_ huma.Context, _ string, body any) (any, error) {
	said, ok := body.(*huma.ErrorModel)
	if !ok {
		return body, nil
	}
	copied := *said
	copied.Errors = nil
	for _, one := range said.Errors {
		if one != nil {
			copied.Errors = append(copied.Errors, &huma.ErrorDetail{Location: one.Location, Message: plainly(one.Location, one.Message)})
		}
	}
	if copied.Detail == "validation failed" { // huma's words
		copied.Detail = invalidSentence
	}
	return &copied, nil
}

// plainly says in words what huma says in terms of its own.
func plainly(location, message string) string {
	switch {
	case strings.HasPrefix(message, "invalid date/time for format "):
		return "it is no time as RFC 3339 has it, such as 2026-11-17T09:44:18Z"
	case message == "expected string to match pattern "+namePattern:
		return "it is no name: a name has 1 to 64 letters from A to Z and a to z, digits, - and _, and begins with a letter or a digit"
	}
	limit, is := strings.CutPrefix(message, "expected number <= ")
	most, err := strconv.ParseFloat(limit, 64)
	if !is || err != nil {
		return message
	}
	const day = 24 * 60 * 60
	if inSeconds := strings.HasSuffix(location, ".after") || strings.HasSuffix(location, "_seconds"); inSeconds && math.Mod(most, day) == 0 {
		return fmt.Sprintf("at most %.0f seconds, which are %.0f days", most, most/day)
	}
	return "expected number <= " + strconv.FormatFloat(most, 'f', -1, 64)
}

// namePattern is that of the tags of names.
const namePattern = "^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$"

// schemaName calls a type what clients call it.
func schemaName(t reflect.Type, hint string) string {
	switch t {
	case reflect.TypeFor[huma.ErrorModel](), reflect.TypeFor[*huma.ErrorModel]():
		return "Problem"
	case reflect.TypeFor[huma.ErrorDetail](), reflect.TypeFor[*huma.ErrorDetail]():
		return "ProblemDetail"
	}
	return strings.ReplaceAll(huma.DefaultSchemaNamer(t, hint), "Wire", "")
}

// operation is one method of one path.
type operation struct {
	id, tag, summary string
	about            string
	method, path     string
	who              right
	quiet            bool  // it comes often, and changes nothing that anybody would look for in the log
	elsewhere        bool  // what it does is recorded where it is done: a question
	status           int   // of success; default 200, or 204 without a body
	errors           []int // besides those that every operation has
}

func (o operation) describe() huma.Operation {
	statuses := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable}
	if o.method != http.MethodGet && o.method != http.MethodDelete {
		statuses = append(statuses, http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	}
	statuses = append(statuses, o.errors...)
	statuses = append(statuses, http.StatusUnprocessableEntity)
	return huma.Operation{
		OperationID: o.id, Tags: []string{o.tag}, Summary: o.summary, Description: o.about,
		Method: o.method, Path: o.path, DefaultStatus: o.status, Errors: statuses, MaxBodyBytes: maxBody,
	}
}

// add serves an operation. The handler's error is explained to the client.
func add[I, O any](a *API, to huma.API, o operation, h func(context.Context, Caller, *I) (*O, error)) {
	addAs(a, to, o, o.describe(), h)
}

// addAs is add for an operation whose description says more.
func addAs[I, O any](a *API, to huma.API, o operation, described huma.Operation, h func(context.Context, Caller, *I) (*O, error)) {
	// The right is checked before anything of the request is looked at.
	described.Middlewares = append(described.Middlewares, func(ctx huma.Context, next func(huma.Context)) {
		if err := o.who.check(callerOf(ctx.Context())); err != nil {
			_, w := humago.Unwrap(ctx)
			a.write(w, explain(err))
			return
		}
		next(ctx)
		if o.method != http.MethodGet && !o.quiet && ctx.Status() < http.StatusMultipleChoices {
			a.logChange(ctx, o.id)
		}
	})
	huma.Register(to, described, func(ctx context.Context, in *I) (*O, error) {
		caller := callerOf(ctx)
		end, err := a.record(ctx, o, caller)
		var out *O
		if err == nil {
			out, err = h(ctx, caller, in)
			err = end(out, err)
		}
		if err != nil {
			return nil, a.fail(ctx, o.id, err)
		}
		return out, nil
	})
}

func (a *API) logChange(ctx huma.Context, operation string) {
	caller, at := callerOf(ctx.Context()), ctx.URL()
	a.opts.Logger.InfoContext(ctx.Context(), "changed through the API",
		"operation", operation, "path", at.Path, "tenant", caller.tenant(), "user", caller.User, "key", caller.Key, "method", caller.Method)
}

// describe serves the description, which nothing changes from here on.
func (a *API) describe(document *huma.OpenAPI) error {
	plain, err := json.Marshal(document)
	if err != nil {
		return err
	}
	if plain, err = withNull(plain, "ServerPatch", "AuthPatch"); err != nil {
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, plain, "", "  "); err != nil {
		return err
	}
	pretty.WriteByte('\n')
	a.document = pretty.Bytes()
	a.mux.HandleFunc("GET "+descriptionPath, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(a.document)
	})
	return nil
}

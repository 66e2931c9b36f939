package api

import (
	"bytes"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

const (
	descriptionPath = "/api/openapi.json"

	about = "Manages the MCP servers, OAuth providers, connections, permissions, rules and questions of a tenant. " +
		"Administrators see all of their tenant; other people see and remove what is their own. " +
		"Secrets go in and never come out. Nothing here answers a question or approves a call."
)

// blank returns the description before any operation is in it.
func (a *API) blank() *huma.OpenAPI {
	return &huma.OpenAPI{
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
	}
}

// origin is where the paths of the description begin: at this site, or where the
// description itself was found.
func (a *API) origin() string {
	if public, err := originOf(a.opts.PublicURL); err == nil {
		return public
	}
	return "/"
}

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

package demoprovider_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/parley-hq/parley/internal/demoprovider"
)

// A provider that shares a server with the demo MCP server it protects.
func Example() {
	const server = "http://127.0.0.1:9100"
	provider, err := demoprovider.New(&demoprovider.Options{
		Issuer:    server + "/acme",
		Resources: []string{server + "/mcp"},
		Clients: []demoprovider.Client{{
			ID: "parley", Secret: "demo-secret", RedirectURIs: []string{"http://127.0.0.1:8420/oauth/callback/acme"},
		}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	mux := http.NewServeMux()
	for _, path := range provider.Paths() {
		mux.Handle(path, provider)
		fmt.Println(path)
	}
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if _, err := person(r.Context(), provider, server+"/mcp", r.Header.Get("Authorization")); err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
		}
	})

	_, err = person(context.Background(), provider, server+"/mcp", "Bearer something")
	fmt.Println(err)
	// Output:
	// /acme
	// /acme/
	// /.well-known/oauth-authorization-server/acme
	// /.well-known/openid-configuration/acme
	// the token is not good for http://127.0.0.1:9100/mcp
}

// person returns whose token a request has, if it is good for a resource.
func person(ctx context.Context, provider *demoprovider.Provider, resource, authorization string) (string, error) {
	token, _ := strings.CutPrefix(authorization, "Bearer ")
	info, err := provider.Introspect(ctx, token)
	if err != nil {
		return "", err
	}
	if !info.Active || !slices.Contains(info.Audience, resource) {
		return "", fmt.Errorf("the token is not good for %s", resource)
	}
	return info.User, nil
}

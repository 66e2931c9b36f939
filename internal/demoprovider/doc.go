// Package demoprovider is a demonstration authorization server: OAuth 2.1 and
// OpenID Connect for `parley demo`, the examples and the tests. It is not a
// real service. Anybody signs in as anybody without a password, every page says
// so, everything is in memory, and it serves a loopback issuer alone.
//
// A [Provider] is an [http.Handler]. It offers authorization code with PKCE
// (S256, required), `iss` in the authorization response, refresh tokens that
// rotate, revocation, resource indicators, ID tokens, discovery and, if asked
// to, dynamic client registration. A refresh token that was used before revokes
// the grant it came from, and so does a code. [Provider.Introspect] is how a
// demo MCP server checks a bearer token.
//
//	listener, err := net.Listen("tcp", "127.0.0.1:9000")
//	…
//	provider, err := demoprovider.New(&demoprovider.Options{
//		Issuer:    "http://127.0.0.1:9000",
//		Resources: []string{"http://127.0.0.1:9100/mcp"},
//		Clients: []demoprovider.Client{{
//			ID: "parley", Secret: "demo-secret",
//			RedirectURIs: []string{"http://127.0.0.1:8420/oauth/callback/acme"},
//		}},
//	})
//	…
//	err = http.Serve(listener, provider)
//
// An issuer with a path may share a server with others: mount the provider at
// each of [Provider.Paths].
//
// Tests make it fail with [Provider.Fail], take access away with
// [Provider.Revoke] and count with [Provider.TokenRequests].
//
// A Provider may be used by any number of goroutines. Of several requests that
// redeem one code or one refresh token at once, one gets tokens; the others are
// replays, are refused, and revoke the grant.
package demoprovider

package agentmcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/mcphttp"
	"github.com/parley-hq/parley/mcptool"
)

// ServeHTTP implements http.Handler, for a pattern with the wildcard {agent}.
func (a *Agents) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.entrance.ServeHTTP(w, r) }

// serveNode serves what another node forwards: that one has found out who it is.
func (a *Agents) serveNode(w http.ResponseWriter, r *http.Request) {
	handler, known := a.handlers[r.PathValue("agent")]
	if !known {
		refuse(w, http.StatusNotFound, "there is no such agent")
		return
	}
	handler.ServeHTTP(w, r)
}

// serveClient serves who can say who they are.
func (a *Agents) serveClient(w http.ResponseWriter, r *http.Request) {
	handler, known := a.handlers[r.PathValue("agent")]
	who, err := a.opts.Principal(r)
	switch {
	case errors.Is(err, chat.ErrUnauthenticated), err == nil && !who.Acts():
		a.challenge(w, r, parley.CredentialChallenge(err))
		why := "an agent acts for a person or a program: send a valid token of theirs, or a key"
		if fault := parley.CredentialFault(err); fault != "" {
			why = "this token is not accepted: " + fault
		}
		refuse(w, http.StatusUnauthorized, why)
	case errors.Is(err, ErrScope):
		a.challenge(w, r, fmt.Sprintf(`error="insufficient_scope", scope=%q`, strings.Join(a.opts.Scopes, " ")))
		refuse(w, http.StatusForbidden, "the token lacks a scope; needed are: "+strings.Join(a.opts.Scopes, " "))
	case err != nil:
		a.opts.Logger.ErrorContext(r.Context(), "caller not verified", "err", err)
		refuse(w, http.StatusServiceUnavailable, "it cannot be found out just now who you are: something is wrong on our side. You are still signed in; try again in a minute")
	case !known:
		refuse(w, http.StatusNotFound, fmt.Sprintf("there is no agent %.50q: check the name", r.PathValue("agent")))
	default:
		if who.Tenant == "" {
			who.Tenant = parley.DefaultTenant
		}
		r = r.WithContext(context.WithValue(r.Context(), arrivalKey{}, &arrival{who, r}))
		mcphttp.ServeAs(w, r, tokenOf(who), handler)
	}
}

// challenge tells a client where it is said what tokens are taken.
func (a *Agents) challenge(w http.ResponseWriter, r *http.Request, wrong string) {
	said := "Bearer"
	if a.opts.PublicURL != "" {
		said += fmt.Sprintf(" resource_metadata=%q", a.opts.PublicURL+strings.Replace(MetadataPath, "{agent}", url.PathEscape(r.PathValue("agent")), 1))
	}
	switch {
	case wrong != "" && said == "Bearer":
		said += " " + wrong
	case wrong != "":
		said += ", " + wrong
	}
	w.Header().Set("WWW-Authenticate", said)
}

func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why})
}

// arrival is a request as it came, with who sent it.
type arrival struct {
	who     parley.Principal
	request *http.Request
}

type arrivalKey struct{}

// recheck reports whether who sent a request would be let in now.
func (a *Agents) recheck(r *http.Request) error {
	came, known := r.Context().Value(arrivalKey{}).(*arrival)
	if !known {
		return nil
	}
	who, err := a.opts.Principal(came.request)
	switch {
	case errors.Is(err, chat.ErrUnauthenticated), errors.Is(err, ErrScope):
		return err
	case err == nil && (who.Owner() != came.who.Owner() || cmp.Or(who.Tenant, parley.DefaultTenant) != came.who.Tenant):
		return chat.ErrUnauthenticated
	}
	return nil // what cannot be found out just now is asked again
}

// tokenOf tells the SDK who sends a request: it binds sessions to people by it.
func tokenOf(who parley.Principal) *auth.TokenInfo {
	return &auth.TokenInfo{
		// With the tenant: two people of the same name do not share sessions.
		UserID: url.PathEscape(who.Tenant) + "/" + url.PathEscape(who.Owner()),
		Extra:  map[string]any{principalKey: who},
	}
}

// principalKey is where the SDK's TokenInfo has the person.
const principalKey = "principal"

// principalOf says on whose behalf a call is made.
func principalOf(extra *mcp.RequestExtra) (parley.Principal, bool) {
	if extra.TokenInfo == nil {
		return parley.Principal{}, false
	}
	said := extra.TokenInfo.Extra[principalKey]
	who, ok := said.(parley.Principal)
	if !ok && said != nil { // as another node wrote it
		raw, err := json.Marshal(said)
		ok = err == nil && json.Unmarshal(raw, &who) == nil
	}
	return who, ok && who.Acts()
}

// actor is on whose behalf a call runs an agent. A program's sessions and calls
// are the program's.
func actor(call *mcptool.Call) parley.Principal {
	who := call.Principal()
	if who.IsPerson() || who.Key == "" {
		return who
	}
	return parley.Principal{Tenant: who.Tenant, Method: "api_key", Kind: parley.KindProgram, Key: who.Key}
}

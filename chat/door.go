package chat

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/parley-hq/parley"
)

// ErrScope says that a token lacks one of Door.Scopes.
var ErrScope = errors.New("the token lacks a scope")

// Door lets callers in to agents that are offered by a protocol with tokens, such as
// MCP or A2A.
type Door struct {
	// Principal says who sends a request. ErrUnauthenticated, or an error that wraps it,
	// when it cannot say; ErrScope when their token is not good for this.
	Principal func(*http.Request) (parley.Principal, error)
	// Scopes are what a token needs, as a client is told that has not got them.
	Scopes []string
	// Metadata is where it is said what tokens an agent takes, with {agent} for its
	// name. Empty: nowhere.
	Metadata string
	Logger   *slog.Logger
}

// Admit returns who sends a request to an agent, or refuses it.
func (d *Door) Admit(w http.ResponseWriter, r *http.Request, agent string) (who parley.Principal, ok bool) {
	who, err := d.Principal(r)
	switch {
	case errors.Is(err, ErrUnauthenticated), err == nil && !who.Acts():
		d.challenge(w, agent, parley.CredentialChallenge(err))
		why := "an agent acts for a person or a program: send a valid token of theirs, or a key"
		if fault := parley.CredentialFault(err); fault != "" {
			why = "this token is not accepted: " + fault
		}
		Refuse(w, http.StatusUnauthorized, why)
	case errors.Is(err, ErrScope):
		d.challenge(w, agent, `error="insufficient_scope"`)
		Refuse(w, http.StatusForbidden, "the token lacks a scope; needed are: "+strings.Join(d.Scopes, " "))
	case err != nil:
		if r.Context().Err() == nil {
			d.Logger.ErrorContext(r.Context(), "caller not verified", "err", err)
		}
		Refuse(w, http.StatusServiceUnavailable, "it cannot be found out just now who you are: something is wrong on our side. You are still signed in; try again in a minute")
	default:
		who.Tenant = cmp.Or(who.Tenant, parley.DefaultTenant)
		return who, true
	}
	return who, false
}

// Still returns ErrUnauthenticated or ErrScope when who sent r would not be let in now:
// streams outlive tokens. What cannot be found out just now is asked again.
func (d *Door) Still(r *http.Request, who parley.Principal) error {
	p, err := d.Principal(r)
	p.Tenant = cmp.Or(p.Tenant, parley.DefaultTenant)
	switch {
	case errors.Is(err, ErrUnauthenticated), errors.Is(err, ErrScope):
		return err
	case err == nil && !same(p, who):
		return ErrUnauthenticated
	}
	return nil
}

// challenge tells a client where it is said what tokens are taken, what is wrong with its
// own, and which scopes it needs.
func (d *Door) challenge(w http.ResponseWriter, agent, wrong string) {
	var parts []string
	if d.Metadata != "" {
		parts = append(parts, fmt.Sprintf("resource_metadata=%q", strings.Replace(d.Metadata, "{agent}", url.PathEscape(agent), 1)))
	}
	if wrong != "" {
		parts = append(parts, wrong)
	}
	if len(d.Scopes) > 0 {
		parts = append(parts, fmt.Sprintf("scope=%q", strings.Join(d.Scopes, " ")))
	}
	w.Header().Set("WWW-Authenticate", strings.TrimSpace("Bearer "+strings.Join(parts, ", ")))
}

// Refuse answers a request that is not let in.
func Refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why})
}

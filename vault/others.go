package vault

import (
	"context"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
)

// Other is a server whose open question a connection to another one answers too:
// it is of the same provider, and needs no more than that connection is asked for.
// A person agrees to it by name, so it holds for the place that it names alone.
type Other struct {
	Server string `json:"server"`
	Title  string `json:"-"` // as people see it
	URL    string `json:"-"` // empty: a program that this site runs
	Origin string `json:"origin,omitempty"`
}

func (o Other) same(as Other) bool { return o.Server == as.Server && o.Origin == as.Origin }

// others are the servers that wait for p's account and could use a connection to
// server with these scopes. Calls asked for them: see LabelInvited.
func (v *Vault) others(ctx context.Context, p parley.Principal, key Key, server Server, scopes []string) ([]Other, error) {
	if key.Scope != User || server.Auth.Type != OAuth2 {
		return nil, nil
	}
	var all []Other
	seen := map[string]bool{server.Name: true}
	for after := parley.ID(""); ; {
		found, last, err := v.hub.WaitingFor(ctx, p, parley.TriggerCredential, after)
		if err != nil {
			return nil, err
		}
		for _, q := range found {
			theirs, waits, err := v.wanted(ctx, q)
			if err != nil || seen[theirs.Server] || !leans(waits, q) {
				continue // what a question asks for may have changed: it is not named, and does not lean
			}
			seen[theirs.Server] = true
			needed, ok, err := v.shareable(ctx, key.Tenant, waits, server)
			if err == nil && ok && (stored{Scopes: scopes}).covers(needed) {
				all = append(all, Other{Server: waits.Name, Title: waits.Label(), URL: waits.URL, Origin: origin(waits.URL)})
			}
		}
		if after = last; last == "" {
			slices.SortFunc(all, func(a, b Other) int { return strings.Compare(a.Server, b.Server) })
			return all, nil
		}
	}
}

// agreed are those of shown that still wait.
func agreed(waiting, shown []Other) []Other {
	return slices.DeleteFunc(waiting, func(o Other) bool { return !slices.ContainsFunc(shown, o.same) })
}

// named reports whether the person who made a connection had agreed that a server
// uses it too.
func (s stored) named(server Server) bool {
	return slices.ContainsFunc(s.Also, Other{Server: server.Name, Origin: origin(server.URL)}.same)
}

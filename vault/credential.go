package vault

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"

	"github.com/parley-hq/parley"
)

// Need says for whom and for which server a credential is needed.
type Need struct {
	Tenant string // empty: the default tenant
	Server string
	Agent  string // for servers with scope mentor
	User   string // for servers with scope user; from a verified principal
}

// Credential is what a request to a server carries. It prints as nothing.
type Credential struct {
	Key    Key
	header string
	prefix string
	value  string // empty: the server takes none
	origin string
	named  named             // which way leads to its server
	secret [sha256.Size]byte // tells which secret it was, when the server refuses it
	grant  string
	listed bool // it is of a connection that is stored here
}

// Grant names the connection that a credential comes from: it stays the same when
// a token is refreshed, and is another one when somebody connects another account.
// Empty: it is not known.
func (c Credential) Grant() string { return c.grant }

// String hides the value.
func (c Credential) String() string { return "credential for " + c.Key.Server }

// GoString hides the value.
func (c Credential) GoString() string { return c.String() }

// Apply puts the credential on a request to its server. ErrOrigin when the
// request goes elsewhere.
func (c Credential) Apply(r *http.Request) error {
	if c.value == "" {
		return nil
	}
	if to := origin(r.URL.String()); c.origin == "" || to != c.origin {
		return fmt.Errorf("%w: not to %s", ErrOrigin, r.URL.Host)
	}
	r.Header.Set(c.header, c.prefix+c.value)
	return nil
}

// Env returns the bare value for servers that are started with it in their
// environment, and whether there is one.
func (c Credential) Env() (value string, ok bool) { return c.value, c.value != "" }

// Credential looks up what a call to a server needs, and refreshes it if it is
// about to expire. It never contacts the server.
//
// Errors: *RequiredError when somebody has to provide one, ErrNoPerson,
// ErrUnknown, *ProviderError when it has expired and the provider cannot
// refresh it just now, ErrUnavailable when the store, a secret or a source fails.
func (v *Vault) Credential(ctx context.Context, need Need) (Credential, error) {
	cred, err := v.lookUp(ctx, need)
	return cred, ours(ctx, err)
}

func (v *Vault) lookUp(ctx context.Context, need Need) (Credential, error) {
	server, err := v.Server(ctx, need.Tenant, need.Server)
	if err != nil {
		return Credential{}, err
	}
	key, err := keyFor(server, need)
	if err != nil {
		return Credential{}, err
	}
	switch {
	case server.Auth.Type == None:
		return Credential{Key: key, named: server.named()}, nil
	case server.Auth.Source != "":
		if err := v.opts.Lent[server.Auth.Source].refuses(server); err != nil {
			return Credential{}, fmt.Errorf("server %s: %w", server.Name, err)
		}
	}
	s, err := v.load(ctx, key)
	missing := errors.Is(err, parley.ErrNotFound)
	switch {
	case err != nil && !missing:
		return Credential{}, err
	case entrusted(server) && s.Source != server.Auth.Source:
		return v.fromSource(ctx, server, key)
	case missing && server.Auth.Token != "" && server.Auth.Source == "":
		return credential(server, key, server.Auth.Token.Reveal()), nil
	case missing || !s.fits(server):
		return Credential{}, v.required(ctx, server, key, Missing, nil)
	case server.Auth.Source != "":
		return v.asAgreed(ctx, server, key, s)
	case s.Shares != "":
		return v.leaning(ctx, server, key, s)
	}
	return v.usable(ctx, server, key, s)
}

// asAgreed is fromSource for a credential that somebody was asked for.
func (v *Vault) asAgreed(ctx context.Context, server Server, key Key, s stored) (Credential, error) {
	stands, err := v.agreed(ctx, key, s)
	if err != nil {
		return Credential{}, err
	}
	if !stands {
		return Credential{}, v.required(ctx, server, key, Missing, nil)
	}
	cred, err := v.fromSource(ctx, server, key)
	if err == nil && s.Question != "" {
		v.confirm(ctx, key)
	}
	return cred, err
}

// usable turns a stored connection into a credential if it still is one.
func (v *Vault) usable(ctx context.Context, server Server, key Key, s stored) (Credential, error) {
	if err := v.stillLent(ctx, server, key, s); err != nil {
		return Credential{}, err
	}
	if s.Status == Active && v.expiring(s) {
		fresh, err := v.refresh(ctx, key, s, v.atProvider(server, key))
		if err != nil {
			return Credential{}, err
		}
		s = fresh
	}
	switch s.Status {
	case Active:
		cred := credential(server, key, s.Secret)
		cred.grant, cred.listed = s.Grant, true
		return cred, nil
	case Narrower:
		return Credential{}, v.required(ctx, server, key, Insufficient, s.Wanted)
	}
	return Credential{}, v.required(ctx, server, key, Reason(s.Status), nil)
}

func (v *Vault) fromSource(ctx context.Context, server Server, key Key) (Credential, error) {
	source, err := v.source(server)
	if err != nil {
		return Credential{}, err
	}
	secret, err := source.Fetch(ctx, Place{Key: key, Integration: server.Auth.Integration})
	if errors.Is(err, ErrNoCredential) {
		return Credential{}, v.required(ctx, server, key, Missing, nil)
	}
	if err != nil {
		return Credential{}, fmt.Errorf("source %s: %w", server.Auth.Source, err)
	}
	if !secret.Expires.IsZero() && !v.now().Before(secret.Expires) {
		return Credential{}, v.required(ctx, server, key, Expired, nil)
	}
	refused, err := v.refused(ctx, key, secret.Value)
	if err != nil {
		return Credential{}, err
	}
	if refused {
		return Credential{}, v.required(ctx, server, key, Rejected, nil)
	}
	cred := credential(server, key, secret.Value)
	if secret.Expires.IsZero() {
		cred.grant = string(cred.secret[:]) // a key, which nobody refreshes
	}
	return cred, nil
}

func (v *Vault) source(server Server) (Source, error) {
	source, ok := v.opts.Sources[server.Auth.Source]
	if !ok {
		return nil, fmt.Errorf("%w: server %s names %q", ErrSource, server.Name, server.Auth.Source)
	}
	if err := v.opts.Lent[server.Auth.Source].refuses(server); err != nil {
		return nil, fmt.Errorf("server %s: %w", server.Name, err)
	}
	return source, nil
}

func credential(server Server, key Key, secret string) Credential {
	return Credential{
		Key: key, header: server.Auth.Header, prefix: server.Auth.Prefix, value: secret,
		origin: origin(server.URL), named: server.named(), secret: sha256.Sum256([]byte(secret)),
	}
}

// keyFor is the connection that a call uses: it is looked up for exactly this
// owner, never for another.
func keyFor(server Server, need Need) (Key, error) {
	key := Key{Tenant: tenantOf(need.Tenant), Server: server.Name, Scope: server.Auth.Scope}
	switch {
	case server.Auth.Type == None:
	case key.Scope == User && need.User == "":
		return key, fmt.Errorf("server %s: %w", server.Name, ErrNoPerson)
	case key.Scope == User:
		key.Owner = need.User
	case key.Scope == Mentor && need.Agent == "":
		return key, fmt.Errorf("%w: server %s takes an agent's credential, and no agent was named", ErrInvalid, server.Name)
	case key.Scope == Mentor:
		key.Owner = need.Agent
	}
	return key, nil
}

// required is the one answer when a credential is not there. extra are scopes
// that the server asked for.
func (v *Vault) required(ctx context.Context, server Server, key Key, why Reason, extra []string) error {
	scopes, err := v.scopes(ctx, key.Tenant, server, extra)
	if err != nil {
		return err
	}
	return &RequiredError{Key: key, Server: server, Reason: why, Scopes: scopes}
}

// union keeps the order and adds what is new.
func union(a, b []string) []string {
	all := make([]string, 0, len(a)+len(b))
	seen := map[string]bool{}
	for _, list := range [][]string{a, b} {
		for _, one := range list {
			if !seen[one] && one != "" {
				seen[one] = true
				all = append(all, one)
			}
		}
	}
	return all
}

package demoprovider

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/parley-hq/parley/internal/loopback"
)

// ErrNotLoopback is returned by [New] for an issuer that others could reach: a
// provider that asks for no password must stay on its own machine.
var ErrNotLoopback = errors.New("the demo provider serves loopback addresses only")

// Options configures a [Provider]. Zero values mean the default that each field
// names; only Issuer is required.
type Options struct {
	// Issuer is the URL that identifies the provider and that all its endpoints
	// start with: http or https, loopback, without a slash at the end. Required.
	Issuer string
	// Title is the name of the service that the provider plays. Default "Acme
	// Tracker".
	Title string
	// Users are the names that the login page offers; any other may be typed.
	// Default alice, bob and carol.
	Users []string
	// Clients are the applications known in advance. Default none.
	Clients []Client
	// Registration lets applications register themselves (RFC 7591). Default no.
	Registration bool
	// Resources are the values of `resource` (RFC 8707) that tokens may be asked
	// for, usually the URLs of MCP servers; another one is refused with
	// invalid_target. Default none: the parameter is ignored and tokens have no
	// audience.
	Resources []string
	// Scopes are the permissions that exist, each with the sentence that the
	// consent page shows. openid, profile and offline_access exist always.
	// Default read and write.
	Scopes map[string]string
	// AccessTTL is how long an access token is good for, in whole seconds.
	// Default five minutes.
	AccessTTL time.Duration
	// Logger gets a line for every refused request. Default none.
	Logger *slog.Logger
}

// Client is an application known in advance. It may use the code flow and
// refresh tokens, with every scope of the provider.
type Client struct {
	// ID is the client_id. Required.
	ID string
	// Secret is the client_secret, sent in the header or in the body. Empty: a
	// public client.
	Secret string
	// Name is what the consent page calls it. Default the ID.
	Name string
	// RedirectURIs are compared to the letter, ports included, and may be plain
	// http. At least one.
	RedirectURIs []string
}

const (
	defaultTitle     = "Acme Tracker"
	defaultAccessTTL = 5 * time.Minute
)

// withDefaults returns a copy that the caller cannot change, with every default
// filled in.
func (o *Options) withDefaults() Options {
	var out Options
	if o != nil {
		out = *o
	}
	out.Title = cmp.Or(out.Title, defaultTitle)
	out.AccessTTL = cmp.Or(out.AccessTTL, defaultAccessTTL)
	out.Clients = slices.Clone(out.Clients)
	out.Resources = slices.Clone(out.Resources)
	if out.Users = slices.Clone(out.Users); len(out.Users) == 0 {
		out.Users = []string{"alice", "bob", "carol"}
	}
	if out.Scopes = maps.Clone(out.Scopes); len(out.Scopes) == 0 {
		out.Scopes = map[string]string{
			"read":  "See your issues and comments.",
			"write": "Create and change issues and comments.",
		}
	}
	for name, sentence := range map[string]string{
		"openid":         "Know who you are: your user name.",
		"profile":        "See your display name.",
		"offline_access": "Stay connected while you are away.",
	} {
		if _, named := out.Scopes[name]; !named {
			out.Scopes[name] = sentence
		}
	}
	if out.Logger == nil {
		out.Logger = slog.New(slog.DiscardHandler)
	}
	return out
}

func (o *Options) check() error {
	if o.AccessTTL < time.Second || o.AccessTTL%time.Second != 0 {
		return fmt.Errorf("an access TTL of %v is not a number of whole seconds", o.AccessTTL)
	}
	for _, user := range o.Users {
		if !userName(user) {
			return fmt.Errorf("the user name %q has a character that is not allowed", user)
		}
	}
	for scope := range o.Scopes {
		if scope == "" || strings.ContainsFunc(scope, notInScope) {
			return fmt.Errorf("the scope %q has a character that is not allowed", scope)
		}
	}
	seen := map[string]bool{}
	for _, c := range o.Clients {
		if c.ID == "" || seen[c.ID] {
			return fmt.Errorf("the client id %q is empty or there twice", c.ID)
		}
		seen[c.ID] = true
		if len(c.RedirectURIs) == 0 {
			return fmt.Errorf("the client %q has no redirect URI", c.ID)
		}
		for _, uri := range c.RedirectURIs {
			if u, err := url.Parse(uri); err != nil || u.Scheme == "" || u.Host == "" || u.Fragment != "" {
				return fmt.Errorf("the client %q has the redirect URI %q: it must be absolute and without a fragment", c.ID, uri)
			}
		}
	}
	return nil
}

// notInScope tells the characters that RFC 6749 leaves out of a scope.
func notInScope(r rune) bool {
	return r <= ' ' || r == '"' || r == '\\' || r > '~'
}

// parseIssuer refuses what is not loopback, and what the issuer of a token
// could not be compared with to the letter.
func parseIssuer(issuer string) (*url.URL, error) {
	u, err := url.Parse(issuer)
	if err != nil {
		return nil, fmt.Errorf("the issuer is not a URL: %w", err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || !loopback.Host(u.Hostname()) {
		return nil, fmt.Errorf("%w, so the issuer cannot be %q", ErrNotLoopback, issuer)
	}
	bare := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	plainPath := u.Path == "" || u.Path != "/" && path.Clean(u.Path) == u.Path && !strings.Contains(u.Path, "{")
	if bare.String() != issuer || !plainPath {
		return nil, fmt.Errorf("the issuer %q must be scheme, host and a plain path without a slash at the end", issuer)
	}
	return u, nil
}

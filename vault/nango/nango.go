// Package nango is a source of credentials that Nango keeps: people connect
// their accounts at Nango's own page, and Nango refreshes the tokens.
//
// A [Source] is a vault.Source that can also connect and forget. A place is
// whose credential for which server; the Source remembers for each, sealed,
// which connection at Nango fills it, and which connect sessions it opened for
// it. Each session has a reference, a random word among the tags of the
// connection that comes of it. A connection fills a place only if it carries
// the reference of a session that was opened for exactly that place: other tags
// say where to look, and nothing more.
//
//	source, err := nango.New(&nango.Options{
//		APIKey: key, WebhookKey: signingKey, Records: records, Keys: keyring,
//		Connected: func(ctx context.Context, at vault.Place, question parley.ID) error {
//			return v.Connected(ctx, at.Key, question)
//		},
//	})
//	…
//	v, err = vault.New(hub, records, keyring, &vault.Options{
//		Sources: map[string]vault.Source{"nango": source},
//	})
//	…
//	mux.Handle("/nango/webhook", source.Webhook())
//
// Nango's webhook is how a Source learns of a connection at once. It may come
// late, twice, out of order, or not at all: as long as a session is open, a
// place without a connection is looked up in Nango's list whenever its
// credential is asked for.
//
// Where a credential may be sent to is the vault's to know: it asks for a
// person's only after they agreed to a place for it, and for that place.
//
// Nothing is cached: every Fetch asks Nango, so that a connection that was
// removed or refreshed there counts at once. A place for which no session was
// ever opened is not asked for.
//
// A Source is safe for concurrent use, and any number of processes may share
// its records.
package nango

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// Options configures a Source. APIKey, Records and Keys are needed; nil and
// zero in the other fields mean the defaults.
type Options struct {
	// APIKey is the environment's API key. It needs the scopes
	// environment:connect_sessions:write, environment:connections:list,
	// environment:connections:read_credentials and
	// environment:connections:delete.
	APIKey string

	// BaseURL is where Nango's API is: https, or http on this machine. Default
	// https://api.nango.dev.
	BaseURL string

	// WebhookKey is the environment's webhook signing key. Default: APIKey,
	// which signs in environments from before Nango told the two apart.
	WebhookKey string

	// Client makes the requests to Nango; redirects are not followed. Default:
	// the outbound client, to BaseURL's host at whatever address it has.
	Client *http.Client

	Records parley.Records // what the Source remembers
	Keys    *seal.Keyring  // seals it

	// Connected is told of each connection that fills a place, perhaps more
	// than once, with the question that its session was opened for. Default:
	// nobody is told, and the question is settled by who looks.
	Connected func(ctx context.Context, at vault.Place, question parley.ID) error

	Logger *slog.Logger // default slog.Default()
}

// The errors of this package that are meant for administrators. None of them
// holds anything that Nango sent beyond a status and an error code.
var (
	ErrAPIKey      = errors.New("the API key is not accepted by Nango: check the key, that it is of the right environment, and its scopes")
	ErrIntegration = errors.New("no such integration at Nango: check auth.integration of the server")
	ErrUnavailable = errors.New("cannot reach Nango, or it fails just now: try again in a moment")
	ErrRefused     = errors.New("refused by Nango: check the base URL, and look into Nango's logs")
	// ErrUnusable is for credentials that are not one string.
	ErrUnusable = errors.New("the credentials of this integration do not fit into one header: use an integration of another kind")
	// ErrName is for names that do not fit into Nango's tags.
	ErrName = errors.New("no name for Nango: it takes 1 to 255 characters")
	// ErrLink is for a connect page that people must not be sent to.
	ErrLink = errors.New("unsafe address of Nango's connect page: check the connect URL that Nango is configured with")
)

// Source fetches credentials from Nango. Make it with New.
type Source struct {
	opts    Options
	client  *http.Client
	records parley.Records // sealed
	local   bool           // Nango is on this machine: so may its pages be
}

var (
	_ vault.Source    = (*Source)(nil)
	_ vault.Connector = (*Source)(nil)
	_ vault.Forgetter = (*Source)(nil)
)

// New returns a source. It contacts nobody.
func New(opts *Options) (*Source, error) {
	if opts == nil || opts.APIKey == "" || opts.Records == nil || opts.Keys == nil {
		return nil, errors.New("nango: an API key, records and a keyring are needed")
	}
	s := &Source{opts: *opts, records: seal.Records(opts.Records, opts.Keys, nil)}
	s.opts.BaseURL = strings.TrimSuffix(cmp.Or(s.opts.BaseURL, "https://api.nango.dev"), "/")
	s.opts.WebhookKey = cmp.Or(s.opts.WebhookKey, s.opts.APIKey)
	if s.opts.Logger == nil {
		s.opts.Logger = slog.Default()
	}
	domain, err := outbound.DomainOf(s.opts.BaseURL)
	if err != nil {
		return nil, fmt.Errorf("nango: base URL: %w", err)
	}
	base, err := url.Parse(s.opts.BaseURL)
	if err != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, errors.New("nango: the base URL ends with its path: leave out what begins with ? or #")
	}
	s.local = loopback.Host(base.Hostname())
	if base.Scheme != "https" && !s.local {
		return nil, fmt.Errorf("nango: base URL: %s would be sent the API key by http: use https", domain.Host)
	}
	client := opts.Client
	if client == nil {
		client = outbound.Client(&outbound.Options{Trusted: []string{domain.Host}})
	}
	direct := *client
	direct.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	s.client = &direct
	return s, nil
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

package vault

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/outbound"
)

// Provider is an OAuth authorization server at which this program is
// registered.
type Provider struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"` // shown to people; default: the name

	AuthURL   string `json:"auth_url"`
	TokenURL  string `json:"token_url"`
	RevokeURL string `json:"revoke_url,omitempty"` // RFC 7009; empty: it offers no revocation

	// Issuer is what the provider calls itself. When it is known, an answer
	// that names another one is refused (RFC 9207).
	Issuer string `json:"issuer,omitempty"`
	// RequireIss refuses answers that name no issuer.
	RequireIss bool `json:"require_iss,omitempty"`

	ClientID     string        `json:"client_id"`
	ClientSecret parley.Secret `json:"client_secret,omitempty"` // empty: a public client
	// SecretIn says where the secret goes: "header" or "body". Empty: found out
	// by trying.
	SecretIn string `json:"secret_in,omitempty"`

	Scopes     []string          `json:"scopes,omitempty"`      // asked for unless a service or a server says otherwise
	AuthParams map[string]string `json:"auth_params,omitempty"` // added to the authorization request, such as access_type=offline
	Resource   string            `json:"resource,omitempty"`    // the resource indicator of every request (RFC 8707)

	// Tenants are those whose own servers may use this provider of the
	// configuration; "*" is every one. Default: none. Servers of the
	// configuration use it for everybody.
	Tenants []string `json:"tenants,omitempty"`
	// AllowedScopes bound what such servers may ask for. Default: Scopes.
	AllowedScopes []string `json:"allowed_scopes,omitempty"`

	Tenant string `json:"-"` // whose it is; empty: the configuration's
	server string // of a provider that an MCP server named: the server
	of     named  // and what the operator wrote of that
}

// Slug is the provider in the paths of the connect page and the callback. Each
// provider of each tenant has its own, and so its own redirect URI.
func (p Provider) Slug() string {
	slug := p.Name
	if p.server != "" {
		slug = mcpSlug + p.server
	}
	if p.Tenant != "" {
		slug += "~" + p.Tenant
	}
	return slug
}

// ClientSlug is the slug of the provider that the server names itself, for
// ClientDocument.
func (s Server) ClientSlug() string { return Provider{server: s.Name, Tenant: s.Tenant}.Slug() }

// mcpSlug begins the slug of a provider that an MCP server named; no name has a
// dot.
const mcpSlug = "mcp."

// Label is what people see.
func (p Provider) Label() string { return label(p.Title, p.Name) }

// Validate says what is wrong with p.
func (p Provider) Validate() error {
	if err := validName("provider", p.Name); err != nil {
		return err
	}
	var problems []error
	for what, raw := range map[string]string{"auth_url": p.AuthURL, "token_url": p.TokenURL, "revoke_url": p.RevokeURL} {
		if raw == "" {
			if what != "revoke_url" {
				problems = append(problems, errors.New(what+" is missing"))
			}
			continue
		}
		if _, err := outbound.DomainOf(raw); err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", what, err))
		}
	}
	if p.ClientID == "" {
		problems = append(problems, errors.New("client_id is missing"))
	}
	if err := checkTitle(p.Title); err != nil {
		problems = append(problems, err)
	}
	if !slices.Contains([]string{"", "header", "body"}, p.SecretIn) {
		problems = append(problems, fmt.Errorf("secret_in is %q; use header or body", p.SecretIn))
	}
	if p.RequireIss && p.Issuer == "" {
		problems = append(problems, errors.New("require_iss needs issuer"))
	}
	return invalid("provider", p.Name, append(problems, p.paramProblems()...))
}

// Service names what is used of a provider: Google's Drive.
type Service struct {
	Name     string   `json:"name"`
	Title    string   `json:"title,omitempty"`
	Provider string   `json:"provider"`
	Scopes   []string `json:"scopes,omitempty"`

	// Tenants and AllowedScopes are as those of a Provider, for servers that name
	// this service: it may be open where its provider is not. Default of
	// AllowedScopes: Scopes.
	Tenants       []string `json:"tenants,omitempty"`
	AllowedScopes []string `json:"allowed_scopes,omitempty"`

	Tenant string `json:"-"` // whose it is; empty: the configuration's
}

// Validate says what is wrong with s.
func (s Service) Validate() error {
	if err := validName("service", s.Name); err != nil {
		return err
	}
	var problems []error
	if s.Provider == "" {
		problems = append(problems, errors.New("it names no provider"))
	}
	if err := checkTitle(s.Title); err != nil {
		problems = append(problems, err)
	}
	return invalid("service", s.Name, problems)
}

// AuthType is what credential a server takes.
type AuthType string

// The types, as in the configuration.
const (
	None   AuthType = "none"
	Bearer AuthType = "bearer"  // a fixed token
	APIKey AuthType = "api_key" // a key in a header
	OAuth2 AuthType = "oauth2"  // of a provider that we know
	MCP    AuthType = "mcp"     // of the authorization server that the server itself names
)

// Scope is whose credential a server takes.
type Scope string

// The scopes. Only a person's own credential is asked for in a conversation;
// the others are provided beforehand.
const (
	Platform Scope = "platform" // one for the whole tenant
	Mentor   Scope = "mentor"   // one for each agent
	User     Scope = "user"     // one for each person
)

// Auth says what credential a server takes, and whose.
type Auth struct {
	Type  AuthType `json:"type,omitempty" yaml:"type"`   // default None
	Scope Scope    `json:"scope,omitempty" yaml:"scope"` // default Platform

	Provider string   `json:"provider,omitempty" yaml:"provider"` // OAuth2: the provider, or
	Service  string   `json:"service,omitempty" yaml:"service"`   // OAuth2: the service of a provider
	Scopes   []string `json:"scopes,omitempty" yaml:"scopes"`     // OAuth2, MCP: default those of the service or provider, or what the server asks for

	Header string        `json:"header,omitempty" yaml:"header"` // Bearer, APIKey: where the value goes; default Authorization and X-API-Key
	Prefix string        `json:"prefix,omitempty" yaml:"prefix"` // in front of the value; default "Bearer " in Authorization, else nothing
	Token  parley.Secret `json:"token,omitempty" yaml:"token"`   // Bearer, APIKey with scope platform: the credential, from the configuration

	// ClientID and ClientSecret are for type MCP, when we are registered with
	// the authorization server at Issuer already.
	Issuer       string        `json:"issuer,omitempty" yaml:"issuer"`
	ClientID     string        `json:"client_id,omitempty" yaml:"client_id"`
	ClientSecret parley.Secret `json:"client_secret,omitempty" yaml:"client_secret"`

	Source      string `json:"source,omitempty" yaml:"source"`           // keeps the credential instead of the vault
	Integration string `json:"integration,omitempty" yaml:"integration"` // what the source calls the server; default: the server's name
}

// Protocol is what a server speaks.
type Protocol string

// A2A is spoken by agents elsewhere.
const A2A Protocol = "a2a"

// Server is an MCP server that tools are called at, or an agent elsewhere.
type Server struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"` // empty: it speaks over stdio
	// Protocol is empty for MCP.
	Protocol Protocol `json:"protocol,omitempty"`
	Auth     Auth     `json:"auth"`

	Tenant string `json:"-"` // whose it is; empty: the configuration's

	// Sign has people connect accounts with their passkey, on the hosted page: whoever calls
	// Begin and EnterKey has checked it. No other connection stands for such a one. Only the
	// configuration says so.
	Sign bool `json:"-"`
}

// Label is what people see.
func (s Server) Label() string { return label(s.Title, s.Name) }

// ServerID is a number that clients can tell a server by: positive, and always the
// same for a name.
func ServerID(name string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(name))
	return max(h.Sum32()&0x7fffffff, 1)
}

func (s Server) withDefaults() Server {
	a := &s.Auth
	if a.Type == "" {
		a.Type = None
	}
	if a.Scope == "" {
		a.Scope = Platform
	}
	if a.Header == "" {
		a.Header = "Authorization"
		if a.Type == APIKey {
			a.Header = "X-API-Key"
		}
	}
	a.Header = http.CanonicalHeaderKey(a.Header)
	if a.Prefix == "" && a.Header == "Authorization" {
		a.Prefix = "Bearer "
	}
	if a.Integration == "" {
		a.Integration = s.Name
	}
	return s
}

// Validate says what is wrong with s.
func (s Server) Validate() error {
	if err := validName("server", s.Name); err != nil {
		return err
	}
	return invalid("server", s.Name, s.problems())
}

func (s Server) problems() []error {
	var problems []error
	bad := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }
	a := s.withDefaults().Auth
	if reserved(s.Name) {
		bad("name: %s is this program's own, and its tools begin with it, such as parley__ask_person: give the server another name", product)
	}
	if err := checkTitle(s.Title); err != nil {
		problems = append(problems, err)
	}
	switch {
	case s.Protocol != "" && s.Protocol != A2A:
		bad("protocol is %.20q; use a2a, or leave it out for MCP", s.Protocol)
	case s.Protocol == A2A && s.URL == "":
		bad("url: an agent elsewhere has one")
	}
	if s.URL != "" {
		if _, err := outbound.DomainOf(s.URL); err != nil {
			bad("url: %w", err)
		}
	}
	if !slices.Contains([]Scope{Platform, Mentor, User}, a.Scope) {
		bad("auth.scope is %q; use platform, mentor or user", a.Scope)
	}
	switch a.Type {
	case None, Bearer, APIKey:
	case OAuth2:
		if (a.Provider == "") == (a.Service == "") && a.Source == "" {
			bad("auth: type oauth2 names a provider or a service")
		}
	case MCP:
		if s.URL == "" {
			bad("auth: type mcp is for servers with a url")
		}
		if (a.ClientID == "") != (a.Issuer == "") {
			bad("auth: client_id and issuer belong together: a registration counts at one issuer only")
		}
	default:
		bad("auth.type is %q; use none, bearer, api_key, oauth2 or mcp", a.Type)
	}
	if a.Token != "" && (a.Scope != Platform || a.Type != Bearer && a.Type != APIKey) {
		bad("auth.token is for type bearer or api_key with scope platform")
	}
	if strings.ContainsFunc(a.Token.Reveal(), func(c rune) bool { return c < ' ' || c >= 0x7f }) {
		bad("auth.token: it has characters that no header can have, such as a line break")
	}
	if a.Header != "" && !outbound.ValidHeaderName(a.Header) {
		bad("auth.header: %.60q cannot be the name of a header", a.Header)
	}
	if slices.Contains(unsentHeaders, a.Header) {
		bad("auth.header: no client can send a credential in %s", a.Header)
	}
	if slices.Contains(spokenHeaders, a.Header) || strings.HasPrefix(a.Header, "Mcp-Param-") {
		bad("auth.header: %s is a header of the protocol itself, and a credential in it would change what is said: name another one", a.Header)
	}
	return problems
}

// unsentHeaders are those that the connection has by itself: what else is put
// into them is not sent.
var unsentHeaders = []string{"Content-Length", "Host", "Trailer", "Transfer-Encoding"}

// spokenHeaders are those by which what is said is said, of HTTP, MCP, A2A and traces. MCP has one more for each argument
// that a server wants there.
var spokenHeaders = []string{
	"A2a-Extensions", "A2a-Version", "Accept", "Accept-Encoding", "Connection", "Content-Encoding", "Content-Type", "Expect", "Last-Event-Id",
	"Mcp-Method", "Mcp-Name", "Mcp-Protocol-Version", "Mcp-Session-Id", "Te", "Traceparent", "Tracestate", "Upgrade", "X-A2a-Extensions",
}

func label(title, name string) string {
	if title != "" {
		return title
	}
	return name
}

// A name is part of paths, keys and tool names.
var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

func validName(what, name string) error {
	if !nameForm.MatchString(name) {
		return fmt.Errorf("%w: %s %.70q: a name has letters, digits, - and _", ErrInvalid, what, name)
	}
	return nil
}

func invalid(what, name string, problems []error) error {
	if len(problems) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s %q: %w", ErrInvalid, what, name, errors.Join(problems...))
}

// documents keeps named values: those of the configuration for every tenant,
// and a tenant's own as records.
type documents[T any] struct {
	records    parley.Records
	kind       string
	name       func(T) string
	revealed   func(T) any // as it is stored, with its secrets
	configured map[string]T
}

func (d *documents[T]) configure(all []T, validate func(T) error) error {
	d.configured = map[string]T{}
	var problems []error
	for _, one := range all {
		if err := validate(one); err != nil {
			problems = append(problems, err)
		}
		if _, twice := d.configured[d.name(one)]; twice {
			problems = append(problems, fmt.Errorf("%w: %s %q is there twice", ErrInvalid, d.kind, d.name(one)))
		}
		d.configured[d.name(one)] = one
	}
	return errors.Join(problems...)
}

// get returns the named value, and whether it is the tenant's own.
func (d *documents[T]) get(ctx context.Context, tenant, name string) (found T, own bool, err error) {
	record, err := d.records.Load(ctx, parley.Address{Tenant: tenant, Kind: d.kind, Key: name})
	if errors.Is(err, parley.ErrNotFound) {
		if one, ok := d.configured[name]; ok {
			return one, false, nil
		}
		return found, false, fmt.Errorf("%s %.70q: %w", d.kind, name, ErrUnknown)
	}
	if err != nil {
		return found, false, err
	}
	err = json.Unmarshal(record.Data, &found)
	return found, true, err
}

// put stores a tenant's own value, new or in place of the old one.
func (d *documents[T]) put(ctx context.Context, tenant string, one T) error {
	data, err := json.Marshal(d.revealed(one))
	if err != nil {
		return err
	}
	at := parley.Address{Tenant: tenant, Kind: d.kind, Key: d.name(one)}
	_, err = parley.Put(ctx, d.records, parley.Record{Address: at, Data: data})
	return err
}

func (d *documents[T]) remove(ctx context.Context, tenant, name string) error {
	err := d.records.Delete(ctx, parley.Address{Tenant: tenant, Kind: d.kind, Key: name}, 0)
	if !errors.Is(err, parley.ErrNotFound) {
		return err
	}
	if _, ok := d.configured[name]; ok {
		return fmt.Errorf("%s %q: %w", d.kind, name, ErrConfigured)
	}
	return fmt.Errorf("%s %.70q: %w", d.kind, name, ErrUnknown)
}

// list returns what the tenant has, in the order of the names.
func (d *documents[T]) list(ctx context.Context, tenant string) (all []T, own map[string]bool, err error) {
	byName := maps.Clone(d.configured)
	own = map[string]bool{}
	for r, err := range parley.Each(ctx, d.records, parley.Address{Tenant: tenant, Kind: d.kind}, "") {
		if err != nil {
			return nil, nil, err
		}
		var one T
		if err := json.Unmarshal(r.Data, &one); err != nil {
			return nil, nil, err
		}
		byName[r.Key], own[r.Key] = one, true
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		all = append(all, byName[name])
	}
	return all, own, nil
}

// origin is the part of a URL that a credential is bound to.
func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "http": "80"}[u.Scheme]
	}
	return u.Scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// Package config reads parley.yaml: what a server listens on, where it keeps its
// data, whom it trusts, and which models, providers, servers and agents there
// are. Unknown keys are errors that name the line.
package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/mcptool"
	"github.com/parley-hq/parley/vault"
)

// Config is a whole parley.yaml.
type Config struct {
	Listen    string   `yaml:"listen"`                // default 127.0.0.1:8420
	PublicURL string   `yaml:"public_url"`            // default: http:// and listen
	Advertise string   `yaml:"advertise"`             // where other nodes reach this one; default: http:// and listen
	Store     string   `yaml:"store" secret:"file"`   // memory: | sqlite:FILE | postgres://… | redis://…; default sqlite:parley.db
	Secrets   []string `yaml:"secrets" secret:"file"` // the first seals, all open
	Dev       bool     `yaml:"dev"`                   // user picker at /login, loopback only
	Title     string   `yaml:"title"`                 // of the hosted pages
	TLS       *TLS     `yaml:"tls"`                   // nil: a proxy in front of it speaks TLS
	Origins   []string `yaml:"origins"`               // of other sites whose pages use this server, such as those with the widget

	Auth      Auth                `yaml:"auth"`
	Models    map[string]Model    `yaml:"models"`
	Providers map[string]Provider `yaml:"providers"`
	Services  map[string]Service  `yaml:"services"`
	Servers   map[string]Server   `yaml:"servers"`
	Agents    map[string]Agent    `yaml:"agents"`
	Gateway   *Gateway            `yaml:"gateway"`
	Rules     []Rule              `yaml:"rules"`
	Groups    map[string][]string `yaml:"groups"` // people, by the name of their group
	Retention Retention           `yaml:"retention"`
	Slack     *Slack              `yaml:"slack"`
	Nango     *Nango              `yaml:"nango"`
	Channels  Channels            `yaml:"channels"`
	People    map[string]Person   `yaml:"people"`
	Limits    Limits              `yaml:"limits"`
	Log       Log                 `yaml:"log"`
	Telemetry Telemetry           `yaml:"telemetry"`

	// The times of document 003, from the environment: how long its chat waits for
	// a person, and how often it is looked whether an account was connected another
	// way.
	OAuthWait time.Duration `yaml:"-"`
	OAuthPoll time.Duration `yaml:"-"`

	readable []string // warnings of how it is written: files with secrets that everybody on this machine reads, keys with nothing behind them
	file     string   // that it was read from, without its directory; empty: none
	written  *shape   // where its keys are
}

// Auth is who is believed.
type Auth struct {
	JWT      *JWT      `yaml:"jwt"`
	OIDC     *OIDC     `yaml:"oidc"`
	Verifier *Verifier `yaml:"verifier"`
	APIKeys  []APIKey  `yaml:"api_keys"`

	Logins         string `yaml:"logins"`          // how long programs of a person stay logged in by parley login: 30d, 12h, off; default 30d
	TenantRequired bool   `yaml:"tenant_required"` // a token without its tenant claim is refused
	People         People `yaml:"people"`          // whom jwt and oidc speak of, where their issuers differ; default: Shared, with a warning
}

// People says whether the same sub of two issuers is the same person.
type People string

// The two answers.
const (
	Shared   People = "shared"
	Separate People = "separate" // people who sign in by oidc are known by their issuer too
)

// JWT is what bearer tokens must be.
type JWT struct {
	Issuer      string `yaml:"issuer"`
	Audience    string `yaml:"audience"`
	HMACKey     string `yaml:"hmac_key" secret:"file"` // or
	JWKSURL     string `yaml:"jwks_url"`
	TenantClaim string `yaml:"tenant_claim"` // default tenant
}

// OIDC is where people sign in at the hosted pages.
type OIDC struct {
	Issuer       string        `yaml:"issuer"`
	ClientID     string        `yaml:"client_id"`
	ClientSecret parley.Secret `yaml:"client_secret"`
	Scopes       []string      `yaml:"scopes"`
	TenantClaim  string        `yaml:"tenant_claim"`
	TrustPrompt  bool          `yaml:"trust_prompt"` // prompt=login is proof enough where auth_time is missing
}

// Verifier is a host application that says who somebody is.
type Verifier struct {
	URL string `yaml:"url"`
	Key string `yaml:"key" secret:"file"`
}

// APIKey is a key of a program, by its digest. It is no person.
type APIKey struct {
	Name   string `yaml:"name"`
	SHA256 string `yaml:"sha256"`
	Tenant string `yaml:"tenant"`

	MayAsk        []string      `yaml:"may_ask"`        // people by name, group:NAME, "*" for everybody; empty: nobody; nil: nobody, and the key manages
	WebhookSecret parley.Secret `yaml:"webhook_secret"` // whsec_…: signs the calls that tell of answers
	Manage        *bool         `yaml:"manage"`         // the tenant, through the API; default: unless there is may_ask, empty too
}

// Model is a language model.
type Model struct {
	Kind      string `yaml:"kind"` // openai | anthropic | demo
	BaseURL   string `yaml:"base_url"`
	APIKey    string `yaml:"api_key" secret:"file"`
	Model     string `yaml:"model"`
	MaxTokens int64  `yaml:"max_tokens"`
}

// Provider is an OAuth provider.
type Provider struct {
	Title        string            `yaml:"title"`
	AuthURL      string            `yaml:"auth_url"`
	TokenURL     string            `yaml:"token_url"`
	RevokeURL    string            `yaml:"revoke_url"`
	Issuer       string            `yaml:"issuer"`
	RequireIss   bool              `yaml:"require_iss"`
	ClientID     string            `yaml:"client_id"`
	ClientSecret parley.Secret     `yaml:"client_secret"`
	SecretIn     string            `yaml:"secret_in"`
	Scopes       []string          `yaml:"scopes"`
	AuthParams   map[string]string `yaml:"auth_params"`

	Tenants       []string `yaml:"tenants"`        // whose own servers may use it; "*": every tenant's; default none
	AllowedScopes []string `yaml:"allowed_scopes"` // what those may ask for; default scopes
}

// Service is what is used of a provider.
type Service struct {
	Title    string   `yaml:"title"`
	Provider string   `yaml:"provider"`
	Scopes   []string `yaml:"scopes"`

	Tenants       []string `yaml:"tenants"`        // as of a provider
	AllowedScopes []string `yaml:"allowed_scopes"` // default scopes
}

// Server is an MCP server.
type Server struct {
	Title   string            `yaml:"title"`
	URL     string            `yaml:"url"`
	Command []string          `yaml:"command"`
	Env     map[string]string `yaml:"env" secret:"file"`
	Auth    vault.Auth        `yaml:"auth"`
	TTL     string            `yaml:"ttl"`     // how long approvals of its calls stay open, such as 3d; default: the agent's, or of the gateway 10m
	Approve string            `yaml:"approve"` // never | unsafe | always | refuse; empty: unsafe, unless a tenant's rule says otherwise
	Sign    string            `yaml:"sign"`    // passkey: people connect their account with one
}

// Agent is an agent of this server, or a remote one.
type Agent struct {
	Model        string         `yaml:"model"`
	Description  string         `yaml:"description"`
	Instructions string         `yaml:"instructions"`
	Input        map[string]any `yaml:"input"` // a JSON schema: what callers over MCP give; default: a message
	Servers      []string       `yaml:"servers"`
	Delegates    []string       `yaml:"delegates"`
	Steps        int            `yaml:"steps"`
	History      int            `yaml:"history"`     // KiB of the earlier turns that the model is given; default 128; -1: as much as it takes
	A2A          string         `yaml:"a2a"`         // of a remote one: the URL that its card is below, or of the card itself
	Title        string         `yaml:"title"`       // of a remote one: as people know it; default its name
	Auth         vault.Auth     `yaml:"auth"`        // of a remote one: the credential that it takes
	TTL          string         `yaml:"ttl"`         // how long its questions stay open, such as 3d; default 10m
	Suggestions  []string       `yaml:"suggestions"` // what an empty chat offers to say
}

// InputSchema is the agent's input as JSON; nil: it takes a message.
func (a Agent) InputSchema() (json.RawMessage, error) {
	if a.Input == nil {
		return nil, nil
	}
	return json.Marshal(a.Input)
}

// Gateway is the MCP gateway.
type Gateway struct {
	Servers   []string    `yaml:"servers"`   // default: all; those of the management API are always there
	Fallback  string      `yaml:"fallback"`  // app | page | deny | allow | model; default app: the best that the client can do
	Approvals string      `yaml:"approvals"` // for clients that cannot ask: deny | page | app | allow; default: page where fallback is page or app, else deny
	Expose    string      `yaml:"expose"`    // tools | execute; default tools
	Scopes    []string    `yaml:"scopes"`    // what a token must have
	Ask       *GatewayAsk `yaml:"ask"`       // whom assistants may ask with parley__ask_person; default nobody
	Issuers   []string    `yaml:"issuers"`   // the authorization servers that clients are sent to; default: auth.jwt.issuer
}

// Clients is what is done for clients that cannot ask.
func (g Gateway) Clients() string { return cmp.Or(g.Fallback, "app") }

// Approvals is what is done about calls of such clients that need an approval.
func (c *Config) Approvals() string {
	return cmp.Or(c.Gateway.Approvals, string(mcptool.Fallback(c.Gateway.Clients()).Approvals(c.SignIn())))
}

// Rule says which calls need an approval, and whose. The first that fits decides.
type Rule struct {
	Name        string   `yaml:"name"`
	Server      string   `yaml:"server"`
	Tool        string   `yaml:"tool"`
	ReadOnly    *bool    `yaml:"read_only"`
	Destructive *bool    `yaml:"destructive"`
	Idempotent  *bool    `yaml:"idempotent"`
	OpenWorld   *bool    `yaml:"open_world"`
	When        string   `yaml:"when"`      // CEL over args, server, tool, user, tenant, annotations
	Approve     string   `yaml:"approve"`   // never | unsafe | always | refuse
	Approvers   string   `yaml:"approvers"` // such as: 2 of [alice, bob, carol]
	Choices     []string `yaml:"choices"`   // that whoever is asked has: allow_once, always_allow, changed, deny, asked_back
	TTL         string   `yaml:"ttl"`       // how long those who are asked may take, such as 3d or 12h

	Page  bool   `yaml:"page"`  // decided on the signed-in page, and nowhere else
	Sign  string `yaml:"sign"`  // passkey: allowed with one, on that page
	Slack string `yaml:"slack"` // the channel of Slack's in which approvers are asked: C0123456 or T0123456/C0123456

	Escalate []Escalation `yaml:"escalate"` // whom else approvers' questions go to
}

// Nango keeps credentials for servers with auth.source nango.
type Nango struct {
	BaseURL    string `yaml:"base_url"`
	APIKey     string `yaml:"api_key" secret:"file"`
	WebhookKey string `yaml:"webhook_key" secret:"file"`
	// Tenants and Integrations are what tenants' own servers may use.
	Tenants      []string `yaml:"tenants"`
	Integrations []string `yaml:"integrations"`
}

// ErrInvalid is what every error of a configuration's contents is.
var ErrInvalid = errors.New("invalid configuration")

// LoadDev reads a file; variables come from getenv. dev makes it a
// configuration for development, whatever the file says.
func LoadDev(file string, dev bool, getenv func(string) (string, bool)) (*Config, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	c, err := parse(data, dev, getenv)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	c.file = filepath.Base(file)
	return c, nil
}

// Locate puts the file and the line before an error that begins with a key, and comes from
// whoever uses what is configured there. One without a key that was written stays as it is.
func (c *Config) Locate(err error) error {
	if err == nil {
		return nil
	}
	if c.written != nil {
		err = c.written.fill.shown(err)
	}
	if place := c.Place(keyOf(err)); place != "" {
		return fmt.Errorf("%s: %w", place, err)
	}
	return err
}

// Place is the file and the line of a key, or of the nearest that holds it; empty where none
// was written.
func (c *Config) Place(key string) string {
	if c.written == nil {
		return ""
	}
	line := c.written.line(key)
	switch {
	case line == 0:
		return ""
	case c.file == "":
		return fmt.Sprintf("line %d", line)
	}
	return fmt.Sprintf("%s: line %d", c.file, line)
}

// Parse reads a configuration, fills in the variables and the defaults, and
// checks it.
func Parse(data []byte, getenv func(string) (string, bool)) (*Config, error) {
	return parse(data, false, getenv)
}

// byteOrderMark begins what some editors write, and nobody sees it.
var byteOrderMark = []byte("\ufeff")

func parse(data []byte, dev bool, getenv func(string) (string, bool)) (*Config, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	fill := filler{getenv: getenv}
	written, err := readShape(data, reflect.TypeFor[Config](), &fill)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalid, err)
	}
	c := &Config{written: written}
	problems := written.problems
	if written.broken {
		return nil, written.located(problems)
	}
	if written.body != nil {
		if err := yaml.NodeToValue(written.body, c); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalid, syntax(err))
		}
	}
	fill.in(reflect.ValueOf(c).Elem(), "", false)
	c.readable = fill.readable
	for _, at := range written.hollow {
		c.readable = append(c.readable, fmt.Sprintf("%s: there is nothing behind it, as if it were left out: to have it, write %s: {}, or what belongs to it", at, at[strings.LastIndexByte(at, '.')+1:]))
	}
	problems = append(problems, fill.problems...)
	problems = append(problems, c.readTimes(getenv)...)
	c.Dev = c.Dev || dev
	c.fill()
	for _, p := range c.problems() {
		if !fill.failedIn(keyOf(p)) {
			problems = append(problems, p)
		}
	}
	if len(problems) > 0 {
		for i, p := range problems {
			problems[i] = fill.shown(p)
		}
		return nil, written.located(problems)
	}
	return c, nil
}

func (c *Config) fill() {
	if c.Listen == "" {
		c.Listen = "127.0.0.1:8420"
	}
	if c.PublicURL == "" {
		c.PublicURL = c.own()
	}
	c.PublicURL = strings.TrimSuffix(c.PublicURL, "/")
	if c.Advertise == "" {
		c.Advertise = c.own()
	}
	if c.Store == "" {
		c.Store = "sqlite:parley.db"
	}
	c.fillLimits()
}

func tag(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
	return name
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// Keys returns the keys of a map in their order.
func Keys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

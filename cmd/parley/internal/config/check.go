package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// problems says everything that is wrong, each with its key.
func (c *Config) problems() []error {
	var all []error
	bad := func(format string, args ...any) { all = append(all, fmt.Errorf(format, args...)) }
	if _, err := c.Retention.RunsFor(); err != nil {
		bad("retention.runs: %w", err)
	}
	if _, err := c.Retention.AuditFor(); err != nil {
		bad("retention.audit: %w", err)
	}
	if _, err := c.Retention.QuestionsFor(); err != nil {
		bad("retention.questions: %w", err)
	}
	if _, err := c.Auth.LoginsFor(); err != nil {
		bad("auth.logins: %w", err)
	}
	c.placeProblems(bad)
	c.urlProblems(bad)
	c.tlsProblems(bad)
	if len(c.Secrets) > 0 {
		secrets, err := seal.ParseSecrets(c.Secrets)
		if err == nil {
			_, err = seal.New(secrets...)
		}
		if err != nil {
			bad("secrets: %w", err)
		}
	} else if !c.Dev {
		bad("secrets: name at least one of 32 bytes or more; make one with: openssl rand -base64 32")
	}
	if !c.Dev && c.Auth.OIDC == nil && c.Auth.Verifier == nil && c.Auth.JWT == nil {
		bad("auth: people sign in by auth.oidc or auth.verifier, or have tokens by auth.jwt, or use the picker of dev: true")
	}
	if c.Auth.OIDC != nil && c.Auth.Verifier != nil {
		bad("auth: name one of oidc and verifier, and not both")
	}
	if scheme, _, ok := strings.Cut(c.Store, ":"); !ok || strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz") != "" {
		bad("store: it is no URL; use memory:, sqlite:FILE, postgres://… or redis://…") // what it is may be a password
	} else if !slices.Contains([]string{"memory", "sqlite", "postgres", "postgresql", "redis", "rediss"}, scheme) {
		bad("store: %.20q; use memory:, sqlite:FILE, postgres://… or redis://…", scheme)
	}
	for i, origin := range c.Origins {
		if u, err := url.Parse(origin); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || origin != u.Scheme+"://"+u.Host {
			bad("origins[%d]: %.100q is not of the form https://host, with no user before it and no / behind it", i, withoutSecrets(origin))
		}
	}
	c.authProblems(bad)
	c.serverProblems(bad)
	c.selfProblems(bad)
	c.agentProblems(bad)
	c.limitProblems(bad)
	c.ruleProblems(bad)
	c.signProblems(bad)
	c.askingProblems(bad)
	c.channelProblems(bad)
	c.slackProblems(bad)
	c.Log.problems(bad)
	c.telemetryProblems(bad)
	if _, err := c.Conditions(); err != nil {
		joined, _ := err.(interface{ Unwrap() []error })
		all = append(all, joined.Unwrap()...)
	}
	return all
}

// own is where the server is, as far as listen says it.
func (c *Config) own() string {
	host, name, err := net.SplitHostPort(c.Listen)
	port, unknown := net.LookupPort("tcp", name)
	if err != nil || unknown != nil {
		return c.scheme() + c.Listen // refused by placeProblems
	}
	return c.scheme() + net.JoinHostPort(host, strconv.Itoa(port))
}

var errPort = errors.New("a port is a number of at most 65535, or a name such as http-alt")

// place is the host of an address to listen at. Its error is errPort where the rest of the
// address is right.
func place(address string) (host string, err error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", err
	}
	if _, err := net.LookupPort("tcp", port); err != nil {
		return "", errPort
	}
	return host, nil
}

// placeProblems is what is wrong with where the server is.
func (c *Config) placeProblems(bad func(string, ...any)) {
	host, err := place(c.Listen)
	switch {
	case errors.Is(err, errPort):
		bad("listen: %.100q: %w", c.Listen, err)
	case err != nil:
		bad("listen: %.100q is not a host and a port: write 127.0.0.1:8420 for this machine alone, or :8420 for all that reach it", c.Listen)
	case c.Dev && !loopback.Host(host):
		bad("listen: %.100q can be reached from elsewhere, and dev: true is for this machine only: write 127.0.0.1:8420", c.Listen)
	}
	if c.PublicURL == c.own() { // the default, which nobody wrote
		if err == nil && !c.Dev && !loopback.Host(host) {
			bad("public_url: it is missing, and listen is not for this machine alone: write how people reach the server, such as https://parley.example")
		}
		return
	}
	public, err := url.Parse(c.PublicURL)
	form := outbound.CheckForm(c.PublicURL)
	switch {
	case strings.Contains(c.PublicURL, "@"):
		bad("public_url: it has a user or a password, which everybody would be shown: write it like https://parley.example")
	case err == nil && public.Host != "" && public.Path+public.RawQuery+public.Fragment == "" && form != nil:
		bad("public_url: %.200q: %s", c.PublicURL, reasonOf(form))
	case err != nil || form != nil || public.Path+public.RawQuery != "":
		bad("public_url: %.200q is not an absolute URL without a path: write it like https://parley.example", c.PublicURL)
	case public.Scheme != "https" && !(public.Scheme == "http" && loopback.Host(public.Hostname())):
		bad("public_url: %.200q: it is https, or http on this machine", c.PublicURL)
	case c.Dev && !loopback.Host(public.Hostname()):
		bad("dev: the user picker is for this machine only, and public_url is not")
	}
}

// reasonOf is why nothing can be sent to an address.
func reasonOf(err error) string {
	return strings.TrimPrefix(err.Error(), outbound.ErrForbidden.Error()+": ")
}

// urlProblems is what is wrong with the addresses that requests are sent to. The vault
// checks those of servers and providers, telemetry its own.
func (c *Config) urlProblems(bad func(string, ...any)) {
	check := func(at, address string) {
		if address == "" {
			return
		}
		if err := outbound.CheckForm(address); err != nil {
			bad("%s: %s", at, reasonOf(err))
		}
	}
	needed := func(at, address string) {
		if address == "" {
			bad("%s: it is missing", at)
		}
		check(at, address)
	}
	if c.Advertise != c.own() { // which nobody wrote
		if u, err := url.Parse(c.Advertise); err != nil || outbound.CheckForm(c.Advertise) != nil || strings.Trim(u.Path, "/")+u.RawQuery != "" {
			bad("advertise: other nodes reach this one at a host and a port, and nothing else: write it like http://10.0.0.2:8420")
		}
	}
	if j := c.Auth.JWT; j != nil {
		check("auth.jwt.jwks_url", j.JWKSURL)
	}
	if o := c.Auth.OIDC; o != nil {
		check("auth.oidc.issuer", o.Issuer)
	}
	if v := c.Auth.Verifier; v != nil {
		check("auth.verifier.url", v.URL)
	}
	if c.Nango != nil {
		check("nango.base_url", c.Nango.BaseURL)
	}
	if c.Gateway != nil {
		for i, issuer := range c.Gateway.Issuers {
			needed(fmt.Sprintf("gateway.issuers[%d]", i), issuer)
		}
	}
	for _, name := range Keys(c.Models) {
		check("models."+name+".base_url", c.Models[name].BaseURL)
	}
	for i, w := range c.Channels.Webhooks {
		needed(fmt.Sprintf("channels.webhooks[%d].url", i), w.URL)
	}
}

// emptyDigest is the SHA-256 of the empty text.
const emptyDigest = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func (c *Config) authProblems(bad func(string, ...any)) {
	if j := c.Auth.JWT; j != nil {
		if (j.HMACKey == "") == (j.JWKSURL == "") {
			bad("auth.jwt: name one of hmac_key and jwks_url, and not both")
		}
		if j.HMACKey != "" && len(j.HMACKey) < 32 {
			bad("auth.jwt.hmac_key: it has %d bytes; 32 are needed", len(j.HMACKey))
		}
		if j.Issuer == "" || j.Audience == "" {
			bad("auth.jwt: issuer and audience are needed")
		}
	}
	if !slices.Contains([]People{"", Shared, Separate}, c.Auth.People) {
		bad("auth.people: %q; use shared or separate", c.Auth.People)
	}
	if v := c.Auth.Verifier; v != nil && len(v.Key) < 32 {
		bad("auth.verifier.key: it has %d bytes; 32 are needed", len(v.Key))
	}
	digests := map[string]int{}
	for i, key := range c.Auth.APIKeys {
		if other, taken := digests[strings.ToLower(key.SHA256)]; taken {
			bad("auth.api_keys[%d]: this sha256 is that of auth.api_keys[%d] already; a key is one program's, in one tenant", i, other)
		}
		digests[strings.ToLower(key.SHA256)] = i
		if strings.EqualFold(key.SHA256, emptyDigest) {
			bad("auth.api_keys[%d]: this sha256 is that of an empty key, with which anybody would come in: KEY was not set when it was made with: printf %%s \"$KEY\" | sha256sum", i)
		}
		if len(key.SHA256) != 64 || strings.Trim(strings.ToLower(key.SHA256), "0123456789abcdef") != "" {
			bad("auth.api_keys[%d].sha256: it is 64 hexadecimal digits; make it with: printf %%s KEY | sha256sum", i)
		}
		if key.Name != "" && !parley.ValidName(key.Name) {
			bad("auth.api_keys[%d].name: %.100q cannot be the name of a program", i, key.Name)
		}
		if key.Tenant != "" && !parley.ValidName(key.Tenant) {
			bad("auth.api_keys[%d].tenant: %.100q cannot be the name of a tenant", i, key.Tenant)
		}
	}
}

// vaultProblems is what the vault says of something with a name, each at the key that it
// is about, without what that says already. What is about no key is one problem.
func vaultProblems(at, kind, name string, of reflect.Type, err error, bad func(string, ...any)) {
	if err == nil {
		return
	}
	var others []string
	for _, said := range strings.Split(strings.TrimPrefix(err.Error(), fmt.Sprintf("%v: %s %q: ", vault.ErrInvalid, kind, name)), "\n") {
		key, reason, _ := strings.Cut(said, " ")
		bare, colon := strings.CutSuffix(key, ":")
		if bare == "url" && !keyIn(of, bare) {
			bare = "a2a" // where an agent elsewhere is
		}
		switch {
		case !keyIn(of, bare):
			others = append(others, said)
		case colon:
			bad("%s.%s: %s", at, bare, strings.TrimPrefix(reason, outbound.ErrForbidden.Error()+": "))
		default:
			bad("%s.%s: it %s", at, bare, reason)
		}
	}
	if len(others) > 0 {
		bad("%s: %s", at, strings.Join(others, "; "))
	}
}

// keyIn reports whether a type has a key, such as auth.scope.
func keyIn(t reflect.Type, path string) bool {
	name, rest, deeper := strings.Cut(path, ".")
	f, ok := fieldOf(t, name)
	return ok && (!deeper || f.Type.Kind() == reflect.Struct && keyIn(f.Type, rest))
}

func (c *Config) serverProblems(bad func(string, ...any)) {
	for _, name := range Keys(c.Servers) {
		s := c.Servers[name]
		if (s.URL == "") == (len(s.Command) == 0) {
			bad("servers.%s: name one of url and command, and not both", name)
		}
		vaultProblems("servers."+name, "server", name, reflect.TypeFor[Server](), s.Vault(name).Validate(), bad)
		if len(s.Command) > 0 && s.Auth.Type != "" && s.Auth.Type != "none" {
			bad("servers.%s.auth: credentials are for servers with a url; give a command its own in env", name)
		}
		if _, err := permit.ParseRule(s.Approve); err != nil {
			bad("servers.%s.approve: %q; use never, unsafe, always or refuse", name, s.Approve)
		}
		c.credentialProblems("servers."+name, s.Auth, bad)
	}
	c.providerProblems(bad)
	for _, name := range Keys(c.Services) {
		if _, ok := c.Providers[c.Services[name].Provider]; !ok {
			bad("services.%s.provider: there is no provider %q%s", name, c.Services[name].Provider, meant(c.Services[name].Provider, Keys(c.Providers)))
		}
	}
	if c.Gateway != nil {
		c.named("gateway.servers", c.Gateway.Servers, c.Servers, bad)
		if !slices.Contains([]string{"", "app", "deny", "allow", "page", "model"}, c.Gateway.Fallback) {
			bad("gateway.fallback: %q; use app, page, deny, allow or model", c.Gateway.Fallback)
		}
		if !slices.Contains([]string{"", "tools", "execute"}, c.Gateway.Expose) {
			bad("gateway.expose: %q; use tools or execute", c.Gateway.Expose)
		}
		if !slices.Contains([]string{"", "deny", "allow", "page", "app"}, c.Gateway.Approvals) {
			bad("gateway.approvals: %q; use deny, page, app or allow: a model never approves", c.Gateway.Approvals)
		}
		if c.Gateway.Approvals == "page" && c.Gateway.Fallback != "page" && c.Gateway.Clients() != "app" {
			bad("gateway.approvals: page needs fallback: page or app, which have the tool to wait for the answer")
		}
		if c.Gateway.Approvals == "app" && c.Gateway.Clients() != "app" {
			bad("gateway.approvals: app needs fallback: app, which has the app")
		}
		if !c.Dev && c.Auth.JWT == nil && len(c.Auth.APIKeys) == 0 {
			bad("gateway: clients are known by auth.jwt or auth.api_keys, or by nothing in dev: true")
		}
	}
}

// credentialProblems is what is wrong with where a credential comes from.
func (c *Config) credentialProblems(at string, a vault.Auth, bad func(string, ...any)) {
	if a.Provider != "" {
		if _, ok := c.Providers[a.Provider]; !ok {
			bad("%s.auth.provider: there is no provider %q%s", at, a.Provider, meant(a.Provider, Keys(c.Providers)))
		}
	}
	if a.Service != "" {
		if _, ok := c.Services[a.Service]; !ok {
			bad("%s.auth.service: there is no service %q%s", at, a.Service, meant(a.Service, Keys(c.Services)))
		}
	}
	if a.Source == "nango" && c.Nango == nil {
		bad("%s.auth.source: nango is not configured; add nango: {api_key: …}", at)
	}
}

// providerProblems checks what is lent to tenants, too: what a list allows and
// nobody may use is a mistake.
func (c *Config) providerProblems(bad func(string, ...any)) {
	lent := func(at string, tenants, allowed, scopes []string) {
		if slices.Contains(tenants, "") {
			bad("%s.tenants: a tenant has a name; that of those without one is default, and \"*\" is every tenant", at)
		}
		if len(allowed) > 0 && len(tenants) == 0 {
			bad("%s.allowed_scopes: they bound what servers of tenants ask for, and %s.tenants names none", at, at)
		}
		for _, one := range scopes {
			if len(allowed) > 0 && !slices.Contains(allowed, one) {
				bad("%s.allowed_scopes: %q of scopes is missing", at, one)
			}
		}
	}
	for _, name := range Keys(c.Providers) {
		p := c.Providers[name]
		vaultProblems("providers."+name, "provider", name, reflect.TypeFor[Provider](), p.Vault(name).Validate(), bad)
		lent("providers."+name, p.Tenants, p.AllowedScopes, p.Scopes)
	}
	for _, name := range Keys(c.Services) {
		s := c.Services[name]
		vaultProblems("services."+name, "service", name, reflect.TypeFor[Service](), s.Vault(name).Validate(), bad)
		lent("services."+name, s.Tenants, s.AllowedScopes, s.Scopes)
	}
}

func (c *Config) named(at string, names []string, servers map[string]Server, bad func(string, ...any)) {
	for _, name := range names {
		if _, ok := servers[name]; !ok {
			bad("%s: there is no server %q%s", at, name, meant(name, Keys(servers)))
		}
	}
}

// modelProblem is about a model that an agent does not name, or that is not there.
func (c *Config) modelProblem(at, name string, bad func(string, ...any)) {
	there := "models names none"
	if names := Keys(c.Models); len(names) > 0 {
		there = "models has " + strings.Join(names, ", ")
	}
	if _, ok := c.Models[name]; ok {
		return
	}
	if name == "" {
		bad("%s: it is missing; %s", at, there)
		return
	}
	bad("%s: there is no model %q%s", at, name, cmp.Or(meant(name, Keys(c.Models)), "; "+there))
}

func (c *Config) agentProblems(bad func(string, ...any)) {
	for _, name := range Keys(c.Models) {
		m := c.Models[name]
		if !slices.Contains([]string{"openai", "anthropic", "demo"}, m.Kind) {
			bad("models.%s.kind: %q; use openai, anthropic or demo", name, m.Kind)
		} else if m.Kind != "demo" && m.Model == "" {
			bad("models.%s.model: which one? Write it as the provider calls it, such as gpt-5", name)
		}
		if m.MaxTokens < 0 {
			bad("models.%s.max_tokens: %d; it is 1 or more", name, m.MaxTokens)
		}
	}
	for _, name := range Keys(c.Agents) {
		a := c.Agents[name]
		if a.A2A != "" {
			c.remoteProblems(name, a, bad)
			continue
		}
		if a.Title != "" || a.Auth.Type != "" {
			bad("agents.%s: title and auth are for agents elsewhere, which have a2a", name)
		}
		c.modelProblem("agents."+name+".model", a.Model, bad)
		if a.Steps < 0 {
			bad("agents.%s.steps: %d; it is 1 or more", name, a.Steps)
		}
		if a.History < -1 {
			bad("agents.%s.history: %d; it is 1 or more KiB, or -1 for as much as the model takes", name, a.History)
		}
		if schema, err := a.InputSchema(); err != nil {
			bad("agents.%s.input: %w", name, err)
		} else if err := agent.CheckInput(schema); err != nil {
			bad("agents.%s.input: %w", name, err)
		}
		c.named("agents."+name+".servers", a.Servers, c.Servers, bad)
		for _, other := range a.Delegates {
			if _, ok := c.Agents[other]; !ok {
				bad("agents.%s.delegates: there is no agent %q%s", name, other, meant(other, Keys(c.Agents)))
			}
		}
	}
}

// Vault is the provider as the vault knows it.
func (p Provider) Vault(name string) vault.Provider {
	return vault.Provider{
		Name: name, Title: p.Title, AuthURL: p.AuthURL, TokenURL: p.TokenURL, RevokeURL: p.RevokeURL, Issuer: p.Issuer, RequireIss: p.RequireIss,
		ClientID: p.ClientID, ClientSecret: p.ClientSecret, SecretIn: p.SecretIn, Scopes: p.Scopes, AuthParams: p.AuthParams,
		Tenants: p.Tenants, AllowedScopes: p.AllowedScopes,
	}
}

// Vault is the service as the vault knows it.
func (s Service) Vault(name string) vault.Service {
	return vault.Service{Name: name, Title: s.Title, Provider: s.Provider, Scopes: s.Scopes, Tenants: s.Tenants, AllowedScopes: s.AllowedScopes}
}

// Vault is the server as the vault knows it.
func (s Server) Vault(name string) vault.Server {
	return vault.Server{Name: name, Title: s.Title, URL: s.URL, Auth: s.Auth, Sign: s.Sign != ""}
}

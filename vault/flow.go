package vault

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"golang.org/x/oauth2"

	"github.com/parley-hq/parley"
)

const flowKind = "oauth_flow"

// flow is one attempt to connect: what the provider's answer must fit. Its key
// is a digest of the state, so that the record gives nothing away.
type flow struct {
	Question parley.ID `json:"question"`
	User     string    `json:"user"`
	Key      Key       `json:"key"`
	Origin   string    `json:"origin"` // the server the token is for

	Slug     string   `json:"slug"` // the provider and what we took it to be: nothing of it may change in between
	Issuer   string   `json:"issuer,omitempty"`
	TokenURL string   `json:"token_url"`
	ClientID string   `json:"client_id"`
	Redirect string   `json:"redirect"`
	Verifier string   `json:"verifier"`
	Scopes   []string `json:"scopes,omitempty"`
	Also     []Other  `json:"also,omitempty"` // who else the person agreed to
}

func flowAddress(tenant, state string) parley.Address {
	digest := sha256.Sum256([]byte(state))
	return parley.Address{Tenant: tenant, Kind: flowKind, Key: hex.EncodeToString(digest[:])}
}

// Begin starts an attempt to connect, after the person agreed to it on our own
// page, and returns where to send them; nowhere if the credential's source has no
// page of its own. slug is the provider that the page
// showed: ErrWrongProvider when it is another by now. shown are the other servers
// that it named: those of them that still wait use the connection too.
func (v *Vault) Begin(ctx context.Context, p parley.Principal, id parley.ID, slug string, shown ...Other) (string, error) {
	key, server, err := v.connectable(ctx, p, id)
	if err != nil {
		return "", err
	}
	switch v.method(server) {
	case BySource:
		return v.beginAtSource(ctx, p, key, server, id)
	case ByKey:
		return "", fmt.Errorf("request %s: %w: it asks for a key", id, ErrNotConnecting)
	}
	q, err := v.hub.Get(ctx, p, id)
	if err != nil {
		return "", err
	}
	provider, scopes, err := v.consent(ctx, key.Tenant, server, q)
	if err != nil {
		return "", err
	}
	if provider.Slug() != slug {
		return "", fmt.Errorf("request %s: %w", id, ErrWrongProvider)
	}
	waiting, err := v.others(ctx, p, key, server, scopes)
	if err != nil {
		return "", err
	}
	f := flow{
		Question: id, User: p.User, Key: key, Origin: origin(server.URL),
		Slug: slug, Issuer: provider.Issuer, TokenURL: provider.TokenURL, ClientID: provider.ClientID,
		Redirect: v.RedirectURI(provider), Verifier: oauth2.GenerateVerifier(),
		Scopes: scopes, Also: agreed(waiting, shown),
	}
	state, err := v.saveFlow(ctx, f)
	if err != nil {
		return "", err
	}
	options := []oauth2.AuthCodeOption{oauth2.S256ChallengeOption(f.Verifier)}
	for name, value := range provider.AuthParams {
		options = append(options, oauth2.SetAuthURLParam(name, value))
	}
	if provider.Resource != "" {
		options = append(options, oauth2.SetAuthURLParam("resource", provider.Resource))
	}
	return v.client(provider, f.Scopes).AuthCodeURL(state, options...), nil
}

func (v *Vault) beginAtSource(ctx context.Context, p parley.Principal, key Key, server Server, id parley.ID) (string, error) {
	source, err := v.source(server)
	if err != nil {
		return "", err
	}
	connector, ok := source.(Connector)
	if !ok { // the person has it there, or will
		return "", v.agree(ctx, server, key, p.User, id)
	}
	to, err := connector.Connect(ctx, Place{Key: key, Integration: server.Auth.Integration}, string(id))
	if err != nil {
		v.opts.Logger.WarnContext(ctx, "credential source not reached", "source", server.Auth.Source, "err", err)
		return "", &ProviderError{Provider: server.Label(), Temporary: true}
	}
	return to, v.agree(ctx, server, key, p.User, id)
}

func (v *Vault) saveFlow(ctx context.Context, f flow) (state string, err error) {
	data, err := json.Marshal(f)
	if err != nil {
		return "", err
	}
	state = rand.Text() + rand.Text()
	_, err = v.records.Save(ctx, parley.Record{
		Address: flowAddress(f.Key.Tenant, state), Owner: f.User, Data: data, Expires: v.now().Add(v.opts.FlowTTL),
	})
	return state, err
}

// Callback takes a provider's answer: it stores the connection, settles the
// question and returns its id, which is set as soon as it is known. Everything
// is checked before the provider is contacted: that the answer belongs to an
// attempt of this person's at this provider, for the first time, and that it
// comes from there.
//
// Errors: ErrState, ErrWrongPerson, ErrWrongProvider, ErrIssuer,
// *ProviderError. The question stays open unless the error says otherwise.
func (v *Vault) Callback(ctx context.Context, p parley.Principal, slug string, answer url.Values) (parley.ID, error) {
	f, provider, err := v.claim(ctx, p, slug, answer.Get("state"))
	if err != nil {
		return "", err
	}
	if err := checkIssuer(provider, answer); err != nil {
		return f.Question, err
	}
	if code := answer.Get("error"); code != "" {
		return f.Question, v.turnedDown(ctx, p, f, provider, &ProviderError{Code: oauthCode(code), Temporary: temporary(code)})
	}
	if err := v.stillWanted(ctx, p, f.Question); err != nil {
		return f.Question, err
	}
	if answer.Get("code") == "" {
		return f.Question, v.turnedDown(ctx, p, f, provider, &ProviderError{})
	}
	token, err := v.exchange(ctx, provider, f, answer.Get("code"))
	if err != nil {
		v.forgetClient(ctx, provider, err)
		var failed *ProviderError
		if errors.As(err, &failed) {
			return f.Question, v.turnedDown(ctx, p, f, provider, failed)
		}
		return f.Question, err
	}
	// From here on the provider has given us something that may be the only
	// token that works: the browser that goes away must not lose it.
	ctx = context.WithoutCancel(ctx)
	s := &stored{
		Type: authType(provider), Provider: provider.Slug(), Issuer: provider.Issuer, ClientID: provider.ClientID,
		Origin: f.Origin, Ends: provider.ends(), Status: Active, Scopes: grantedScopes(token, f.Scopes), Asked: f.Scopes, Created: v.now(),
		Connected: v.now(), Grant: rand.Text(), Also: f.Also,
	}
	s.take(token)
	if err := v.stillWanted(ctx, p, f.Question); errors.Is(err, parley.ErrSettled) { // the provider took its time
		v.giveBack(ctx, f.Key, *s)
		return f.Question, err
	}
	if err := v.replace(ctx, f.Key, s); err != nil {
		return f.Question, err
	}
	v.logConnected(ctx, f.Key, "provider", provider.Slug())
	return f.Question, v.settle(ctx, p, f.Key, f.Question)
}

// claim finds the attempt that an answer belongs to and uses it up. An attempt
// of somebody else's, or at another provider, is left as it is.
func (v *Vault) claim(ctx context.Context, p parley.Principal, slug, state string) (flow, Provider, error) {
	var f flow
	if state == "" {
		return f, Provider{}, ErrState
	}
	at := flowAddress(tenantOf(p.Tenant), state)
	record, err := v.records.Load(ctx, at)
	if errors.Is(err, parley.ErrNotFound) {
		return f, Provider{}, ErrState
	}
	if err != nil {
		return f, Provider{}, err
	}
	if err := json.Unmarshal(record.Data, &f); err != nil {
		return f, Provider{}, err
	}
	if p.User == "" || p.Validate() != nil || f.User != p.User {
		return flow{}, Provider{}, ErrWrongPerson
	}
	if f.Slug != slug {
		return flow{}, Provider{}, ErrWrongProvider
	}
	if err := v.records.Delete(ctx, at, record.Version); err != nil {
		if errors.Is(err, parley.ErrNotFound) || errors.Is(err, parley.ErrConflict) {
			return flow{}, Provider{}, ErrState
		}
		return flow{}, Provider{}, err
	}
	provider, err := v.unchanged(ctx, f)
	return f, provider, err
}

// unchanged returns the provider of an attempt, if it is still the one that
// the person was sent to.
func (v *Vault) unchanged(ctx context.Context, f flow) (Provider, error) {
	server, err := v.Server(ctx, f.Key.Tenant, f.Key.Server)
	if err != nil {
		return Provider{}, err
	}
	provider, _, err := v.authority(ctx, f.Key.Tenant, server, f.Scopes)
	if err != nil {
		return Provider{}, err
	}
	same := provider.Slug() == f.Slug && provider.Issuer == f.Issuer && provider.TokenURL == f.TokenURL &&
		provider.ClientID == f.ClientID && v.RedirectURI(provider) == f.Redirect && origin(server.URL) == f.Origin
	if !same {
		return Provider{}, fmt.Errorf("%w: its settings were changed", ErrWrongProvider)
	}
	return provider, nil
}

// checkIssuer is RFC 9207: a code of one provider must not be taken to another.
func checkIssuer(p Provider, answer url.Values) error {
	iss, named := answer["iss"]
	switch {
	case len(iss) > 1 || named && p.Issuer != "" && iss[0] != p.Issuer:
		return ErrIssuer
	case !named && p.RequireIss:
		return fmt.Errorf("%w: it names no issuer", ErrIssuer)
	}
	return nil
}

// stillWanted lets an answer through that comes too late for the question: the
// next call finds the connection. A person who said no meant it.
func (v *Vault) stillWanted(ctx context.Context, p parley.Principal, id parley.ID) error {
	q, err := v.hub.Get(ctx, p, id)
	if err != nil {
		return err
	}
	if refusedBy(q) {
		return fmt.Errorf("request %s: %w", id, parley.ErrSettled)
	}
	return nil
}

// refusedBy reports whether a person said no to a question.
func refusedBy(q parley.Request) bool {
	return !q.Pending() && q.Outcome.By != "" && q.Outcome.Action != parley.Accept
}

// turnedDown ends an attempt that the provider refused. What the person
// decided there is their answer; what no second try can mend ends the question
// as well, so that nobody waits for it.
func (v *Vault) turnedDown(ctx context.Context, p parley.Principal, f flow, provider Provider, e *ProviderError) error {
	e.Provider = provider.Label()
	v.opts.Logger.WarnContext(ctx, "account not connected by the provider",
		"server", f.Key.Server, "provider", f.Slug, "code", e.Code, "temporary", e.Temporary)
	var err error
	switch {
	case e.Code == "access_denied":
		err = v.Decline(ctx, p, f.Question)
	case !hopeless(e.Code):
		return e
	default:
		err = v.hub.Cancel(ctx, f.Question, "the provider refused: "+e.Code)
	}
	e.Settled = err == nil || errors.Is(err, parley.ErrSettled) || errors.Is(err, parley.ErrExpired)
	if !e.Settled {
		v.opts.Logger.ErrorContext(ctx, "question stays open that cannot be answered", "id", f.Question, "err", err)
	}
	return e
}

// hopeless are the codes that only an administrator can do something about.
func hopeless(code string) bool {
	return slices.Contains([]string{
		"invalid_client", "unauthorized_client", "invalid_request", "invalid_scope", "invalid_target",
		"unsupported_response_type", "unsupported_grant_type",
	}, code)
}

func authType(p Provider) AuthType {
	if p.server != "" {
		return MCP
	}
	return OAuth2
}

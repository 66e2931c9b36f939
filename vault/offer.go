package vault

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/parley-hq/parley"
)

// Method is how a person provides a credential.
type Method string

// The methods.
const (
	ByConsent Method = "consent" // at the provider's page: Begin, then Callback
	ByKey     Method = "key"     // by entering it: EnterKey
	BySource  Method = "source"  // where the server's source has it, or at its page: Begin
)

// Offer is what the hosted page shows before anything happens.
type Offer struct {
	Question parley.Request // may be settled: look at its outcome first
	Server   Server
	Key      Key // whose credential it will be
	Reason   Reason
	Method   Method

	Provider string   // ByConsent: the provider as people see it
	Slug     string   // ByConsent: the provider in paths
	AuthURL  string   // ByConsent: where the person will be sent
	Scopes   []string // ByConsent
	Params   []string // ByConsent: what else the provider's settings send along, as name=value
	Others   []Other  // ByConsent: who else waits for the same account, and will use it

	Connected bool // there is a usable credential already, and the question was settled with it
	Late      bool // nobody waits any more: what is connected is there for the next call
}

// Offer returns what a question asks to connect. Only the person it was made
// for gets it, and no provider is contacted for anybody else: parley.ErrNotFound.
// A question that expired, or was withdrawn, still says what can be connected.
// ErrNotConnecting when it asks for something else. *ProviderError when the
// server names its provider itself and cannot be asked.
func (v *Vault) Offer(ctx context.Context, p parley.Principal, id parley.ID) (Offer, error) {
	q, err := v.hub.Get(ctx, p, id)
	if err != nil {
		return Offer{}, err
	}
	key, server, err := v.wanted(ctx, q)
	if err != nil {
		return Offer{}, err
	}
	o := Offer{Question: q, Server: server, Key: key, Reason: Reason(q.Labels[LabelReason]), Method: v.method(server), Late: v.late(q)}
	if !q.Pending() && !o.Late {
		return o, nil
	}
	o.Connected, err = v.connected(ctx, p, key, server, q)
	if o.Connected && accepted(q) {
		o.Late = false // as it was said
	}
	if err != nil || o.Connected {
		return o, err
	}
	if o.Method != ByConsent {
		return o, nil
	}
	provider, scopes, err := v.consent(ctx, key.Tenant, server, q)
	if err != nil {
		return o, err
	}
	o.Provider, o.Slug, o.AuthURL = provider.Label(), provider.Slug(), provider.AuthURL
	o.Scopes, o.Params = scopes, provider.params()
	o.Others, err = v.others(ctx, p, key, server, scopes)
	return o, err
}

func (v *Vault) method(server Server) Method {
	if server.Auth.Source != "" {
		source := v.opts.Sources[server.Auth.Source]
		_, connects := source.(Connector)
		if _, keeps := source.(Keeper); keeps && !connects {
			return ByKey
		}
		return BySource
	}
	if server.Auth.Type == OAuth2 || server.Auth.Type == MCP {
		return ByConsent
	}
	return ByKey
}

// need is what a credential of that key is for.
func (k Key) need() Need {
	need := Need{Tenant: k.Tenant, Server: k.Server}
	switch k.Scope {
	case User:
		need.User = k.Owner
	case Mentor:
		need.Agent = k.Owner
	}
	return need
}

// connected settles the question if what it asks for is there: it came another
// way, or the process that stored it died before it could say so.
func (v *Vault) connected(ctx context.Context, p parley.Principal, key Key, server Server, q parley.Request) (bool, error) {
	_, err := v.Credential(ctx, key.need())
	var provider *ProviderError
	if errors.Is(err, ErrRequired) {
		var shared bool
		if shared, err = v.share(ctx, key, server, q); err == nil && !shared {
			return false, nil
		}
	}
	if errors.As(err, &provider) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, v.settle(ctx, p, key, q.ID)
}

// EnterKey stores a key or token that the person entered on the hosted page,
// and settles the question. ErrKey when it cannot be one.
func (v *Vault) EnterKey(ctx context.Context, p parley.Principal, id parley.ID, value string) error {
	key, server, err := v.connectable(ctx, p, id)
	if err != nil {
		return err
	}
	if v.method(server) != ByKey {
		return fmt.Errorf("request %s: %w", id, ErrNotConnecting)
	}
	value = strings.TrimSpace(value)
	if err := validKey(value); err != nil {
		return err
	}
	if err := v.keep(ctx, server, key, value); err != nil {
		return err
	}
	v.logConnected(ctx, key, "entered", "key")
	return v.settle(ctx, p, key, id)
}

// Provide stores a key or token for a server on behalf of an administrator or
// a program that has it already. Questions that wait for it find it by looking.
func (v *Vault) Provide(ctx context.Context, need Need, value string) error {
	server, err := v.Server(ctx, need.Tenant, need.Server)
	if err != nil {
		return err
	}
	key, err := keyFor(server, need)
	if err != nil {
		return err
	}
	if server.Auth.Type == None {
		return fmt.Errorf("%w: server %s takes no credential", ErrInvalid, server.Name)
	}
	if err := validKey(value); err != nil {
		return err
	}
	if err := v.keep(ctx, server, key, value); err != nil {
		return err
	}
	v.logConnected(ctx, key, "provided", "key")
	return nil
}

func (v *Vault) keep(ctx context.Context, server Server, key Key, value string) error {
	if server.Auth.Source == "" {
		return v.replace(ctx, key, &stored{
			Type: server.Auth.Type, Origin: origin(server.URL), Status: Active, Created: v.now(), Secret: value, Grant: rand.Text(),
		})
	}
	source, err := v.source(server)
	if err != nil {
		return err
	}
	keeper, ok := source.(Keeper)
	if !ok {
		return fmt.Errorf("%w: %q takes no keys", ErrSource, server.Auth.Source)
	}
	if err := keeper.Keep(ctx, Place{Key: key, Integration: server.Auth.Integration}, Secret{Value: value}); err != nil {
		return err
	}
	return v.agree(ctx, server, key, "", "")
}

// MaxKey is how many characters a key may have.
const MaxKey = 16 << 10

func validKey(value string) error {
	if value == "" {
		return ErrKeyEmpty
	}
	for _, c := range value {
		if c > unicode.MaxASCII || c <= ' ' || c == 0x7f {
			return ErrKeyCharacter
		}
	}
	if len(value) > MaxKey {
		return ErrKeyLong
	}
	return nil
}

// Decline settles the question with a no. Saying so once more does no harm.
func (v *Vault) Decline(ctx context.Context, p parley.Principal, id parley.ID) error {
	err := v.hub.Answer(ctx, p, id, parley.Answer{Action: parley.Decline, Via: Via})
	if errors.Is(err, parley.ErrRepeated) {
		return nil
	}
	return err
}

// connectable returns what a question of p's asks to connect, unless p has
// answered it.
func (v *Vault) connectable(ctx context.Context, p parley.Principal, id parley.ID) (Key, Server, error) {
	q, err := v.hub.Get(ctx, p, id)
	if err != nil {
		return Key{}, Server{}, err
	}
	if !q.Pending() && !v.late(q) {
		return Key{}, Server{}, fmt.Errorf("request %s: %w", id, parley.ErrSettled)
	}
	key, server, err := v.wanted(ctx, q)
	if err == nil && accepted(q) {
		if _, missing := v.Credential(ctx, key.need()); !errors.Is(missing, ErrRequired) {
			err = fmt.Errorf("request %s: %w", id, parley.ErrSettled)
		}
	}
	return key, server, err
}

// late reports whether nobody waits for a question any more though its person did
// not say no. Its link goes on working for them: a chat tells them to come back
// when they have connected. Somebody who said yes, as any client can, may not have.
func (v *Vault) late(q parley.Request) bool {
	if q.Pending() {
		return !v.now().Before(q.Expires)
	}
	return q.Outcome.By == "" || accepted(q)
}

func accepted(q parley.Request) bool { return !q.Pending() && q.Outcome.Action == parley.Accept }

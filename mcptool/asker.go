package mcptool

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/tracing"
)

// Options configures an Asker. Nil and zero fields mean the defaults.
type Options struct {
	// Service is who asks, as surfaces other than the client show it in front of
	// the message. Default: the title of the server, or its name; of an asker of
	// several servers with different ones, nobody in particular.
	Service string
	// TTL is how long a question stays open. Default five minutes.
	TTL time.Duration
	// Fallback is for clients that cannot be asked. Default, for forms, URLs and
	// approvals alike: Page where there is a PageURL, else Deny; never Model, and App
	// only where somebody has chosen it.
	Fallback Fallback
	// PageURL returns the page where a person answers a question: the link of
	// the fallback Page. Without it that fallback denies.
	PageURL func(parley.ID) string
	// NoSignIn says that nobody can sign in at PageURL: the fallback App sends nobody
	// there.
	NoSignIn bool
	// AppApprovals has people approve their own calls inside the client, where the
	// fallback App shows them, once and with nothing that stays. By default the app
	// leads to the page: that what an app says was a person's click is the client's
	// promise, and nobody can check it.
	AppApprovals bool
	// OthersApps reports whether the user interfaces of others than this server are
	// shown at an endpoint. There the approvals of its calls are given on their page,
	// whatever AppApprovals says: on the wire nothing says which of them answers.
	// Default: none are.
	OthersApps func(ctx context.Context, who parley.Principal, endpoint, server string) bool
	// Mount is how long an app may take to show a question before its page is named
	// instead. Default ten seconds.
	Mount time.Duration
	// Refused is told why an answer of an app was refused, or a question to an app of
	// another endpoint: one of Refusals. Default: nobody is.
	Refused func(reason string)
	// SignIn is what somebody who is not known has to do to be asked elsewhere than
	// in their client, as the end of a sentence. Default "sign in".
	SignIn string
	// Principal says on whose behalf a request comes. It must be known by a
	// verified token; without a user it is a program of the tenant's, and goes on
	// with the calls of its own Key alone. One that is not valid is refused.
	// Default: the user of the SDK's TokenInfo, in the tenant of its Extra; where
	// there is none, the session.
	Principal func(*mcp.RequestExtra) (parley.Principal, bool)
	// Endpoint names the endpoint by which a request came, where clients know a server
	// by several and keep them apart. What a call asks is shown, answered and waited for
	// where it was made. It must not be the client that says so. Default: there is one,
	// without a name.
	Endpoint func(*mcp.RequestExtra) string

	// Records remembers calls and tasks. Default: those of the hub's store.
	Records parley.Records
	// Secrets seal all that is stored, and what clients hand back: the first
	// seals, all open. A hub without a Sealer seals its questions and answers with
	// them too, also for others that use it. Default: the environment's
	// PARLEY_SECRET, MCP_ELICITATION_SECRET, MCP_SESSION_SECRET or
	// MCP_SERVER_SECRET, whichever is there first. Without any, records are stored
	// in plain, and the nodes share a secret that the first of them makes and
	// stores.
	Secrets []string

	// Node is this process among those that share the store. Whoever makes it runs
	// it, until the asker has ended. Default: one of the asker's own, which Run runs.
	Node *parley.Node
	// URL is where other nodes reach the asker's own node, path included. Empty:
	// this node takes no traffic from others.
	URL string
	// Hold is how long a retried call waits for the person before the client is
	// told to come back. Default 45 s: clients give up after 60.
	Hold time.Duration
	// Progress is how often a waiting call tells its client so. Default 10 s.
	Progress time.Duration

	// Calls bounds what is in progress. Several askers may share it. Default: one of
	// its own, with the default bounds.
	Calls *Calls
	// Begun says of a request, by its header, that a Shortcut has counted its call
	// and hands it over: it is not refused. Default: none is.
	Begun func(http.Header) bool

	// Tracer is told of calls of tools. Default: nobody is.
	Tracer tracing.Tracer

	Logger *slog.Logger // default slog.Default()
}

// Asker asks people on behalf of the tools of MCP servers. It is safe for
// concurrent use.
type Asker struct {
	hub      *parley.Hub
	opts     Options
	records  parley.Records
	node     *parley.Node
	ownNode  bool   // it is nobody else's
	name     string // of this asker, among all
	sessions sessionNames
	left     leftCalls
	handed   handed
	owed     owed
	atWork   atWork
	forms    forms
	apps     appRates
	relayed  atomic.Bool // clients are reached by way of other nodes
	keyring  func(context.Context) (*seal.Keyring, error)

	mu       sync.Mutex
	servers  map[*mcp.Server]*attached
	attempts map[string]*attempt // tasks that this node works on
	send     mcp.MethodHandler   // as the SDK sends, before anybody looks at it
}

// New returns an asker that keeps its questions in hub. A secret that cannot be
// used is an error, seal.ErrWeakSecret or seal.ErrSecretFormat, that says which one
// it is: where secrets are wanted, nothing is stored in plain.
func New(hub *parley.Hub, opts *Options) (*Asker, error) {
	a := &Asker{hub: hub, owed: owed{more: make(chan struct{}, 1)}, servers: map[*mcp.Server]*attached{}, attempts: map[string]*attempt{}, apps: newAppRates()}
	if opts != nil {
		a.opts = *opts
	}
	a.opts.TTL = cmp.Or(a.opts.TTL, 5*time.Minute)
	a.opts.Hold = cmp.Or(a.opts.Hold, 45*time.Second)
	a.opts.Progress = cmp.Or(a.opts.Progress, 10*time.Second)
	a.opts.Mount = cmp.Or(a.opts.Mount, 10*time.Second)
	if a.opts.Refused == nil {
		a.opts.Refused = func(string) {}
	}
	if a.opts.Endpoint == nil {
		a.opts.Endpoint = func(*mcp.RequestExtra) string { return "" }
	}
	if a.opts.Fallback == "" {
		a.opts.Fallback = defaultFallback(a.opts.PageURL != nil)
	}
	if a.opts.Logger == nil {
		a.opts.Logger = slog.Default()
	}
	if a.opts.Calls == nil {
		a.opts.Calls = NewCalls(nil)
	}
	if a.opts.Begun == nil {
		a.opts.Begun = func(http.Header) bool { return false }
	}
	attendance, err := a.setUpRecords()
	if err != nil {
		return nil, fmt.Errorf("mcptool: %w", err)
	}
	if a.node = a.opts.Node; a.node == nil {
		a.ownNode = true
		a.node = parley.NewNode(a.records, &parley.NodeOptions{URL: a.opts.URL, Attendance: attendance, Logger: a.opts.Logger})
		a.node.OnDeath(a.hub.LookAgain)
	}
	a.name = rand.Text()
	return a, nil
}

// setUpRecords finds the records and the secrets, and who knows which nodes attend.
func (a *Asker) setUpRecords() (parley.Attendance, error) {
	keyring, err := a.givenKeyring()
	if err != nil {
		return nil, err
	}
	records := a.opts.Records
	if records == nil {
		records = a.hub.Records()
	}
	if records == nil {
		records = parley.NewMemoryStore()
	}
	if _, ok := records.(*parley.MemoryStore); ok && a.opts.Records == nil { // who gives records knows what they are
		a.opts.Logger.Info("elicitation: using the in-memory store (single-node mode); use Redis or PostgreSQL for several nodes")
	}
	attendance, _ := records.(parley.Attendance)
	if keyring == nil {
		a.records = records
		a.keyring = a.sharedKeyring
		return attendance, nil
	}
	a.records = seal.Records(records, keyring, nil)
	a.keyring = func(context.Context) (*seal.Keyring, error) { return keyring, nil }
	a.hub.SealWith(keyring)
	return attendance, nil
}

// givenKeyring is made of the options' secrets or the environment's; it is nil when
// there are none.
func (a *Asker) givenKeyring() (*seal.Keyring, error) {
	secrets, from := a.opts.Secrets, "Options.Secrets"
	if len(secrets) == 0 {
		secret, name := seal.SecretFromEnv(os.Getenv)
		if secret == "" {
			return nil, nil
		}
		secrets, from = []string{secret}, name
	}
	parsed, err := seal.ParseSecrets(secrets)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", from, err)
	}
	return seal.New(parsed...)
}

// sharedKeyring returns the keyring of nodes that were given no secret: the
// first one makes it, and all find it in the store.
func (a *Asker) sharedKeyring(ctx context.Context) (*seal.Keyring, error) {
	at := parley.Address{Kind: "mcp.secret", Key: "state"}
	for {
		stored, err := a.records.Load(ctx, at)
		if errors.Is(err, parley.ErrNotFound) {
			_, err = a.records.Save(ctx, parley.Record{Address: at, Data: []byte(rand.Text() + rand.Text())})
			if err == nil || errors.Is(err, parley.ErrExists) {
				continue
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the nodes' shared secret: %w", err)
		}
		keyring, err := seal.New(stored.Data)
		if err != nil {
			return nil, fmt.Errorf("the nodes' shared secret: %w", err)
		}
		a.mu.Lock()
		a.keyring = func(context.Context) (*seal.Keyring, error) { return keyring, nil }
		a.mu.Unlock()
		return keyring, nil
	}
}

// Keys is what seals that nodes tell each other, or clients hand back.
func (a *Asker) Keys(ctx context.Context) (*seal.Keyring, error) {
	a.mu.Lock()
	keyring := a.keyring
	a.mu.Unlock()
	return keyring(ctx)
}

// Run writes what the store did not take, and makes the asker's own node known to
// the others that share the store, so that they forward to it what belongs here and
// take over what it leaves behind when it dies. It blocks until ctx ends. The hub's
// Run, and that of Options.Node, are the caller's own affair.
func (a *Asker) Run(ctx context.Context) error {
	if !a.ownNode {
		a.payDebts(ctx)
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(ctx)
	var paying sync.WaitGroup
	paying.Go(func() { a.payDebts(ctx) })
	defer paying.Wait()
	defer cancel()
	return a.node.Run(ctx)
}

// Relayed says that a client's request came by way of another node.
func (a *Asker) Relayed() { a.relayed.Store(true) }

// Node is this process among those that share the store.
func (a *Asker) Node() *parley.Node { return a.node }

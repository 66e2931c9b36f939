// Package notify tells people of questions that nobody looks at: by web push,
// e-mail and webhooks, until the question is settled. It is a durable outbox.
//
// Its nouns:
//
//   - Outbox: what is to be told, derived from the pending questions of the store.
//   - Channel: a way to tell somebody; a person chooses which, in what order and
//     after how long.
//   - Notice: what was done about a question, a record by the question's id.
//   - Looking: that somebody sees a person's questions just now, so that nobody
//     needs to be told.
//   - Callback: a URL of the program that asked, which is told of the outcome.
//
// An example:
//
//	outbox, err := notify.New(hub, store, keys, &notify.Options{
//		PublicURL: "https://parley.example",
//		Push:      &notify.Push{Subject: "mailto:ops@parley.example"},
//		Channels:  []notify.Choice{{Channel: notify.WebPush, After: 30 * time.Second}},
//	})
//	go outbox.Run(ctx)
//
// A question is in the outbox because it is pending in the store: there is no step
// between opening it and queueing it that a crash could leave out. Each attempt goes
// in three steps: look at the question and its notice, record the attempt, send. The
// record is a compare-and-swap that claims the notice for a while, so of all
// processes one sends. A process that dies after it recorded and before it wrote
// down the result leaves an attempt of which nobody knows how it went: it is made
// again with the same id. So each channel is told at least once, and a second time
// only after such a death or a time-out; docs/notifications.md says what a receiver
// sees then.
//
// An Outbox may be used by any number of goroutines, and any number of processes
// may run one over the same store.
package notify

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/seal"
)

// Store is where questions and records are.
type Store interface {
	parley.Store
	parley.Records
}

// Push is how this site is known to push services.
type Push struct {
	Subject string // whom they write to if something is wrong: mailto:… or https://…
}

// Options configures an Outbox. Nil and zero fields mean the defaults.
type Options struct {
	// PublicURL is where people answer: links are to PublicURL/answer/{id}.
	PublicURL string

	Push     *Push // nil: no web push
	Mail     *SMTP // nil: no e-mail
	Webhooks []Webhook

	// Messengers are further channels, by their names.
	Messengers map[string]Messenger

	// Channels are those that people are told by unless they choose otherwise, in
	// this order. Default: none, and nobody is told.
	Channels []Choice

	// People are those of whom the operator knows something.
	People []Known

	// Settled gives the data of the event that a Callback is told, from the settled
	// question as it was opened and answered. Default: id, action and time.
	Settled func(ctx context.Context, owner string, r parley.Request) (json.RawMessage, error)

	// Escalate takes a pending question to an approver further, if its rule says so:
	// to others, and to the deputy of a person who is absent. It is called again and
	// again, by any process, and returns when next; zero: never. Default: nobody does.
	Escalate func(ctx context.Context, r parley.Request, deputy string) (next time.Time, err error)

	// Failed is told of each attempt that a channel did not take, by the channel's name;
	// those to tell programs are of Callbacks. It must be quick. Default: nobody is told.
	Failed func(channel string)

	// Clients send webhooks and push messages. Default: outbound's, to public
	// addresses.
	Clients *outbound.Clients
	// Outbound says which URLs of subscriptions and callbacks are taken at all.
	// Default: public ones by https.
	Outbound *outbound.Options

	Poll   time.Duration // how often new questions are looked for; default 1 s
	Sync   time.Duration // how often everything is; default 15 s
	Claim  time.Duration // how long a process that died keeps what it was about to send; default 30 s
	Logger *slog.Logger  // default slog.Default()
}

// ErrNoChannel says that the operator has not configured this channel.
var ErrNoChannel = errors.New("this channel is not configured here")

// Times of sending.
const (
	sendTimeout = 15 * time.Second
	lastSends   = 2 * time.Second // for what is being sent when the outbox is told to stop
	workers     = 16
)

// Outbox tells people of questions. Make one with New, and Run it.
type Outbox struct {
	hub     *parley.Hub
	store   parley.Store
	records parley.Records
	opts    Options
	node    string // who claims

	push     *pushChannel
	mail     *mailChannel
	webhooks map[string]Webhook
	operator *http.Client
	stranger *http.Client
	people   map[parley.Address]Known

	notices  *limit.Notices // of channels that fail
	known    cache[Person]
	seen     cache[time.Time]
	schedule schedule

	mu    sync.Mutex
	vapid *vapidKey // nil until it was read
}

// New returns an outbox over the store that hub uses. What it keeps is sealed with
// keys.
func New(hub *parley.Hub, store Store, keys *seal.Keyring, opts *Options) (*Outbox, error) {
	if hub == nil || store == nil || keys == nil {
		return nil, errors.New("notify: a hub, its store and a keyring are needed")
	}
	o := &Outbox{
		hub: hub, store: store, records: seal.Records(store, keys, nil), node: rand.Text(),
		webhooks: map[string]Webhook{}, people: map[parley.Address]Known{},
	}
	if opts != nil {
		o.opts = *opts
	}
	o.opts.Poll = cmp.Or(o.opts.Poll, time.Second)
	o.opts.Sync = cmp.Or(o.opts.Sync, 15*time.Second)
	o.opts.Claim = cmp.Or(o.opts.Claim, 30*time.Second)
	if o.opts.Claim < sendTimeout+time.Second {
		return nil, fmt.Errorf("notify: a claim of %v is over before an attempt is: %v at least", o.opts.Claim, sendTimeout+time.Second)
	}
	if o.opts.Logger == nil {
		o.opts.Logger = slog.Default()
	}
	o.notices = limit.NewNotices(o.opts.Logger, 0)
	if o.opts.Failed == nil {
		o.opts.Failed = func(string) {}
	}
	if o.opts.Clients == nil {
		o.opts.Clients = outbound.NewClients(o.opts.Outbound)
	}
	o.operator, o.stranger = straight(o.opts.Clients.For(outbound.Operator)), straight(o.opts.Clients.For(outbound.Stranger))
	o.known.keep, o.seen.keep = 5*time.Second, time.Second
	for _, k := range o.opts.People {
		o.people[personAt(k.Tenant, k.User)] = k
	}
	return o, o.openChannels()
}

// straight is a client that follows no redirect: a POST that became a GET on its
// way has told nobody anything.
func straight(client *http.Client) *http.Client {
	copied := *client
	copied.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &copied
}

func (o *Outbox) openChannels() error {
	if o.opts.Push != nil {
		o.push = &pushChannel{subject: o.opts.Push.Subject, client: o.stranger, key: o.vapidKey}
	}
	if o.opts.Mail != nil {
		if err := o.opts.Mail.Validate(); err != nil {
			return fmt.Errorf("notify: mail: %w", err)
		}
		o.mail = &mailChannel{SMTP: *o.opts.Mail}
	}
	for _, w := range o.opts.Webhooks {
		if err := CheckWebhookSecret(w.Secret.Reveal()); err != nil {
			return fmt.Errorf("notify: webhook %q: %w", w.Name, err)
		}
		if _, taken := o.webhooks[w.Name]; taken || w.Name == "" {
			return fmt.Errorf("notify: webhook %q: it needs a name of its own", w.Name)
		}
		o.webhooks[w.Name] = w
	}
	for name := range o.opts.Messengers {
		if name == WebPush || name == Email || name == "" || strings.ContainsAny(name, ":/") {
			return fmt.Errorf("notify: messenger %q: it needs a name of its own", name)
		}
	}
	for _, c := range o.opts.Channels {
		if !o.has(c.Channel) {
			return fmt.Errorf("notify: channel %q: %w", c.Channel, ErrNoChannel)
		}
	}
	return nil
}

func (o *Outbox) has(channel string) bool {
	switch channel {
	case WebPush:
		return o.push != nil
	case Email:
		return o.mail != nil
	}
	if o.opts.Messengers[channel] != nil {
		return true
	}
	name, ok := strings.CutPrefix(channel, webhookPrefix)
	_, there := o.webhooks[name]
	return ok && there
}

// PushKey is the key that browsers subscribe with. ErrNoChannel.
func (o *Outbox) PushKey(ctx context.Context) (string, error) {
	if o.push == nil {
		return "", ErrNoChannel
	}
	key, err := o.vapidKey(ctx)
	if err != nil {
		return "", err
	}
	return key.public()
}

// vapidAt is the address of the key: one for all processes, made by the first.
var vapidAt = parley.Address{Kind: "notify_vapid", Key: "key"}

func (o *Outbox) vapidKey(ctx context.Context) (vapidKey, error) {
	o.mu.Lock()
	known := o.vapid
	o.mu.Unlock()
	if known != nil {
		return *known, nil
	}
	record, err := parley.Update(ctx, o.records, vapidAt, func(r *parley.Record) (bool, error) {
		if r.Version != 0 {
			return false, nil
		}
		key, err := newVAPIDKey()
		if err != nil {
			return false, err
		}
		r.Data, err = key.private.Bytes()
		return true, err
	})
	if err != nil {
		return vapidKey{}, err
	}
	key, err := parseVAPIDKey(record.Data)
	if err != nil {
		return vapidKey{}, err
	}
	o.mu.Lock()
	o.vapid = &key
	o.mu.Unlock()
	return key, nil
}

// now is the present as stores keep it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

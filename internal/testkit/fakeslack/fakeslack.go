// Package fakeslack is a Slack for tests and measurements: it speaks the wire format
// of Slack's Web API, Events API, interactions, Socket Mode and installation by
// OAuth, and it is as strict as Slack is. Nothing leaves the machine, and every token
// that it gives is made up.
//
// A [Slack] has [Workspace]s with [User]s and [Channel]s. An app calls its Web API at
// [Slack.API]; people act with methods of User, and what they do is delivered to the
// app as Slack does it: signed, with retries, or over Socket Mode.
//
//	slack := fakeslack.New(&fakeslack.Options{SigningSecret: "secret"})
//	defer slack.Close()
//	slack.SetURLs(app+"/slack/events", app+"/slack/interactions")
//	acme := slack.AddWorkspace("Acme")
//	ann, general := acme.AddUser("ann"), acme.AddChannel("general")
//	token := acme.Install().AccessToken
//	ann.Mention(general, "deploy the site") // the app gets app_mention
//	card, _ := general.WaitFor(ctx, func(m fakeslack.Message) bool { return m.Has("allow") })
//	ann.Press(card, "allow")                // the app gets block_actions
//
// What there is to see is told by [Channel.Messages], [Channel.Seen] and [User.View];
// what went over the wire by [Slack.Calls] and [Slack.Deliveries]. [Slack.Fail] breaks
// the Web API, [Slack.Advance] lets time pass for what expires, and [Slack.SetLimits]
// sets how much is let through.
//
// All of it may be used by any number of goroutines.
package fakeslack

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/crew"
)

// Options configures a [Slack]. Zero fields mean the defaults.
type Options struct {
	ClientID      string // default "1111.2222"
	ClientSecret  string // default "fake-client-secret"
	SigningSecret string // default "fake-signing-secret"
	AppToken      string // for Socket Mode; default "xapp-1-A0FAKE-1-fake"

	// Scopes are what the app's bot is given when it is installed without OAuth.
	// Default: all that the methods here need.
	Scopes []string
	// Redirects are the redirect URLs that the app may use. Default: any.
	Redirects []string
	// Rotate gives tokens that expire, and refresh tokens that can be used once.
	Rotate bool
	// TokenTTL is how long a token lasts that rotates. Default 12 hours.
	TokenTTL time.Duration

	EventsURL       string // where events go; default nowhere. See SetURLs
	InteractionsURL string // where interactions go; default nowhere
	// SocketMode delivers both over WebSockets that the app opened, not to URLs.
	SocketMode bool
	// Subscribed are the events that the app gets. Default: app_mention, message.im,
	// app_uninstalled, tokens_revoked and user_change. There are also
	// message.channels and message.groups.
	Subscribed []string

	AckWithin  time.Duration   // how soon the app must answer; default 3 seconds
	Retries    []time.Duration // the pauses before an event is sent again; default 0, 1 and 5 minutes
	TriggerTTL time.Duration   // how long a trigger_id is good; default 3 seconds

	StreamTTL time.Duration // how long a stream lasts, whatever is said in it; default 5 minutes

	Limits Limits // default none
	// NoStreams is a workspace without chat.startStream and its sisters.
	NoStreams bool
	// IgnoreClientMsgID posts a message again whose client_msg_id was seen before.
	IgnoreClientMsgID bool

	// Fixed makes ids, tokens and the times of messages the same in each run, as far as
	// everything happens in the same order: for golden files.
	Fixed bool

	Client *http.Client // delivers; default one of its own
}

// Slack is a fake Slack. Make it with New.
type Slack struct {
	URL string // where it is; its Web API is under /api/

	opts   Options
	server *httptest.Server
	client *http.Client
	life   crew.Life // ends with Close
	crew   crew.Crew // delivers

	mu        sync.Mutex
	changed   chan struct{} // closed and replaced whenever something is new to see
	closed    bool
	ahead     time.Duration // how far Advance has brought the clock
	lastTS    int64
	serial    int
	drawn     int
	teams     map[string]*team
	tokens    map[string]*token
	refreshes map[string]*token
	codes     map[string]*code
	triggers  map[string]*trigger
	responses map[string]*responseURL
	views     map[string]*view
	sockets   []*socket
	tickets   map[string]bool
	limits    Limits
	buckets   map[string]*bucket
	faults    []*Fault
	losses    []*loss
	calls     []*Call
	sent      []*Delivery
	underWay  int // of sent
}

// AppID is the id of the app.
const AppID = "A0FAKE"

// DefaultSubscribed are the events of which the app hears when Options.Subscribed says
// nothing.
func DefaultSubscribed() []string {
	return []string{"app_mention", "message.im", "app_uninstalled", "tokens_revoked", "user_change"}
}

// New starts a Slack without workspaces, on a port of its own. Close ends it.
func New(opts *Options) *Slack {
	s := &Slack{
		changed: make(chan struct{}), teams: map[string]*team{}, tokens: map[string]*token{}, refreshes: map[string]*token{},
		codes: map[string]*code{}, triggers: map[string]*trigger{}, responses: map[string]*responseURL{},
		views: map[string]*view{}, tickets: map[string]bool{}, buckets: map[string]*bucket{},
	}
	if opts != nil {
		s.opts = *opts
	}
	o := &s.opts
	o.ClientID = cmp.Or(o.ClientID, "1111.2222")
	o.ClientSecret = cmp.Or(o.ClientSecret, "fake-client-secret")
	o.SigningSecret = cmp.Or(o.SigningSecret, "fake-signing-secret")
	o.AppToken = cmp.Or(o.AppToken, "xapp-1-A0FAKE-1-fake")
	o.TokenTTL = cmp.Or(o.TokenTTL, 12*time.Hour)
	o.AckWithin = cmp.Or(o.AckWithin, 3*time.Second)
	o.StreamTTL = cmp.Or(o.StreamTTL, 5*time.Minute)
	o.TriggerTTL = cmp.Or(o.TriggerTTL, 3*time.Second)
	if o.Scopes == nil {
		o.Scopes = AllScopes()
	}
	if o.Subscribed == nil {
		o.Subscribed = DefaultSubscribed()
	}
	if o.Retries == nil {
		o.Retries = []time.Duration{0, time.Minute, 5 * time.Minute}
	}
	s.limits = o.Limits
	s.client = o.Client
	if s.client == nil {
		s.client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	}
	s.life = crew.Begin(context.Background())
	mux := http.NewServeMux()
	mux.HandleFunc("/api/{method}", s.serveCall)
	mux.HandleFunc("GET /oauth/v2/authorize", s.showAuthorize)
	mux.HandleFunc("POST /oauth/v2/authorize", s.submitAuthorize)
	mux.HandleFunc("GET /link/", s.serveSocket)
	mux.HandleFunc("POST /actions/{id}", s.serveResponseURL)
	s.server = httptest.NewServer(mux)
	s.URL = s.server.URL
	return s
}

// API is the base of the Web API's URLs, with a slash at its end.
func (s *Slack) API() string { return s.URL + "/api/" }

// ClientID, ClientSecret, SigningSecret and AppToken are the app's.
func (s *Slack) ClientID() string { return s.opts.ClientID }

// ClientSecret is the secret of the app's client id.
func (s *Slack) ClientSecret() string { return s.opts.ClientSecret }

// SigningSecret signs what is delivered.
func (s *Slack) SigningSecret() string { return s.opts.SigningSecret }

// AppToken opens Socket Mode.
func (s *Slack) AppToken() string { return s.opts.AppToken }

// SetURLs says where events and interactions go from now on. Slack asks with
// url_verification whether an app is there; that is done by Verify.
func (s *Slack) SetURLs(events, interactions string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.EventsURL, s.opts.InteractionsURL = events, interactions
}

// SetRedirects says which redirect URLs the app may use from now on. Of an app that
// names none, the first is used.
func (s *Slack) SetRedirects(redirects ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Redirects = slices.Clone(redirects)
}

// Subscribe says of which events the app hears from now on.
func (s *Slack) Subscribe(events ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.opts.Subscribed = slices.Clone(events)
}

// Advance lets time pass for tokens, triggers, response URLs and limits. What is
// signed, and the time of messages, stays as it is.
func (s *Slack) Advance(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead += d
}

// Close ends deliveries, sockets and the server.
func (s *Slack) Close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.life.End()
	s.server.CloseClientConnections()
	s.server.Close()
	s.crew.Wait()
	s.client.CloseIdleConnections()
}

// now is the time that counts for what expires. The caller holds the lock.
func (s *Slack) now() time.Time { return time.Now().Add(s.ahead) }

// see lets people see a message as it is now. The caller holds the lock.
func (s *Slack) see(m *message) {
	m.shown = nil
	m.channel.news = append(m.channel.news, m)
	s.tell()
}

// tell wakes those who wait for something to see. The caller holds the lock.
func (s *Slack) tell() {
	close(s.changed)
	s.changed = make(chan struct{})
}

// await waits until look, which runs under the lock, is true.
func (s *Slack) await(ctx context.Context, look func() bool) error {
	for {
		s.mu.Lock()
		found, changed := look(), s.changed
		s.mu.Unlock()
		if found {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-changed:
		}
	}
}

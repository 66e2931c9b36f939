package server

import (
	"cmp"
	"context"
	"crypto/sha256"
	"math"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/api"
	"github.com/parley-hq/parley/chat"
	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/internal/loopback"
	"github.com/parley-hq/parley/limit"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/slackapp"
)

// gate stands in front of everything, and bounds how often it is used: by an
// address, a person and a tenant.
//
// Who has a credential that holds is never refused for what others do at the same
// address: many people may be behind one.
type gate struct {
	identity *identity
	public   string                 // the configuration's public_url
	names    func(host string) bool // see ourNames
	trusted  []netip.Prefix

	signIn, failures, anonymous, person, tenant *limit.Rates

	streams *limit.Held
	large   *limit.Large
	notices *limit.Notices

	show func(http.ResponseWriter, *http.Request, pages.Notice) // for people
}

func newGate(i *identity, cfg *config.Config, notices *limit.Notices) *gate {
	l := cfg.Limits
	trusted, _ := l.Proxies() // the configuration was checked
	return &gate{
		identity: i, public: cfg.PublicURL, names: ourNames(cfg), trusted: trusted,
		signIn: limit.NewRates(l.SignIn.Limit()), failures: limit.NewRates(l.Failures.Limit()), anonymous: limit.NewRates(l.Anonymous.Limit()),
		person: limit.NewRates(l.Person.Limit()), tenant: limit.NewRates(l.Tenant.Limit()),
		streams: limit.NewHeld(l.Streams, 0), large: limit.NewLarge(l.CallsPerPerson, l.Calls), notices: notices, show: i.pages.Show,
	}
}

// guard lets requests through that are within their limits.
func (g *gate) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz", // whoever asks this must not be told that we are ill
			slackapp.EventsPath, slackapp.InteractionsPath: // all of Slack comes from a few addresses, with a signature: see unsigned
			next.ServeHTTP(w, r)
			return
		}
		if !g.names(r.Host) && !operates(r) && !strings.HasPrefix(r.URL.Path+"/", gateway.Path+"/") { // MCP refuses them itself
			g.refuse(w, r, misdirected, "This site is not known by that name. Open it at "+g.public+".")
			return
		}
		r, who, wait, ok := g.admit(r)
		if !ok {
			g.tooMany(w, r, wait, tooManyRequests)
			return
		}
		if listens(r) {
			leave, ok := g.listen(w, r, who)
			if !ok {
				return
			}
			defer leave()
		}
		r, done, ok := g.large.Take(r, who)
		if !ok {
			g.notices.Hit("calls_per_person", "of", whom(who))
			g.tooMany(w, r, time.Second, tooMuchAtOnce)
			return
		}
		defer done()
		next.ServeHTTP(w, r)
	})
}

const tooMuchAtOnce = "Too many large requests are being read at once. Wait a moment, then try again."

const tooManyRequests = "These are too many requests. Wait a moment, then try again."

// unsigned counts a request that says to be Slack's and is not, and reports whether it was
// one too many, which is answered.
func (g *gate) unsigned(w http.ResponseWriter, r *http.Request) bool {
	wait, ok := g.take("failures", g.failures, limit.Address(r, g.trusted))
	if !ok {
		g.tooMany(w, r, wait, tooManyRequests)
	}
	return !ok
}

// listen counts a stream until leave is called, or refuses its request.
func (g *gate) listen(w http.ResponseWriter, r *http.Request, who string) (leave func(), ok bool) {
	if leave, ok = g.streams.Take(who); !ok {
		g.notices.Hit("streams", "of", whom(who))
		g.tooMany(w, r, 5*time.Second, "Too many streams are open. Close one, then try again.")
	}
	return leave, ok
}

// listenA2A counts a stream of agents that act for somebody. They have as many as the
// person has, besides: an agent does not close the person's own inbox.
func (g *gate) listenA2A(w http.ResponseWriter, r *http.Request, who parley.Principal) (leave func(), ok bool) {
	return g.listen(w, r, "agents of\x00"+who.Tenant+"\x00"+who.Owner())
}

// admit says whether a request may go on, and who it is counted for. The request
// remembers what was found out about its token.
func (g *gate) admit(r *http.Request) (_ *http.Request, who string, wait time.Duration, ok bool) {
	address := limit.Address(r, g.trusted)
	if strings.HasPrefix(r.URL.Path+"/", "/login/") || r.URL.Path == pages.DeviceAuthorizePath {
		if wait, ok = g.take("sign_in", g.signIn, address); !ok {
			return r, "", wait, false
		}
	}
	r, p, err := g.caller(r)
	switch {
	case err == nil:
		tenant := cmp.Or(p.Tenant, parley.DefaultTenant)
		if wait, ok = g.take("tenant", g.tenant, tenant); ok {
			who = tenant + "\x00" + p.User
			wait, ok = g.take("person", g.person, who)
		}
		return r, "person\x00" + who, wait, ok
	case bearer(r):
		wait, ok = g.take("failures", g.failures, address)
	default:
		wait, ok = g.take("anonymous", g.anonymous, address)
	}
	return r, "address\x00" + address, wait, ok
}

// take counts a request with a rate of the configuration, and tells the operator
// now and then of those that are too many.
func (g *gate) take(name string, rates *limit.Rates, key string) (wait time.Duration, ok bool) {
	if wait, ok = rates.Take(key); !ok {
		g.notices.Hit(name, "of", whom(key))
	}
	return wait, ok
}

// whom is a key of the gate's for the log. A program has a digest instead of a
// name.
func whom(key string) string {
	for n, part := range strings.Split(key, "\x00") {
		if !utf8.ValidString(part) {
			return strings.Join(strings.Split(key, "\x00")[:n], " ") + " a program"
		}
	}
	return strings.ReplaceAll(key, "\x00", " ")
}

// caller is who sends a request, where that is asked. A program has no name, but
// a key.
func (g *gate) caller(r *http.Request) (*http.Request, parley.Principal, error) {
	if !bearer(r) {
		if len(r.Header["Cookie"]) == 0 {
			return r, parley.Principal{}, chat.ErrUnauthenticated
		}
		p, err := g.identity.pages.Principal(r)
		return r, p, err
	}
	_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	found := &finding{token: token, resources: resourcesAt(g.public, r.URL.Path)}
	found.who, found.claims, found.err = g.identity.read(r.Context(), token, found.resources...)
	p := found.who
	if p.User == "" {
		digest := sha256.Sum256([]byte(token))
		p.User = "\x00" + string(digest[:])
	}
	return r.WithContext(context.WithValue(r.Context(), findingKey{}, found)), p, found.err
}

// bearer reports whether a request has a token for a surface that looks at it.
func bearer(r *http.Request) bool {
	scheme, _, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && slices.ContainsFunc([]string{"/api/", "/run/", gateway.Path + "/", a2aPath, "/answer/"}, func(prefix string) bool {
		return strings.HasPrefix(r.URL.Path+"/", prefix)
	})
}

// resourcesAt are what a token may be for at a path, besides the configured
// audience.
func resourcesAt(public, path string) []string {
	switch {
	case path == gateway.Path:
		return []string{public + gateway.Path}
	case strings.HasPrefix(path, gateway.Path+"/"):
		return []string{public + gateway.Path, public + path}
	case strings.HasPrefix(path, a2aPath):
		return []string{a2aResource(public, path)}
	}
	return nil
}

// finding is what was found out about a request's token before its surface asks.
// It is good for the first who does: a socket that asks again, later, is told
// what holds then.
type finding struct {
	token     string
	resources []string
	who       parley.Principal
	claims    map[string]any
	err       error
	used      atomic.Bool
}

type findingKey struct{}

// foundOut is what was found out about a token, if it was for these resources.
func foundOut(ctx context.Context, token string, resources []string) (*finding, bool) {
	f, ok := ctx.Value(findingKey{}).(*finding)
	return f, ok && f.token == token && slices.Equal(f.resources, resources) && f.used.CompareAndSwap(false, true)
}

// listens reports whether a request is for a stream that lasts as long as
// somebody listens. Those of A2A are known by their bodies, and counted there.
func listens(r *http.Request) bool {
	path := r.URL.Path
	return r.Method == http.MethodGet && (strings.HasPrefix(path, gateway.Path) || path == "/run/ws" || strings.HasSuffix(path, "/stream") || path == api.EventsPath || awaits(path, r.URL.RawQuery))
}

// operates reports whether a request is of who operates the server, and by its address.
func operates(r *http.Request) bool {
	return r.URL.Path == "/healthz" || r.URL.Path == "/readyz" || r.URL.Path == metricsPath // which wants a token
}

// ourNames reports by which names requests may ask for us. On this machine another site
// could have its name lead here and so be taken for ours; elsewhere https keeps it from
// that, and a proxy may rewrite the name.
func ourNames(cfg *config.Config) func(host string) bool {
	public, err := url.Parse(cfg.PublicURL)
	if err != nil || !loopback.Host(public.Hostname()) {
		return func(string) bool { return true }
	}
	nodes, err := url.Parse(cfg.Advertise) // what other nodes hand on to this one comes there
	return func(host string) bool {
		return loopback.Address(host) || err == nil && nodes.Host != "" && strings.EqualFold(host, nodes.Host)
	}
}

// tooMany refuses a request for a while.
func (g *gate) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration, sentence string) {
	w.Header().Set("Retry-After", strconv.Itoa(max(1, int(math.Ceil(wait.Seconds())))))
	g.refuse(w, r, tooOften, sentence)
}

// reason is why a request is refused, as each kind of surface calls it.
type reason struct {
	status                  int
	heading, device, openAI string
}

var (
	tooOften    = reason{http.StatusTooManyRequests, "One moment", "slow_down", "rate_limit_error"}
	misdirected = reason{http.StatusMisdirectedRequest, "Wrong address", "invalid_request", "invalid_request_error"}
)

// refuse answers a request in the words of its surface.
func (g *gate) refuse(w http.ResponseWriter, r *http.Request, why reason, sentence string) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	kind, body := refusalFor(r.URL.Path, why, sentence)
	if kind == "" {
		notice := pages.Notice{Status: why.status, Heading: why.heading, Sentence: sentence}
		if r.Method == http.MethodGet && why == tooOften {
			notice.Again = r.URL.Path // without what a provider may have sent along
		}
		g.show(w, r, notice)
		return
	}
	h.Set("Content-Type", kind)
	w.WriteHeader(why.status)
	_, _ = w.Write([]byte(body)) // the client is gone, or is not
}

// refusalFor is a refusal as the surface of a path writes it. Those without a
// kind show people pages.
func refusalFor(path string, why reason, sentence string) (kind, body string) {
	said := strconv.Quote(sentence)
	switch {
	case strings.HasPrefix(path, "/api/"):
		return "application/problem+json", `{"title":"` + http.StatusText(why.status) + `","status":` + strconv.Itoa(why.status) + `,"detail":` + said + "}\n"
	case strings.HasPrefix(path, pages.DevicePath+"/"):
		return "application/json", `{"error":"` + why.device + `","error_description":` + said + "}\n"
	case path == slackapp.EventsPath, path == slackapp.InteractionsPath:
		return "text/plain; charset=utf-8", sentence + "\n"
	case strings.HasPrefix(path, "/run/v1/"):
		return "application/json", `{"error":{"message":` + said + `,"type":"` + why.openAI + `","param":null,"code":null}}` + "\n"
	case strings.HasPrefix(path, "/run/"):
		return "application/json", `{"success":false,"error":` + said + "}\n"
	case strings.HasPrefix(path+"/", gateway.Path+"/"), strings.HasPrefix(path, a2aPath):
		return "application/json", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":` + said + "}}\n"
	}
	return "", ""
}

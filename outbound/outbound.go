// Package outbound is the one way out: an HTTP client for URLs that somebody
// else could have written. Server URLs, OAuth metadata, token endpoints, key
// sets and webhooks name the host that Parley is to call; without a guard they
// could name the machine's own services, its network, or the address where a
// cloud hands out credentials.
//
// Its nouns:
//
//   - Options: where requests may go, how long they take, how much they bring.
//   - Client, Transport: net/http's, with the guard inside.
//   - Clients: two of them, for URLs of the operator and for those of others.
//   - Check: the same rules for a URL that is only being read, without dialling.
//   - Domain: a URL's host, for a person who decides whether to go there.
//
// An example:
//
//	client := outbound.Client(nil) // https to public addresses
//	defer client.CloseIdleConnections()
//	resp, err := client.Get(metadataURL)
//	if errors.Is(err, outbound.ErrForbidden) {
//		// nothing was sent
//	}
//
// The address is checked when it is dialled, for each address that is dialled.
// So it does not matter what a name resolved to before, nor which redirect led
// there. No proxy is used, not even one that the environment names: a proxy
// would dial in our place, and nobody would check.
//
// The rules for redirects are the transport's, so they hold for every
// http.Client around it and for every http.RoundTripper in between, as long as
// that one passes on Request.Response (Request.Clone does):
//
//   - Each hop is checked like a first request. There are five at most.
//   - https never becomes http.
//   - A public host never leads to a trusted or a loopback one.
//   - To another origin (scheme, host or port) goes only GET or HEAD, without a
//     body, and with no header but Accept, Accept-Encoding, Accept-Language and
//     User-Agent. All others may carry a credential, whatever their name. They
//     stay away from later hops too, even from one that leads back.
//
// What it does not do: it knows neither the machine's own public addresses nor
// a network's own NAT64 prefix. It cannot tell who chose a URL: say so to
// Clients, which have no Trusted hosts for what strangers choose. And net/http puts the
// whole URL into a *url.Error: who has a secret in a query must unwrap that
// error before logging it.
//
// Clients and transports may be used by any number of goroutines. Each has
// connections of its own: make one and keep it.
package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"time"
)

var (
	// ErrForbidden: this URL or address may not be reached. Nothing was sent.
	ErrForbidden = errors.New("request not allowed")

	// ErrTooLarge: the response has more bytes than Options.MaxBytes.
	ErrTooLarge = errors.New("response too large")

	// ErrConfusable: the host's name could be taken for another one.
	ErrConfusable = errors.New("misleading host name")
)

const (
	defaultTimeout  = 30 * time.Second
	defaultConnect  = 10 * time.Second
	defaultMaxBytes = 1 << 20

	maxHeaderBytes = 64 << 10
	maxIdle        = 1000
	maxIdlePerHost = 100 // calls to one server come many at a time
	idleTimeout    = 90 * time.Second
)

// Options says where requests may go, and what they may cost. Nil and the zero
// value reach public addresses by https only.
type Options struct {
	// Loopback is for development and tests: http and https to loopback
	// addresses too, where the URL says so (127.0.0.1, [::1], localhost and
	// names below it). Another name that resolves to one stays refused.
	// Default: not reached.
	Loopback bool

	// Trusted lists hosts that the operator named: reached at whatever address
	// they resolve to, by http too. An entry is "host:port", or "host" for its
	// ports 443 and 80. It stands for exactly that host and port: for no name
	// below it, and for no host that it redirects to. An entry of another form
	// trusts nothing. Default: none.
	Trusted []string

	// Inside is what somebody is told whose URL leads to an address that is not
	// public: what is allowed instead. Default: where operators name Trusted hosts.
	Inside string

	// Timeout bounds a request from the start to the end of the response's
	// body: with Client including its redirects, with Transport for each of
	// them. Default: 30 s. Negative: none, for streams and for calls that wait
	// for a person; then only the context ends a silent server.
	Timeout time.Duration

	// ConnectTimeout bounds looking up the name and connecting, and once more
	// the TLS handshake. Default: 10 s.
	ConnectTimeout time.Duration

	// MaxBytes is how much of a response's body may be read, after the
	// transport has decompressed it. Reading on is ErrTooLarge. Default: 1 MiB.
	// Negative: no limit, for streams.
	MaxBytes int64

	// RootCAs are the authorities that servers' certificates must come from.
	// Default: the system's.
	RootCAs *x509.CertPool

	// Resolver looks up names. It is not trusted: addresses are checked
	// whoever found them. Default: net.DefaultResolver.
	Resolver *net.Resolver
}

// Client returns a client with its own guarded transport. It follows redirects
// by the package's rules and keeps no cookies; set its CheckRedirect to follow
// fewer. Close its idle connections when it is no longer used.
func Client(opts *Options) *http.Client {
	o := opts.filled()
	return &http.Client{Transport: newGuard(o), Timeout: max(o.Timeout, 0)}
}

// Transport returns the guarded transport alone, for an http.Client or another
// transport around it. It has the method CloseIdleConnections.
func Transport(opts *Options) http.RoundTripper {
	return newGuard(opts.filled())
}

// filled returns a copy with every default in its place.
func (o *Options) filled() Options {
	var f Options
	if o != nil {
		f = *o
	}
	if f.Timeout == 0 {
		f.Timeout = defaultTimeout
	}
	if f.ConnectTimeout <= 0 {
		f.ConnectTimeout = defaultConnect
	}
	if f.MaxBytes == 0 {
		f.MaxBytes = defaultMaxBytes
	}
	return f
}

// newTransport returns net/http's transport over the dialer. Its Proxy stays
// nil: see the package comment.
func newTransport(o Options, d *dialer) *http.Transport {
	return &http.Transport{
		DialContext:            d.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: o.RootCAs},
		TLSHandshakeTimeout:    o.ConnectTimeout,
		MaxResponseHeaderBytes: maxHeaderBytes,
		MaxIdleConns:           maxIdle,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleTimeout,
		ForceAttemptHTTP2:      true,
	}
}

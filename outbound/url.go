package outbound

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"github.com/parley-hq/parley/internal/loopback"
)

const (
	maxURL  = 4 << 10
	maxName = 253
)

// whoMay says who can let requests go where this one may not, unless Options.Inside says it.
const whoMay = "only what the operator names may lead there: in parley.yaml servers.NAME.url and auth.issuer, providers, models, auth.oidc and auth.jwt; in a program Options.Trusted"

// Check says whether a URL may be requested, as far as that can be told without
// looking up its host: it is for the moment when a configuration or a
// metadata document is read. It returns ErrForbidden with the host and the
// reason. It also refuses a fragment, which no endpoint has. Whether the name
// leads to an address that may be reached shows only when it is dialled.
func (o *Options) Check(rawURL string) error {
	to, err := endpoint(rawURL)
	if err != nil {
		return err
	}
	return newPolicy(o).permits(to)
}

// CheckForm says whether a text is a URL that requests can be sent to, wherever it
// leads: what Check says without its rules about that. It returns ErrForbidden with the
// reason, which does not quote the URL.
func CheckForm(rawURL string) error {
	_, err := endpoint(rawURL)
	return err
}

func endpoint(rawURL string) (target, error) {
	u, err := parse(rawURL)
	if err != nil {
		return target{}, err
	}
	to, err := targetOf(u)
	if err == nil && strings.Contains(rawURL, "#") {
		err = forbidden(to.String(), "the URL has a fragment; leave out what begins with #")
	}
	return to, err
}

// permits applies the rules that need no look-up.
func (p policy) permits(to target) error {
	allowed := p.reachOf(to.name, to.port)
	if addr, err := netip.ParseAddr(to.name); err == nil {
		if why := allowed.refuses(addr); why != "" {
			return forbidden(to.String(), "it is %s; %s", why, p.inside)
		}
	} else if allowed == public && loopback.Host(to.name) {
		return forbidden(to.String(), "it is this machine; the operator can allow loopback for development")
	}
	if to.scheme != "https" && allowed == public {
		return forbidden(to.String(), "it would be reached by http; use https")
	}
	return nil
}

// target is where a request goes. Two are equal when they are one origin.
type target struct {
	scheme string // http or https
	name   string // canonical: lower-case ASCII, or an IP address
	port   string // never empty
}

// String returns the host and, if it is not the scheme's own, the port.
func (t target) String() string {
	return t.host(t.name)
}

func (t target) host(name string) string {
	if t.port != defaultPort(t.scheme) {
		return net.JoinHostPort(name, t.port)
	}
	if strings.Contains(name, ":") {
		return "[" + name + "]"
	}
	return name
}

func defaultPort(scheme string) string {
	if scheme == "http" {
		return "80"
	}
	return "443"
}

// parse refuses what is no URL, or looks like another one than it is.
func parse(rawURL string) (*url.URL, error) {
	if len(rawURL) > maxURL {
		return nil, forbidden("", "the URL has %d bytes; %d are allowed", len(rawURL), maxURL)
	}
	// Cf are invisible: joiners, and marks that turn the direction of text.
	if !utf8.ValidString(rawURL) || strings.ContainsFunc(rawURL, func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r)
	}) {
		return nil, forbidden("", "the URL has invisible characters; write it without them")
	}
	if host, _, _ := strings.Cut(rawURL, "/"); loopback.Address(host) {
		return nil, forbidden("", "the URL does not begin with http:// or https://; for this machine write http://host:port/path")
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		// The parser's error quotes the URL, which may hold a password.
		return nil, forbidden("", "the URL cannot be read; write https://host/path")
	}
	return u, nil
}

// targetOf refuses every URL but those of hosts by http and https.
func targetOf(u *url.URL) (target, error) {
	if u.Scheme != "https" && u.Scheme != "http" {
		return target{}, forbidden("", "the URL's scheme is not https; write https://host/path")
	}
	if u.Opaque != "" || u.Hostname() == "" {
		return target{}, forbidden("", "the URL names no host; write https://host/path")
	}
	if u.User != nil {
		return target{}, forbidden("", "the URL has a user name in front of its host; leave it out")
	}
	name, err := canonical(u.Hostname())
	if err != nil {
		return target{}, err
	}
	t := target{scheme: u.Scheme, name: name, port: u.Port()}
	if t.port == "" {
		t.port = defaultPort(u.Scheme)
	}
	if _, err := strconv.ParseUint(t.port, 10, 16); err != nil || t.port[0] == '0' {
		return target{}, forbidden(name, "the URL's port is not a number from 1 to 65535")
	}
	return t, nil
}

// canonical returns the one spelling of a host: an IP address, or the name in
// lower-case ASCII as it is looked up.
func canonical(host string) (string, error) {
	if strings.ContainsAny(host, ":%") {
		addr, err := netip.ParseAddr(host)
		if err != nil || addr.Zone() != "" || addr.Is4In6() {
			return "", forbidden("", "the URL's host is an IPv6 address with a zone, with an IPv4 address in it, or none at all")
		}
		return addr.String(), nil
	}
	name := strings.ToLower(host)
	if !isASCII(host) {
		var err error
		if name, err = idna.Lookup.ToASCII(host); err != nil {
			return "", forbidden("", "the URL's host is not a valid international name")
		}
	}
	if addr, err := netip.ParseAddr(name); err == nil {
		return addr.String(), nil
	}
	labels := strings.Split(name, ".")
	for _, label := range labels {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", forbidden("", "the URL's host is not a valid name")
		}
	}
	// Some resolvers take 2130706433, 0x7f.1 and 0177.0.0.1 for 127.0.0.1.
	last := labels[len(labels)-1]
	if strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") || len(name) > maxName {
		return "", forbidden("", "the URL's host is an address in an unusual form, or too long")
	}
	return name, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// forbidden wraps ErrForbidden with the host, where it is known and harmless to
// print, and a reason. Paths and queries stay out: they may hold secrets.
func forbidden(host, reason string, args ...any) error {
	if host != "" {
		host += ": "
	}
	return fmt.Errorf("%w: %s%s", ErrForbidden, host, fmt.Sprintf(reason, args...))
}

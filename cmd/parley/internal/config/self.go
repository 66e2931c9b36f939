package config

import (
	"cmp"
	"net/netip"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/parley-hq/parley/internal/loopback"
)

// selfProblems refuses the gateway as a server of its own: its list would wait for itself, and
// then have everything again.
func (c *Config) selfProblems(bad func(string, ...any)) {
	if c.Gateway == nil {
		return
	}
	for _, name := range Keys(c.Servers) {
		offered := len(c.Gateway.Servers) == 0 || slices.Contains(c.Gateway.Servers, name)
		if offered && c.isGateway(c.Servers[name].URL) {
			bad("servers.%s.url: it is this gateway itself, whose list would wait for its own: write the address of the server behind it, or leave %s out", name, name)
		}
	}
}

// isGateway reports whether a URL is known to lead to the gateway of this configuration, at
// all its servers or at one.
func (c *Config) isGateway(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return false // refused elsewhere, or a program
	}
	at := path.Clean(u.Path)
	if at != "/mcp" && !strings.HasPrefix(at, "/mcp/servers/") {
		return false
	}
	for _, own := range []string{c.PublicURL, c.Advertise, c.own()} {
		if o, err := url.Parse(own); err == nil && strings.EqualFold(o.Hostname(), u.Hostname()) && portOf(o) == portOf(u) {
			return true
		}
	}
	own, err := url.Parse(c.own())
	if err != nil || portOf(own) != portOf(u) || !thisMachine(u.Hostname()) {
		return false
	}
	return thisMachine(own.Hostname())
}

// thisMachine reports whether a host is this machine by its address, as a listener has it too.
func thisMachine(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "" || loopback.Host(host) || err == nil && ip.IsUnspecified()
}

func portOf(u *url.URL) string {
	return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
}

package mcpclient

import (
	"net/netip"
	"net/url"
	"strings"
)

// SameSite reports whether a link leads to the site of own, where people trust
// what they see to be that site's. A host that is not written in ASCII is none:
// browsers read some of its characters as others, which outbound.LinkOf knows. On the
// machine itself all names of it are one.
func SameSite(link, own string) bool {
	here, err := url.Parse(own)
	if err != nil || here.Host == "" {
		return false
	}
	u, err := url.Parse(link)
	return err == nil && site(u) == site(here)
}

// site is the host and port of a link, in one spelling of all that there are. The
// usual ports are one: http is often led on to https.
func site(u *url.URL) string {
	port := strings.TrimLeft(u.Port(), "0") // as browsers read it
	if port == "80" || port == "443" {
		port = ""
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if thisMachine(host) {
		host = "localhost"
	}
	return host + ":" + port
}

// thisMachine reports whether a host is the machine that its reader is at: by
// name, by an address, or by a number, which browsers take for one. Which numbers
// lead where is left to them: none of them is a name that anybody has.
func thisMachine(host string) bool {
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	if at, err := netip.ParseAddr(host); err == nil {
		at = at.Unmap()
		return at.IsLoopback() || at.IsUnspecified()
	}
	last := host[strings.LastIndexByte(host, '.')+1:]
	return last != "" && (strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"))
}

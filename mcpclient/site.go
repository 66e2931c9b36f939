package mcpclient

import (
	"net/url"
	"strings"
	"unicode"
)

// SameSite reports whether a link leads to the site of own, where people trust
// what they see to be that site's. A host that is not written in ASCII may:
// browsers read some of its characters as others.
func SameSite(link, own string) bool {
	here, err := url.Parse(own)
	if err != nil || here.Host == "" {
		return false
	}
	u, err := url.Parse(link)
	return err == nil && (site(u) == site(here) || strings.ContainsFunc(u.Host, func(c rune) bool { return c > unicode.MaxASCII }))
}

// site is the host and port of a link, in one spelling of all that there are. The
// usual ports are one: http is often led on to https.
func site(u *url.URL) string {
	port := u.Port()
	if port == "80" || port == "443" {
		port = ""
	}
	return strings.ToLower(strings.TrimSuffix(u.Hostname(), ".")) + ":" + port
}

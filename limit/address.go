package limit

import (
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Address is whom a request comes from, as a key: an IPv4 address, or the /64 of
// an IPv6 one, of which one household has all. X-Forwarded-For counts as far as
// proxies have written it that are trusted: what stands before that was sent by
// whoever sent the request. Empty where there is no address, as within a process.
func Address(r *http.Request, trusted []netip.Prefix) string {
	at, ok := parseAddress(r.RemoteAddr)
	if !ok {
		return ""
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for _, hop := range slices.Backward(hops) {
		if !within(trusted, at) {
			break
		}
		before, ok := parseAddress(strings.TrimSpace(hop))
		if !ok {
			break
		}
		at = before
	}
	return addressKey(at)
}

// parseAddress reads an address, with or without a port.
func parseAddress(text string) (netip.Addr, bool) {
	if at, err := netip.ParseAddrPort(text); err == nil {
		return at.Addr().Unmap().WithZone(""), true
	}
	at, err := netip.ParseAddr(strings.Trim(text, "[]"))
	return at.Unmap().WithZone(""), err == nil
}

func addressKey(at netip.Addr) string {
	if at.Is6() {
		if net, err := at.Prefix(64); err == nil {
			return net.String()
		}
	}
	return at.String()
}

func within(all []netip.Prefix, at netip.Addr) bool {
	return slices.ContainsFunc(all, func(p netip.Prefix) bool { return p.Contains(at) })
}

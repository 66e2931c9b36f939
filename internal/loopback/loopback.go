// Package loopback knows which hosts are this machine by their name.
package loopback

import (
	"net"
	"net/netip"
	"strings"
)

// Host reports whether a host means this machine: localhost, a name below it, or
// a loopback address. What another name resolves to only the one who dials finds
// out.
func Host(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if addr, err := netip.ParseAddr(host); err == nil {
		return addr.Unmap().IsLoopback()
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// Address is Host for a host with or without a port.
func Address(address string) bool {
	if host, _, err := net.SplitHostPort(address); err == nil {
		return Host(host)
	}
	return Host(address)
}

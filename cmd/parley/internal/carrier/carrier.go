// Package carrier carries what a person's programs send to a server of theirs: who
// they are is told over https, or to this machine, and nowhere else.
package carrier

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"syscall"

	"github.com/parley-hq/parley/outbound"
)

// URL reads the address of a server to which a secret is sent, if secret
// says so: over https, or to this machine. said is where it was said, such as --server.
func URL(said, address, example string, secret bool) (*url.URL, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%s %q is not a URL such as %s", said, address, example)
	}
	if secret && u.Scheme == "http" && !outbound.Loopback(u.Hostname()) {
		return nil, fmt.Errorf("%s: who you are is told over https only, or to this machine: use https://%s", said, u.Host)
	}
	return u, nil
}

// New carries requests to a server. Without https it connects to this machine
// alone, where a secret is sent: what a name resolves to decides, not how it reads.
func New(to *url.URL, secret bool) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	if !secret || to.Scheme == "https" {
		return t
	}
	t.Proxy = nil
	dialer := net.Dialer{ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
		if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().Unmap().IsLoopback() {
			return fmt.Errorf("%s is not this machine, though its name says so: use https", address)
		}
		return nil
	}}
	t.DialContext = dialer.DialContext
	return t
}

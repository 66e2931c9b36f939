package outbound

import (
	"cmp"
	"context"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"

	"github.com/parley-hq/parley/internal/loopback"
)

// reach says which addresses a host may have.
type reach int

const (
	public     reach = iota // public addresses, by https
	ownMachine              // loopback addresses
	trusted                 // any address
)

// policy is what Options say about hosts. It never changes.
type policy struct {
	loopback bool
	trusted  map[string]bool // by name:port
	inside   string          // what who is refused is told
}

func newPolicy(o *Options) policy {
	p := policy{trusted: map[string]bool{}, inside: whoMay}
	if o == nil {
		return p
	}
	p.loopback, p.inside = o.Loopback, cmp.Or(o.Inside, whoMay)
	for _, entry := range o.Trusted {
		host, ports := entry, []string{"443", "80"}
		if h, port, err := net.SplitHostPort(entry); err == nil {
			host, ports = h, []string{port}
		} else if strings.HasPrefix(entry, "[") && strings.HasSuffix(entry, "]") {
			host = entry[1 : len(entry)-1]
		}
		name, err := canonical(host)
		if err != nil {
			continue // never asked for, since no target has such a name
		}
		for _, port := range ports {
			p.trusted[net.JoinHostPort(name, port)] = true
		}
	}
	return p
}

// reachOf depends on what the URL says, never on what a name resolves to.
func (p policy) reachOf(name, port string) reach {
	switch {
	case p.trusted[net.JoinHostPort(name, port)]:
		return trusted
	case p.loopback && loopback.Host(name):
		return ownMachine
	default:
		return public
	}
}

// Loopback reports whether the host of a URL means this machine: localhost, a
// name below it, or a loopback address. What a name resolves to is another
// question, which only whoever dials can answer.
func Loopback(host string) bool {
	name, err := canonical(host)
	return err == nil && loopback.Host(name)
}

// refuses says why an address may not be dialled, or nothing.
func (r reach) refuses(addr netip.Addr) string {
	switch {
	case r == trusted:
		return ""
	case r == ownMachine && addr.IsLoopback():
		return ""
	case r == ownMachine:
		return "not a loopback address, though its name says so"
	default:
		return special(addr)
	}
}

// dialer connects to what the policy allows.
type dialer struct {
	policy   policy
	timeout  time.Duration
	resolver *net.Resolver
}

func (d *dialer) dial(ctx context.Context, network, hostport string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(hostport)
	if err != nil {
		return nil, err
	}
	name, err := canonical(host)
	if err != nil {
		return nil, err
	}
	allowed := d.policy.reachOf(name, port)
	plain := net.Dialer{Timeout: d.timeout, Resolver: d.resolver}
	// Called with each address before connecting to it: a name that resolves to
	// something else than before, or to several addresses, gains nothing.
	plain.ControlContext = func(_ context.Context, _, address string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(address)
		if err != nil {
			return forbidden(name, "it resolves to no IP address")
		}
		if why := allowed.refuses(at.Addr()); why != "" {
			return forbidden(name, "%s is %s; %s", at.Addr(), why, d.policy.inside)
		}
		return nil
	}
	return plain.DialContext(ctx, network, hostport)
}

// Where IPv6 hosts of the Internet are, and where its other ends of IPv4 are.
var (
	globalUnicast = netip.MustParsePrefix("2000::/3")
	nat64         = netip.MustParsePrefix("64:ff9b::/96")
)

// specials are the addresses of the IANA registries for special purposes that
// do not belong to one host of the Internet, and one that a cloud hides among
// those that do. Obsolete tunnels are refused whole, so that nobody needs to
// look for the IPv4 addresses in them.
var specials = []struct {
	prefix netip.Prefix
	what   string
}{
	{netip.MustParsePrefix("0.0.0.0/8"), "an address of this network"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private address"},
	{netip.MustParsePrefix("100.64.0.0/10"), "an address shared behind a carrier's NAT"},
	{netip.MustParsePrefix("127.0.0.0/8"), "a loopback address"},
	{netip.MustParsePrefix("168.63.129.16/32"), "the address of a cloud's own service"},
	{netip.MustParsePrefix("169.254.0.0/16"), "a link-local address"},
	{netip.MustParsePrefix("172.16.0.0/12"), "a private address"},
	{netip.MustParsePrefix("192.0.0.0/24"), "an address for protocols"},
	{netip.MustParsePrefix("192.0.2.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("192.88.99.0/24"), "an address of 6to4 relays"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private address"},
	{netip.MustParsePrefix("198.18.0.0/15"), "an address for benchmarks"},
	{netip.MustParsePrefix("198.51.100.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("203.0.113.0/24"), "an address for documentation"},
	{netip.MustParsePrefix("224.0.0.0/4"), "a multicast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "a reserved or broadcast address"},
	{netip.MustParsePrefix("::1/128"), "a loopback address"},
	{netip.MustParsePrefix("64:ff9b:1::/48"), "an address of a network's own NAT64"},
	{netip.MustParsePrefix("fc00::/7"), "a private address"},
	{netip.MustParsePrefix("fe80::/10"), "a link-local address"},
	{netip.MustParsePrefix("fec0::/10"), "a site-local address"},
	{netip.MustParsePrefix("ff00::/8"), "a multicast address"},
	{netip.MustParsePrefix("2001::/23"), "an address for protocols or of a Teredo tunnel"},
	{netip.MustParsePrefix("2001:db8::/32"), "an address for documentation"},
	{netip.MustParsePrefix("2002::/16"), "an address of a 6to4 tunnel"},
	{netip.MustParsePrefix("3fff::/20"), "an address for documentation"},
}

// special says why an address is not a public one, or nothing. No prefix
// contains an address with a zone, nor an IPv4 address in the form of IPv6: both
// end as not public.
func special(addr netip.Addr) string {
	if nat64.Contains(addr) { // what IPv6-only networks see of IPv4
		b := addr.As16()
		addr = netip.AddrFrom4([4]byte(b[12:]))
	}
	for _, s := range specials {
		if s.prefix.Contains(addr) {
			return s.what
		}
	}
	if addr.Is6() && !globalUnicast.Contains(addr) {
		return "not a public address"
	}
	return ""
}

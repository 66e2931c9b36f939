package outbound_test

import (
	"net/netip"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley/outbound"
)

// Addresses that nobody should reach through a foreign URL: the first, the last
// and a famous one of each range.
var inside = []string{
	"0.0.0.0", "0.255.255.255",
	"10.0.0.0", "10.255.255.255",
	"100.64.0.0", "100.100.100.200", "100.127.255.255",
	"127.0.0.0", "127.0.0.1", "127.255.255.255",
	"168.63.129.16",
	"169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255",
	"172.16.0.0", "172.31.255.255",
	"192.0.0.0", "192.0.0.192", "192.0.0.255",
	"192.0.2.0", "192.0.2.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255",
	"192.88.99.1",
	"192.168.0.0", "192.168.255.255",
	"198.18.0.0", "198.19.255.255",
	"224.0.0.0", "239.255.255.255",
	"240.0.0.0", "255.255.255.254", "255.255.255.255",
	"::", "::1", "::2", "::127.0.0.1", "::8.8.8.8",
	"::ffff:0:7f00:1", "100::1", "5f00::1", "4000::1",
	"64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b::255.255.255.255",
	"64:ff9b:1::1", "64:ff9b:1::8.8.8.8", "64:ff9b::1:0:0",
	"2001::1", "2001:0:7f00:1::", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1",
	"2001:db8::1", "2001:db8:ffff::1", "3fff::1", "3fff:fff::1",
	"2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1",
	"fc00::1", "fd00:ec2::254", "fdff:ffff::1",
	"fe80::1", "febf::1", "fec0::1", "feff::1",
	"ff00::1", "ff02::1", "ffff::1",
}

// Neighbours of those ranges, and well-known hosts.
var outside = []string{
	"1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
	"168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0",
	"191.255.255.255", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0",
	"198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
	"8.8.8.8", "93.184.216.34", "64:ff9b::8.8.8.8",
	"2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1", "2003::1", "2606:4700::1111",
	"2a00:1450::1", "3ffe::1", "3fff:1000::1",
}

func urlOf(addr string) string {
	if strings.Contains(addr, ":") {
		return "https://[" + addr + "]/"
	}
	return "https://" + addr + "/"
}

func TestPublicAddressesMayBeRequestedAndOthersMayNot(t *testing.T) {
	var o *outbound.Options
	for _, addr := range outside {
		if err := o.Check(urlOf(addr)); err != nil {
			t.Errorf("%s is refused: %v", addr, err)
		}
	}
	for _, addr := range inside {
		if err := o.Check(urlOf(addr)); err == nil {
			t.Errorf("%s is accepted", addr)
		} else {
			wantForbidden(t, err)
		}
	}
}

func TestRequestToAnAddressInsideIsRefused(t *testing.T) {
	s := newSite(t, true, hello)
	c := newClient(t, s.trusting(outbound.Options{}))
	_, err := get(c, s.URL)
	wantForbidden(t, err)
	s.untouched(t)
}

func TestNameThatResolvesToAnAddressInsideIsRefusedWhenDialled(t *testing.T) {
	for _, addr := range inside {
		t.Run(addr, func(t *testing.T) {
			c := newClient(t, &outbound.Options{Resolver: always(addr)})
			_, err := get(c, "https://rebound.example/")
			wantForbidden(t, err)
			if a := netip.MustParseAddr(addr); !strings.Contains(err.Error(), "rebound.example") || !strings.Contains(err.Error(), a.String()) {
				t.Errorf("error %q does not name the host and its address", err)
			}
		})
	}
}

// The only proof that a refusal came from the guard is that the same request
// arrives without it.
func TestNameThatResolvesToLoopbackReachesNothingUnlessTrusted(t *testing.T) {
	for name, addresses := range map[string][]string{
		"loopback":                    {"127.0.0.1"},
		"IPv4 in the form of IPv6":    {"::ffff:127.0.0.1"},
		"several, none of them legal": {"10.255.255.1", "::ffff:127.0.0.1", "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, true, hello)
			url := "https://example.com:" + s.port
			c := newClient(t, s.trusting(outbound.Options{Resolver: always(addresses...)}))
			_, err := get(c, url)
			wantForbidden(t, err)
			c = newClient(t, s.trusting(outbound.Options{Resolver: always(addresses...), Loopback: true}))
			_, err = get(c, url)
			wantForbidden(t, err)
			s.untouched(t)

			c = newClient(t, s.trusting(outbound.Options{Resolver: always("127.0.0.1"), Trusted: []string{"example.com:" + s.port}}))
			wantHello(t, c, url)
		})
	}
}

func TestNameThatWasPublicWhenItWasLookedUpIsRefusedOnceItIsNot(t *testing.T) {
	s := newSite(t, true, hello)
	var mu sync.Mutex
	now := "93.184.216.34"
	resolver := resolving(func() []string {
		mu.Lock()
		defer mu.Unlock()
		return []string{now}
	})
	o := s.trusting(outbound.Options{Resolver: resolver})
	url := "https://example.com:" + s.port

	// Whoever looks first is told the truth, for now.
	addrs, err := resolver.LookupHost(t.Context(), "example.com")
	if err != nil || len(addrs) != 1 || addrs[0] != now {
		t.Fatalf("looked up %v, %v", addrs, err)
	}
	if err := o.Check(url); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	now = "127.0.0.1"
	mu.Unlock()
	_, err = get(newClient(t, o), url)
	wantForbidden(t, err)
	s.untouched(t)
}

func TestLocalhostThatIsNotThisMachineIsRefused(t *testing.T) {
	c := newClient(t, &outbound.Options{Loopback: true, Resolver: always("93.184.216.34")})
	_, err := get(c, "http://app.localhost/")
	wantForbidden(t, err)
}

func TestLoopbackReachesWhatTheURLCallsLoopback(t *testing.T) {
	for _, secure := range []bool{false, true} {
		s := newSite(t, secure, hello)
		o := s.trusting(outbound.Options{Loopback: true})
		wantHello(t, newClient(t, o), s.URL)
	}
	s := newSite(t, false, hello)
	o := &outbound.Options{Loopback: true, Resolver: always("127.0.0.1")}
	wantHello(t, newClient(t, o), "http://app.localhost:"+s.port)
}

func TestLoopbackOpensNothingElse(t *testing.T) {
	o := &outbound.Options{Loopback: true}
	for _, addr := range inside {
		if a := netip.MustParseAddr(addr); !a.IsLoopback() {
			wantForbidden(t, o.Check(urlOf(addr)))
		}
	}
	wantForbidden(t, o.Check("http://example.com/"))
	wantForbidden(t, o.Check("http://[::ffff:127.0.0.1]/"))
	wantForbidden(t, o.Check("http://[::1%25lo]/"))
}

func TestRefusalSaysWhatKindOfAddressItIs(t *testing.T) {
	var o *outbound.Options
	for addr, want := range map[string]string{
		"127.0.0.1": "loopback", "::1": "loopback", "10.1.2.3": "private", "fd00::1": "private", "169.254.169.254": "link-local",
		"fe80::1": "link-local", "fec0::1": "site-local", "224.0.0.1": "multicast", "ff02::1": "multicast", "64:ff9b::10.0.0.1": "private",
		"64:ff9b:1::1": "NAT64", "100.64.0.1": "carrier", "2002::1": "6to4", "2001::1": "Teredo", "::2": "not a public address",
	} {
		if err := o.Check(urlOf(addr)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v; want one that says %s", addr, err, want)
		}
	}
}

func TestTrustIsForExactlyOneHostAndPort(t *testing.T) {
	o := &outbound.Options{Trusted: []string{
		"10.0.0.5:8080", "Auth.Example:9000", "plain.example", "[fd00::1]:81", "[fd00::2]", "bücher.example:9000",
		"http://wrong.example:80", "*.wild.example:80", "", ":80", "10.0.0.6:x",
	}}
	for _, url := range []string{
		"http://10.0.0.5:8080/x", "https://10.0.0.5:8080/", "http://auth.example:9000/", "https://AUTH.example:9000/",
		"http://plain.example/", "https://plain.example/", "http://plain.example:443/",
		"http://[fd00::1]:81/", "http://[fd00:0::0001]:81/", "http://[fd00::2]/", "http://xn--bcher-kva.example:9000/",
	} {
		if err := o.Check(url); err != nil {
			t.Errorf("%s is refused: %v", url, err)
		}
	}
	for _, url := range []string{
		"http://10.0.0.5/", "http://10.0.0.5:8081/", "http://10.0.0.6:8080/", "http://auth.example/",
		"http://sub.auth.example:9000/", "http://auth.example.evil.example:9000/", "http://plain.example:8080/",
		"http://[fd00::1]/", "http://[fd00::2]:81/", "http://wrong.example/", "http://a.wild.example/", "http://10.0.0.6/",
	} {
		if err := o.Check(url); err == nil {
			t.Errorf("%s is accepted", url)
		} else {
			wantForbidden(t, err)
		}
	}
}

func TestOptionsChangedAfterwardsChangeNothing(t *testing.T) {
	s := newSite(t, false, hello)
	o := &outbound.Options{Trusted: []string{"nobody.example"}}
	c := newClient(t, o)
	o.Loopback, o.Trusted[0] = true, s.Listener.Addr().String()
	_, err := get(c, s.URL)
	wantForbidden(t, err)
	s.untouched(t)
}

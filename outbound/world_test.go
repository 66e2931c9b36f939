package outbound_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"os"
	"sync/atomic"
	"testing"

	"github.com/parley-hq/parley/outbound"
	"go.uber.org/goleak"
	"golang.org/x/net/dns/dnsmessage"
)

// Nobody listens at this proxy: whoever asked the environment for one would
// fail in every test that uses a name.
const deadProxy = "http://127.0.0.1:9"

func TestMain(m *testing.M) {
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"} {
		if err := os.Setenv(name, deadProxy); err != nil {
			panic(err)
		}
	}
	// The first look-up of a process makes channels that all later ones use; in
	// a synctest bubble they would belong to that bubble alone.
	_, _ = net.DefaultResolver.LookupHost(context.Background(), "localhost")
	_, _ = (&net.Resolver{PreferGo: true}).LookupHost(context.Background(), "localhost")
	goleak.VerifyTestMain(m)
}

// site is a server on loopback that counts what reaches it.
type site struct {
	*httptest.Server
	port        string
	connections atomic.Int64
	requests    atomic.Int64
}

func newSite(t testing.TB, secure bool, h http.HandlerFunc) *site {
	t.Helper()
	return startSite(t, h, func(s *httptest.Server) {
		if secure {
			s.StartTLS()
		} else {
			s.Start()
		}
	})
}

func startSite(t testing.TB, h http.HandlerFunc, start func(*httptest.Server)) *site {
	t.Helper()
	s := &site{}
	s.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		h(w, r)
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0) // handshakes that fail on purpose
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			s.connections.Add(1)
		}
	}
	start(s.Server)
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s.port = port
	return s
}

// untouched fails the test if anybody connected.
func (s *site) untouched(t testing.TB) {
	t.Helper()
	if c, r := s.connections.Load(), s.requests.Load(); c != 0 || r != 0 {
		t.Errorf("%d connections and %d requests reached the server; want none", c, r)
	}
}

// trusting fills in the roots of a server's certificate.
func (s *site) trusting(o outbound.Options) *outbound.Options {
	if s.TLS != nil {
		o.RootCAs = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	}
	return &o
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func newClient(t testing.TB, o *outbound.Options) *http.Client {
	t.Helper()
	c := outbound.Client(o)
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func get(c *http.Client, url string) (string, error) {
	resp, err := c.Get(url)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	return string(b), err
}

func wantHello(t testing.TB, c *http.Client, url string) {
	t.Helper()
	if got, err := get(c, url); err != nil || got != "hello" {
		t.Fatalf("GET %s = %q, %v; want hello", url, got, err)
	}
}

func wantForbidden(t testing.TB, err error) {
	t.Helper()
	if !errors.Is(err, outbound.ErrForbidden) {
		t.Fatalf("error %v; want ErrForbidden", err)
	}
}

func wantTimeout(t testing.TB, err error) {
	t.Helper()
	if timeout, ok := errors.AsType[net.Error](err); !ok || !timeout.Timeout() {
		t.Fatalf("error %v; want a time-out", err)
	}
}

func parsed(t testing.TB, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// resolving returns a resolver over a DNS server that gives every name the
// addresses that answer returns.
func resolving(answer func() []string) *net.Resolver {
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		ours, theirs := net.Pipe()
		go serveDNS(theirs, answer)
		return ours, nil
	}}
}

func always(addresses ...string) *net.Resolver {
	return resolving(func() []string { return addresses })
}

// serveDNS speaks DNS as over TCP until the resolver hangs up.
func serveDNS(conn net.Conn, answer func() []string) {
	defer conn.Close()
	for {
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		reply, err := dnsReply(query, answer())
		if err != nil {
			return
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

func dnsReply(query []byte, addresses []string) ([]byte, error) {
	var m dnsmessage.Message
	if err := m.Unpack(query); err != nil {
		return nil, err
	}
	m.Response, m.RecursionAvailable, m.Additionals = true, true, nil
	q := m.Questions[0]
	for _, a := range addresses {
		addr := netip.MustParseAddr(a)
		header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
		switch {
		case q.Type == dnsmessage.TypeA && addr.Is4():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AResource{A: addr.As4()}})
		case q.Type == dnsmessage.TypeAAAA && addr.Is6():
			m.Answers = append(m.Answers, dnsmessage.Resource{Header: header, Body: &dnsmessage.AAAAResource{AAAA: addr.As16()}})
		}
	}
	return m.Pack()
}

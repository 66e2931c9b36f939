package outbound_test

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/outbound"
)

func TestEnvironmentsProxyIsNotAsked(t *testing.T) {
	if os.Getenv("HTTP_PROXY") != deadProxy || os.Getenv("HTTPS_PROXY") != deadProxy {
		t.Fatal("the environment names no proxy")
	}
	s := newSite(t, false, hello)
	c := newClient(t, &outbound.Options{Resolver: always("127.0.0.1"), Trusted: []string{"example.com:" + s.port}})
	wantHello(t, c, "http://example.com:"+s.port)
}

func TestConnectionsAreReusedUntilTheyAreClosed(t *testing.T) {
	s := newSite(t, true, hello)
	c := newClient(t, s.trusting(outbound.Options{Loopback: true}))
	for range 5 {
		wantHello(t, c, s.URL)
	}
	if n := s.connections.Load(); n != 1 {
		t.Errorf("%d connections for five requests; want 1", n)
	}
	c.CloseIdleConnections()
	wantHello(t, c, s.URL)
	if n := s.connections.Load(); n != 2 {
		t.Errorf("%d connections after closing the idle one; want 2", n)
	}
}

func TestCookiesAreNotKept(t *testing.T) {
	var got []string
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Header.Get("Cookie"))
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/next", http.StatusFound)
		}
	})
	if _, err := get(newClient(t, &outbound.Options{Loopback: true}), s.URL); err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[1] != "" {
		t.Errorf("cookies of both requests: %q; want none", got)
	}
}

func TestHTTP2IsSpokenWhereTheServerOffersIt(t *testing.T) {
	s := startSite(t, hello, func(s *httptest.Server) {
		s.EnableHTTP2 = true
		s.StartTLS()
	})
	resp, err := newClient(t, s.trusting(outbound.Options{Loopback: true})).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.ProtoMajor != 2 {
		t.Errorf("spoke %s; want HTTP/2", resp.Proto)
	}
}

func TestBodyIsReadUpToTheLimitAndNoFurther(t *testing.T) {
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		if r.URL.Query().Has("flush") {
			w.(http.Flusher).Flush() // so the length is not announced
		}
		_, _ = io.WriteString(w, strings.Repeat("x", n))
	})
	const mebi = 1 << 20
	for _, test := range []struct {
		name  string
		max   int64
		bytes int
		want  int // bytes that are read before the error
		err   error
	}{
		{"default, full", 0, mebi, mebi, nil},
		{"default, one more", 0, mebi + 1, mebi, outbound.ErrTooLarge},
		{"own limit, full", 10, 10, 10, nil},
		{"own limit, one more", 10, 11, 10, outbound.ErrTooLarge},
		{"own limit, far more", 10, mebi, 10, outbound.ErrTooLarge},
		{"own limit, nothing", 10, 0, 0, nil},
		{"the largest limit", 1<<63 - 1, mebi, mebi, nil},
		{"no limit", -1, 3 * mebi, 3 * mebi, nil},
	} {
		for _, query := range []string{"", "&flush"} {
			t.Run(test.name+query, func(t *testing.T) {
				c := newClient(t, &outbound.Options{Loopback: true, MaxBytes: test.max})
				got, err := get(c, s.URL+"?n="+strconv.Itoa(test.bytes)+query)
				if len(got) != test.want || !errors.Is(err, test.err) {
					t.Errorf("read %d bytes, %v; want %d, %v", len(got), err, test.want, test.err)
				}
			})
		}
	}
}

func TestBodyThatWasTooLargeStaysSo(t *testing.T) {
	s := newSite(t, false, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello!") })
	resp, err := newClient(t, &outbound.Options{Loopback: true, MaxBytes: 5}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for range 3 {
		if _, err := io.ReadAll(resp.Body); !errors.Is(err, outbound.ErrTooLarge) {
			t.Fatalf("error %v; want ErrTooLarge", err)
		}
	}
}

func TestDecompressedBytesCount(t *testing.T) {
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") != "gzip" {
			t.Error("no compression asked for")
		}
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, strings.Repeat("x", 100_000)) // about 130 bytes on the wire
		_ = z.Close()
	})
	got, err := get(newClient(t, &outbound.Options{Loopback: true, MaxBytes: 1000}), s.URL)
	if len(got) != 1000 || !errors.Is(err, outbound.ErrTooLarge) {
		t.Errorf("read %d bytes, %v; want 1000, ErrTooLarge", len(got), err)
	}
}

func TestHeadersOfAResponseAreLimited(t *testing.T) {
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		w.Header().Set("X-Long", strings.Repeat("x", n))
		hello(w, r)
	})
	c := newClient(t, &outbound.Options{Loopback: true})
	wantHello(t, c, s.URL+"?n=60000")
	if _, err := get(c, s.URL+"?n=70000"); err == nil {
		t.Error("70,000 bytes of header were read")
	}
}

func TestSilentServerIsLeftWhenTheTimeIsOver(t *testing.T) {
	release := make(chan struct{})
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = io.WriteString(w, "hel")
			w.(http.Flusher).Flush()
		}
		<-release
	})
	defer close(release)
	o := &outbound.Options{Loopback: true, Timeout: 50 * time.Millisecond}
	alone := &http.Client{Transport: outbound.Transport(o)}
	t.Cleanup(alone.CloseIdleConnections)
	for name, c := range map[string]*http.Client{"client": newClient(t, o), "transport": alone} {
		for _, path := range []string{"/header", "/body"} {
			t.Run(name+path, func(t *testing.T) {
				_, err := get(c, s.URL+path)
				wantTimeout(t, err)
			})
		}
	}
}

func TestTimeoutsHaveTheirDefaults(t *testing.T) {
	for _, test := range []struct {
		name string
		opts outbound.Options
		want time.Duration
	}{
		{"connecting", outbound.Options{Timeout: -1}, 10 * time.Second},
		{"connecting, own", outbound.Options{Timeout: -1, ConnectTimeout: time.Hour}, time.Hour},
		{"whole", outbound.Options{ConnectTimeout: time.Hour}, 30 * time.Second},
		{"whole, own", outbound.Options{Timeout: time.Minute, ConnectTimeout: time.Hour}, time.Minute},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				test.opts.Resolver = &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
					<-release
					return nil, errors.New("released")
				}}
				alone := &http.Client{Transport: outbound.Transport(&test.opts)}
				whole := outbound.Client(&test.opts) // net/http's own time-out spans redirects
				if test.opts.Timeout >= 0 && whole.Timeout != test.want || test.opts.Timeout < 0 && whole.Timeout != 0 {
					t.Errorf("the client's time-out is %v", whole.Timeout)
				}
				for _, c := range []*http.Client{whole, alone} {
					start := time.Now()
					_, err := get(c, "https://example.com/")
					wantTimeout(t, err)
					if took := time.Since(start); took != test.want {
						t.Errorf("gave up after %v; want %v", took, test.want)
					}
				}
			})
		})
	}
}

func TestStreamWithoutLimitsOutlivesThem(t *testing.T) {
	more := make(chan struct{})
	s := newSite(t, false, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "first")
		w.(http.Flusher).Flush()
		<-more
		_, _ = io.WriteString(w, "second")
	})
	resp, err := newClient(t, &outbound.Options{Loopback: true, Timeout: -1, MaxBytes: -1}).Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	first := make([]byte, 5)
	if _, err := io.ReadFull(resp.Body, first); err != nil || string(first) != "first" {
		t.Fatalf("read %q, %v", first, err)
	}
	close(more)
	if rest, err := io.ReadAll(resp.Body); err != nil || string(rest) != "second" {
		t.Fatalf("read %q, %v", rest, err)
	}
}

func TestNameServerThatNeverAnswersIsLeft(t *testing.T) {
	var asked atomic.Bool
	silent := &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		asked.Store(true)
		<-ctx.Done()
		return nil, ctx.Err()
	}}
	c := newClient(t, &outbound.Options{Resolver: silent, Timeout: -1, ConnectTimeout: 50 * time.Millisecond})
	_, err := get(c, "https://example.com/")
	wantTimeout(t, err)
	if !asked.Load() {
		t.Error("the name server was not asked")
	}
}

func TestServerThatNeverShakesHandsIsLeft(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := newClient(t, &outbound.Options{Loopback: true, Timeout: -1, ConnectTimeout: 50 * time.Millisecond})
	_, err = get(c, "https://"+l.Addr().String())
	wantTimeout(t, err)
}

func TestCertificatesAreVerified(t *testing.T) {
	s := newSite(t, true, hello)
	_, err := get(newClient(t, &outbound.Options{Loopback: true}), s.URL) // the system's roots do not know it
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); !ok {
		t.Errorf("unknown authority: error %v", err)
	}
	o := s.trusting(outbound.Options{Resolver: always("127.0.0.1"), Trusted: []string{"other.test:" + s.port}})
	_, err = get(newClient(t, o), "https://other.test:"+s.port)
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); !ok {
		t.Errorf("another name: error %v", err)
	}
	if n := s.requests.Load(); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
}

func TestTLSBefore12IsRefused(t *testing.T) {
	speaking := func(version uint16) *site {
		return startSite(t, hello, func(s *httptest.Server) {
			s.TLS = &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: version}
			s.StartTLS()
		})
	}
	old, new := speaking(tls.VersionTLS11), speaking(tls.VersionTLS12)
	if _, err := get(newClient(t, old.trusting(outbound.Options{Loopback: true})), old.URL); err == nil {
		t.Error("spoke TLS 1.1")
	}
	wantHello(t, newClient(t, new.trusting(outbound.Options{Loopback: true})), new.URL)
}

// closing notes that a request's body was closed.
type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }

func TestRefusedRequestsBodyIsClosedAndItsHostNotReached(t *testing.T) {
	s := newSite(t, false, hello)
	body := &closing{Reader: strings.NewReader("secret")}
	req := &http.Request{Method: http.MethodPost, URL: parsed(t, s.URL), Body: body}
	_, err := outbound.Transport(nil).RoundTrip(req)
	wantForbidden(t, err)
	if !body.closed {
		t.Error("the body is open")
	}
	s.untouched(t)

	_, err = outbound.Transport(nil).RoundTrip(&http.Request{})
	wantForbidden(t, err)
	opaque := parsed(t, s.URL)
	opaque.Opaque = "//elsewhere.example/"
	_, err = outbound.Transport(&outbound.Options{Loopback: true}).RoundTrip(&http.Request{URL: opaque})
	wantForbidden(t, err)
	s.untouched(t)
}

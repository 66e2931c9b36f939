package outbound

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

const maxRedirects = 5

// guard is the transport: it checks a request, sends it, and bounds what comes
// back. The dialer below it checks addresses.
type guard struct {
	base     *http.Transport
	policy   policy
	timeout  time.Duration
	maxBytes int64
}

func newGuard(o Options) *guard {
	p := newPolicy(&o)
	d := &dialer{policy: p, timeout: o.ConnectTimeout, resolver: o.Resolver}
	return &guard{base: newTransport(o, d), policy: p, timeout: o.Timeout, maxBytes: o.MaxBytes}
}

// CloseIdleConnections lets http.Client's method of that name reach the pool.
func (g *guard) CloseIdleConnections() { g.base.CloseIdleConnections() }

// RoundTrip sends a request that may be sent, and no other.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	admitted, err := g.admit(req)
	if err != nil {
		if req.Body != nil {
			_ = req.Body.Close() // a RoundTripper closes it in any case
		}
		return nil, err
	}
	resp, err := g.send(admitted)
	if err != nil {
		return nil, err
	}
	resp.Request = req
	if g.maxBytes >= 0 {
		resp.Body = &capped{ReadCloser: resp.Body, max: g.maxBytes, left: g.maxBytes}
	}
	return resp, nil
}

// send bounds the time until the end of the response's body.
func (g *guard) send(req *http.Request) (*http.Response, error) {
	if g.timeout <= 0 {
		return g.base.RoundTrip(req)
	}
	ctx, cancel := context.WithTimeout(req.Context(), g.timeout)
	resp, err := g.base.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &timed{ReadCloser: resp.Body, cancel: cancel}
	return resp, nil
}

// admit returns the request as it may be sent.
func (g *guard) admit(req *http.Request) (*http.Request, error) {
	if req.URL == nil {
		return nil, forbidden("", "the request has no URL")
	}
	to, err := targetOf(req.URL)
	if err != nil {
		return nil, err
	}
	if err := g.policy.permits(to); err != nil {
		return nil, err
	}
	foreign, err := g.redirected(req, to)
	if err != nil || !foreign {
		return req, err
	}
	if req.Method != "" && req.Method != http.MethodGet && req.Method != http.MethodHead ||
		req.Body != nil && req.Body != http.NoBody {
		return nil, forbidden(to.String(), "a redirect would send the request's method or body to another origin; use the final URL at once")
	}
	bare := req.Clone(req.Context())
	bare.Host = ""
	bare.Header = http.Header{}
	for _, name := range []string{"Accept", "Accept-Encoding", "Accept-Language", "User-Agent"} {
		if v := req.Header.Values(name); len(v) > 0 {
			bare.Header[name] = v
		}
	}
	return bare, nil
}

// redirected walks back over the requests that led to this one. It reports
// whether any of them went to another origin.
func (g *guard) redirected(req *http.Request, to target) (foreign bool, err error) {
	hops := 0
	for r := req.Response; r != nil; {
		if hops++; hops > maxRedirects {
			return false, forbidden(to.String(), "more than %d redirects led here; use the final URL at once", maxRedirects)
		}
		if r.Request == nil || r.Request.URL == nil {
			return true, nil // unknown, so not our own
		}
		from, err := targetOf(r.Request.URL)
		if err != nil {
			return false, err
		}
		if from.scheme == "https" && to.scheme == "http" {
			return false, forbidden(to.String(), "a redirect leads from https to http; use a server that stays with https")
		}
		if g.policy.reachOf(from.name, from.port) == public && g.policy.reachOf(to.name, to.port) != public {
			return false, forbidden(to.String(), "a redirect leads from the public host %s to a host of the operator; use the final URL at once", from)
		}
		foreign = foreign || from != to
		r = r.Request.Response
	}
	return foreign, nil
}

// timed is a body whose request's time-out ends with it.
type timed struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (t *timed) Close() error {
	defer t.cancel() // afterwards: the connection may still be kept
	return t.ReadCloser.Close()
}

// capped is a body that ends with an error after max bytes.
type capped struct {
	io.ReadCloser
	max  int64
	left int64 // negative: it was too large
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, c.tooLarge()
	}
	if int64(len(p))-1 > c.left {
		p = p[:c.left+1] // one more tells a full body from one that is too large
	}
	n, err := c.ReadCloser.Read(p)
	if int64(n) > c.left {
		n = int(c.left)
		c.left = -1
		return n, c.tooLarge()
	}
	c.left -= int64(n)
	return n, err
}

func (c *capped) tooLarge() error {
	return fmt.Errorf("%w: more than the %d bytes that are read of it; raise the limit if it is meant to be so long", ErrTooLarge, c.max)
}

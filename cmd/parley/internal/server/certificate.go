package server

import (
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/parley-hq/parley/cmd/parley/internal/config"
	"github.com/parley-hq/parley/internal/loopback"
)

// certificateLook is how often it is looked whether a certificate was renewed.
const certificateLook = time.Second

// certificate is what is shown to those who connect. It is taken from its files again
// when they have changed; one that cannot be used, or is not valid now, is told of, and
// the former stays.
type certificate struct {
	files  config.TLS
	logger *slog.Logger

	mu      sync.Mutex
	shown   *tls.Certificate
	waiting *tls.Certificate // what the files have, where that is not valid now; nil: none
	stamps  [2]os.FileInfo   // of the files as they were last tried
	looked  time.Time
}

// openTLS is how the listener speaks TLS; nil: it does not.
func (s *Server) openTLS() (*tls.Config, error) {
	if s.cfg.TLS == nil {
		return nil, nil
	}
	c := &certificate{files: *s.cfg.TLS, logger: s.opts.Logger, looked: time.Now()}
	c.stamps, _ = c.look()
	var err error
	if c.shown, err = c.files.Load(); err != nil {
		return nil, err
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: c.get}, nil
}

func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Since(c.looked) < certificateLook {
		return c.shown, nil
	}
	c.looked = time.Now()
	stamps, ok := c.look() // what is renewed just now is there a moment later
	changed := ok && !(same(stamps[0], c.stamps[0]) && same(stamps[1], c.stamps[1]))
	if changed {
		c.stamps = stamps
		var err error
		if c.waiting, err = c.files.Load(); err != nil { // of two files the first may have been written; the second changes its stamp
			c.waiting = nil
			c.logger.Warn("certificate not renewed", "err", err)
		}
	}
	if c.waiting != nil {
		c.renew(changed)
	}
	return c.shown, nil
}

// renew shows the one that waits, unless it is not valid now and the former is: then it
// waits on. first: that was not yet told of.
func (c *certificate) renew(first bool) {
	err := config.InTime(c.waiting, c.looked)
	switch {
	case err == nil:
		c.logger.Info("certificate renewed", "until", c.waiting.Leaf.NotAfter)
	case config.InTime(c.shown, c.looked) == nil:
		if first {
			c.logger.Warn("certificate not renewed", "err", err)
		}
		return
	default: // one is as bad as the other, and this is what the operator wants
		c.logger.Warn("certificate renewed", "err", err)
	}
	c.shown, c.waiting = c.waiting, nil
}

// look is what the files are now; false: one is not there.
func (c *certificate) look() (stamps [2]os.FileInfo, ok bool) {
	for i, path := range []string{c.files.Cert, c.files.Key} {
		about, err := os.Stat(path)
		if err != nil {
			return stamps, false
		}
		stamps[i] = about
	}
	return stamps, true
}

func same(a, b os.FileInfo) bool {
	return a != nil && b != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// serveWeb serves web at a listener, by TLS where that is configured, HTTP/2 too.
func (s *Server) serveWeb(web *http.Server, at net.Listener) error {
	if s.tls == nil {
		return web.Serve(at)
	}
	web.TLSConfig = s.tls
	return web.ServeTLS(at, "", "")
}

// strictly tells browsers to come by https alone from now on, where they have a name
// to remember that for.
func (s *Server) strictly(next http.Handler) http.Handler {
	u, err := url.Parse(s.cfg.PublicURL)
	if s.tls == nil || err != nil || u.Scheme != "https" || loopback.Host(u.Hostname()) {
		return next
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.TLS != nil {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		next.ServeHTTP(w, r)
	})
}

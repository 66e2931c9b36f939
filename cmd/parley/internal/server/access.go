package server

import (
	"bufio"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/parley-hq/parley/limit"
)

// mostPath is how much of a path the access log has: it is whatever somebody sent.
const mostPath = 200

// logAccess writes a line for each request when it is over: what was asked for,
// what came of it, how long it took. What follows a path may be a secret, and what
// is in headers is: neither is in it.
func logAccess(logger *slog.Logger, trusted []netip.Prefix, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began, seen := time.Now(), &witness{ResponseWriter: w}
		defer func() {
			path := r.URL.Path
			if len(path) > mostPath {
				path = strings.ToValidUTF8(path[:mostPath], "") + "…"
			}
			logger.InfoContext(r.Context(), "request served", "method", r.Method, "path", path, "status", seen.told(), "bytes", seen.bytes,
				"took", time.Since(began).Round(time.Microsecond).String(), "address", limit.Address(r, trusted))
		}()
		next.ServeHTTP(seen, r)
	})
}

// witness sees what is answered.
type witness struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// told is the status that the client was told.
func (w *witness) told() int {
	if w.status == 0 {
		return http.StatusOK
	}
	return w.status
}

func (w *witness) WriteHeader(status int) {
	if w.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *witness) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// Unwrap, Flush and Hijack let streams and sockets through.
func (w *witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *witness) Flush() { _ = http.NewResponseController(w.ResponseWriter).Flush() }

func (w *witness) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	w.status = http.StatusSwitchingProtocols
	return http.NewResponseController(w.ResponseWriter).Hijack()
}

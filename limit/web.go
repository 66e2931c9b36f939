package limit

import (
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Web is the bounds of a listener. Zero fields mean the defaults, negative ones
// no bound.
type Web struct {
	Header time.Duration // to send a request's header; default 10 s
	Body   time.Duration // to send its body; default one minute
	Idle   time.Duration // between requests; default two minutes
	Write  time.Duration // to read 64 KiB of an answer; default 30 s
	Bytes  int64         // of a body, where its handler takes no less; default 16 MiB

	Connections int // open at once in all; default 10,000
	PerAddress  int // and from one address; default 1,000. Loopback and trusted proxies speak for many, and count in all only
	Trusted     []netip.Prefix
	Notices     *Notices // told of connections that are refused; nil: nobody is
}

// maxHeader is enough for a large token and the cookies of a whole domain.
const maxHeader = 64 << 10

func (w Web) filled() Web {
	w.Header = cmp.Or(w.Header, 10*time.Second)
	w.Body = cmp.Or(w.Body, time.Minute)
	w.Idle = cmp.Or(w.Idle, 2*time.Minute)
	w.Write = cmp.Or(w.Write, 30*time.Second)
	w.Bytes = cmp.Or(w.Bytes, 16<<20)
	w.Connections = cmp.Or(w.Connections, 10_000)
	w.PerAddress = cmp.Or(w.PerAddress, 1000)
	return w
}

// Server is a server with these bounds, but for those of Listener. Answers may
// take as long as they like: streams and calls that wait for a person do.
func (w Web) Server(handler http.Handler) *http.Server {
	w = w.filled()
	return &http.Server{Handler: w.Bodies(handler), ReadHeaderTimeout: w.Header, IdleTimeout: w.Idle, MaxHeaderBytes: maxHeader}
}

// Bodies gives each request's body its time and its size. A client that has not
// sent it by then is cut off, whether the handler reads it or not. The handler
// may take longer, and so may the answer.
func (w Web) Bodies(next http.Handler) http.Handler {
	w = w.filled()
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(rw, r)
			return
		}
		bounded := *r
		control := http.NewResponseController(rw)
		if w.Body > 0 && control.SetReadDeadline(time.Now().Add(w.Body)) == nil { // else there is no connection
			bounded.Body = &body{bounded.Body, control}
		}
		if w.Bytes > 0 {
			bounded.Body = http.MaxBytesReader(rw, bounded.Body, w.Bytes)
		}
		next.ServeHTTP(rw, &bounded)
	})
}

// body lets the connection be read for as long as it lasts once all has come: it
// is read to notice that the client leaves.
type body struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.control.SetReadDeadline(time.Time{}) // the connection is gone, or is not
	}
	return n, err
}

// Listener bounds the connections of a listener.
func (w Web) Listener(l net.Listener) net.Listener {
	w = w.filled()
	return &listener{Listener: l, web: w, held: NewHeld(w.PerAddress, w.Connections)}
}

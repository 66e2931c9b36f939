package browser

import (
	"net"
	"net/http"
	"sync"
)

// ownHosts are reached directly. Chromium's own list is taken away since it holds the local network too.
const ownHosts = "<-loopback>;localhost;*.localhost;127.0.0.0/8;[::1]"

// strangers is the proxy of one person for every other host: it refuses, and reports who was asked for. A proxy sees what
// no page's events show: frames, workers, and what Chromium fetches of its own accord.
type strangers struct {
	address string
	server  *http.Server
	done    sync.WaitGroup
}

// newStrangers starts the proxy; report may be called from any goroutine.
func newStrangers(report func(request string)) (*strangers, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &strangers{address: listener.Addr().String()}
	s.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		report(r.Method + " " + r.RequestURI)
		http.Error(w, "tests have no network", http.StatusBadGateway)
	})}
	s.done.Go(func() { _ = s.server.Serve(listener) })
	return s, nil
}

func (s *strangers) close() {
	s.server.Close()
	s.done.Wait()
}

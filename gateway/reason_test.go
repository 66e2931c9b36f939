package gateway_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/gateway"
	"github.com/parley-hq/parley/mcpclient"
	"github.com/parley-hq/parley/permit"
)

// Who looks after a server that is down reads what is the matter with it.
func TestAServerThatIsDownSaysWhy(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = closed.Close()
	web := func(h http.HandlerFunc) string { return serve(t, h) }
	secure := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(secure.Close)
	for name, c := range map[string]struct {
		server gateway.Server
		want   string // HOST: the server's own
	}{
		"refused":     {gateway.Server{URL: "http://" + closed.Addr().String() + "/mcp?key=secret"}, "HOST refuses connections: no server listens there."},
		"no host":     {gateway.Server{URL: "http://nowhere.invalid/mcp"}, "There is no host with the name of HOST."},
		"certificate": {gateway.Server{URL: secure.URL}, "The certificate of HOST is not valid for it, or not known here."},
		"plain":       {gateway.Server{URL: strings.Replace(web(func(http.ResponseWriter, *http.Request) {}), "http:", "https:", 1)}, "HOST does not speak TLS: is its URL http, not https?"},
		"status":      {gateway.Server{URL: web(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })}, "The server answers with HTTP status 502."},
		"nonsense": {gateway.Server{URL: web(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<p>Hello</p>"))
		})}, "The server answers with what cannot be read."},
		"hangs up":        {gateway.Server{URL: web(func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) })}, "HOST closes the connection before it has answered."},
		"no program":      {gateway.Server{Command: []string{"/no/such/program"}}, "The program of the server is not on this machine."},
		"nothing to run":  {gateway.Server{Command: []string{t.TempDir()}}, "The program of the server may not be run."},
		"program is over": {gateway.Server{Command: []string{"true"}}, "The server cannot be reached just now."},
	} {
		t.Run(name, func(t *testing.T) {
			c.server.Name, c.server.Approve = "s", permit.Never
			h := newHouse(t, catalogue{c.server}, nil)
			status := func() gateway.Status { return h.Status(t.Context(), parley.DefaultTenant, "s", "") }
			eventually(t, "it is down", func() bool {
				_, _ = visit(t, h.url, "alice", modern, nil).ListTools(t.Context(), nil)
				return status().State == gateway.Down
			})
			want := c.want
			if where, err := url.Parse(c.server.URL); err == nil {
				want = strings.ReplaceAll(want, "HOST", where.Host)
			}
			if got := status().Error; got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

func TestAServerThatHangsIsSaidToHang(t *testing.T) {
	for _, err := range []error{context.DeadlineExceeded, fmt.Errorf("%w: %w", mcpclient.ErrUnreachable, &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded})} {
		if got := gateway.DownReason(err, gateway.Server{URL: "https://user:pass@mcp.example:8443/x?key=1"}); got != "mcp.example:8443 does not answer in time." {
			t.Errorf("%q", got)
		}
		if got := gateway.DownReason(err, gateway.Server{Command: []string{"x"}}); got != "The program of the server does not answer in time." {
			t.Errorf("%q", got)
		}
	}
}

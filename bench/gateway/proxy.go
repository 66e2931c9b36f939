package gateway

import (
	"context"
	"flag"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"

	"github.com/parley-hq/parley/bench/kit"
	"github.com/parley-hq/parley/internal/testkit/readfirst"
)

// Proxy is a process between client and servers that looks at nothing:
// what any hop of net/http costs here, to see what the gateway adds to it.
func Proxy(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("gateway-proxy", flag.ContinueOnError)
	servers := flags.String("servers", "", "where the servers are")
	if err := flags.Parse(args); err != nil {
		return err
	}
	where, err := url.Parse(*servers)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(where) }, Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	server := &http.Server{Handler: readfirst.Handler(proxy)}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	return kit.Report("http://" + listener.Addr().String())
}

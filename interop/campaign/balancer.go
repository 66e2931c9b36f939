package main

import (
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"sync/atomic"

	"github.com/parley-hq/parley/internal/testkit/readfirst"
)

// balancer is a plain one: every request goes to the next node, whoever sends it, and
// to the one after it where nobody listens. A connection that breaks behind it breaks
// in front of it.
type balancer struct {
	nodes   []*node
	next    atomic.Int64
	carrier *http.Transport
}

func newBalancer(nodes []*node) http.Handler {
	b := &balancer{nodes: nodes, carrier: &http.Transport{}}
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.Host = "http", r.In.Host },
		Transport:     b,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0), // what breaks is meant to
		ErrorHandler:  func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	return readfirst.Handler(proxy)
}

// RoundTrip implements http.RoundTripper.
func (b *balancer) RoundTrip(r *http.Request) (*http.Response, error) {
	first := int(b.next.Add(1))
	var order []*node
	for i := range b.nodes {
		order = append(order, b.nodes[(first+i)%len(b.nodes)])
	}
	return send(r, b.carrier, order, func(*node) {})
}

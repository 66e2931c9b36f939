package main

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"sync/atomic"
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
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if len(body) > 0 {
			r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		}
		proxy.ServeHTTP(w, r)
	})
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

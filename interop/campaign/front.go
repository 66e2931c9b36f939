package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"syscall"
	"time"
)

// front is before the nodes, as a balancer is: it sends each request to one of
// them, and to another one only where nobody listens.
type front struct {
	nodes []*node

	mu    sync.Mutex
	holds map[string]*node // by key: where the call went last
}

func newFront(nodes []*node) *front { return &front{nodes: nodes, holds: map[string]*node{}} }

// holder is the node that has a call.
func (f *front) holder(key string) *node {
	f.mu.Lock()
	defer f.mu.Unlock()
	if n := f.holds[key]; n != nil {
		return n
	}
	return f.nodes[0]
}

// way is one client's way to the nodes.
type way struct {
	front   *front
	call    *call
	token   string
	carrier *http.Transport

	mu   sync.Mutex
	home int // the node that most of its requests go to
}

func (f *front) way(c *call, token string) *way {
	return &way{front: f, call: c, token: token, carrier: &http.Transport{}, home: c.choose.IntN(len(f.nodes))}
}

// order is in which the nodes are tried for a request: now and then another one
// comes first.
func (w *way) order() []*node {
	w.mu.Lock()
	defer w.mu.Unlock()
	at := w.home
	if w.call.choose.IntN(4) == 0 {
		at++
	}
	var all []*node
	for i := range w.front.nodes {
		all = append(all, w.front.nodes[(at+i)%len(w.front.nodes)])
	}
	return all
}

// RoundTrip implements http.RoundTripper. While nobody listens anywhere it waits.
func (w *way) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host = "" // that of the node
	r.Header.Set("Authorization", "Bearer "+w.token)
	for {
		answer, err := send(r, w.carrier, w.order(), func(n *node) {
			if r.Method == http.MethodPost {
				w.front.mu.Lock()
				w.front.holds[w.call.key] = n
				w.front.mu.Unlock()
			}
		})
		if err == nil || !unheard(err) {
			return answer, err
		}
		select {
		case <-r.Context().Done():
			return nil, context.Cause(r.Context())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// send sends a request to the first node that listens, which is told before.
func send(r *http.Request, carrier http.RoundTripper, order []*node, to func(*node)) (answer *http.Response, err error) {
	for _, n := range order {
		once := r.Clone(r.Context())
		if r.GetBody != nil {
			if once.Body, err = r.GetBody(); err != nil {
				return nil, err
			}
		}
		once.URL.Host = n.address
		to(n)
		if answer, err = carrier.RoundTrip(once); err == nil || !unheard(err) {
			return answer, err
		}
	}
	return nil, err
}

// unheard reports whether a request reached nobody.
func unheard(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial" || errors.Is(err, syscall.ECONNREFUSED)
}

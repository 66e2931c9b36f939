package mcptool

import (
	"context"
	"errors"
	"net/http"
	"syscall"
	"time"
)

// A node that is killed keeps its lease for some seconds. Who needs to know
// sooner asks it: a handler answers a request with the header askNode with its
// node's id.
const (
	askNode    = "Parley-Probe"
	tellNode   = "Parley-Node"
	probeTime  = 500 * time.Millisecond
	probeValid = time.Second
)

// IsProbe reports whether a request is another node's look whether this one is
// there. It carries no token and is told the node's name.
func IsProbe(r *http.Request) bool { return r.Header.Get(askNode) != "" }

// answerProbe reports whether the request was a probe, and answers it.
func (n *node) answerProbe(w http.ResponseWriter, r *http.Request) bool {
	if r.Header.Get(askNode) == "" {
		return false
	}
	w.Header().Set(tellNode, n.id)
	w.WriteHeader(http.StatusNoContent)
	return true
}

// dead reports whether a node has certainly ended: its lease is over, nothing
// listens where it was, or another node does. In doubt it is alive.
func (n *node) dead(ctx context.Context, id string) (bool, error) {
	url, alive, err := n.find(ctx, id)
	if err != nil || !alive {
		return err == nil, err
	}
	if url == "" || id == n.id {
		return false, nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return false, nil
	}
	req.Header.Set(askNode, id)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return n.buried(id, errors.Is(err, syscall.ECONNREFUSED)), nil
	}
	resp.Body.Close()
	answered := resp.Header.Get(tellNode)
	return n.buried(id, answered != "" && answered != id), nil
}

// buried remembers a dead node as such.
func (n *node) buried(id string, dead bool) bool {
	if dead {
		n.remember(id, foundNode{until: time.Now().Add(probeValid)})
	}
	return dead
}

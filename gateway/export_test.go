package gateway

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/parley-hq/parley/mcpcall"
	"github.com/parley-hq/parley/mcpclient"
)

// Backoff is how long a server is left alone after so many failures.
var Backoff = mcpcall.Backoff

// SetPatience makes the shortcut wait no longer than d.
func (g *Gateway) SetPatience(d time.Duration) { g.patience = d }

// PublicReason is what people are told of an error.
var PublicReason = mcpcall.Reason

// DownReason is what those who look after a server are told of an error.
var DownReason = downReason

// CacheSize is how many bytes are kept of what servers offer, and of how many
// lists.
func (g *Gateway) CacheSize() (bytes, lists int) { return g.toolCache.Size() }

// WithdrawLost looks once for questions of calls that ended with their nodes.
func (g *Gateway) WithdrawLost(ctx context.Context) { _ = g.withdrawLost(ctx) }

// Told is how many messages of so many bytes wait to be passed on, of a server that
// says n which nobody reads.
func Told(n, size int) int {
	l := &conn{told: make(chan mcpclient.Message, maxTold)}
	for range n {
		l.heard(mcpclient.Message{Method: logMethod, Params: make([]byte, size)})
	}
	return len(l.told)
}

// HeardOf are the kinds of lists that a connection knows to have changed, after n other
// messages that nobody reads.
func HeardOf(n int, kinds ...string) []string {
	l := &conn{told: make(chan mcpclient.Message, maxTold), stirred: make(chan struct{}, 1)}
	for range n {
		l.heard(mcpclient.Message{Method: logMethod})
	}
	for _, kind := range kinds {
		l.heard(mcpclient.Message{Method: "notifications/" + kind + "/list_changed"})
	}
	return slices.Sorted(maps.Keys(l.changes()))
}

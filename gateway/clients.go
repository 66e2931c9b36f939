package gateway

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// clients are what the sessions of clients up to 2025-11-25 have asked for.
type clients struct {
	mu     sync.Mutex
	levels map[string]string // of log messages, by session

	subscribed map[string]map[string]*subscription // by session and URI
	streams    map[*mcp.ServerSession]*stream      // of 2026-07-28, by their requests
}

func (c *clients) setLevel(session, level string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.levels == nil {
		c.levels = map[string]string{}
	}
	c.levels[session] = level
}

func (c *clients) level(session string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.levels[session]
}

// ended forgets a session.
func (g *Gateway) ended(session string) {
	g.clients.forget(session)
	g.calls.Conns.EndSession(session)
}

// Package mcphttp serves MCP over HTTP: clients of both protocol eras on one URL,
// sessions that any node may be asked for, streams that no proxy takes for dead.
//
//	http.Handle("/mcp", mcphttp.New(asker, server, nil))
//
// The nouns:
//
//   - Handler: one server, as clients see it. What its tools ask is the asker's.
//   - Session: what a client up to 2025-11-25 has. It lives on one node, which its id
//     names; every other node forwards to it.
//   - Peers: the nodes that share a store, and how they tell each other who sent what
//     they forward.
//   - Shortcut: who may answer a message before the SDK reads it.
//
// All of it is safe for concurrent use.
package mcphttp

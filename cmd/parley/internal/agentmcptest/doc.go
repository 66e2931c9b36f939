// Package agentmcptest tests agentmcp with the server that wires it: agents of a
// configuration, with their servers, approvals and delegates. It has no code of
// its own.
package agentmcptest

package config

import (
	"reflect"

	"github.com/parley-hq/parley/vault"
)

// remoteProblems is what is wrong with an agent that is elsewhere.
func (c *Config) remoteProblems(name string, a Agent, bad func(string, ...any)) {
	if a.Model != "" || a.Instructions != "" || len(a.Servers) > 0 || len(a.Delegates) > 0 || a.Input != nil || a.Steps != 0 || a.History != 0 {
		bad("agents.%s: it is elsewhere, where its model, instructions, input, servers, delegates, steps and history are its own: leave them out here", name)
	}
	if _, taken := c.Servers[name]; taken {
		bad("agents.%s: there is a server of that name, and credentials are kept by name: call one of them something else", name)
	}
	vaultProblems("agents."+name, "server", name, reflect.TypeFor[Agent](), a.Vault(name).Validate(), bad)
	if a.Auth.Type == vault.MCP {
		bad("agents.%s.auth.type: %s", name, vault.MCPIsNotForAgents)
	}
	c.credentialProblems("agents."+name, a.Auth, bad)
}

// Guarded reports whether a remote agent takes a credential.
func (a Agent) Guarded() bool { return a.Auth.Type != "" && a.Auth.Type != vault.None }

// Vault is a remote agent as the vault knows it: a server, by whose name credentials are
// kept.
func (a Agent) Vault(name string) vault.Server {
	return vault.Server{Name: name, Title: a.Title, URL: a.A2A, Protocol: vault.A2A, Auth: a.Auth}
}

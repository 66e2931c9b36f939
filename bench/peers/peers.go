// Package peers starts the systems of others that are measured beside Parley: servers
// whose tool asks a person, and gateways. To add one, write how it is started; it is
// called, and its question is answered, over MCP by the client of all others.
//
//	{Peer{"their-server 1.2", []string{kit.LegacyEra}, installed}, func(ctx context.Context) (*kit.Subject, error) {
//		return kit.StartReporting(ctx, "their-server 1.2", "their-program")
//	}}
//
// A server has the tool "ask", without arguments: it asks for the form {confirmed: boolean}
// and returns {"status": "accept", "confirmed": true} as structured content. A gateway is
// put before two servers, one of each protocol version.
package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parley-hq/parley/bench/kit"
)

// Peer is what is known of a system before it is started.
type Peer struct {
	Name  string                      // with its version
	Eras  []string                    // the protocol versions that it serves
	Ready func(context.Context) error // installs it, or says why it does not run here
}

func (p Peer) peer() Peer { return p }

// Server has a tool that asks.
type Server struct {
	Peer
	Start func(context.Context) (*kit.Subject, error)
}

// Gateway is put before the servers at an address: one of each era at /ERA below it.
type Gateway struct {
	Peer
	Servers []string // the eras of servers that it is put before
	// Start returns it with the address for clients, at which it offers the server of an
	// era, whichever else it does.
	Start func(ctx context.Context, servers, era string) (*kit.Subject, error)
	Tool  func(tool string) string // what it calls a tool
}

// Absent is a peer that is not measured, and why.
type Absent struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// Choose returns the named ones, all or none, without those that do not run here.
func Choose[P interface{ peer() Peer }](ctx context.Context, all []P, names []string) (chosen []P, absent []Absent, err error) {
	for _, name := range names {
		known := name == "all" || name == "none" || slices.ContainsFunc(all, func(p P) bool { return strings.HasPrefix(p.peer().Name, name) })
		if !known {
			return nil, nil, fmt.Errorf("there is no peer %q", name)
		}
	}
	for _, one := range all {
		p := one.peer()
		if !slices.Contains(names, "all") && !slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(p.Name, n) }) {
			continue
		}
		if err := p.Ready(ctx); err != nil {
			kit.Progress("%s is left out: %v\n", p.Name, err)
			absent = append(absent, Absent{p.Name, err.Error()})
			continue
		}
		chosen = append(chosen, one)
	}
	return chosen, absent, ctx.Err()
}

// Unavailable are peers that this has no program for, because they could not be tried.
func Unavailable() []Absent {
	return []Absent{
		{"Docker MCP gateway 0.28.0", "it builds, and ends without a Docker daemon"},
		{"FrontMCP 1.5.2", "npm answered 404 for frontmcp and @frontmcp/sdk when it was tried"},
		{"Kuadrant mcp-gateway, ToolHive, Bifrost", "the Go proxy answered 403 for their lists of versions; no version was tried by its number"},
		{"mcp-hub 4.2.1", "it installs; clients reach it by HTTP+SSE only, the transport of 2024-11-05, and in two tries it answered the first of them with errors"},
		{"npm mcp-proxy 6.7.19, supergateway 4.0.0", "they install; by their descriptions they put HTTP before a server on stdio, which is another measure, so they were not started"},
	}
}

// inNPM says whether a package of a folder with a package.json is installed.
func inNPM(folder, name string) func(context.Context) error {
	return func(ctx context.Context) error {
		if _, err := exec.LookPath("node"); err != nil {
			return errors.New("there is no Node here")
		}
		dir, err := below(ctx, folder)
		if err != nil {
			return err
		}
		if _, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(name), "package.json")); err != nil {
			return fmt.Errorf("run npm ci in %s", folder)
		}
		return nil
	}
}

// below is a folder of this tree.
func below(ctx context.Context, folder string) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("where is the module: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), filepath.FromSlash(folder)), nil
}

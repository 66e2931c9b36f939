package peers

import (
	"context"
	"path/filepath"

	"github.com/parley-hq/parley/bench/kit"
)

// Servers are those of others whose tool asks.
func Servers() []Server {
	both := []string{kit.LegacyEra, kit.ModernEra}
	return []Server{
		typescript("typescript-sdk 1.32.2", "@modelcontextprotocol/sdk", "asks1.mjs", []string{kit.LegacyEra}),
		typescript("typescript-server 2.4.0", "@modelcontextprotocol/server", "asks2.mjs", both),
	}
}

// typescript is a program of interop/npm.
func typescript(name, uses, script string, eras []string) Server {
	const folder = "interop/npm"
	return Server{Peer{name, eras, inNPM(folder, uses)}, func(ctx context.Context) (*kit.Subject, error) {
		dir, err := below(ctx, folder)
		if err != nil {
			return nil, err
		}
		return kit.StartReporting(ctx, name, "node", "--expose-gc", filepath.Join(dir, script))
	}}
}

package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/parley-hq/parley/bench/kit"
)

// Gateways are those of others.
func Gateways() []Gateway {
	legacy := []string{kit.LegacyEra}
	program := goProgram{"github.com/TBXark/mcp-proxy", "v0.43.2"}
	return []Gateway{
		{
			Peer: Peer{"TBXark mcp-proxy 0.43.2", legacy, program.build}, Servers: legacy,
			Start: func(ctx context.Context, servers, era string) (*kit.Subject, error) {
				address, err := kit.FreeAddress()
				if err != nil {
					return nil, err
				}
				path, err := program.path()
				if err != nil {
					return nil, err
				}
				file, err := config("mcp-proxy", map[string]any{
					"mcpProxy": map[string]any{
						"baseURL": "http://" + address, "addr": address, "name": "proxy", "version": "1", "type": "streamable-http",
						"options": map[string]any{"logEnabled": false},
					},
					"mcpServers": map[string]any{"cases": map[string]any{"transportType": "streamable-http", "url": servers + "/" + era}},
				})
				if err != nil {
					return nil, err
				}
				return kit.StartOutsider(ctx, "TBXark mcp-proxy 0.43.2", "http://"+address+"/cases/mcp", path, "-config", file)
			},
			Tool: func(tool string) string { return tool },
		},
	}
}

// config is a file for a program of others, which the system deletes with all that is
// temporary.
func config(name string, content any) (string, error) {
	raw, err := json.Marshal(content)
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "parley-peers-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name+".json")
	return path, os.WriteFile(path, raw, 0o600)
}

// goProgram is a program whose source is in a Go module of this name and version.
type goProgram struct{ module, version string }

// path is where it is, once it is built.
func (g goProgram) path() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "parley-bench", filepath.Base(g.module)+"@"+g.version), err
}

// build downloads and builds it, once. go install would ask for the list of all versions,
// too, which not every proxy has.
func (g goProgram) build(ctx context.Context) error {
	to, err := g.path()
	if err != nil {
		return err
	}
	if _, err := os.Stat(to); err == nil {
		return nil
	}
	kit.Progress("building %s@%s", g.module, g.version)
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", g.module+"@"+g.version)
	said, err := download.Output()
	var at struct{ Dir, Error string }
	if json.Unmarshal(said, &at) != nil || at.Dir == "" {
		return fmt.Errorf("downloading %s@%s: %v %s", g.module, g.version, err, at.Error)
	}
	dir, err := os.MkdirTemp("", "parley-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(at.Dir)); err != nil {
		return err
	}
	build := exec.CommandContext(ctx, "go", "build", "-mod=mod", "-o", to, ".")
	build.Dir = dir
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("building %s@%s: %w: %s", g.module, g.version, err, said[max(0, len(said)-300):])
	}
	return nil
}

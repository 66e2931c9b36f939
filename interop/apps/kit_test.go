package apps_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/interop/kit"
)

// world is what all tests share: servers that ask, a gateway before them, a host of
// apps on either bridge, and a browser.
type world struct {
	t        *testing.T
	upstream string // where the servers are
	chromium *browser.Browser
	host     *kit.AppHost
	site     string // the gateway, for people
	reached  string // the same, for the host's pages
}

// newWorld starts everything.
func newWorld(t *testing.T) *world {
	t.Helper()
	kit.NeedNode(t)
	w := &world{t: t, chromium: browser.Start(t), host: kit.StartAppHost(t), upstream: startUpstream(t)}
	address := kit.FreeAddresses(t, 1)[0]
	w.site = w.serve(t, []string{kit.BuildParley(t), "serve"}, address, "http://"+address, "memory:").Url
	w.reached = w.host.Reach("parley", func() string { return w.site })
	return w
}

// serve starts a node with a gateway, until the test ends.
func (w *world) serve(t *testing.T, program []string, address, public, store string) *kit.Node {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	configuration := fmt.Sprintf(`
listen: %q
public_url: %q
store: %q
dev: true
secrets: [%q]
servers:
  old: {url: "%[5]s/legacy/mcp", approve: never}
  new: {url: "%[5]s/modern/mcp", approve: never}
  gated: {url: "%[5]s/modern/mcp", approve: always}
gateway: {}
`, address, public, store, kit.Secret, w.upstream)
	if err := os.WriteFile(file, []byte(configuration), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(program[0], append(program[1:], "-c", file)...), Ended: make(chan struct{})}
	n.Run(t)
	return n
}

// startUpstream runs the servers that ask, of both eras, until the test ends.
func startUpstream(t *testing.T) string {
	t.Helper()
	var said kit.Output
	cmd := exec.Command(kit.Build(t, "./upstream"))
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		killer := time.AfterFunc(kit.Patience, func() { _ = cmd.Process.Kill() })
		defer killer.Stop()
		if err := cmd.Wait(); err != nil {
			t.Errorf("the servers: %v\n%s", err, said.String())
		}
	})
	return strings.TrimPrefix(said.Line(t, "listening on "), "listening on ")
}

// chat begins a conversation of somebody's with the gateway.
func (w *world) chat(t *testing.T, bridge, person string, options kit.AppOptions) *kit.AppChat {
	t.Helper()
	if options.URL == "" {
		options.URL = w.reached + "/mcp"
	}
	options.Token = "dev-user:" + person
	return w.host.Chat(t, w.chromium, bridge, options)
}

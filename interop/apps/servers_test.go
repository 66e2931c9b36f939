package apps_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/interop/kit"
)

// eras are the revisions that hosts speak.
var eras = []string{"2025-11-25", "2026-07-28"}

// newServers is a world whose gateway has public example servers of MCP Apps, and three
// of one source that have the same URI for their user interfaces. What the button of
// the third does needs an approval.
func newServers(t *testing.T) *world {
	t.Helper()
	kit.NeedNode(t)
	w := &world{chromium: browser.Start(t), host: kit.StartAppHost(t)}
	dir, err := filepath.Abs("npm")
	if err != nil {
		t.Fatal(err)
	}
	public := func(name string) string {
		return fmt.Sprintf("[node, %q, --stdio]", filepath.Join(dir, "node_modules/@modelcontextprotocol", name, "dist/index.js"))
	}
	address := kit.FreeAddresses(t, 1)[0]
	configuration := fmt.Sprintf(`
listen: %[1]q
public_url: "http://%[1]s"
store: "memory:"
dev: true
secrets: [%[2]q]
servers:
  clock: {command: %[3]s, approve: never}
  monitor: {command: %[4]s, approve: never}
  alpha: {url: %[5]q, approve: never}
  beta: {url: %[6]q, approve: never}
  gated: {url: %[7]q, approve: never}
rules:
  - {name: a button, server: gated, tool: press_gated, approve: always}
gateway: {}
`, address, kit.Secret, public("server-basic-vanillajs"), public("server-system-monitor"), startDrawing(t, "alpha"), startDrawing(t, "beta"), startDrawing(t, "gated"))
	file := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(file, []byte(configuration), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(kit.BuildParley(t), "serve", "-c", file), Ended: make(chan struct{})}
	n.Run(t)
	w.site = n.Url
	w.reached = w.host.Reach("parley", func() string { return w.site })
	return w
}

// endpoint is the path of all servers, or of one, and what tools of that one are called
// there.
type endpoint struct{ path, front string }

func endpointsOf(server string) []endpoint {
	return []endpoint{{"/mcp", server + "__"}, {"/mcp/servers/" + server, ""}}
}

// visits runs a test for each era and endpoint of a server.
func (w *world) visits(t *testing.T, server string, run func(t *testing.T, c *kit.AppChat, at endpoint)) {
	t.Helper()
	for _, era := range eras {
		for _, at := range endpointsOf(server) {
			t.Run(server+" "+era+" "+at.path, func(t *testing.T) {
				run(t, w.chat(t, way{bridge: "2.0.4", era: era}, "alice", kit.AppOptions{URL: w.reached + at.path}).AppChat, at)
			})
		}
	}
}

// show has the model call a tool that has a user interface, once its server lists it:
// programs take a while to start.
func show(t *testing.T, c *kit.AppChat, tool string) kit.AppHeard {
	t.Helper()
	kit.Eventually(t, tool+" is listed", func() bool {
		var names []string
		c.Eval("host.list().then((all) => all.map((t) => t.name))", &names)
		return slices.Contains(names, tool)
	})
	return c.Call(tool, kit.Fields{})
}

// made waits until apps made so many calls that ended, of one tool, and returns the last.
func made(t *testing.T, c *kit.AppChat, tool string, many int) (last kit.AppCall) {
	t.Helper()
	kit.Eventually(t, fmt.Sprintf("an app calls %s, %d times", tool, many), func() bool {
		all := slices.DeleteFunc(c.Calls(), func(a kit.AppCall) bool { return a.Tool != tool || a.Result == nil && a.Failed == "" })
		if len(all) < many {
			return false
		}
		last = all[len(all)-1]
		return true
	})
	return last
}

// forModels are the tools that the host does not keep from the model.
func forModels(c *kit.AppChat) (names []string) {
	c.Eval(`[...host.tools.values()].filter((t) => t._meta?.ui?.visibility?.includes("model") ?? true).map((t) => t.name)`, &names)
	return names
}

func TestServersAppsWorkThroughTheGateway(t *testing.T) {
	w := newServers(t)
	w.visits(t, "clock", func(t *testing.T, c *kit.AppChat, at endpoint) {
		heard := show(t, c, at.front+"get-time")
		app := c.App(0)
		app.WaitFor(heard.Text) // the app shows what the model got
		app.Click("Get Server Time")
		if call := made(t, c, "get-time", 1); call.Failed != "" {
			t.Fatalf("the button failed: %s", call.Failed)
		}
		kit.Eventually(t, "the app shows another time", func() bool {
			shown := app.Text("#server-time")
			return strings.HasPrefix(shown, "20") && shown != heard.Text
		})
	})
	w.visits(t, "monitor", func(t *testing.T, c *kit.AppChat, at endpoint) {
		show(t, c, at.front+"get-system-info")
		if tools := forModels(c); slices.Contains(tools, at.front+"poll-system-stats") || !slices.Contains(tools, at.front+"get-system-info") {
			t.Errorf("models see %q", tools)
		}
		app := c.App(0)
		kit.Eventually(t, "the app shows the host", func() bool { return app.Text("#info-hostname") != "--" })
		if app.Text("#poll-toggle-btn") == "Start" {
			app.Click("Start")
		}
		if call := made(t, c, "poll-system-stats", 2); call.Failed != "" {
			t.Fatalf("the poll failed: %s", call.Failed)
		}
		kit.Eventually(t, "the app shows the memory", func() bool { return !strings.HasPrefix(app.Text("#memory-percent"), "--") })
		app.Click("Stop")
	})
	serversWithOneURI(t, w)
	serversGate(t, w)
}

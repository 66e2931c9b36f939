package inspector_test

import (
	"encoding/json"
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

// inspector is a running MCP Inspector, which knows the site by eight names: by both
// eras, as a host that can ask and three times as one that cannot.
type inspector struct{ url, token string }

func startInspector(t *testing.T, s site) inspector {
	t.Helper()
	servers := map[string]any{}
	for name, url := range map[string]string{"card ": s.mute, "page ": s.mute, "nobody ": s.mute, "asks ": s.url} {
		for version, era := range eras {
			servers[name+version] = map[string]any{
				"type": "http", "url": url + "/mcp", "protocolEra": era, "headers": map[string]string{"Authorization": "Bearer " + bearer(person(name+version))},
			}
		}
	}
	dir := t.TempDir()
	catalog, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "catalog.json"), catalog, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	addresses, token := kit.FreeAddresses(t, 2), "a-token-for-tests"
	port := func(address string) string { return strings.TrimPrefix(address, "127.0.0.1:") }
	var wrote kit.Output
	cmd := exec.Command(kit.SuiteNode(t), "npm/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
		"--web", "--catalog", filepath.Join(dir, "catalog.json"))
	cmd.Env = append(os.Environ(), "HOST=127.0.0.1", "CLIENT_PORT="+port(addresses[0]), "MCP_SANDBOX_PORT="+port(addresses[1]), "MCP_AUTO_OPEN_ENABLED=false",
		"MCP_INSPECTOR_API_TOKEN="+token, "MCP_INSPECTOR_SECRET_STORE=memory", "HOME="+dir)
	cmd.Stdout, cmd.Stderr = &wrote, &wrote
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		killer := time.AfterFunc(kit.Patience, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it ends by the signal
		killer.Stop()
		if t.Failed() {
			t.Logf("the Inspector wrote:\n%s", wrote.String())
		}
	})
	for deadline := time.Now().Add(3 * kit.Patience); !strings.Contains(wrote.String(), "MCP Inspector Web is up"); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the Inspector does not start")
		}
	}
	return inspector{"http://" + addresses[0], token}
}

// view has room for a whole card.
var view = browser.View{Height: 850}

// host is a person at an Inspector that is connected.
type host struct {
	*browser.Person
	shows bool // an app
}

func (i inspector) connect(t *testing.T, chromium *browser.Browser, server string) *host {
	t.Helper()
	h := &host{Person: chromium.Person(t)}
	h.Patience = 3 * kit.Patience // one that is slow to start is no failure of the card
	h.Emulate(view)
	h.Expect("fonts.googleapis.com") // its letters are there
	h.Open(i.url + "/?MCP_INSPECTOR_API_TOKEN=" + i.token)
	h.WaitFor(server)
	h.push(`Connect or disconnect "` + server + `"`)
	h.WaitFor("[data-testid=connection-status][data-status=connected]")
	h.push("Close monitoring sidebar")
	return h
}

// push pushes a button of the Inspector's that a mouse does not reach, or should not stay at.
func (h *host) push(label string) {
	name, _ := json.Marshal(label)
	h.Eval(`[...document.querySelectorAll("[aria-label]")].find((e) => e.getAttribute("aria-label") === `+string(name)+`)?.click()`, nil)
}

// show has the Inspector call showQuestion and draw its app, which it returns.
func (h *host) show(question string) card {
	if h.shows {
		h.Click("Back to Input")
	} else {
		h.Click("Apps")
		h.Click("Show a question")
	}
	h.shows = true
	h.Fill("elicitId", question)
	h.Click("[data-testid=open-app]")
	h.WaitFor("[data-testid=apps-form][data-app-status=ready]")
	return card{h.Frame("iframe")}
}

// card is our app.
type card struct{ *browser.Window }

// press presses a button once it is armed: it must have been on the screen for a second.
func (c card) press(id string) {
	c.armed(id)
	c.Click("#" + id)
}

// armed waits for that. Before it Chromium may drop clicks: the frame has moved just now.
func (c card) armed(id string) {
	c.WaitFor("#" + id)
	c.Eval("document.getElementById(`"+id+"`).scrollIntoView()", nil)
	c.WaitFor("#" + id + ":not([aria-disabled=true])")
}

// lacks fails the test if the card has an element.
func (c card) lacks(t *testing.T, css string) {
	t.Helper()
	var has bool
	if c.Eval("document.querySelector(`"+css+"`) !== null", &has); has {
		t.Errorf("the card has %s: %s", css, c.Text("[lang], main"))
	}
}

package newcomer_test

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// clientServer is a server in the configuration of an MCP client.
type clientServer struct {
	URL     string
	Headers map[string]string
	Command string
	Args    []string
	Env     map[string]string
}

// tokenPlace is where clients put in a token: a variable, or its beginning.
var tokenPlace = regexp.MustCompile(`\$\{(env:PARLEY_TOKEN|PARLEY_TOKEN|input:parley-token)\}|eyJhbGciOi…|\$PARLEY_TOKEN`)

// filled is a setting with what the client, or its user, puts in.
func (d *desk) filled(text string) string {
	text = strings.NewReplacer("${workspaceFolder}", d.dir, "/home/ann", d.dir, "/usr/local/bin/parley", "parley").Replace(d.here(text))
	return tokenPlace.ReplaceAllString(text, tokenOf("alice"))
}

// clients reaches every server of a client's configuration.
func (d *desk) clients(t *testing.T, b block) {
	var config struct{ MCPServers, Servers map[string]clientServer }
	if err := json.Unmarshal([]byte(b.text), &config); err != nil {
		t.Fatal(err)
	}
	if len(config.MCPServers)+len(config.Servers) == 0 {
		t.Fatal("no servers")
	}
	for _, all := range []map[string]clientServer{config.MCPServers, config.Servers} {
		for name, server := range all {
			t.Run(name, func(t *testing.T) { d.reach(t, server) })
		}
	}
}

func (d *desk) reach(t *testing.T, server clientServer) {
	if server.URL != "" {
		headers := http.Header{}
		for name, value := range server.Headers {
			headers.Set(name, d.filled(value))
		}
		d.listsOver(t, &mcp.StreamableClientTransport{Endpoint: d.filled(server.URL), HTTPClient: &http.Client{Transport: withHeaders(headers)}}, server.URL, &output{})
		return
	}
	d.ownConfiguration(t)
	args := []string{"-c", `exec "$0" "$@"`, d.filled(server.Command)}
	for _, arg := range server.Args {
		args = append(args, d.filled(arg))
	}
	cmd := exec.CommandContext(t.Context(), "bash", args...)
	for name, value := range server.Env {
		cmd.Env = append(cmd.Env, name+"="+d.filled(value))
	}
	d.lists(t, cmd)
}

// ownConfiguration is the parley.yaml of somebody who runs all of it themselves.
func (d *desk) ownConfiguration(t *testing.T) {
	t.Helper()
	config := "dev: true\nlisten: \"" + freeAddress(t) + "\"\nstore: \"memory:\"\nservers: {accounts: {url: \"http://" + d.tools + "/mcp\", approve: never}}\ngateway: {}\n"
	if err := os.WriteFile(filepath.Join(d.dir, "parley.yaml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
}

// claude does what `claude mcp add` does, which is not at hand: it reads the
// flags in their order, and reaches the server that they describe.
func (d *desk) claude(t *testing.T, b block) {
	for line := range strings.Lines(b.text) {
		line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
		words := strings.Fields(strings.ReplaceAll(line, `"`, ""))
		if len(words) < 4 || !slices.Equal(words[:3], []string{"claude", "mcp", "add"}) {
			t.Errorf("%q adds no server", line)
			continue
		}
		server := readClaude(words[3:])
		if server.URL != "" && server.Headers == nil {
			server.Headers = map[string]string{"Authorization": "Bearer $PARLEY_TOKEN"} // it signs in by OAuth
		}
		t.Run(line, func(t *testing.T) { d.reach(t, server) })
	}
}

func readClaude(words []string) (server clientServer) {
	var names []string
	for i := 0; i < len(words); i++ {
		switch words[i] {
		case "--transport":
			i++
		case "--env":
			i++
			name, value, _ := strings.Cut(words[i], "=")
			server.Env = map[string]string{name: value}
		case "--header": // takes everything behind it
			name, value, _ := strings.Cut(strings.Join(words[i+1:], " "), ": ")
			server.Headers = map[string]string{name: value}
			i = len(words)
		case "--":
			server.Command, server.Args = words[i+1], words[i+2:]
			return server
		default:
			names = append(names, words[i])
		}
	}
	server.URL = names[len(names)-1]
	return server
}

type withHeaders http.Header

func (w withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	for name, values := range w {
		r.Header[name] = values
	}
	return http.DefaultTransport.RoundTrip(r)
}

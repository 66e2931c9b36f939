package main_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parley-hq/parley/internal/testkit/shared"
)

// program builds parley.
func program(t *testing.T) string {
	t.Helper()
	parley, err := shared.Program(t.Context(), t.TempDir(), "cmd/parley")
	if err != nil {
		t.Fatal(err)
	}
	return parley
}

// shop is an MCP server that counts what it carried out.
type shop struct {
	url  string
	done atomic.Int64
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{}
	server := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	server.AddTool(&mcp.Tool{Name: "buy", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			s.done.Add(1)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("bought %s", r.Params.Arguments)}}}, nil
		})
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	s.url = web.URL
	return s
}

const (
	mcpKey = "a key for tokens, thirty-two bytes or more"
	sealed = "a secret for tests, thirty-two bytes or more"
)

// freeAddress returns an address on which nobody listens, of a port that no system
// gives to those who do not ask for one: theirs could be taken before it is used,
// or between two uses.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 1000 {
		if l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 20000+rand.IntN(12000))); err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no port is free")
	return ""
}

// configure writes a configuration for the shop and returns the file and where
// its server listens.
func (s *shop) configure(t *testing.T, dev bool) (file, address string) {
	t.Helper()
	address = freeAddress(t)
	file = filepath.Join(t.TempDir(), "parley.yaml")
	text := fmt.Sprintf(`
listen: %q
store: "memory:"
dev: %t
secrets: [%q]
auth:
  jwt: {issuer: "https://app.example", audience: parley, hmac_key: %q}
`, address, dev, sealed, mcpKey)
	if !dev {
		text += fmt.Sprintf("  verifier: {url: \"https://app.example/who\", key: %q}\n", sealed)
	}
	text += fmt.Sprintf("servers: {shop: {url: %q, approve: always}}\ngateway: {}\n", s.url)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file, address
}

func personsToken(t *testing.T, key string) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: []byte(key)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := jwt.Signed(signer).Claims(jwt.Claims{
		Issuer: "https://app.example", Audience: jwt.Audience{"parley"}, Subject: "alice", Expiry: jwt.NewNumericDate(time.Now().Add(time.Hour)),
	}).Serialize()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// serving runs `parley serve` until the test ends.
func serving(t *testing.T, parley, file, address string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(parley, "serve", "-c", file)
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := <-ended; err != nil {
			t.Errorf("parley serve: %v\n%s", err, said.String())
		}
	})
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		if answer, err := client.Get("http://" + address + "/readyz"); err == nil {
			answer.Body.Close()
			return
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("parley serve ended: %v\n%s", err, said.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// overStdio makes a call that needs an approval, by a client that starts the
// program, and returns what the person was asked and what the call said.
func overStdio(t *testing.T, era, decision string, cmd *exec.Cmd) (asked []string, said string, err error) {
	t.Helper()
	var mu sync.Mutex
	client := mcp.NewClient(&mcp.Implementation{Name: "editor", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			mu.Lock()
			defer mu.Unlock()
			asked = append(asked, r.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"decision": decision}}, nil
		},
	})
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd, TerminateDuration: time.Minute}, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err != nil {
		return nil, "", fmt.Errorf("%w\n%s", err, stderr.String())
	}
	defer func() {
		if closed := session.Close(); closed != nil {
			t.Errorf("it did not end well: %v\n%s", closed, stderr.String())
		}
	}()
	if got := session.InitializeResult().ProtocolVersion; got != era {
		t.Errorf("they agreed on %s, not %s", got, era)
	}
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 2 || list.Tools[0].Name != "shop__buy" || list.Tools[1].Name != "waitForElicitationResult" { // it opens no URLs
		t.Errorf("tools/list: %+v, %v", list, err)
	}
	result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "shop__buy", Arguments: map[string]any{"n": 1}})
	if err != nil {
		return asked, "", err
	}
	for _, c := range result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			said += text.Text
		}
	}
	return asked, said, nil
}

func TestMCPOverStandardInputAndOutput(t *testing.T) {
	parley, s := program(t), newShop(t)
	remote, address := s.configure(t, false)
	serving(t, parley, remote, address)
	local, _ := s.configure(t, true)
	ways := map[string]func() *exec.Cmd{
		"a server of its own": func() *exec.Cmd { return exec.Command(parley, "mcp", "-c", local, "--user", "alice") },
		"a server elsewhere": func() *exec.Cmd {
			cmd := exec.Command(parley, "mcp", "--url", "http://"+address+"/mcp")
			cmd.Env = append(os.Environ(), "PARLEY_TOKEN="+personsToken(t, mcpKey))
			return cmd
		},
	}
	development, at := s.configure(t, true)
	serving(t, parley, development, at)
	ways["a server for development elsewhere"] = func() *exec.Cmd {
		return exec.Command(parley, "mcp", "--url", "http://"+at+"/mcp", "--user", "alice")
	}
	for way, command := range ways {
		for _, era := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(way+" "+era, func(t *testing.T) {
				for _, decision := range []string{"allow_once", "deny"} { // in this order: a refusal is remembered
					before, want := s.done.Load(), map[string]int64{"allow_once": 1}[decision]
					asked, said, err := overStdio(t, era, decision, command())
					if len(asked) != 1 || !strings.Contains(asked[0], "Allow this call?") {
						t.Errorf("%s: asked %q, and then %q, %v", decision, asked, said, err)
					}
					if got := s.done.Load() - before; got != want || (want == 1) != (said == `bought {"n":1}`) {
						t.Errorf("%s: %q, %v; %d carried out", decision, said, err, got)
					}
				}
			})
		}
	}
}

// An approval is somebody's. Up to 2025-11-25 that can be whoever sits at the
// other end of the session; without sessions there is nobody.
func TestNobodyInParticularApprovesOnlyInASession(t *testing.T) {
	parley, s := program(t), newShop(t)
	file, _ := s.configure(t, true)
	for era, want := range map[string]int64{"2025-11-25": 1, "2026-07-28": 0} {
		before := s.done.Load()
		asked, said, err := overStdio(t, era, "allow_once", exec.Command(parley, "mcp", "-c", file))
		if got := s.done.Load() - before; got != want || len(asked) != int(want) || (err == nil) != (want == 1) {
			t.Errorf("%s: asked %q, then %q, %v; %d carried out", era, asked, said, err, got)
		}
	}
}

func TestATokenThatIsNotTakenEndsNothingSilently(t *testing.T) {
	parley, s := program(t), newShop(t)
	file, address := s.configure(t, false)
	serving(t, parley, file, address)
	for name, token := range map[string]string{"none": "", "of another key": personsToken(t, strings.Repeat("x", 40))} {
		cmd := exec.Command(parley, "mcp", "--url", "http://"+address+"/mcp")
		cmd.Env = append(os.Environ(), "PARLEY_TOKEN="+token)
		if _, said, err := overStdio(t, "2025-11-25", "allow_once", cmd); err == nil || !strings.Contains(err.Error(), "401") {
			t.Errorf("%s: %q, %v", name, said, err)
		}
	}
	if s.done.Load() != 0 {
		t.Error("it was carried out")
	}
}

func TestStandardOutputIsForMessagesAlone(t *testing.T) {
	parley, s := program(t), newShop(t)
	file, _ := s.configure(t, true)
	cmd := exec.Command(parley, "mcp", "-c", file)
	var stdout, stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(io.TeeReader(out, &stdout))
	lines.Buffer(nil, 1<<20)
	exchange := func(message string, answers bool) {
		t.Helper()
		fmt.Fprintln(in, message)
		if answers && !lines.Scan() {
			t.Fatalf("no answer to %s\n%s", message, stderr.String())
		}
	}
	exchange(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"by hand","version":"1"}}}`, true)
	exchange(`{"jsonrpc":"2.0","method":"notifications/initialized"}`, false)
	exchange(`this is no message`, true)
	exchange(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, true)
	exchange(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"shop__buy","arguments":{}}}`, true)
	in.Close()
	for lines.Scan() {
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, stderr.String())
	}
	ids := map[string]bool{}
	for line := range bytes.Lines(stdout.Bytes()) {
		var m struct {
			Version string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
		}
		if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" {
			t.Errorf("on standard output: %s", line)
		}
		ids[string(m.ID)] = true
	}
	for _, id := range []string{"1", "2", "3"} {
		if !ids[id] {
			t.Errorf("no answer %s in\n%s", id, stdout.String())
		}
	}
	if s.done.Load() != 0 { // this client cannot ask
		t.Error("it was carried out")
	}
}

func TestWhoAsksForHelpGetsItAndNoError(t *testing.T) {
	parley := program(t)
	for _, command := range []string{"demo", "serve", "check", "chat", "mcp"} {
		said, err := exec.CommandContext(t.Context(), parley, command, "--help").CombinedOutput()
		if err != nil || !strings.Contains(string(said), "Usage of parley "+command) {
			t.Errorf("%s --help: %v: %s", command, err, said)
		}
	}
}

func TestMCPSaysWhatIsWrongWithItsFlags(t *testing.T) {
	parley, s := program(t), newShop(t)
	file, address := s.configure(t, false)
	dev, busy := s.configure(t, true)
	listener, err := net.Listen("tcp", busy)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	broken := filepath.Join(t.TempDir(), "parley.yaml")
	if err := os.WriteFile(broken, []byte("dev: true\ngatway: {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args  []string
		token string
		want  string
	}{
		"no configuration":      {args: []string{"-c", "nowhere.yaml"}, want: "there is no nowhere.yaml"},
		"a broken one":          {args: []string{"-c", broken}, want: "gatway"},
		"no URL":                {args: []string{"--url", "parley.example"}, want: `"parley.example" is not a URL`},
		"another scheme":        {args: []string{"--url", "ftp://parley.example/mcp"}, want: "is not a URL such as https"},
		"a token in the clear":  {args: []string{"--url", "http://parley.example/mcp"}, token: "secret-token", want: "over https only"},
		"an argument":           {args: []string{"-c", file, "extra"}, want: `"extra" is none`},
		"an unknown flag":       {args: []string{"--port", "1"}, want: "-port"},
		"a user without dev":    {args: []string{"-c", file, "--user", "alice"}, want: "--user is for configurations with dev: true"},
		"a port that is taken":  {args: []string{"-c", dev}, want: "parley mcp --url http://" + busy + "/mcp"},
		"a user and a token":    {args: []string{"--url", "http://" + address + "/mcp", "--user", "alice"}, token: "secret-token", want: "--user and PARLEY_TOKEN both say who you are"},
		"a server and a config": {args: []string{"--url", "http://" + address + "/mcp", "-c", file}, want: "-c"},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(parley, append([]string{"mcp"}, c.args...)...)
			cmd.Env = append(os.Environ(), "PARLEY_TOKEN="+c.token)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || !strings.Contains(stderr.String(), c.want) || stdout.Len() > 0 {
				t.Errorf("%v; standard error %q, standard output %q; want %q", err, stderr.String(), stdout.String(), c.want)
			}
			if c.token != "" && strings.Contains(stderr.String(), c.token) {
				t.Error("the token is shown")
			}
		})
	}
}

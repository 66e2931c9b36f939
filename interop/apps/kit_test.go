package apps_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/browser"
	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

// world is what all tests share: servers that ask, a gateway before them, a host of
// apps on either bridge, and a browser.
type world struct {
	upstream string // where the servers are that ask
	board    string // and the one that has an app
	chromium *browser.Browser
	host     *kit.AppHost
	store    string
	program  string
	flags    []string // of the program, in the place of its command
	site     string   // the gateway's node that stays
	reached  string   // the same, for the host's pages
	brief    string   // a gateway whose questions are soon over, for the host's pages
}

// newWorld starts everything, until the test ends.
func newWorld(t *testing.T) *world {
	t.Helper()
	kit.NeedNode(t)
	w := &world{
		chromium: browser.Start(t), host: kit.StartAppHost(t), upstream: startUpstream(t), board: startBoard(t),
		store: servers.OwnRedis(t, nil).URL, program: kit.BuildParley(t),
	}
	soon := &world{upstream: w.upstream, board: w.board, store: "memory:", program: kit.Build(t, "../cmd/parley/internal/testserve"), flags: []string{"-ttl", "20s"}}
	for _, site := range []*world{soon, w} {
		address := kit.FreeAddresses(t, 1)[0]
		site.site = "http://" + address
		site.serve(t, address)
	}
	w.brief = w.host.Reach("brief", func() string { return soon.site })
	w.reached = w.host.Reach("parley", func() string { return w.site })
	return w
}

// serve starts a node of the gateway, until the test ends.
func (w *world) serve(t *testing.T, address string) *kit.Node {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	configuration := fmt.Sprintf(`
listen: %q
public_url: %q
store: %q
dev: true
secrets: [%q]
servers:
  old: {url: "%[5]s/legacy/mcp", approve: never, title: The old desk}
  new: {url: "%[5]s/modern/mcp", approve: never, title: The new desk}
  gated: {url: "%[5]s/modern/mcp", approve: always, title: The safe}
  board: {url: %[6]q, approve: never}
gateway: {}
`, address, w.site, w.store, kit.Secret, w.upstream, w.board)
	if err := os.WriteFile(file, []byte(configuration), 0o600); err != nil {
		t.Fatal(err)
	}
	words := w.flags
	if words == nil {
		words = []string{"serve"}
	}
	n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(w.program, append(words, "-c", file)...), Ended: make(chan struct{})}
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

// conversation is one of somebody's with the gateway.
type conversation struct {
	*kit.AppChat
	*way
	w      *world
	person string
	token  string // of its calls
}

// way is how a host behaves, and which server is behind the gateway.
type way struct {
	bridge, era string
	sessions    int
	mount       string
	server      string
	theme       string
	brief       bool // its questions are soon over
}

func (w *world) chat(t *testing.T, how way, person string, options kit.AppOptions) *conversation {
	t.Helper()
	if options.URL == "" {
		options.URL = w.reached + "/mcp"
	}
	options.Token, options.Era, options.Sessions, options.Mount, options.Theme = "dev-user:"+person, how.era, how.sessions, how.mount, how.theme
	return &conversation{w.host.Chat(t, w.chromium, how.bridge, options), &how, w, person, person}
}

// begin has the model call a tool of the server of the table.
func (c *conversation) begin(tool string) (turn int) {
	return c.Turn(c.server+"__"+tool, c.arguments())
}

func (c *conversation) arguments() kit.Fields { return kit.Fields{"token": c.token} }

var named = regexp.MustCompile(`the showQuestion tool with elicitId "([^"]+)"`)

// asked waits until the model was told of n questions, and returns the last one's id.
func (c *conversation) asked(t *testing.T, n int) (id string) {
	t.Helper()
	kit.Eventually(t, "the model is told to show a question", func() bool {
		count := 0
		for _, h := range c.Heard() {
			if found := named.FindStringSubmatch(h.Text); found != nil {
				count, id = count+1, found[1]
			}
		}
		return count == n
	})
	return id
}

// got checks what a turn ends with, and that the server came to its end so often.
func (c *conversation) got(t *testing.T, turn int, want string, done int) {
	t.Helper()
	if last := c.Last(turn); last.Text != want || last.IsError {
		t.Errorf("the model got %+v, want %q", last, want)
	}
	c.carriedOut(t, done)
}

// carriedOut checks how often the server's tool came to its end.
func (c *conversation) carriedOut(t *testing.T, want int) {
	t.Helper()
	var count struct{ Done int }
	_, _, raw := kit.HttpDo(t, http.MethodGet, c.w.upstream+"/count?token="+c.token, nil, "")
	if err := json.Unmarshal(raw, &count); err != nil || count.Done != want {
		t.Errorf("the tool was carried out: %s, %v; want %d times", raw, err, want)
	}
}

// shown is what the server tells an app of a question.
type shown struct {
	ElicitID, State, Nonce, Message, Answer, Page string
	Violations                                    []struct{ Field, Message string }
}

func askOf(t *testing.T, result json.RawMessage) shown {
	t.Helper()
	var r struct {
		Meta struct {
			Ask shown `json:"parley/ask"`
		} `json:"_meta"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatalf("%v in %s", err, result)
	}
	return r.Meta.Ask
}

// called are the calls of a tool by an app so far.
func (c *conversation) called(view int, tool string) (all []kit.AppCall) {
	for _, call := range c.Calls() {
		if call.View == view && call.Tool == tool {
			all = append(all, call)
		}
	}
	return all
}

// nonce is the last one that an app was given.
func (c *conversation) nonce(t *testing.T, view int) (nonce string) {
	t.Helper()
	for _, call := range c.called(view, "parley_open") {
		if call.Result != nil {
			nonce = askOf(t, call.Result).Nonce
		}
	}
	if nonce == "" {
		t.Fatal("the app has no nonce")
	}
	return nonce
}

// secret checks that the model saw no nonce.
func (c *conversation) secret(t *testing.T) {
	t.Helper()
	heard, err := json.Marshal(c.Heard())
	if err != nil {
		t.Fatal(err)
	}
	for _, call := range c.Calls() {
		if call.Result == nil {
			continue
		}
		if nonce := askOf(t, call.Result).Nonce; nonce != "" && strings.Contains(string(heard), nonce) {
			t.Errorf("the model saw nonce %s", nonce)
		}
	}
}

// signIn signs somebody in where a page wants that.
func signIn(w *browser.Window, person string) {
	w.WaitFor("Sign in")
	w.Fill("user", person)
	w.Follow("Sign in")
}

var counter = regexp.MustCompile(`(?m)^parley_app_answers_refused_total\{reason="(\w+)"\} (\d+)$`)

// refused is how many answers of apps the gateway has refused, by why.
func (w *world) refused(t *testing.T) map[string]int {
	t.Helper()
	_, _, raw := kit.HttpDo(t, http.MethodGet, w.site+"/metrics", nil, "")
	all := map[string]int{}
	for _, line := range counter.FindAllStringSubmatch(string(raw), -1) {
		all[line[1]], _ = strconv.Atoi(line[2])
	}
	if len(all) == 0 {
		t.Fatalf("nothing is counted:\n%.400s", raw)
	}
	return all
}

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakemodel"
	"github.com/parley-hq/parley/internal/testkit/servers"
)

// town is a site of three nodes behind a balancer, with all that is around it, and
// wires between them that can break.
type town struct {
	site     *site
	wires    []*wire // from each node to the store
	servers  *wire   // from all nodes to the MCP servers
	behind   *behind
	model    *http.Server
	modelURL string
	front    *http.Server
	url      string // of the balancer
	dir      string
	starting [nodeCount]sync.Mutex

	mu     sync.Mutex
	choose *rand.Rand
	ahead  map[string]time.Duration // by process
	gone   map[string][]absence     // by process, in their order
	now    []string                 // the process of each node
}

const (
	nodeCount  = 3
	programKey = "the key of the program that asks"
)

func newTown(ctx context.Context, o orders, store string, l *ledger) (t *town, err error) {
	t = &town{
		dir: filepath.Join(o.dir, store), choose: rand.New(rand.NewPCG(o.seed, 7)),
		ahead: map[string]time.Duration{}, gone: map[string][]absence{}, now: make([]string, nodeCount),
	}
	if err := os.RemoveAll(t.dir); err != nil { // another run's
		return t, err
	}
	if err := os.MkdirAll(t.dir, 0o700); err != nil {
		return t, err
	}
	if t.behind, err = newBehind(l); err != nil {
		return t, err
	}
	t.behind.linger = 800 * time.Millisecond
	if t.servers, err = newWire(t.behind.address); err != nil {
		return t, err
	}
	if err := t.startModel(); err != nil {
		return t, err
	}
	t.site = &site{dir: t.dir, behind: "http://" + t.servers.address, command: func(n *node) *exec.Cmd { return t.command(o, n) }}
	start := servers.StartRedis
	if store == "postgres" {
		start = servers.StartPostgres
	}
	if t.site.server, err = start(ctx, &servers.Options{Durable: true}); err != nil {
		return t, err
	}
	addresses, err := freeAddresses(nodeCount + 1)
	if err != nil {
		return t, err
	}
	t.url = "http://" + addresses[nodeCount]
	for i, address := range addresses[:nodeCount] {
		if err := t.populate(ctx, o, address, fmt.Sprintf("%s-%d", store, i)); err != nil {
			return t, err
		}
	}
	return t, t.open(addresses[nodeCount])
}

// populate starts a node at an address, with a wire to the store of its own.
func (t *town) populate(ctx context.Context, o orders, address, name string) error {
	store, err := url.Parse(t.site.server.URL)
	if err != nil {
		return err
	}
	line, err := newWire(store.Host)
	if err != nil {
		return err
	}
	store.Host = line.address
	t.wires = append(t.wires, line)
	n := &node{site: t.site, address: address, file: filepath.Join(t.dir, name+".yaml")}
	t.site.nodes = append(t.site.nodes, n)
	if n.log, err = openLog(o.keepLog, name+".log"); err != nil {
		return err
	}
	if err := os.WriteFile(n.file, []byte(t.configuration(address, store.String())), 0o600); err != nil {
		return err
	}
	return n.start(ctx)
}

// open opens the balancer.
func (t *town) open(address string) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	t.front = &http.Server{Handler: newBalancer(t.site.nodes), ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = t.front.Serve(listener) }()
	return nil
}

// command starts a process for a node, with a history of its own and a clock that is
// seconds from those of the others.
func (t *town) command(o orders, n *node) *exec.Cmd {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := 0
	for t.site.nodes[i] != n {
		i++
	}
	process := fmt.Sprintf("node-%d-%d", i, len(t.ahead))
	ahead := time.Duration(0)
	if o.clocks {
		ahead = time.Duration(t.choose.IntN(8001)-4000) * time.Millisecond
	}
	t.ahead[process], t.now[i] = ahead, process
	cmd := exec.Command(o.program, "-c", n.file, "-history", filepath.Join(t.dir, process+".history"), "-ahead", ahead.String())
	cmd.Env = append(os.Environ(), clockVariable+"="+ahead.String())
	return cmd
}

// restart starts a node again, also if its store is away just now. One that was
// started meanwhile is left alone.
func (t *town) restart(ctx context.Context, n int) error {
	t.starting[n].Lock()
	defer t.starting[n].Unlock()
	for {
		if t.site.nodes[n].alive() {
			return nil
		}
		err := t.site.nodes[n].start(ctx)
		if err == nil || ctx.Err() != nil {
			return err
		}
		t.away(n)
		t.site.nodes[n].kill() // one that runs and does not serve
		if !sleep(ctx, 200*time.Millisecond) {
			return err
		}
	}
}

// away says that others may miss the process of a node from now on, until back says
// that it is there again. One that dies never is.
func (t *town) away(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	process := t.now[n]
	if all := t.gone[process]; len(all) > 0 && all[len(all)-1].to.IsZero() {
		return // it has been away for longer
	}
	t.gone[process] = append(t.gone[process], absence{from: time.Now()})
}

// absence is a time in which others may miss a process.
type absence struct{ from, to time.Time }

// strike does something to a node that others may miss it by. A node that is just being
// started is struck when it is.
func (t *town) strike(n int, do func()) {
	t.away(n)
	do()
	t.away(n)
}

// back says that a node is there again.
func (t *town) back(n int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if all := t.gone[t.now[n]]; len(all) > 0 {
		all[len(all)-1].to = time.Now()
	}
}

func (t *town) allAway() {
	for n := range nodeCount {
		t.away(n)
	}
}

func (t *town) allBack() {
	for n := range nodeCount {
		t.back(n)
	}
}

// grace is how long others may act on an absence that they noticed: they read twice.
const grace = 30 * time.Second

// missed reports whether others could take a process for dead.
func (t *town) missed(process string, at int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	process = strings.TrimSuffix(process, ".history")
	when := time.Unix(0, at)
	return slices.ContainsFunc(t.gone[process], func(a absence) bool {
		return when.After(a.from) && (a.to.IsZero() || when.Before(a.to.Add(grace)))
	})
}

func (t *town) aheadOf(process string) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ahead[strings.TrimSuffix(process, ".history")]
}

// histories are the files of all processes.
func (t *town) histories() ([]string, error) {
	return filepath.Glob(filepath.Join(t.dir, "*.history"))
}

func (t *town) configuration(address, store string) string {
	return fmt.Sprintf(`
listen: %[1]q
public_url: %[2]q
store: %[3]q
secrets: [%[4]q]
dev: true
auth:
  jwt: {issuer: %[5]q, audience: %[6]q, hmac_key: %[7]q}
  api_keys: [{name: release, sha256: %[10]x, may_ask: ["*"]}]
limits: {questions: -1, questions_per_hour: -1, questions_of_agents: -1, turns_per_person: -1}
groups: {oncall: [desk0, desk1, desk2, desk3]}
models: {fake: {kind: openai, base_url: "%[9]s/v1", api_key: k, model: fake}}
servers:
  old: {url: "%[8]s/old/mcp", approve: never}
  new: {url: "%[8]s/new/mcp", approve: never}
  strict: {url: "%[8]s/new/mcp", approve: always}
  strictold: {url: "%[8]s/old/mcp", approve: always}
  panel: {url: "%[8]s/new/mcp", approve: always}
  locked: {url: "%[8]s/locked/mcp", approve: never, auth: {type: api_key, scope: user}}
rules: [{name: panel, server: panel, approvers: "2 of [bob, carol, dave]"}]
agents: {assistant: {model: fake, instructions: Help., servers: [new, old, strict, strictold, panel]}}
gateway: {}
`, address, t.url, store, secret, issuer, audience, tokenKey, t.site.behind, t.modelURL, sha256.Sum256([]byte(programKey)))
}

// startModel starts the model of the agents: it calls the tool that it is told to
// call, and then says what came of it.
func (t *town) startModel() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	t.modelURL = "http://" + listener.Addr().String()
	t.model = &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: fakemodel.New(func(r fakemodel.Request) fakemodel.Reply {
		said := ""
		for _, m := range r.Messages {
			if m.Role == "user" {
				said = m.Text
			}
		}
		tool, key, _ := strings.Cut(strings.TrimSpace(said), " ")
		if results := r.Last().Results; len(results) > 0 {
			return fakemodel.Reply{Text: "Finished " + key + ": " + results[0].Text}
		}
		return fakemodel.Reply{Text: "I begin. ", Calls: []fakemodel.Call{{Tool: tool, Args: fmt.Sprintf(`{"key":%q}`, key)}}}
	}, nil)}
	go func() { _ = t.model.Serve(listener) }()
	return nil
}

func (t *town) close() {
	if t.front != nil {
		t.front.Close()
	}
	if t.site != nil {
		t.site.close()
	}
	for _, line := range append(t.wires, t.servers) {
		if line != nil {
			line.close()
		}
	}
	if t.model != nil {
		t.model.Close()
	}
	if t.behind != nil {
		t.behind.die()
	}
}

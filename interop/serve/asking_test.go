package serve_test

import (
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

const (
	releaseKey = "the-key-of-the-release"
	otherKey   = "the-key-of-another-program"
)

// askingGate is a site where programs ask.
func askingGate(t *testing.T, program, store string) *gate {
	t.Helper()
	g := newGate(t, program, store, kit.FreeAddresses(t, 1)[0], "\ngroups: {oncall: [alice, bob]}\n")
	g.programs = `, {name: release, sha256: ` + kit.DigestOf(releaseKey) + `, may_ask: [alice, "group:oncall"]}, {name: other, sha256: ` + kit.DigestOf(otherKey) + `, may_ask: ["*"]}`
	return g
}

// A program in TypeScript and one in curl ask, wait through a kill -9 of the server,
// and get their answers; another program's key gets 404.
func TestProgramsWaitForTheirAnswersThroughKill9(t *testing.T) {
	kit.NeedNode(t)
	program := withParley(t)
	script := filepath.Join(t.TempDir(), "program.mjs")
	bundle := exec.Command("go", "tool", "-modfile=../tools/go.mod", "esbuild", "serve/testdata/asking/program.ts", "--bundle", "--platform=node", "--target=node20", "--format=esm", "--log-level=warning", "--outfile="+script)
	if said, err := bundle.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	shell, err := filepath.Abs("serve/testdata/asking/program.sh")
	if err != nil {
		t.Fatal(err)
	}
	stores := map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "parley.db") },
		"postgres": func(t *testing.T) string { return servers.OwnPostgres(t, nil).URL },
		"redis":    func(t *testing.T) string { return servers.OwnRedis(t, nil).URL },
	}
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			g := askingGate(t, program, store(t))
			g.waitThroughKill9(t, exec.Command("node", script, g.public, releaseKey, otherKey), exec.Command("sh", shell, g.public, releaseKey, otherKey))
		})
	}
}

func (g *gate) waitThroughKill9(t *testing.T, programs ...*exec.Cmd) {
	address := strings.TrimPrefix(g.public, "http://")
	first := g.start(t, address)
	var said []*kit.Output
	for _, p := range programs {
		out := &kit.Output{}
		p.Dir, p.Stdout, p.Stderr = t.TempDir(), out, out
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Process.Kill() })
		out.Line(t, "asked ")
		said = append(said, out)
	}
	first.Kill(t)
	g.start(t, address)
	alice := g.visitor(t, "alice")
	asked := g.openQuestions(t, g.token(t, "alice"))
	if len(asked) != len(programs) {
		t.Fatalf("alice is asked %d questions after the restart", len(asked))
	}
	for _, id := range asked {
		alice.Send(t, g.public+"/answer/"+id, url.Values{"action": {"accept"}, "field.version": {"1.2.3"}})
	}
	for i, p := range programs {
		if err := p.Wait(); err != nil {
			t.Errorf("%v: %s", err, said[i])
		}
		for _, want := range []string{"answered alice 1.2.3\n", "another 404\n"} {
			if !strings.Contains(said[i].String(), want) {
				t.Errorf("%s: %q is not in %s", filepath.Base(p.Args[1]), want, said[i])
			}
		}
	}
	kit.Eventually(t, "bob's question closes", func() bool { return len(g.openQuestions(t, g.token(t, "bob"))) == 0 })
	if status := g.api(t, http.MethodGet, "/api/servers", releaseKey, "", nil); status != http.StatusForbidden {
		t.Errorf("a key that asks manages: %d", status)
	}
}

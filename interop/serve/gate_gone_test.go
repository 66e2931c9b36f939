package serve_test

import (
	"errors"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/servers"
	plain "github.com/parley-hq/parley/internal/visitor"
	"github.com/parley-hq/parley/interop/kit"
)

// goneOn runs a test with the nodes of a site: one on SQLite, two on PostgreSQL.
func goneOn(t *testing.T, test func(t *testing.T, g *gate, addresses []string)) {
	program := withParley(t)
	t.Run("sqlite", func(t *testing.T) {
		addresses := kit.FreeAddresses(t, 1)
		test(t, newGate(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), addresses[0], killedServers), addresses)
	})
	t.Run("postgres", func(t *testing.T) {
		addresses := kit.FreeAddresses(t, 2)
		test(t, newGate(t, program, servers.OwnPostgres(t, nil).URL, addresses[1], killedServers), addresses)
	})
}

// A client on the TypeScript SDK 1.x is closed while its person is asked, without
// ending its session, as editors are. The next one is asked the same question.
func TestACallOfATypeScriptClientThatWasClosedIsNotMadeTwice(t *testing.T) {
	kit.NeedNode(t)
	goneOn(t, func(t *testing.T, g *gate, addresses []string) {
		var urls []string
		for _, address := range addresses {
			urls = append(urls, g.start(t, address).Url)
		}
		alice := g.token(t, "alice")
		for _, tool := range []string{"old__order", "new__order"} {
			first := kit.StartClient(t, urls[0], kit.With(kit.Sdk1, kit.As(alice)...)...)
			first.Call(tool, kit.Fields{})
			first.Question()
			question := g.openQuestion(t, alice)
			first.Send(kit.Fields{"op": "close"})
			first.Event("closed")
			second := kit.StartClient(t, urls[len(urls)-1], kit.With(kit.Sdk1, kit.As(alice)...)...)
			call := second.Call(tool, kit.Fields{})
			shown := second.Question()
			if again := g.openQuestion(t, alice); again != question {
				t.Errorf("%s: asked anew", tool)
			}
			second.Answer(shown, "accept", kit.Fields{"size": "L"})
			if r := second.Result(call); r.IsError || len(r.Content) != 1 || r.Content[0].Text != "order: accept L" {
				t.Errorf("%s: %+v", tool, r)
			}
			if open := g.openQuestions(t, alice); len(open) > 0 {
				t.Errorf("%s: %d questions stay open", tool, len(open))
			}
			g.wares.carriedOut(t, map[string]int{"order": 1})
		}
	})
}

// kill -9 while a person is asked: a question whose answer would reach nobody is
// withdrawn, and until it is the page takes no answer and promises nothing.
func TestAQuestionOfACallThatDiedWithKill9IsWithdrawn(t *testing.T) {
	goneOn(t, func(t *testing.T, g *gate, addresses []string) {
		alone := len(addresses) == 1
		if !alone {
			g.start(t, addresses[1])
		}
		alice := g.token(t, "alice")
		for _, answered := range []bool{true, false} {
			dies := g.start(t, addresses[0])
			kit.WireCall{Tool: "old__order", Arguments: `{}`}.Send(t, dies.Url, alice)
			question := g.openQuestion(t, alice)
			kit.WireCall{Tool: "old__reorder", Arguments: `{}`}.Send(t, dies.Url, alice)
			dies.Kill(t)
			if alone {
				dies = g.start(t, addresses[0])
			}
			person := g.visitor(t, "alice")
			if answered {
				g.refusesAnswer(t, person, question)
			}
			kit.Eventually(t, "it is withdrawn", func() bool { return !slices.Contains(g.openQuestions(t, alice), question) })
			// That of a tool that may be called again stays.
			person.Send(t, g.public+"/answer/"+g.openQuestion(t, alice), url.Values{"action": {"decline"}})
			g.wares.carriedOut(t, map[string]int{})
			if alone {
				dies.Kill(t)
			}
		}
	})
}

func (g *gate) refusesAnswer(t *testing.T, person *kit.Visitor, question string) {
	t.Helper()
	err := person.Visitor.Send(t.Context(), g.public+"/answer/"+question, url.Values{"action": {"accept"}, "field.size": {"L"}})
	var status *plain.StatusError
	if !errors.As(err, &status) || status.Status != http.StatusConflict {
		t.Errorf("the answer: %v", err)
	}
	if text := person.Text(); !strings.Contains(text, "No longer asked") || strings.Contains(text, "goes on") {
		t.Errorf("the page says %q", text)
	}
}

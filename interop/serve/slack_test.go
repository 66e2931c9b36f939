package serve_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakemodel"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/interop/kit"
)

// slackNode starts a node that answers in Slack.
func slackNode(t *testing.T, program, address, public, store, model string, slack *fakeslack.Slack, token string) *kit.Node {
	t.Helper()
	file := filepath.Join(t.TempDir(), "parley.yaml")
	text := fmt.Sprintf(`listen: %s
public_url: http://%s
store: %q
dev: true
models: {m: {kind: openai, base_url: %s/v1, api_key: k, model: x}}
agents: {assistant: {model: m}}
slack: {bot_token: %s, signing_secret: %s, api_url: %q}
`, address, public, store, model, token, slack.SigningSecret(), slack.API())
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(program, "serve", "-c", file), Ended: make(chan struct{})}
	n.Run(t)
	return n
}

// linkInSlack is somebody who has written to the app in a direct message, is asked who
// they are, and says so on the page of a node.
func linkInSlack(ctx context.Context, t *testing.T, who *fakeslack.User, name, node string) {
	t.Helper()
	asked, err := who.DM().WaitFor(ctx, func(m fakeslack.Message) bool { return m.Has("parley_link") })
	if err != nil {
		t.Fatal(err)
	}
	person := kit.NewVisitor(t)
	person.Send(t, node+"/login", url.Values{"user": {name}})
	person.Open(t, asked.Button("parley_link")["url"].(string))
	person.Press(t, "This is me")
}

// A node is killed while it writes into a thread: another one goes on, and the thread says
// everything once.
func TestAThreadInSlackSurvivesKill9(t *testing.T) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		ctx, cancel := context.WithTimeout(t.Context(), kit.Patience)
		t.Cleanup(cancel)
		var words []string
		for i := range 60 {
			words = append(words, fmt.Sprintf("word%d", i))
		}
		text := strings.Join(words, " ")
		model := httptest.NewServer(fakemodel.New(func(r fakemodel.Request) fakemodel.Reply {
			if r.Last().Text == "hello" {
				return fakemodel.Reply{Text: "Good day."}
			}
			return fakemodel.Reply{Text: text, Delay: 50 * time.Millisecond}
		}, nil))
		t.Cleanup(model.Close)
		slack := fakeslack.New(&fakeslack.Options{Retries: []time.Duration{0, 100 * time.Millisecond, time.Second, 5 * time.Second}})
		t.Cleanup(slack.Close)
		acme := slack.AddWorkspace("Acme")
		ann, general, token := acme.AddUser("ann"), acme.AddChannel("general"), acme.Install().AccessToken
		at := kit.FreeAddresses(t, 2)
		first := slackNode(t, program, at[0], at[1], store, model.URL, slack, token)
		second := slackNode(t, program, at[1], at[1], store, model.URL, slack, token)
		slack.SetURLs(first.Url+"/slack/events", first.Url+"/slack/interactions")

		ann.Say(ann.DM(), "hello")
		linkInSlack(ctx, t, ann, "alice", second.Url)
		if _, err := ann.DM().WaitFor(ctx, func(m fakeslack.Message) bool { return m.FromApp && m.Words() == "Good day." }); err != nil {
			t.Fatal(err)
		}

		thread := ann.Mention(general, "say it all")
		if _, err := general.WaitFor(ctx, func(m fakeslack.Message) bool { return m.FromApp && strings.Contains(m.Words(), "word3") }); err != nil {
			t.Fatal(err)
		}
		first.Kill(t)
		slack.SetURLs(second.Url+"/slack/events", second.Url+"/slack/interactions")
		killed := time.Now()
		if _, err := general.WaitFor(ctx, func(m fakeslack.Message) bool { return m.FromApp && !m.Streaming && m.Words() == text }); err != nil {
			t.Fatalf("%v: %+v", err, general.Thread(thread.TS))
		}
		t.Logf("from the death to the last word: %v", time.Since(killed))
		if all := general.Thread(thread.TS); len(all) != 2 {
			t.Errorf("the thread has %d messages: %+v", len(all), all)
		}
	})
}

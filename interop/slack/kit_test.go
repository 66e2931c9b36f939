// Package slack_test lets Slack's own software judge internal/testkit/fakeslack: what
// an app on Bolt accepts and reads, an app of ours may be tested with.
package slack_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/interop/kit"
)

// site is a fake Slack, and an app on Bolt in a process of its own: npm/bolt.mjs.
type site struct {
	t       *testing.T
	slack   *fakeslack.Slack
	acme    *fakeslack.Workspace
	ann     *fakeslack.User
	general *fakeslack.Channel
	app     string // where it listens; empty: nowhere
	said    *kit.Output
}

func start(t *testing.T, mode string, opts *fakeslack.Options) *site {
	t.Helper()
	kit.NeedNode(t)
	s := &site{t: t, slack: fakeslack.New(opts), said: &kit.Output{}}
	t.Cleanup(s.slack.Close)
	s.acme = s.slack.AddWorkspace("Acme")
	s.ann, s.general = s.acme.AddUser("ann"), s.acme.AddChannel("general")
	all := kit.Fields{
		"api": s.slack.API(), "site": s.slack.URL, "mode": mode, "secret": s.slack.SigningSecret(), "appToken": s.slack.AppToken(),
		"clientId": s.slack.ClientID(), "clientSecret": s.slack.ClientSecret(),
	}
	if mode != "oauth" {
		all["token"] = s.acme.Install().AccessToken
	}
	raw, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "npm/bolt.mjs", string(raw))
	cmd.Stdout, cmd.Stderr = s.said, s.said
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close() // it ends with it
		killer := time.AfterFunc(kit.Patience, func() { _ = cmd.Process.Kill() })
		defer killer.Stop()
		if err := cmd.Wait(); err != nil || t.Failed() {
			t.Errorf("the app: %v\n%s", err, s.said.String())
		}
	})
	s.line("listening", &s.app)
	s.slack.SetURLs(s.app+"/slack/events", s.app+"/slack/events")
	return s
}

// line waits for a line that has a field, and reads that.
func (s *site) line(field string, into any) {
	s.t.Helper()
	prefix := `{"` + field + `":`
	var all map[string]json.RawMessage
	err := json.Unmarshal([]byte(s.said.Line(s.t, prefix)), &all)
	if err == nil {
		err = json.Unmarshal(all[field], into)
	}
	if err != nil {
		s.t.Fatalf("%v: %s", err, s.said.String())
	}
}

func (s *site) within() context.Context {
	ctx, cancel := context.WithTimeout(s.t.Context(), kit.Patience)
	s.t.Cleanup(cancel)
	return ctx
}

// card waits for the app's message with buttons.
func (s *site) card() fakeslack.Message {
	s.t.Helper()
	m, err := s.general.WaitFor(s.within(), func(m fakeslack.Message) bool { return m.Has("open") })
	if err != nil {
		s.t.Fatalf("no card: %v\n%s", err, s.said.String())
	}
	return m
}

// taken checks that the app acknowledged all that it was sent, at once.
func (s *site) taken() {
	s.t.Helper()
	if err := s.slack.Wait(s.within()); err != nil {
		s.t.Fatal(err)
	}
	for _, d := range s.slack.Deliveries() {
		if !d.Taken() || len(d.Attempts) != 1 {
			s.t.Errorf("%s: %+v", d.Kind, d.Attempts)
		}
	}
	if strings.Contains(s.said.String(), `{"error":`) {
		s.t.Errorf("the app had errors")
	}
}

package slackapp_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/slackapp"
)

func TestALinkIsUsedOnceAndByOnePerson(t *testing.T) {
	o := openOffice(t, nil)
	app := o.served.Load().app
	o.ann.Say(o.ann.DM(), "say hi")
	token := o.linkFor(o.ann.DM(), o.ann)
	for name, one := range map[string]struct {
		token string
		by    parley.Principal
		want  error
	}{
		"another tenant":  {token, parley.Principal{Tenant: "other", User: "alice"}, slackapp.ErrOtherTenant},
		"a program":       {token, parley.Principal{Kind: parley.KindProgram, Key: "k"}, parley.ErrPrincipal},
		"nobody":          {token, parley.Principal{}, parley.ErrPrincipal},
		"a made-up token": {"x", alice, slackapp.ErrUnknownWish},
		"another token":   {o.otherToken(), alice, slackapp.ErrUnknownWish},
		"a changed one":   {token[:50] + flipped(token[50]) + token[51:], alice, slackapp.ErrUnknownWish},
	} {
		if _, err := app.Look(t.Context(), one.token, one.by); !errors.Is(err, one.want) {
			t.Errorf("%s: looking: %v", name, err)
		}
		if err := app.Decide(t.Context(), one.token, one.by, true); !errors.Is(err, one.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for range 2 { // a double click is fine
		if err := app.Decide(t.Context(), token, alice, true); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := app.Look(t.Context(), token, alice); !errors.Is(err, slackapp.ErrUsedWish) {
		t.Error(err)
	}
	if err := app.Decide(t.Context(), token, bert, true); !errors.Is(err, slackapp.ErrUsedWish) {
		t.Errorf("a second person: %v", err)
	}
	if err := app.Decide(t.Context(), token, alice, false); !errors.Is(err, slackapp.ErrUsedWish) {
		t.Errorf("another decision: %v", err)
	}
	if all, err := app.Accounts(t.Context(), bert); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

func flipped(c byte) string {
	if c == 'A' {
		return "B"
	}
	return "A"
}

// Of many who use a link at once one is linked.
func TestOneOfManyWhoUseALinkIsLinked(t *testing.T) {
	o := openOffice(t, nil)
	app := o.served.Load().app
	o.ann.Say(o.ann.DM(), "say hi")
	token := o.linkFor(o.ann.DM(), o.ann)
	var mu sync.Mutex
	var won []string
	var all sync.WaitGroup
	for _, user := range []string{"a", "b", "c", "d", "e", "f"} {
		all.Go(func() {
			if err := app.Decide(t.Context(), token, parley.Principal{User: user}, true); err == nil {
				mu.Lock()
				defer mu.Unlock()
				won = append(won, user)
			} else if !errors.Is(err, slackapp.ErrUsedWish) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(won) != 1 {
		t.Fatalf("%q", won)
	}
	if found, err := app.Accounts(t.Context(), parley.Principal{User: won[0]}); err != nil || len(found) != 1 || found[0].User != o.ann.ID {
		t.Errorf("%v, %v", found, err)
	}
}

func TestARefusedLinkLinksNobody(t *testing.T) {
	o := openOffice(t, nil)
	app := o.served.Load().app
	o.ann.Say(o.ann.DM(), "say hi")
	token := o.linkFor(o.ann.DM(), o.ann)
	if err := app.Decide(t.Context(), token, alice, false); err != nil {
		t.Fatal(err)
	}
	if err := app.Decide(t.Context(), token, alice, true); !errors.Is(err, slackapp.ErrUsedWish) {
		t.Error(err)
	}
	if all, err := app.Accounts(t.Context(), alice); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
}

// A Slack user is one person: a link that was made before another was used changes nothing.
func TestALinkedUserIsNotTakenOver(t *testing.T) {
	o := openOffice(t, nil)
	app := o.served.Load().app
	o.ann.Say(o.ann.DM(), "say one")
	first := o.linkFor(o.ann.DM(), o.ann)
	o.ann.Mention(o.general, "say two")
	second := o.linkFor(o.general, o.ann)
	if err := app.Decide(t.Context(), first, alice, true); err != nil {
		t.Fatal(err)
	}
	if err := app.Decide(t.Context(), second, bert, true); !errors.Is(err, slackapp.ErrLinked) {
		t.Error(err)
	}
	o.waitFor(o.ann.DM(), "one")
	o.waitFor(o.general, "two") // and both messages go on
}

func TestALinkExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := parley.NewMemoryStore()
		keys, err := seal.New([]byte("a secret of tests, 32 bytes long"))
		if err != nil {
			t.Fatal(err)
		}
		app := slackapp.Bare(store, keys, "T1", "default")
		token, err := slackapp.NewWish(t.Context(), app, "T1", "U1")
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(15*time.Minute - time.Second)
		if _, err := app.Look(t.Context(), token, alice); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Second)
		if _, err := app.Look(t.Context(), token, alice); !errors.Is(err, slackapp.ErrUnknownWish) {
			t.Error(err)
		}
		if err := app.Decide(t.Context(), token, alice, true); !errors.Is(err, slackapp.ErrUnknownWish) {
			t.Error(err)
		}
	})
}

// Whoever is unlinked, by a word, on the page or because their account ended, is nobody.
func TestWhoIsUnlinkedIsAskedAnew(t *testing.T) {
	for name, end := range map[string]func(*office){
		"by a word": func(o *office) {
			o.ann.Say(o.ann.DM(), "Unlink")
			o.waitFor(o.ann.DM(), "no longer linked")
		},
		"on the page": func(o *office) {
			app := o.served.Load().app
			if err := app.Unlink(o.t.Context(), bert, o.acme.ID, o.ann.ID); !errors.Is(err, slackapp.ErrNotLinked) {
				o.t.Errorf("by somebody else: %v", err)
			}
			if err := app.Unlink(o.t.Context(), alice, o.acme.ID, o.ann.ID); err != nil {
				o.t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, nil)
			o.link()
			end(o)
			if all, err := o.served.Load().app.Accounts(t.Context(), alice); err != nil || len(all) != 0 {
				t.Errorf("%v, %v", all, err)
			}
			o.ann.Mention(o.general, "say secret")
			o.linkFor(o.general, o.ann)
			if slices.ContainsFunc(o.general.Messages(), func(m fakeslack.Message) bool { return m.FromApp && strings.Contains(m.Words(), "secret") }) {
				t.Error("something ran")
			}
		})
	}
}

// What a run says after its person was unlinked is not said in Slack.
func TestWhoIsUnlinkedHearsNoMoreOfTheirRun(t *testing.T) {
	for name, becomes := range map[string]*parley.Principal{"nobody": nil, "somebody else": &bert} {
		t.Run(name, func(t *testing.T) { hearsNoMore(t, becomes) })
	}
}

func hearsNoMore(t *testing.T, becomes *parley.Principal) {
	o := openOffice(t, nil)
	o.link()
	o.waitForJobs()
	asked := o.ann.Say(o.ann.DM(), "ask me")
	o.waitFor(o.ann.DM(), "Let me ask.")
	q := o.question(o.served.Load())
	if err := o.served.Load().app.Unlink(t.Context(), alice, o.acme.ID, o.ann.ID); err != nil {
		t.Fatal(err)
	}
	if becomes != nil {
		o.ann.Mention(o.general, "say hi")
		if err := o.served.Load().app.Decide(t.Context(), o.linkFor(o.general, o.ann), *becomes, true); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.served.Load().hub.Answer(t.Context(), alice, q.ID, parley.Answer{Action: parley.Accept}); err != nil {
		t.Fatal(err)
	}
	o.waitForJobs()
	if got := o.said(o.ann.DM(), asked.TS); !slices.Equal(got, []string{"Let me ask."}) {
		t.Errorf("%q", got)
	}
}

// A message that is being written when its person is unlinked stays as it is.
func TestWhoIsUnlinkedReadsNoMoreOfAMessage(t *testing.T) {
	for name, opts := range map[string]*fakeslack.Options{"streamed": nil, "rewritten": {NoStreams: true}} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, opts)
			o.link()
			o.waitForJobs()
			release := o.model.hold("private")
			defer release()
			asked := o.ann.Say(o.ann.DM(), "say open private")
			if _, err := o.ann.DM().WaitFor(o.within(), func(m fakeslack.Message) bool { return m.FromApp && strings.HasPrefix(m.Words(), "open") }); err != nil {
				t.Fatal(err)
			}
			if err := o.served.Load().app.Unlink(t.Context(), alice, o.acme.ID, o.ann.ID); err != nil {
				t.Fatal(err)
			}
			release()
			o.waitForJobs()
			if got := o.said(o.ann.DM(), asked.TS); !slices.Equal(got, []string{"open"}) {
				t.Errorf("%q", got)
			}
			for _, m := range o.ann.DM().Thread(asked.TS) {
				if m.FromApp && (m.Streaming || m.Has("parley_stop")) {
					t.Error("it still says that more is to come")
				}
			}
		})
	}
}

func TestADeactivatedUserIsNobody(t *testing.T) {
	for name, subscribed := range map[string][]string{"told": nil, "not told": {"app_mention", "message.im"}} {
		t.Run(name, func(t *testing.T) {
			o := openOffice(t, &fakeslack.Options{Subscribed: subscribed})
			o.link()
			o.waitForJobs()
			o.ann.Deactivate()
			if err := o.slack.Wait(o.within()); err != nil {
				t.Fatal(err)
			}
			o.waitForJobs()
			linked := func() int {
				links, err := o.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "slack_link"}, "", 10)
				if err != nil {
					t.Fatal(err)
				}
				return len(links)
			}
			if subscribed == nil && linked() != 0 {
				t.Error("Slack told, and nothing came of it")
			}
			n := o.begin() // one that remembers nothing
			if all, err := n.app.Accounts(t.Context(), alice); err != nil || len(all) != 0 || linked() != 0 {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
}

// TestAnAnswerThatSaysNothingEndsNoLink: nor is a message lost over it.
func TestAnAnswerThatSaysNothingEndsNoLink(t *testing.T) {
	for _, body := range []string{`null`, `{"ok":true}`, `{"ok":true,"user":{}}`, `{"ok":true,"user":{"id":"U0OTHER"}}`, `[]`} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			o := openOffice(t, nil)
			o.link()
			o.slack.Fail(fakeslack.Fault{Method: "users.info", Body: body})
			n := o.begin() // one that remembers nothing
			if all, err := n.app.Accounts(t.Context(), alice); err == nil {
				t.Errorf("%v", all)
			}
			o.slack.Heal()
			if all, err := n.app.Accounts(t.Context(), alice); err != nil || len(all) != 1 {
				t.Errorf("afterwards: %v, %v", all, err)
			}
		})
	}
	t.Run("all methods", func(t *testing.T) {
		t.Parallel()
		for _, body := range []string{`null`, `{"ok":true}`} {
			o := openOffice(t, nil)
			o.link()
			o.served.Load().stop()
			o.serve(o.make())
			o.slack.Fail(fakeslack.Fault{Body: body, Times: 3})
			o.served.Load().start(t)
			o.ann.Say(o.ann.DM(), "say hello again")
			o.waitFor(o.ann.DM(), "hello again")
		}
	})
}

// A link from before the workspace became another tenant's is nobody's.
func TestALinkOfAnotherTenantIsNone(t *testing.T) {
	o := openOffice(t, nil)
	records := seal.Records(o.store, o.keys, nil)
	data, err := json.Marshal(map[string]any{"tenant": "other", "user": "alice"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := records.Save(t.Context(), parley.Record{Address: parley.Address{Tenant: "default", Kind: "slack_link", Key: o.acme.ID + "/" + o.ann.ID}, Data: data}); err != nil {
		t.Fatal(err)
	}
	o.ann.Say(o.ann.DM(), "say hi")
	o.linkFor(o.ann.DM(), o.ann)
}

// Of a user Slack says whose they are: bots, strangers and members of another team are
// nobody.
func TestOnlyAMemberCanBeLinked(t *testing.T) {
	for name, one := range map[string]struct {
		user slack.User
		want bool
	}{
		"a member":        {slack.User{ID: "U1", TeamID: "T1"}, true},
		"another user":    {slack.User{ID: "U2", TeamID: "T1"}, false},
		"another team":    {slack.User{ID: "U1", TeamID: "T2"}, false},
		"somebody gone":   {slack.User{ID: "U1", TeamID: "T1", Deleted: true}, false},
		"a bot":           {slack.User{ID: "U1", TeamID: "T1", IsBot: true}, false},
		"somebody shared": {slack.User{ID: "U1", TeamID: "T1", IsStranger: true}, false},
	} {
		if got := slackapp.Belongs("T1", "U1", one.user); got != one.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// What is left of a link that ended gives nobody another's questions.
func TestAStaleAccountIsNobodys(t *testing.T) {
	o := openOffice(t, nil)
	o.linkAs(o.ann, bert)
	data, err := json.Marshal(map[string]string{"team": o.acme.ID, "user": o.ann.ID})
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte("alice"))
	if _, err := seal.Records(o.store, o.keys, nil).Save(t.Context(), parley.Record{
		Address: parley.Address{Tenant: "default", Kind: "slack_account", Key: hex.EncodeToString(sum[:]) + "/" + o.acme.ID + "/" + o.ann.ID}, Data: data,
	}); err != nil {
		t.Fatal(err)
	}
	if all, err := o.served.Load().app.Accounts(t.Context(), alice); err != nil || len(all) != 0 {
		t.Errorf("%v, %v", all, err)
	}
	if all, err := o.served.Load().app.Accounts(t.Context(), bert); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

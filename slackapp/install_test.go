package slackapp_test

import (
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/slackapp"
)

const browser = "a browser of the administrator's"

// withClient is an office whose app can be installed.
func withClient(o *office) {
	o.opts.ClientID, o.opts.ClientSecret = o.slack.ClientID(), parley.Secret(o.slack.ClientSecret())
}

// consent is what Slack sends back after a user of a workspace allowed.
func (o *office) consent(user *fakeslack.User, by parley.Principal) url.Values {
	o.t.Helper()
	to, err := o.served.Load().app.Install(by, browser)
	if err != nil {
		o.t.Fatal(err)
	}
	back, err := user.Allow(to)
	if err != nil {
		o.t.Fatal(err)
	}
	u, err := url.Parse(back)
	if err != nil || !strings.HasPrefix(back, "https://parley.example/slack/oauth?") {
		o.t.Fatalf("%s, %v", back, err)
	}
	return u.Query()
}

// install installs the app in the workspace of a user, for the tenant of by.
func (o *office) install(user *fakeslack.User, by parley.Principal) {
	o.t.Helper()
	name, err := o.served.Load().app.Installed(o.t.Context(), by, browser, o.consent(user, by))
	if err != nil || name != user.Workspace.Name {
		o.t.Fatalf("%q, %v", name, err)
	}
}

func TestAnAppIsInstalledInSeveralWorkspacesOfATenant(t *testing.T) {
	o := openOffice(t, nil, withClient)
	for _, name := range []string{"One", "Two"} {
		w := o.slack.AddWorkspace(name)
		user := w.AddUser("user of " + name)
		o.install(user, alice)
		o.linkAs(user, alice)
	}
	all, err := o.served.Load().app.Accounts(t.Context(), alice)
	if err != nil || len(all) != 2 || all[0].Workspace == all[1].Workspace {
		t.Errorf("%v, %v", all, err)
	}
}

func TestAnInstallationEndsWhereItBegan(t *testing.T) {
	o := openOffice(t, nil, withClient)
	w := o.slack.AddWorkspace("One")
	user, app := w.AddUser("u"), o.served.Load().app
	query := o.consent(user, alice)
	before := o.slack.Count("oauth.v2.access")
	for name, one := range map[string]struct {
		by      parley.Principal
		browser string
		query   url.Values
	}{
		"another browser":  {alice, "another", query},
		"another person":   {bert, browser, query},
		"another tenant":   {parley.Principal{Tenant: "other", User: "alice"}, browser, query},
		"no state":         {alice, browser, url.Values{"code": query["code"]}},
		"a made-up state":  {alice, browser, url.Values{"code": query["code"], "state": {"x"}}},
		"state of a token": {alice, browser, url.Values{"code": query["code"], "state": {o.otherToken()}}},
	} {
		if _, err := app.Installed(t.Context(), one.by, one.browser, one.query); !errors.Is(err, slackapp.ErrState) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if o.slack.Count("oauth.v2.access") != before {
		t.Error("a code was exchanged")
	}
	if _, err := app.Installed(t.Context(), alice, browser, query); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Installed(t.Context(), alice, browser, query); !errors.Is(err, slackapp.ErrState) {
		t.Errorf("twice: %v", err)
	}
}

// otherToken is a token of the same keys for something else.
func (o *office) otherToken() string {
	o.t.Helper()
	token, err := o.keys.Token("something else", []byte(`{"t":"default"}`), time.Now().Add(time.Hour))
	if err != nil {
		o.t.Fatal(err)
	}
	return token
}

func TestAnInstallationThatIsDeclinedInstallsNothing(t *testing.T) {
	o := openOffice(t, nil, withClient)
	user := o.slack.AddWorkspace("One").AddUser("u")
	to, err := o.served.Load().app.Install(alice, browser)
	if err != nil {
		t.Fatal(err)
	}
	back, err := user.Cancel(to)
	if err != nil {
		t.Fatal(err)
	}
	u, _ := url.Parse(back)
	if _, err := o.served.Load().app.Installed(t.Context(), alice, browser, u.Query()); !errors.Is(err, slackapp.ErrDeclined) {
		t.Error(err)
	}
}

// A workspace belongs to one tenant, until it is uninstalled.
func TestAWorkspaceIsNotTakenFromItsTenant(t *testing.T) {
	o := openOffice(t, nil, withClient)
	w := o.slack.AddWorkspace("One")
	user, app := w.AddUser("u"), o.served.Load().app
	thief := parley.Principal{Tenant: "other", User: "eve"}
	o.install(user, alice)
	if _, err := app.Installed(t.Context(), thief, browser, o.consent(user, thief)); !errors.Is(err, slackapp.ErrTaken) {
		t.Error(err)
	}
	if _, err := app.Installed(t.Context(), thief, browser, o.consent(o.ann, thief)); !errors.Is(err, slackapp.ErrTaken) {
		t.Errorf("the configured one: %v", err)
	}
	o.linkAs(user, alice)
	w.Uninstall()
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	o.waitForJobs()
	if all, err := app.Accounts(t.Context(), alice); err != nil || len(all) != 0 {
		t.Errorf("after it was uninstalled: %v, %v", all, err)
	}
	if _, err := app.Installed(t.Context(), thief, browser, o.consent(user, thief)); err != nil {
		t.Error(err)
	}
	// Who was alice there is nobody now: the workspace is another tenant's.
	if err := app.Unlink(t.Context(), alice, w.ID, user.ID); !errors.Is(err, slackapp.ErrNotLinked) {
		t.Error(err)
	}
}

// changeWorkspace changes what is stored of one.
func (o *office) changeWorkspace(team, field string, to time.Time) {
	o.t.Helper()
	o.changeStored(parley.Address{Tenant: "default", Kind: "slack_workspace", Key: team}, field, to)
}

// changeToken changes what the vault has of one's token.
func (o *office) changeToken(team, field string, to time.Time) {
	o.t.Helper()
	o.changeStored(parley.Address{Tenant: "default", Kind: "connection", Key: "app/" + team + "/slack"}, field, to)
}

func (o *office) changeStored(at parley.Address, field string, to time.Time) {
	o.t.Helper()
	_, err := parley.Update(o.t.Context(), seal.Records(o.store, o.keys, nil), at, func(r *parley.Record) (bool, error) {
		fields := map[string]any{}
		if err := json.Unmarshal(r.Data, &fields); err != nil {
			return false, err
		}
		fields[field] = to
		var err error
		r.Data, err = json.Marshal(fields)
		return true, err
	})
	if err != nil {
		o.t.Fatal(err)
	}
}

// Of all that find a token about to end one gets another.
func TestATokenThatRotatesIsRefreshedOnce(t *testing.T) {
	o := openOffice(t, &fakeslack.Options{Rotate: true}, withClient, func(o *office) { o.opts.BotToken = "" })
	w := o.slack.AddWorkspace("One")
	user := w.AddUser("u")
	o.install(user, alice)
	o.changeToken(w.ID, "expires", time.Now().Add(30*time.Second))
	second := o.begin()
	before := len(o.slack.Calls("oauth.v2.access"))
	var all sync.WaitGroup
	for range 4 {
		for _, n := range []*node{o.served.Load(), second} {
			all.Go(func() {
				if _, err := slackapp.Client(t.Context(), n.app, w.ID); err != nil {
					t.Error(err)
				}
			})
		}
	}
	all.Wait()
	if calls := o.slack.Calls("oauth.v2.access")[before:]; len(calls) != 1 || calls[0].Error != "" {
		t.Errorf("%d calls: %+v", len(calls), calls)
	}
	o.linkAs(user, alice) // its token works
}

// Slack may tell late that the app was uninstalled, when it is installed anew.
func TestALateWordDoesNotEndANewInstallation(t *testing.T) {
	o := openOffice(t, nil, withClient)
	w := o.slack.AddWorkspace("One")
	user := w.AddUser("u")
	o.install(user, alice)
	o.linkAs(user, alice)
	o.changeWorkspace(w.ID, "installed", time.Now().Add(time.Hour))
	o.slack.SendEvent(w, map[string]any{"type": "app_uninstalled"})
	if err := o.slack.Wait(o.within()); err != nil {
		t.Fatal(err)
	}
	o.waitForJobs()
	if all, err := o.served.Load().app.Accounts(t.Context(), alice); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestATokenThatCannotBeRefreshedIsUsedWhileItLasts(t *testing.T) {
	o := openOffice(t, &fakeslack.Options{Rotate: true, TokenTTL: 30 * time.Minute}, withClient, func(o *office) { o.opts.BotToken = "" })
	user := o.slack.AddWorkspace("One").AddUser("u")
	o.install(user, alice)
	o.slack.Fail(fakeslack.Fault{Method: "oauth.v2.access", Error: "internal_error"})
	o.linkAs(user, alice)
}

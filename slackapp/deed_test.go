package slackapp_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/fakeslack"
	"github.com/parley-hq/parley/slackapp"
)

// chronicle is a parley.Recorder that can be away.
type chronicle struct {
	mu   sync.Mutex
	told []string
	away bool
	lost int // that it was told of while it was away
}

var errAway = errors.New("the record is away")

func (c *chronicle) record(_ context.Context, d parley.Deed) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.away {
		c.lost++
		return errAway
	}
	c.told = append(c.told, fmt.Sprintf("%s %s/%s %s %s %s %s", d.What, d.Tenant, d.By, d.For, d.Via, d.Reason, d.Target))
	return nil
}

func (c *chronicle) be(away bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.away = away
}

func (c *chronicle) losses() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// wants waits for the deeds that were told, and forgets them.
func (c *chronicle) wants(o *office, want ...string) {
	o.t.Helper()
	for ctx := o.within(); ; time.Sleep(5 * time.Millisecond) {
		c.mu.Lock()
		told := slices.Clone(c.told)
		c.mu.Unlock()
		if slices.Equal(told, want) {
			break
		}
		if ctx.Err() != nil || len(told) > len(want) {
			o.t.Fatalf("recorded %q, want %q", told, want)
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = nil
}

func openRecorded(t *testing.T, fake *fakeslack.Options) (*office, *chronicle) {
	t.Helper()
	c := &chronicle{}
	return openOffice(t, fake, func(o *office) { o.opts.Record = c.record }), c
}

// TestWhatBecomesOfLinksIsRecorded: who made, refused and ended them, and why where Slack did.
func TestWhatBecomesOfLinksIsRecorded(t *testing.T) {
	o, c := openRecorded(t, nil)
	app := o.served.Load().app
	ann := o.acme.ID + "/" + o.ann.ID
	o.link()
	c.wants(o, "slack.linked default/alice  dev  "+ann)
	if err := app.Unlink(t.Context(), bert, o.acme.ID, o.ann.ID); !errors.Is(err, slackapp.ErrNotLinked) {
		t.Error(err)
	}
	if err := app.Unlink(t.Context(), alice, o.acme.ID, o.ann.ID); err != nil {
		t.Fatal(err)
	}
	c.wants(o, "slack.unlinked default/alice  dev  "+ann)
	o.ann.Mention(o.general, "say hi")
	token := o.linkFor(o.general, o.ann)
	for range 2 { // a double click
		if err := app.Decide(t.Context(), token, bert, false); err != nil {
			t.Fatal(err)
		}
	}
	c.wants(o, "slack.refused default/bert  dev  "+ann)

	bob := o.acme.ID + "/" + o.bob.ID
	o.linkAs(o.bob, bert)
	c.wants(o, "slack.linked default/bert  dev  "+bob)
	o.bob.Say(o.bob.DM(), "unlink")
	o.waitFor(o.bob.DM(), "no longer linked")
	c.wants(o, "slack.unlinked default/bert  slack  "+bob)

	eve := o.acme.AddUser("eve")
	o.linkAs(eve, carol)
	c.wants(o, "slack.linked default/carol  dev  "+o.acme.ID+"/"+eve.ID)
	eve.Deactivate()
	c.wants(o, "slack.unlinked default/ carol slack deactivated "+o.acme.ID+"/"+eve.ID)
}

// TestALinkThatCannotBeRecordedIsNeitherMadeNorEnded: it is when the record is back.
func TestALinkThatCannotBeRecordedIsNeitherMadeNorEnded(t *testing.T) {
	o, c := openRecorded(t, nil)
	app := o.served.Load().app
	linked := func() int {
		t.Helper()
		all, err := app.Accounts(t.Context(), alice)
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	o.ann.Say(o.ann.DM(), "say linked")
	token := o.linkFor(o.ann.DM(), o.ann)
	c.be(true)
	for _, allow := range []bool{false, true} {
		if err := app.Decide(t.Context(), token, alice, allow); !errors.Is(err, errAway) || linked() != 0 {
			t.Errorf("%t: %v, and %d are linked", allow, err, linked())
		}
	}
	c.be(false)
	if err := app.Decide(t.Context(), token, alice, true); err != nil || linked() != 1 {
		t.Fatalf("%v, and %d are linked", err, linked())
	}
	o.waitFor(o.ann.DM(), "linked")
	c.be(true)
	if err := app.Unlink(t.Context(), alice, o.acme.ID, o.ann.ID); !errors.Is(err, errAway) || linked() != 1 {
		t.Errorf("%v, and %d are linked", err, linked())
	}
	o.ann.Say(o.ann.DM(), "unlink")
	for ctx := o.within(); c.losses() < 4 && ctx.Err() == nil; {
		time.Sleep(5 * time.Millisecond) // until the word was read
	}
	if linked() != 1 || strings.Contains(lastWords(o.ann.DM()), "no longer linked") {
		t.Error("what was not recorded was done")
	}
	c.be(false)
	o.waitFor(o.ann.DM(), "no longer linked")
	if linked() != 0 {
		t.Error("it is still linked")
	}
	ann := o.acme.ID + "/" + o.ann.ID
	c.wants(o, "slack.linked default/alice  dev  "+ann, "slack.unlinked default/alice  slack  "+ann)
}

// TestWorkspacesComeAndGoOnTheRecord: and with them the links of their people.
func TestWorkspacesComeAndGoOnTheRecord(t *testing.T) {
	c := &chronicle{}
	o := openOffice(t, nil, withClient, func(o *office) { o.opts.Record = c.record })
	w := o.slack.AddWorkspace("One")
	user, app := w.AddUser("u"), o.served.Load().app
	c.be(true)
	if _, err := app.Installed(t.Context(), alice, browser, o.consent(user, alice)); !errors.Is(err, errAway) {
		t.Errorf("it is not recorded: %v", err)
	}
	if _, err := slackapp.Client(t.Context(), app, w.ID); !errors.Is(err, slackapp.ErrNoWorkspace) {
		t.Errorf("and yet installed: %v", err)
	}
	c.be(false)
	o.install(user, alice)
	o.linkAs(user, bert)
	c.wants(o, "slack.installed default/alice  dev  "+w.ID, "slack.linked default/bert  dev  "+w.ID+"/"+user.ID)
	w.Uninstall()
	c.wants(o, "slack.uninstalled default/  slack  "+w.ID, "slack.unlinked default/ bert slack uninstalled "+w.ID+"/"+user.ID)
}

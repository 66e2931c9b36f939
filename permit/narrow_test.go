package permit_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/form"
	"github.com/parley-hq/parley/permit"
)

// always answers always_allow, narrowed; what is empty is left out.
func always(scope, until string) parley.Answer {
	content := map[string]string{"decision": "always_allow"}
	if scope != "" {
		content["scope"] = scope
	}
	if until != "" {
		content["until"] = until
	}
	raw, _ := json.Marshal(content) // strings always marshal
	return parley.Answer{Action: parley.Accept, Content: raw, Via: "chat"}
}

// says answers the question about a call and records it.
func (s *site) says(t testing.TB, c permit.Call, a parley.Answer) permit.Decision {
	t.Helper()
	q := s.ask(t, c)
	s.answer(t, q, a)
	return s.record(t, c, q.ID)
}

// same is the transfer as another call, in another session.
func same(i int) permit.Call {
	return with(transfer(), func(c *permit.Call) { c.ID, c.Session = fmt.Sprint("same ", i), fmt.Sprint("chat ", i) })
}

func TestAPermissionForTheseArgumentsAsksAgainForOthers(t *testing.T) {
	s := newSite(t, nil)
	d := s.says(t, transfer(), always("arguments", ""))
	wantStatus(t, d, permit.Granted)
	for i := range 3 {
		s.wantExecuted(t, same(i))
		wantError(t, s.execute(t, same(i)), permit.ErrConsumed)
	}
	s.wantExecuted(t, with(same(3), func(c *permit.Call) { c.Args = json.RawMessage(`{ "amount":100, "to":"\u0062ob" }`) }))
	for name, change := range map[string]func(*permit.Call){
		"edited":         func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"bob","amount":101}`) },
		"one more":       func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"bob","amount":100,"x":1}`) },
		"none":           func(c *permit.Call) { c.Args = nil },
		"another tool":   func(c *permit.Call) { c.Tool = "transfer2" },
		"another server": func(c *permit.Call) { c.Server = "bank2" },
		"another person": func(c *permit.Call) { c.User = "carol" },
		"another tenant": func(c *permit.Call) { c.Tenant = "acme" },
	} {
		t.Run(name, func(t *testing.T) { s.wantRefused(t, with(same(9), change), permit.Required) })
	}
	list := s.listed(t, "alice")
	if len(list) != 1 {
		t.Fatalf("%+v", list)
	}
	want := permit.Permission{
		ID: d.Grant, Tenant: "default", User: "alice", Effect: permit.Allow, Server: "bank", Tool: "transfer",
		Digest: digest(t, transfer()), Arguments: `{"amount":100,"to":"bob"}`, Uses: 4,
		Created: list[0].Created, Question: list[0].Question,
	}
	if diff := cmp.Diff(want, list[0]); diff != "" {
		t.Error(diff)
	}
	if err := s.again(t, nil).Revoke(t.Context(), "", "alice", d.Grant); err != nil {
		t.Fatal(err)
	}
	s.wantRefused(t, same(10), permit.Required)
	if list := s.listed(t, "alice"); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestAPermissionLastsAsLongAsThePersonSaid(t *testing.T) {
	for until, lasts := range map[string]time.Duration{"hour": time.Hour, "day": 24 * time.Hour, "week": 7 * 24 * time.Hour} {
		for _, scope := range []string{"", "tool", "arguments"} {
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t, nil)
				q := s.ask(t, transfer())
				s.answer(t, q, always(scope, until))
				said := time.Now().UTC().Truncate(time.Millisecond)
				s.record(t, transfer(), q.ID)
				if list := s.listed(t, "alice"); len(list) != 1 || !list[0].Until.Equal(said.Add(lasts)) {
					t.Errorf("%s, %s: %+v", until, scope, list)
				}
				time.Sleep(time.Until(said.Add(lasts - time.Millisecond)))
				s.wantExecuted(t, same(1))
				time.Sleep(time.Millisecond)
				s.wantRefused(t, same(2), permit.Expired)
				if list := s.listed(t, "alice"); len(list) != 0 {
					t.Errorf("%+v", list)
				}
				wantStatus(t, s.says(t, same(2), always(scope, until)), permit.Granted)
				s.wantExecuted(t, same(3))
			})
		}
	}
}

func TestAnAnswerWithTheDecisionAloneCoversTheToolUntilItIsRevoked(t *testing.T) {
	for _, a := range []parley.Answer{always("", ""), always("tool", ""), always("", "revoked"), always("tool", "revoked")} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t, nil)
			d := s.says(t, transfer(), a)
			time.Sleep(10 * 365 * 24 * time.Hour)
			s.wantExecuted(t, numbered(1))
			if list := s.listed(t, "alice"); len(list) != 1 || !list[0].Until.IsZero() || list[0].Digest != "" || list[0].Arguments != "" {
				t.Errorf("%+v", list)
			}
			if err := s.Revoke(t.Context(), "", "alice", d.Grant); err != nil {
				t.Error(err)
			}
			s.wantRefused(t, numbered(2), permit.Required)
		})
	}
}

// The fields mean nothing beside another decision.
func TestNarrowingBelongsToAlwaysAllow(t *testing.T) {
	s := newSite(t, nil)
	once := says(permit.AllowOnce)
	once.Content = json.RawMessage(`{"decision":"allow_once","scope":"tool","until":"week"}`)
	s.says(t, transfer(), once)
	s.wantRefused(t, same(1), permit.Required)
	s.wantExecuted(t, transfer())
	no := says(permit.Refuse)
	no.Content = json.RawMessage(`{"decision":"deny","scope":"tool","until":"week"}`)
	wantStatus(t, s.says(t, same(2), no), permit.Denied)
}

func TestNobodyIsAllowedMoreThanWasOffered(t *testing.T) {
	for _, tc := range []struct {
		opts         permit.Options
		scope, until string
	}{
		{permit.Options{}, "server", ""},
		{permit.Options{}, "everything", ""},
		{permit.Options{}, "", "year"},
		{permit.Options{AlwaysTTL: time.Hour}, "", "week"},
		{permit.Options{AlwaysTTL: 48 * time.Hour}, "", "revoked"},
		{permit.Options{AlwaysTTL: 48 * time.Hour}, "", "week"},
	} {
		s := newSite(t, &tc.opts)
		q := s.ask(t, transfer())
		a := always(tc.scope, tc.until)
		err := s.hub.Answer(t.Context(), parley.Principal{User: "alice"}, q.ID, a)
		if tc.opts.AlwaysTTL == time.Hour { // there is no such field, so it says nothing
			if err != nil {
				t.Error(err)
			}
			s.record(t, transfer(), q.ID)
			if list := s.listed(t, "alice"); len(list) != 1 || list[0].Until.Sub(list[0].Created) != time.Hour {
				t.Errorf("%+v", list)
			}
			continue
		}
		wantError(t, err, form.ErrContent)

		// And if a surface let it pass, it is no yes.
		plain := plainSite(t, &tc.opts)
		q = plain.ask(t, transfer())
		err = plain.store.Settle(t.Context(), q.ID, parley.Outcome{
			Action: parley.Accept, Content: a.Content, By: "alice", Via: "chat", At: time.Now().UTC().Truncate(time.Millisecond), Claim: "x",
		})
		if err != nil {
			t.Fatal(err)
		}
		wantStatus(t, plain.record(t, transfer(), q.ID), permit.Denied)
	}
}

func TestAWholeServerCanBeNarrowedToo(t *testing.T) {
	other := with(same(1), func(c *permit.Call) { c.Tool = "quote" })
	for scope, want := range map[string][3]bool{ // the same call, other arguments, another tool
		"": {true, true, true}, "server": {true, true, true}, "tool": {true, true, false}, "arguments": {true, false, false},
	} {
		s := newSite(t, &permit.Options{WholeServer: true, AlwaysTTL: 30 * 24 * time.Hour})
		s.says(t, transfer(), always(scope, "day"))
		for i, c := range []permit.Call{same(1), numbered(2), other} {
			if got := s.status(t, permit.Always, c) == permit.Granted; got != want[i] {
				t.Errorf("%q, %d: %t", scope, i, got)
			}
		}
		if list := s.listed(t, "alice"); len(list) != 1 || list[0].Until.Sub(list[0].Created) != 24*time.Hour {
			t.Errorf("%q: %+v", scope, list)
		}
	}
}

// A refusal that is later than the permission holds, and the other way round.
func TestTheLatestWordAboutTheseArgumentsCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, nil)
		again := with(transfer(), func(c *permit.Call) { c.ID = "2" })
		third := with(transfer(), func(c *permit.Call) { c.ID = "3" })
		q := s.ask(t, again) // open while the permission is given
		s.says(t, transfer(), always("arguments", ""))
		time.Sleep(time.Second)
		s.answer(t, q, says(permit.Refuse))
		wantStatus(t, s.record(t, again, q.ID), permit.Denied)
		s.wantRefused(t, third, permit.Denied)
		time.Sleep(time.Second)
		wantStatus(t, s.says(t, third, always("arguments", "")), permit.Granted)
		s.wantExecuted(t, third)
	})
}

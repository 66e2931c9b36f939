package permit_test

import (
	"context"
	"encoding/json"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/permit"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/storetest"
)

func TestAForgedAnswerByAnotherPersonIsNone(t *testing.T) {
	s := newSite(t, nil)
	q := s.ask(t, transfer())
	for _, forger := range []parley.Principal{{User: "mallory"}, {Tenant: "acme", User: "alice"}, {}} {
		wantError(t, s.hub.Answer(t.Context(), forger, q.ID, says(permit.AllowOnce)), parley.ErrNotFound)
	}
	_, err := s.Record(t.Context(), transfer(), q.ID)
	wantError(t, err, permit.ErrPending)
	s.wantRefused(t, transfer(), permit.Required)

	// Another person's yes to their own question about the same thing.
	theirs := with(transfer(), func(c *permit.Call) { c.User = "mallory" })
	other := s.ask(t, theirs)
	s.answer(t, other, says(permit.AlwaysAllow))
	_, err = s.Record(t.Context(), transfer(), other.ID)
	wantError(t, err, parley.ErrNotFound)
	s.wantRefused(t, transfer(), permit.Required)
}

// settle puts an outcome into the store past the hub, as a hook or a surface
// with a fault would.
func (s *site) settle(t *testing.T, q parley.Request, o parley.Outcome) {
	t.Helper()
	o.At, o.Claim = time.Now().UTC().Truncate(time.Millisecond), "x"
	if err := s.store.Settle(t.Context(), q.ID, o); err != nil {
		t.Fatal(err)
	}
}

// plainSite has a hub without a sealer, so that a test can write outcomes.
func plainSite(t *testing.T, opts *permit.Options) *site {
	t.Helper()
	store := parley.NewMemoryStore()
	s := &site{hub: parley.New(store, &parley.Options{Logger: quiet}), store: store, server: &server{calls: map[string]int{}, ids: map[string]int{}}}
	var err error
	if s.Permits, err = permit.New(s.hub, store, keyring(t), opts); err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOnlyAClearYesOfTheOwnerAllows(t *testing.T) {
	yes := json.RawMessage(`{"decision":"allow_once"}`)
	for name, o := range map[string]parley.Outcome{
		"nobody, as a fallback that allows would say": {Action: parley.Accept, Content: yes, Via: "mcp"},
		"somebody else":              {Action: parley.Accept, Content: yes, By: "mallory", Via: "chat"},
		"a model":                    {Action: parley.Accept, Content: yes, By: "alice", Via: "mcp-model"},
		"any model":                  {Action: parley.Accept, Content: yes, By: "alice", Via: "a2a-model"},
		"a channel called model":     {Action: parley.Accept, Content: yes, By: "alice", Via: "model"},
		"a channel that is declared": {Action: parley.Accept, Content: yes, By: "alice", Via: "robot"},
		"a channel without a name":   {Action: parley.Accept, Content: yes, By: "alice"},
		"always, by a model":         {Action: parley.Accept, Content: json.RawMessage(`{"decision":"always_allow"}`), By: "alice", Via: "mcp-model"},
		"expired with a yes":         {Action: parley.Expire, Content: yes, By: "alice", Via: "chat"},
		"declined with a yes":        {Action: parley.Decline, Content: yes, By: "alice", Via: "chat"},
		"cancelled with a yes":       {Action: parley.Cancel, Content: yes, By: "alice", Via: "chat"},
		"an unknown action":          {Action: "agree", Content: yes, By: "alice", Via: "chat"},
		"no content":                 {Action: parley.Accept, By: "alice", Via: "chat"},
		"an empty form":              {Action: parley.Accept, Content: json.RawMessage(`{}`), By: "alice", Via: "chat"},
		"another word":               {Action: parley.Accept, Content: json.RawMessage(`{"decision":"allow"}`), By: "alice", Via: "chat"},
		"another case":               {Action: parley.Accept, Content: json.RawMessage(`{"decision":"ALLOW_ONCE"}`), By: "alice", Via: "chat"},
		"another type":               {Action: parley.Accept, Content: json.RawMessage(`{"decision":true}`), By: "alice", Via: "chat"},
	} {
		t.Run(name, func(t *testing.T) {
			s := plainSite(t, &permit.Options{ModelChannels: []string{"robot"}})
			q := s.ask(t, transfer())
			s.settle(t, q, o)
			d := s.record(t, transfer(), q.ID)
			wantStatus(t, d, permit.Denied)
			if d.Reason == "" {
				t.Error("no reason")
			}
			s.wantRefused(t, transfer(), permit.Denied)
			s.wantCheck(t, transfer(), permit.Denied)
		})
	}
	// The same without a fault: these tests would fail.
	s := plainSite(t, nil)
	q := s.ask(t, transfer())
	s.settle(t, q, parley.Outcome{Action: parley.Accept, Content: yes, By: "alice", Via: "robot"})
	s.record(t, transfer(), q.ID)
	s.wantExecuted(t, transfer())
}

func TestAQuestionAboutSomethingElseIsNoApproval(t *testing.T) {
	for name, change := range map[string]func(*permit.Call){
		"arguments":   func(c *permit.Call) { c.Args = json.RawMessage(`{"to":"mallory","amount":100}`) },
		"tool":        func(c *permit.Call) { c.Tool = "transfer_all" },
		"server":      func(c *permit.Call) { c.Server = "bank2" },
		"session":     func(c *permit.Call) { c.Session = "chat-2" },
		"call":        func(c *permit.Call) { c.ID = "run-1/call-2" },
		"shown title": func(c *permit.Call) { c.ToolTitle = "Look at the balance" },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			q := s.ask(t, with(transfer(), change))
			s.answer(t, q, says(permit.AlwaysAllow))
			_, err := s.Record(t.Context(), transfer(), q.ID)
			wantError(t, err, permit.ErrMismatch)
			s.wantRefused(t, transfer(), permit.Required)
			if list := s.listed(t, "alice"); len(list) != 0 {
				t.Errorf("recorded all the same: %+v", list)
			}
		})
	}
}

// Somebody else opens a question that only looks like ours.
func TestAQuestionThatWasChangedIsNoApproval(t *testing.T) {
	for name, change := range map[string]func(*parley.Request){
		"message": func(q *parley.Request) { q.Message = "Show the balance?" },
		"trigger": func(q *parley.Request) { q.Trigger = parley.TriggerTool },
		"service": func(q *parley.Request) { q.From = "weather" },
		"digest":  func(q *parley.Request) { q.Labels[permit.LabelDigest] = "x" },
		"call":    func(q *parley.Request) { delete(q.Labels, permit.LabelCall) },
		"tool":    func(q *parley.Request) { q.Labels[permit.LabelTool] = "balance" },
		"form": func(q *parley.Request) {
			q.Schema = json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","oneOf":[{"const":"allow_once","title":"Show it"}]}}}`)
		},
		"a default": func(q *parley.Request) {
			q.Schema = json.RawMessage(`{"type":"object","properties":{"decision":{"type":"string","enum":["allow_once"],"default":"allow_once"}}}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newSite(t, nil)
			q, err := s.Question(transfer())
			if err != nil {
				t.Fatal(err)
			}
			change(&q)
			if q, err = s.hub.Open(t.Context(), q); err != nil {
				t.Fatal(err)
			}
			s.answer(t, q, says(permit.AllowOnce))
			_, err = s.Record(t.Context(), transfer(), q.ID)
			wantError(t, err, permit.ErrMismatch)
			s.wantRefused(t, transfer(), permit.Required)
		})
	}
}

// The scope that the person read is the scope that is recorded: a program that
// was configured otherwise meanwhile asks again.
func TestAnAnswerToAnotherOfferIsNoApproval(t *testing.T) {
	s := newSite(t, nil)
	q := s.ask(t, transfer())
	s.answer(t, q, says(permit.AlwaysAllow))
	wide := s.again(t, &permit.Options{WholeServer: true})
	_, err := wide.Record(t.Context(), transfer(), q.ID)
	wantError(t, err, permit.ErrMismatch)
}

func TestRecordingAgainChangesNothing(t *testing.T) {
	for _, choice := range []permit.Choice{permit.AllowOnce, permit.AlwaysAllow, permit.Refuse} {
		s := newSite(t, nil)
		q := s.ask(t, transfer())
		s.answer(t, q, says(choice))
		first, list := s.record(t, transfer(), q.ID), s.listed(t, "alice")
		for range 3 {
			if again := s.again(t, nil).record(t, transfer(), q.ID); !reflect.DeepEqual(again, first) {
				t.Errorf("%s: %+v, then %+v", choice, first, again)
			}
		}
		if again := s.listed(t, "alice"); len(again) != 1 || cmp.Diff(list, again) != "" {
			t.Errorf("%s: listed %+v, then %+v", choice, list, again)
		}
	}
}

// The hub forgets settled questions; the table remembers what they were for.
func TestAnAnswerOutlivesItsQuestion(t *testing.T) {
	for choice, want := range map[permit.Choice]permit.Status{permit.AllowOnce: permit.Granted, permit.Refuse: permit.Denied} {
		synctest.Test(t, func(t *testing.T) {
			store := parley.NewMemoryStore()
			store.Retention = time.Minute
			s := newSiteOn(t, store, nil, nil)
			q := s.ask(t, transfer())
			s.answer(t, q, says(choice))
			s.record(t, transfer(), q.ID)
			time.Sleep(2 * time.Minute)
			if err := store.Sweep(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			_, err := s.hub.Get(t.Context(), parley.Principal{User: "alice"}, q.ID)
			wantError(t, err, parley.ErrNotFound)
			wantStatus(t, s.record(t, transfer(), q.ID), want)
		})
	}
}

func TestAnUnknownQuestionIsNoApproval(t *testing.T) {
	s := newSite(t, nil)
	for _, id := range []parley.ID{"", "x", parley.NewID()} {
		_, err := s.Record(t.Context(), transfer(), id)
		wantError(t, err, parley.ErrNotFound)
	}
	s.wantRefused(t, transfer(), permit.Required)
}

// Who can write to the database has no key.
func TestARecordThatWasTamperedWithIsAnErrorAndNoApproval(t *testing.T) {
	s := newSite(t, nil)
	s.decided(t, transfer(), permit.AlwaysAllow)
	records, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "permission"}, "", 0)
	if err != nil || len(records) != 1 {
		t.Fatalf("%+v, %v", records, err)
	}
	good := records[0]
	mallory := good.Clone()
	mallory.Key, mallory.Owner, mallory.Version = "mallory"+good.Key[len("alice"):], "mallory", 0
	if _, err := s.store.Save(t.Context(), mallory); err != nil {
		t.Fatal(err)
	}
	c := with(transfer(), func(c *permit.Call) { c.User = "mallory" })
	_, err = s.Check(t.Context(), permit.Always, c)
	wantError(t, err, seal.ErrTampered)
	wantError(t, s.execute(t, c), seal.ErrTampered)
	_, err = s.List(t.Context(), "", "mallory")
	wantError(t, err, seal.ErrTampered)

	good.Data = []byte(`{"effect":"allow","server":"bank","tool":"transfer","said":"2020-01-01T00:00:00Z"}`)
	if _, err := s.store.Save(t.Context(), good); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.execute(t, transfer()), parley.ErrNotSealed)
	if s.server.count() != 0 {
		t.Error("executed")
	}
}

// leakless fails the test when something is stored that shows the arguments.
type leakless struct {
	storetest.Backend
	saved func(parley.Record)
}

func (l leakless) Save(ctx context.Context, r parley.Record) (int64, error) {
	l.saved(r)
	return l.Backend.Save(ctx, r)
}

func TestNothingOfACallIsStoredInPlain(t *testing.T) {
	saved := 0
	store := leakless{parley.NewMemoryStore(), func(r parley.Record) {
		saved++
		if !seal.Sealed(r.Data) || r.Owner != "alice" {
			t.Errorf("stored %+v", r)
		}
	}}
	s := newSiteOn(t, store, nil, nil)
	s.decided(t, transfer(), permit.AllowOnce)
	s.wantExecuted(t, transfer())
	s.decided(t, with(transfer(), func(c *permit.Call) { c.ID = "2" }), permit.Refuse)
	if saved < 4 {
		t.Errorf("%d records seen", saved)
	}
}

func TestPermitsNeedAHubRecordsAndKeys(t *testing.T) {
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	for _, err := range []error{
		second(permit.New(nil, store, keyring(t), nil)),
		second(permit.New(hub, nil, keyring(t), nil)),
		second(permit.New(hub, store, nil, nil)),
		second(permit.New(hub, store, keyring(t), &permit.Options{OnceTTL: -1})),
	} {
		if err == nil {
			t.Error("made without")
		}
	}
}

func second(_ *permit.Permits, err error) error { return err }

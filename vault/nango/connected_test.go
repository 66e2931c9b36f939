package nango_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/vault"
)

// ask opens the question for a credential of p's.
func (h *house) ask(p parley.Principal, server string) parley.Request {
	h.t.Helper()
	_, err := h.vault.Credential(h.t.Context(), vault.Need{Tenant: p.Tenant, Server: server, User: p.User})
	var required *vault.RequiredError
	if !errors.As(err, &required) {
		h.t.Fatalf("credential: %v", err)
	}
	q, err := h.hub.Open(h.t.Context(), h.vault.Question(required, p, ""))
	if err != nil {
		h.t.Fatal(err)
	}
	return q
}

func TestConnectedSettlesOnlyTheQuestionForThatCredential(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		acme := parley.Principal{Tenant: "acme", User: "alice", Method: "test"}
		hers, notes, bobs, theirs := h.ask(alice, "tracker"), h.ask(alice, "notes"), h.ask(bob, "tracker"), h.ask(acme, "tracker")
		platform := h.ask(alice, "shared-tracker") // alice is an administrator
		form, err := h.hub.Open(t.Context(), parley.Request{To: "alice", From: "tracker", Message: "Go on?"})
		if err != nil {
			t.Fatal(err)
		}
		place := at("alice", "tracker")
		shared := vault.Place{Key: vault.Key{Tenant: "default", Server: "shared-tracker", Scope: vault.Platform}, Integration: "tracker"}
		h.opts.Connected = nil
		quiet := h.another() // whose webhooks settle nothing
		h.web.set("parley.example", quiet.Webhook())
		h.start(alice, hers)
		h.join(place, "q")
		h.join(shared, "q")

		for name, test := range map[string]struct {
			key  vault.Key
			id   parley.ID
			want error
		}{
			"another server's":       {place.Key, notes.ID, vault.ErrNotConnecting},
			"another person's":       {place.Key, bobs.ID, parley.ErrNotFound},
			"another tenant's":       {place.Key, theirs.ID, parley.ErrNotFound},
			"no credential's":        {place.Key, form.ID, vault.ErrNotConnecting},
			"the platform's":         {shared.Key, platform.ID, vault.ErrNotConnecting},
			"the platform's as hers": {place.Key, platform.ID, vault.ErrNotConnecting},
			"nobody's":               {place.Key, parley.NewID(), parley.ErrNotFound},
			"none":                   {place.Key, "", parley.ErrNotFound},
		} {
			if err := h.vault.Connected(t.Context(), test.key, test.id); !errors.Is(err, test.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, q := range []parley.Request{hers, notes, bobs, theirs, platform, form} {
			if o := h.outcome(q.ID); o != nil {
				t.Errorf("%s for %s was settled", q.ID, q.From)
			}
		}
		key := place.Key
		key.Tenant = "" // the default one
		for range 2 {
			if err := h.vault.Connected(t.Context(), key, hers.ID); err != nil {
				t.Errorf("hers: %v", err)
			}
		}
		if o := h.outcome(hers.ID); o == nil || o.Action != parley.Accept || o.By != "alice" {
			t.Errorf("outcome: %+v", o)
		}
		// The platform's is settled when its page is looked at.
		if offer, err := h.vault.Offer(t.Context(), alice, platform.ID); err != nil || !offer.Connected {
			t.Errorf("offer: %+v, %v", offer, err)
		}
	})
}

func TestConnectedBelievesNobodyWithoutACredential(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		q := h.ask(alice, "tracker")
		began := time.Now()
		err := h.vault.Connected(t.Context(), at("alice", "tracker").Key, q.ID)
		if !errors.Is(err, vault.ErrNotConnected) {
			t.Errorf("got %v", err)
		}
		if took := time.Since(began); took != 1500*time.Millisecond {
			t.Errorf("it looked for %v", took)
		}
		if o := h.outcome(q.ID); o != nil {
			t.Errorf("outcome: %+v", o)
		}
	})
}

func TestConnectedWaitsForALateCredential(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHouse(t, nil)
		q := h.ask(alice, "tracker")
		h.start(alice, q)
		place := at("alice", "tracker")
		var wg sync.WaitGroup
		wg.Go(func() {
			time.Sleep(1200 * time.Millisecond)
			h.lossy(place, "another question")
		})
		if err := h.vault.Connected(t.Context(), place.Key, q.ID); err != nil {
			t.Errorf("got %v", err)
		}
		wg.Wait()
		if o := h.outcome(q.ID); o == nil || o.Action != parley.Accept {
			t.Errorf("outcome: %+v", o)
		}
	})
}

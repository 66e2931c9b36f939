package pages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/softkey"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/passkey"
	"github.com/parley-hq/parley/vault"
)

const named = "http://localhost:8420"

// passkeySite is a site with a name, where search is connected with a passkey and wiki without.
func passkeySite(t *testing.T) (v *vaultSite, deeds *[]parley.Deed) {
	t.Helper()
	v, deeds = &vaultSite{acme: newIDP(t, "https://login.acme.co.uk")}, &[]parley.Deed{}
	v.site = newSite(t, named, func(s *site, o *pages.Options) {
		s.web.serve("login.acme.co.uk", v.acme)
		var err error
		o.Record = func(_ context.Context, d parley.Deed) error {
			*deeds = append(*deeds, d)
			return nil
		}
		begin := func(_ context.Context, d parley.Deed) (parley.DeedEnd, error) {
			return func(ctx context.Context, _ string, done bool) error {
				if !done {
					return nil
				}
				return o.Record(ctx, d)
			}, nil
		}
		if o.Passkeys, err = passkey.New(parley.NewMemoryStore(), &passkey.Options{PublicURL: named, Begin: begin}); err != nil {
			t.Fatal(err)
		}
		user := func(a vault.Auth) vault.Auth { a.Scope = vault.User; return a }
		v.vault, err = vault.New(s.hub, s.store, s.keys, &vault.Options{
			PublicURL: named, Client: &http.Client{Transport: s.web}, TenantClient: &http.Client{Transport: s.web}, Logger: o.Logger,
			Providers: []vault.Provider{v.acme.asProvider("acme", "Acme")},
			Servers: []vault.Server{
				{Name: "search", URL: "https://api.search.example/mcp", Auth: user(vault.Auth{Type: vault.APIKey}), Sign: true},
				{Name: "bank", URL: "https://bank.example/mcp", Auth: user(vault.Auth{Type: vault.OAuth2, Provider: "acme"}), Sign: true},
				{Name: "wiki", URL: "https://wiki.example/mcp", Auth: user(vault.Auth{Type: vault.OAuth2, Provider: "acme"})},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		o.Connections = v.vault
	})
	return v, deeds
}

// script sends what the script of a page sends.
func (b *browser) script(path string, body any, into any) int {
	b.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		b.t.Fatal(err)
	}
	r := b.request(http.MethodPost, path, bytes.NewReader(data))
	r.Header.Set("Content-Type", "application/json")
	a := b.do(r)
	if err := json.Unmarshal([]byte(a.body), into); err != nil && into != nil {
		b.t.Fatalf("%v: %s", err, a.body)
	}
	return a.StatusCode
}

func countDeeds(all []parley.Deed, what string) (count int) {
	for _, d := range all {
		if d.What == what {
			count++
		}
	}
	return count
}

// enrols adds a passkey of a device; had is one that the person has.
func (b *browser) enrols(d, had *softkey.Device) int {
	b.t.Helper()
	var c struct {
		Ceremony      string
		Create, Prove json.RawMessage
	}
	if status := b.script("/inbox/passkeys/begin", nil, &c); status != http.StatusOK {
		return status
	}
	sent := map[string]any{"ceremony": c.Ceremony, "name": "Phone", "response": d.Create(b.t, c.Create)}
	if had != nil {
		sent["assertion"] = had.Get(b.t, c.Prove)
	}
	var said map[string]any
	return b.script("/inbox/passkeys/add", sent, &said)
}

func TestPasskeysAreAddedAndRemovedByWhoHasJustSignedIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v, deeds := passkeySite(t)
		b := v.as("alice")
		time.Sleep(6 * time.Minute) // a session that was left open
		b.get("/inbox/passkeys").want(http.StatusOK).says("You have none here.", "sign in again").lacks("What do you call it?")
		phone := softkey.New(t, named, "localhost")
		if status := b.enrols(phone, nil); status != http.StatusForbidden {
			t.Errorf("without signing in again: %d", status)
		}
		b.post("/login", url.Values{"user": {"alice"}})
		var late struct {
			Ceremony string
			Create   json.RawMessage
		}
		b.script("/inbox/passkeys/begin", nil, &late) // while she has none
		if status := b.enrols(phone, nil); status != http.StatusOK {
			t.Fatalf("after signing in again: %d", status)
		}
		thiefs := map[string]any{"ceremony": late.Ceremony, "response": softkey.New(t, named, "localhost").Create(t, late.Create)}
		if status := b.script("/inbox/passkeys/add", thiefs, &map[string]any{}); status != http.StatusConflict {
			t.Errorf("one that was begun before: %d", status)
		}
		if status := b.enrols(softkey.New(t, named, "localhost"), nil); status != http.StatusForbidden {
			t.Errorf("a second one without the first: %d", status)
		}
		time.Sleep(6 * time.Minute)
		laptop := softkey.New(t, named, "localhost")
		if status := b.enrols(laptop, phone); status != http.StatusOK {
			t.Errorf("a second one with the first: %d", status)
		}
		b.get("/inbox/passkeys").want(http.StatusOK).says("Phone", passkey.Fingerprint(laptop.PublicKey(t))).lacks("Remove")
		var first string
		for _, d := range *deeds {
			if d.What == "passkey.added" && first == "" {
				first = d.Target
			}
		}
		id := url.Values{"id": {first}}
		b.post("/inbox/passkeys/remove", id).want(http.StatusForbidden).says("Nothing was removed")
		name := url.Values{"id": {first}, "name": {"<b>My</b> old phone " + strings.Repeat("x", 80)}}
		b.post("/inbox/passkeys/rename", name).want(http.StatusForbidden).says("Nothing was renamed")
		b.post("/login", url.Values{"user": {"alice"}})
		v.as("bob").post("/inbox/passkeys/remove", id).want(http.StatusSeeOther) // there is none of his
		if got := strings.Count(b.get("/inbox/passkeys").want(http.StatusOK).body, "<code>sha256:"); got != 2 {
			t.Errorf("%d passkeys", got)
		}
		v.as("bob").post("/inbox/passkeys/rename", name).want(http.StatusSeeOther)
		b.get("/inbox/passkeys").want(http.StatusOK).lacks("My</b>").lacks("old phone")
		b.post("/inbox/passkeys/rename", name).want(http.StatusSeeOther)
		if page := b.get("/inbox/passkeys").want(http.StatusOK).says("<b>My</b> old phone xxx").lacks(strings.Repeat("x", 60)).body; strings.Contains(page, "<b>My") {
			t.Error("a name is markup")
		}
		b.post("/inbox/passkeys/remove", id).want(http.StatusSeeOther)
		b.get("/inbox/passkeys").lacks(passkey.Fingerprint(phone.PublicKey(t)))
		if count := countDeeds(*deeds, "passkey.added"); count != 2 {
			t.Errorf("%d passkeys are said to be added", count)
		}
		if last := (*deeds)[len(*deeds)-1]; last.What != "passkey.removed" || last.Target != first || last.By != "alice" {
			t.Errorf("%+v", last)
		}
	})
}

func TestAnAccountIsConnectedWithThePasskeyThatItsServerWants(t *testing.T) {
	v, deeds := passkeySite(t)
	const key = "sk-live-0123456789"
	q := v.askAlice("search")
	b := v.as("alice")
	b.get(connectPath(q)).want(http.StatusOK).says("you have none here", "Add a passkey", "Decline").lacks("Key or token")
	b.post(connectPath(q), url.Values{"action": {"connect"}, "key": {key}}).want(http.StatusForbidden).says("nothing was connected")
	phone, bobs := softkey.New(t, named, "localhost"), softkey.New(t, named, "localhost")
	if b.enrols(phone, nil) != http.StatusOK || v.as("bob").enrols(bobs, nil) != http.StatusOK {
		t.Fatal("no passkeys")
	}
	b.get(connectPath(q)).want(http.StatusOK).says("Key or token")
	var asked struct{ PublicKey json.RawMessage }
	sign := "/auth/connect/sign?elicitation_id="
	if status := b.script(sign+string(q.ID), nil, &asked); status != http.StatusOK {
		t.Fatal(status)
	}
	if status := v.as("bob").script(sign+string(q.ID), nil, &map[string]any{}); status != http.StatusNotFound {
		t.Errorf("bob is asked: %d", status)
	}
	bank := v.askAlice("bank")
	var other struct{ PublicKey json.RawMessage }
	b.script(sign+string(bank.ID), nil, &other)
	for name, assertion := range map[string]json.RawMessage{
		"nothing": nil, "bob's": bobs.Get(t, asked.PublicKey), "that of another question": phone.Get(t, other.PublicKey),
	} {
		b.post(connectPath(q), url.Values{"action": {"connect"}, "key": {key}, "assertion": {string(assertion)}}).want(http.StatusForbidden)
		if v.connected("search") {
			t.Fatalf("connected with %s", name)
		}
	}
	b.post(connectPath(q), url.Values{"action": {"connect"}, "key": {key}, "assertion": {string(phone.Get(t, asked.PublicKey))}}).want(http.StatusSeeOther)
	if !v.connected("search") {
		t.Error("not connected")
	}
	last := (*deeds)[len(*deeds)-1]
	if last.What != "connect.signed" || last.Question != q.ID || last.Server != "search" || last.By != "alice" || last.Signed == nil {
		t.Fatalf("%+v", last)
	}
	if _, err := passkey.Check(*last.Signed, passkey.Statement{
		Question: string(q.ID), Tenant: "default", Person: "alice", Server: "search", Decision: "connect", Rule: "servers.search", Shown: last.Shown,
	}.Challenge()); err != nil {
		t.Error(err)
	}
	// At a provider nothing begins without it, and no other connection stands for it.
	b.post(oauthPath("acme", bank), agree).want(http.StatusForbidden)
	wiki := v.askAlice("wiki")
	b.get(connectPath(wiki)).want(http.StatusOK).lacks("It also goes to")
	back := v.consent(b, "acme", wiki)
	b.get(back)
	if !v.connected("wiki") || v.connected("bank") {
		t.Errorf("wiki %v, bank %v", v.connected("wiki"), v.connected("bank"))
	}
	b.get(connectPath(bank)).want(http.StatusOK).says("you sign with your passkey")
}

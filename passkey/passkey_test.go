package passkey_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/softkey"
	"github.com/parley-hq/parley/passkey"
)

const (
	origin = "https://parley.example"
	host   = "parley.example"
)

var alice = parley.Principal{Tenant: "acme", User: "alice", Method: "oidc"}

// site is the passkeys of a site, and what was recorded of them.
type site struct {
	*passkey.Keys
	deeds []parley.Deed // that were done
	begun int           // those of which nobody has said how they ended
	store parley.Records
	fails bool // the store does, while something is begun
}

// begin is a parley.Beginner.
func (s *site) begin(_ context.Context, d parley.Deed) (parley.DeedEnd, error) {
	s.begun++
	return func(_ context.Context, _ string, done bool) error {
		if s.begun--; done {
			s.deeds = append(s.deeds, d)
		}
		return nil
	}, nil
}

// away is a store that fails while something is about to be done, if it is told to.
type away struct{ *site }

func (a away) Load(ctx context.Context, at parley.Address) (parley.Record, error) {
	return a.store.Load(ctx, at)
}
func (a away) Delete(ctx context.Context, at parley.Address, version int64) error {
	return a.store.Delete(ctx, at, version)
}

func (a away) Scan(ctx context.Context, from parley.Address, after string, limit int) ([]parley.Record, error) {
	return a.store.Scan(ctx, from, after, limit)
}

func (a away) Save(ctx context.Context, r parley.Record) (int64, error) {
	if a.fails && a.begun > 0 {
		return 0, errAway
	}
	return a.store.Save(ctx, r)
}

var errAway = errors.New("the store is away")

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{store: parley.NewMemoryStore()}
	var err error
	s.Keys, err = passkey.New(away{s}, &passkey.Options{PublicURL: origin, Begin: s.begin})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// add gives somebody who has just signed in a device, by the one that they have if there is one.
func (s *site) add(t *testing.T, who parley.Principal, had *softkey.Device) *softkey.Device {
	t.Helper()
	d := softkey.New(t, origin, host)
	if err := s.try(t, who, d, had); err != nil {
		t.Fatal(err)
	}
	return d
}

func (s *site) try(t *testing.T, who parley.Principal, d, had *softkey.Device) error {
	t.Helper()
	c, err := s.Begin(t.Context(), who, who.User, true)
	if err != nil {
		return err
	}
	e := passkey.Enrolment{Ceremony: c.ID, Name: " My phone ", Response: d.Create(t, c.Create)}
	if c.Prove != nil && had != nil {
		e.Assertion = had.Get(t, c.Prove)
	}
	_, err = s.Finish(t.Context(), who, e)
	return err
}

func challenge() []byte {
	return passkey.Statement{Question: "q1", Tenant: "acme", Person: "alice", Decision: "allow_once", Rule: "transfers", Shown: "sha256:x"}.Challenge()
}

func wantError(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%v, not %v", err, want)
	}
}

func signs(t *testing.T, d *softkey.Device, challenge []byte) json.RawMessage {
	t.Helper()
	return d.Sign(t, base64.RawURLEncoding.EncodeToString(challenge))
}

func TestAPasskeySignsForItsPersonAndNobodyElse(t *testing.T) {
	s := newSite(t)
	phone := s.add(t, alice, nil)
	signed, err := s.Verify(t.Context(), alice, challenge(), signs(t, phone, challenge()))
	if err != nil {
		t.Fatal(err)
	}
	who, err := passkey.Check(signed, challenge())
	if err != nil || who.Origin != origin || who.Fingerprint != passkey.Fingerprint(phone.PublicKey(t)) {
		t.Errorf("%+v, %v", who, err)
	}
	bob, elsewhere := alice, alice
	bob.User, elsewhere.Tenant = "bob", "umbrella"
	other := passkey.Statement{Question: "q2"}.Challenge()
	for name, try := range map[string]func(d *softkey.Device) error{
		"of another person": func(d *softkey.Device) error {
			_, err := s.Verify(t.Context(), bob, challenge(), signs(t, d, challenge()))
			return err
		},
		"in another tenant": func(d *softkey.Device) error {
			_, err := s.Verify(t.Context(), elsewhere, challenge(), signs(t, d, challenge()))
			return err
		},
		"of something else": func(d *softkey.Device) error {
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, other))
			return err
		},
		"without asking for its person": func(d *softkey.Device) error {
			d.Unverified = true
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"untouched": func(d *softkey.Device) error {
			d.Absent = true
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"with more than a browser says": func(d *softkey.Device) error {
			d.Chatter = strings.Repeat("x", 5<<10)
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"by a copy that does not count": func(d *softkey.Device) error {
			if _, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge())); err != nil {
				t.Fatal(err)
			}
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d.Uncounted(), challenge()))
			return err
		},
		"on another site": func(d *softkey.Device) error {
			d.Origin = "https://evil.example"
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"on another site, for its name": func(d *softkey.Device) error {
			d.Origin, d.Host = "https://evil.example", "evil.example"
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"on another port": func(d *softkey.Device) error {
			d.Origin = origin + ":8443"
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"for another name": func(d *softkey.Device) error {
			d.Host = "evil.example"
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"in a frame": func(d *softkey.Device) error {
			d.Within = "https://evil.example"
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"in a frame of nobody knows whom": func(d *softkey.Device) error {
			d.Framed = true
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"for no site": func(d *softkey.Device) error {
			d.Host = ""
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"as somebody else": func(d *softkey.Device) error {
			d.Handle = "bob"
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"by a copy that does not count on": func(d *softkey.Device) error {
			if _, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge())); err != nil {
				t.Fatal(err)
			}
			d.Stuck = true
			_, err := s.Verify(t.Context(), alice, challenge(), signs(t, d, challenge()))
			return err
		},
		"the same again": func(d *softkey.Device) error {
			assertion := signs(t, d, challenge())
			if _, err := s.Verify(t.Context(), alice, challenge(), assertion); err != nil {
				t.Fatal(err)
			}
			_, err := s.Verify(t.Context(), alice, challenge(), assertion)
			return err
		},
		"with a signature of nothing": func(d *softkey.Device) error {
			assertion := bytes.Replace(signs(t, d, challenge()), []byte(`"signature":"`), []byte(`"signature":"AAAA`), 1)
			_, err := s.Verify(t.Context(), alice, challenge(), assertion)
			return err
		},
		"with nothing": func(*softkey.Device) error {
			_, err := s.Verify(t.Context(), alice, challenge(), nil)
			return err
		},
		"with a lot of nothing": func(d *softkey.Device) error {
			_, err := s.Verify(t.Context(), alice, challenge(), append(signs(t, d, challenge()), bytes.Repeat([]byte(" "), 16<<10)...))
			return err
		},
		"with rubbish": func(*softkey.Device) error {
			_, err := s.Verify(t.Context(), alice, challenge(), json.RawMessage(`{"id":"x","rawId":"eA","type":"public-key","response":{}}`))
			return err
		},
	} {
		d := *phone
		if err := try(&d); !errors.Is(err, passkey.ErrNotSigned) {
			t.Errorf("%s: %v", name, err)
		}
		*phone = d // what follows counts on
		phone.Unverified, phone.Stuck, phone.Origin, phone.Host, phone.Within = false, false, origin, host, ""
		phone.Framed, phone.Handle, phone.Absent, phone.Chatter = false, "", false, ""
	}
}

// Whoever has a receipt alone checks as much: of what a device signed nothing is left out.
func TestAnAssertionIsCheckedWithoutTheServer(t *testing.T) {
	phone := softkey.New(t, origin, host)
	whole := func() parley.Signed {
		t.Helper()
		var sent struct {
			Response struct{ AuthenticatorData, ClientDataJSON, Signature string }
		}
		if err := json.Unmarshal(signs(t, phone, challenge()), &sent); err != nil {
			t.Fatal(err)
		}
		bytesOf := func(text string) []byte {
			data, err := base64.RawURLEncoding.DecodeString(text)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		return parley.Signed{
			Credential: phone.ID, PublicKey: phone.PublicKey(t), AuthenticatorData: bytesOf(sent.Response.AuthenticatorData),
			ClientData: bytesOf(sent.Response.ClientDataJSON), Signature: bytesOf(sent.Response.Signature),
		}
	}
	if _, err := passkey.Check(whole(), challenge()); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{origin + "/x", strings.ToUpper(origin), "http://" + host, "https://evil.example", ""} {
		phone.Origin = place
		if _, err := passkey.Check(whole(), challenge()); !errors.Is(err, passkey.ErrNotSigned) {
			t.Errorf("on %q: %v", place, err)
		}
	}
	phone.Origin = origin
	for i, change := range []func(s *parley.Signed, part []byte){
		func(s *parley.Signed, part []byte) { s.Credential = part }, func(s *parley.Signed, part []byte) { s.PublicKey = part },
		func(s *parley.Signed, part []byte) { s.AuthenticatorData = part }, func(s *parley.Signed, part []byte) { s.ClientData = part },
		func(s *parley.Signed, part []byte) { s.Signature = part },
	} {
		for _, part := range [][]byte{nil, make([]byte, 5<<10), []byte("x")} {
			if s := whole(); i > 0 || len(part) != 1 { // an id may be any
				change(&s, part)
				if _, err := passkey.Check(s, challenge()); !errors.Is(err, passkey.ErrNotSigned) {
					t.Errorf("part %d of %d bytes: %v", i, len(part), err)
				}
			}
		}
	}
}

func TestAPersonHasSoManyPasskeysAndEachOnce(t *testing.T) {
	s := newSite(t)
	first := s.add(t, alice, nil)
	wantError(t, s.try(t, alice, first, first), passkey.ErrCeremony)
	for range 18 {
		s.add(t, alice, first)
	}
	late, err := s.Begin(t.Context(), alice, "alice", true)
	if err != nil {
		t.Fatal(err)
	}
	s.add(t, alice, first)
	wantError(t, s.try(t, alice, softkey.New(t, origin, host), first), passkey.ErrTooMany)
	_, err = s.Begin(t.Context(), alice, "alice", true)
	wantError(t, err, passkey.ErrTooMany)
	_, err = s.Finish(t.Context(), alice, passkey.Enrolment{ // begun when there was room
		Ceremony: late.ID, Response: softkey.New(t, origin, host).Create(t, late.Create), Assertion: first.Get(t, late.Prove),
	})
	wantError(t, err, passkey.ErrTooMany)
	if all, _ := s.List(t.Context(), alice); len(all) != 20 {
		t.Errorf("%d passkeys", len(all))
	}
}

func TestAPasskeyIsCalledWhatItsPersonSays(t *testing.T) {
	s := newSite(t)
	phone := s.add(t, alice, nil)
	id := base64.RawURLEncoding.EncodeToString(phone.ID)
	bob, elsewhere := alice, alice
	bob.User, elsewhere.Tenant = "bob", "umbrella"
	wantError(t, s.Rename(t.Context(), alice, id, "Mine", false), passkey.ErrNotFresh)
	for _, who := range []parley.Principal{bob, elsewhere} {
		s.add(t, who, nil)
		wantError(t, s.Rename(t.Context(), who, id, "Mine", true), parley.ErrNotFound)
	}
	for name, want := range map[string]string{
		" Büro ": "Büro", strings.Repeat("ü", 61): strings.Repeat("ü", 60), "": "Passkey", "two\nlines": "Passkey",
	} {
		if err := s.Rename(t.Context(), alice, id, name, true); err != nil {
			t.Fatal(err)
		}
		if all, err := s.List(t.Context(), alice); err != nil || len(all) != 1 || all[0].Name != want {
			t.Errorf("%q: %+v, %v", name, all, err)
		}
	}
	if _, err := s.Verify(t.Context(), alice, challenge(), signs(t, phone, challenge())); err != nil {
		t.Error(err)
	}
}

func TestARemovedPasskeySignsNothing(t *testing.T) {
	s := newSite(t)
	phone := s.add(t, alice, nil)
	all, err := s.List(t.Context(), alice)
	if err != nil || len(all) != 1 || all[0].Name != "My phone" {
		t.Fatalf("%+v, %v", all, err)
	}
	wantError(t, s.Remove(t.Context(), alice, all[0].ID(), false), passkey.ErrNotFresh)
	bob := alice
	bob.User = "bob"
	wantError(t, s.Remove(t.Context(), bob, all[0].ID(), true), parley.ErrNotFound)
	if err := s.Remove(t.Context(), alice, all[0].ID(), true); err != nil {
		t.Fatal(err)
	}
	_, err = s.Verify(t.Context(), alice, challenge(), signs(t, phone, challenge()))
	wantError(t, err, passkey.ErrNotSigned)
	if len(s.deeds) != 2 || s.deeds[0].What != "passkey.added" || s.deeds[1].What != "passkey.removed" || s.deeds[1].By != "alice" ||
		s.deeds[0].Target != all[0].ID() || s.deeds[1].Digest != all[0].Fingerprint() || s.deeds[0].Tenant != "acme" {
		t.Errorf("%+v", s.deeds)
	}
}

// Whoever has somebody's session adds nothing with it: the first passkey needs a sign-in of
// just now, and every other one that the person has.
func TestWhoHasTheSessionAloneAddsNoPasskey(t *testing.T) {
	s := newSite(t)
	_, err := s.Begin(t.Context(), alice, "alice", false)
	wantError(t, err, passkey.ErrNotFresh)
	late, err := s.Begin(t.Context(), alice, "alice", true)
	if err != nil {
		t.Fatal(err)
	}
	phone := s.add(t, alice, nil)
	thief := softkey.New(t, origin, host)
	wantError(t, s.try(t, alice, thief, nil), passkey.ErrNotSigned)
	wantError(t, s.try(t, alice, thief, thief), passkey.ErrNotSigned)
	_, err = s.Finish(t.Context(), alice, passkey.Enrolment{Ceremony: late.ID, Response: thief.Create(t, late.Create)}) // begun when there was none
	wantError(t, err, passkey.ErrCeremony)
	laptop := s.add(t, alice, phone)
	if _, err := s.Verify(t.Context(), alice, challenge(), signs(t, laptop, challenge())); err != nil {
		t.Error(err)
	}
	if all, _ := s.List(t.Context(), alice); len(all) != 2 {
		t.Errorf("%+v", all)
	}
}

// What is recorded is what was done: a passkey that was refused was never added, and of one
// whose keeping failed nobody knows.
func TestAPasskeyThatWasRefusedIsNotRecorded(t *testing.T) {
	s := newSite(t)
	var late [4]passkey.Ceremony
	for i := range late {
		var err error
		if late[i], err = s.Begin(t.Context(), alice, "alice", true); err != nil {
			t.Fatal(err)
		}
	}
	phone := s.add(t, alice, nil)
	for i, d := range []*softkey.Device{softkey.New(t, origin, host), softkey.New(t, origin, host), phone} { // the last is there already
		_, err := s.Finish(t.Context(), alice, passkey.Enrolment{Ceremony: late[i].ID, Response: d.Create(t, late[i].Create)})
		wantError(t, err, passkey.ErrCeremony)
	}
	if err := s.Remove(t.Context(), alice, base64.RawURLEncoding.EncodeToString(phone.ID), true); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.Remove(t.Context(), alice, base64.RawURLEncoding.EncodeToString(phone.ID), true), parley.ErrNotFound)
	if len(s.deeds) != 2 || s.deeds[0].Digest != passkey.Fingerprint(phone.PublicKey(t)) || s.deeds[1].What != "passkey.removed" || s.begun != 0 {
		t.Errorf("%d begun, %+v", s.begun, s.deeds)
	}
	s.fails = true
	_, err := s.Finish(t.Context(), alice, passkey.Enrolment{Ceremony: late[3].ID, Response: phone.Create(t, late[3].Create)})
	wantError(t, err, errAway)
	if len(s.deeds) != 2 || s.begun != 1 {
		t.Errorf("after a fault: %d begun, %+v", s.begun, s.deeds)
	}
}

// Why a signature is refused is said in words of ours.
func TestARefusalIsSaidInWordsForPeople(t *testing.T) {
	s := newSite(t)
	phone := s.add(t, alice, nil)
	other := signs(t, phone, passkey.Statement{Question: "q2"}.Challenge())
	phone.Unverified = true
	unsure := signs(t, phone, challenge())
	phone.Unverified = false
	var forged map[string]any
	if err := json.Unmarshal(signs(t, phone, challenge()), &forged); err != nil {
		t.Fatal(err)
	}
	forged["response"].(map[string]any)["signature"] = base64.RawURLEncoding.EncodeToString([]byte("no signature"))
	wrong, _ := json.Marshal(forged)
	for want, assertion := range map[string]json.RawMessage{
		"was asked to sign something else": other, "did not make sure of the person": unsure, "is not one of this key": wrong, "cannot be read": json.RawMessage(`{"id":1}`),
	} {
		_, err := s.Verify(t.Context(), alice, challenge(), assertion)
		if !errors.Is(err, passkey.ErrNotSigned) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Error") || strings.Contains(err.Error(), "nil") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestPasskeysNeedASiteWithAName(t *testing.T) {
	for public, ok := range map[string]bool{
		"https://parley.example": true, "https://parley.example:8443": true, "http://localhost:8420": true, "http://a.localhost": true,
		"http://127.0.0.1:8420": false, "https://192.0.2.1": false, "https://[2001:db8::1]": false, "http://parley.example": false, "": false, "parley.example": false,
	} {
		if _, err := passkey.Host(public); (err == nil) != ok || err != nil && !errors.Is(err, passkey.ErrNoHost) {
			t.Errorf("%s: %v", public, err)
		}
	}
}

// Others make the challenge from a receipt, so it stays as it is.
func TestTheChallengeIsOfTheseBytes(t *testing.T) {
	const text = "parley/approval/v1\n" + `{"question":"q","tenant":"t","person":"p","for":"<f>","server":"s","tool":"o","call":"c","digest":"d","changes":"h","decision":"e","rule":"a & b","shown":"w"}`
	got := passkey.Statement{
		Question: "q", Tenant: "t", Person: "p", For: "<f>", Server: "s", Tool: "o", Call: "c", Digest: "d", Changes: "h", Decision: "e", Rule: "a & b", Shown: "w",
	}.Challenge()
	if want := sha256.Sum256([]byte(text)); !bytes.Equal(got, want[:]) {
		t.Errorf("%x, not %x", got, want)
	}
}

// What a device signs changes with everything that is said.
func TestTheChallengeCoversTheWholeStatement(t *testing.T) {
	seen := map[string]string{}
	base := passkey.Statement{
		Question: "q", Tenant: "t", Person: "p", For: "f", Server: "s", Tool: "o", Call: "c", Digest: "d", Changes: "h", Decision: "e", Rule: "r", Shown: "w",
	}
	all := map[string]passkey.Statement{"": base}
	var members map[string]string
	data, _ := json.Marshal(base)
	if err := json.Unmarshal(data, &members); err != nil || len(members) != 12 {
		t.Fatalf("%v, %s", err, data)
	}
	for name := range members {
		was := members[name]
		members[name] = "other"
		data, _ := json.Marshal(members)
		var changed passkey.Statement
		if err := json.Unmarshal(data, &changed); err != nil {
			t.Fatal(err)
		}
		all[name], members[name] = changed, was
	}
	for name, one := range all {
		sum := string(one.Challenge())
		if other, taken := seen[sum]; taken {
			t.Errorf("%q and %q are signed alike", name, other)
		}
		seen[sum] = name
	}
}

package passkey_test

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/internal/testkit/softkey"
	"github.com/parley-hq/parley/passkey"
)

// What a browser is asked for is the site's, for this person, and by asking for the person.
func TestABrowserIsAskedForTheSiteAndThePerson(t *testing.T) {
	s := newSite(t)
	bob, elsewhere := alice, alice
	bob.User, elsewhere.Tenant = "bob", "umbrella"
	handles := map[string]bool{}
	for _, who := range []parley.Principal{alice, bob, elsewhere} {
		phone := s.add(t, who, nil)
		c, err := s.Begin(t.Context(), who, who.User, true)
		if err != nil {
			t.Fatal(err)
		}
		var create struct {
			RP                     struct{ ID string }
			User                   struct{ ID string }
			ExcludeCredentials     []struct{ ID string }
			AuthenticatorSelection struct{ UserVerification string }
		}
		var prove struct {
			RPID             string `json:"rpId"`
			UserVerification string
			AllowCredentials []struct{ ID string }
		}
		if err := errors.Join(json.Unmarshal(c.Create, &create), json.Unmarshal(c.Prove, &prove)); err != nil {
			t.Fatal(err)
		}
		id := base64.RawURLEncoding.EncodeToString(phone.ID)
		if create.RP.ID != host || create.AuthenticatorSelection.UserVerification != "required" || len(create.ExcludeCredentials) != 1 || create.ExcludeCredentials[0].ID != id {
			t.Errorf("%s", c.Create)
		}
		if prove.RPID != host || prove.UserVerification != "required" || len(prove.AllowCredentials) != 1 || prove.AllowCredentials[0].ID != id {
			t.Errorf("%s", c.Prove)
		}
		handles[create.User.ID] = true
	}
	if len(handles) != 3 {
		t.Errorf("people share a handle: %v", handles)
	}
}

func TestACeremonyTakesWhatWasMadeForIt(t *testing.T) {
	s := newSite(t)
	one, err := s.Begin(t.Context(), alice, "alice", true)
	if err != nil {
		t.Fatal(err)
	}
	other, err := s.Begin(t.Context(), alice, "alice", true)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Finish(t.Context(), alice, passkey.Enrolment{Ceremony: other.ID, Response: softkey.New(t, origin, host).Create(t, one.Create)})
	wantError(t, err, passkey.ErrNotSigned)
}

func TestACeremonyLastsMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t)
		c, err := s.Begin(t.Context(), alice, "alice", true)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Minute)
		_, err = s.Finish(t.Context(), alice, passkey.Enrolment{Ceremony: c.ID, Response: softkey.New(t, origin, host).Create(t, c.Create)})
		wantError(t, err, passkey.ErrCeremony)
	})
}

func TestACeremonyIsOfOnePersonAndDoneOnce(t *testing.T) {
	s := newSite(t)
	c, err := s.Begin(t.Context(), alice, "alice", true)
	if err != nil {
		t.Fatal(err)
	}
	d := softkey.New(t, origin, host)
	e := passkey.Enrolment{Ceremony: c.ID, Response: d.Create(t, c.Create)}
	bob, elsewhere := alice, alice
	bob.User, elsewhere.Tenant = "bob", "umbrella"
	for _, who := range []parley.Principal{elsewhere, bob} {
		_, err = s.Finish(t.Context(), who, e)
		wantError(t, err, passkey.ErrCeremony)
	}
	_, err = s.Finish(t.Context(), alice, e) // bob's try has used it up
	wantError(t, err, passkey.ErrCeremony)
	for name, change := range map[string]func(*softkey.Device){
		"unverified": func(d *softkey.Device) { d.Unverified = true },
		"untouched":  func(d *softkey.Device) { d.Absent = true },
		"chatty":     func(d *softkey.Device) { d.Chatter = strings.Repeat("x", 20<<10) },
		"shouting":   func(d *softkey.Device) { d.Origin = strings.ToUpper(origin) },
		"on a path":  func(d *softkey.Device) { d.Origin = origin + "/x" },
		"elsewhere":  func(d *softkey.Device) { d.Origin = "https://evil.example" },
		"other host": func(d *softkey.Device) { d.Host = "evil.example" },
		"framed":     func(d *softkey.Device) { d.Within = "https://evil.example" },
		"in frames":  func(d *softkey.Device) { d.Framed = true },
	} {
		d := softkey.New(t, origin, host)
		change(d)
		if err := s.try(t, alice, d, nil); !errors.Is(err, passkey.ErrNotSigned) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all, _ := s.List(t.Context(), alice); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

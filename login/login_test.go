package login_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/login"
	"github.com/parley-hq/parley/seal"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var alice = parley.Principal{Tenant: "north", User: "alice", Method: "oidc"}

// open returns logins over fresh records, and the records as they are stored.
func open(t *testing.T) (*login.Logins, *parley.MemoryStore) {
	t.Helper()
	store := parley.NewMemoryStore()
	return over(t, store, "a secret for tests, thirty-two bytes or more"), store
}

func over(t *testing.T, store parley.Records, secret string) *login.Logins {
	t.Helper()
	keys, err := seal.New([]byte(secret))
	if err != nil {
		t.Fatal(err)
	}
	return login.New(seal.Records(store, keys, nil), nil)
}

func begin(t *testing.T, l *login.Logins, w login.Wish) login.Begun {
	t.Helper()
	if w.Program == "" {
		w.Program = "parley on laptop"
	}
	b, err := l.Begin(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// allowed is a token that who has allowed.
func allowed(t *testing.T, l *login.Logins, who parley.Principal, w login.Wish) (string, login.Login) {
	t.Helper()
	b := begin(t, l, w)
	if err := l.Decide(t.Context(), b.UserCode, who, true); err != nil {
		t.Fatal(err)
	}
	token, made, err := l.Exchange(t.Context(), b.DeviceCode, "")
	if err != nil {
		t.Fatal(err)
	}
	return token, made
}

func wantErr(t *testing.T, what string, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", what, err, want)
	}
}

func TestAProgramActsAsWhoAllowedIt(t *testing.T) {
	l, _ := open(t)
	b := begin(t, l, login.Wish{Program: " parley on laptop ", Address: "192.0.2.1", Scope: login.OnlyMCP})
	w, err := l.Look(t.Context(), strings.ToLower(strings.ReplaceAll(b.UserCode, "-", " ")))
	if err != nil || w.Program != "parley on laptop" || w.Address != "192.0.2.1" || w.Scope != login.OnlyMCP || w.Lasts != login.Lasts {
		t.Fatalf("%+v, %v", w, err)
	}
	_, _, err = l.Exchange(t.Context(), b.DeviceCode, "")
	wantErr(t, "before anybody decided", err, login.ErrPending)
	if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
		t.Fatal(err)
	}
	token, made, err := l.Exchange(t.Context(), b.DeviceCode, "")
	if err != nil || !strings.HasPrefix(token, login.Prefix) {
		t.Fatalf("%q, %v", token, err)
	}
	known, err := l.Verify(t.Context(), token)
	if err != nil || known != made || known.Principal() != (parley.Principal{Tenant: "north", User: "alice", Method: "login"}) || known.Scope != login.OnlyMCP {
		t.Fatalf("%+v, %v; made %+v", known, err, made)
	}
}

func TestAProgramThatIsRefusedGetsNothing(t *testing.T) {
	l, _ := open(t)
	b := begin(t, l, login.Wish{})
	if err := l.Decide(t.Context(), b.UserCode, alice, false); err != nil {
		t.Fatal(err)
	}
	_, _, err := l.Exchange(t.Context(), b.DeviceCode, "")
	wantErr(t, "exchange", err, login.ErrDenied)
	wantErr(t, "a yes after a no", l.Decide(t.Context(), b.UserCode, alice, true), login.ErrDecided)
}

func TestADecisionStands(t *testing.T) {
	l, _ := open(t)
	b := begin(t, l, login.Wish{})
	if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
		t.Fatal(err)
	}
	for _, other := range []parley.Principal{{Tenant: "south", User: "alice"}, {Tenant: "north", User: "bob"}} {
		wantErr(t, "somebody else's yes", l.Decide(t.Context(), b.UserCode, other, true), login.ErrDecided)
	}
	wantErr(t, "a no after a yes", l.Decide(t.Context(), b.UserCode, alice, false), login.ErrDecided)
	if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
		t.Error("the same again:", err)
	}
	if _, err := l.Look(t.Context(), b.UserCode); !errors.Is(err, login.ErrDecided) {
		t.Error(err)
	}
}

func TestOnlyPeopleDecide(t *testing.T) {
	l, _ := open(t)
	b := begin(t, l, login.Wish{})
	for _, nobody := range []parley.Principal{
		{}, {Kind: parley.KindProgram, Key: "ci"}, parley.SessionPrincipal("", "s"), {User: "mcp-session:s"},
	} {
		wantErr(t, fmt.Sprint(nobody), l.Decide(t.Context(), b.UserCode, nobody, true), parley.ErrPrincipal)
	}
}

func TestACodeIsExchangedAtMostOnce(t *testing.T) {
	l, _ := open(t)
	b := begin(t, l, login.Wish{})
	if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
		t.Fatal(err)
	}
	const many = 20
	var group sync.WaitGroup
	var mu sync.Mutex
	got, start := 0, make(chan struct{})
	for range many {
		group.Go(func() {
			<-start
			_, _, err := l.Exchange(t.Context(), b.DeviceCode, "")
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				got++
			} else if !errors.Is(err, login.ErrUsed) {
				t.Error(err)
			}
		})
	}
	close(start)
	group.Wait()
	if got > 1 {
		t.Errorf("%d have a token", got)
	}
	if all, err := l.List(t.Context(), "north", "alice"); err != nil || len(all) != 0 {
		t.Errorf("%+v, %v; want none, since the code came more than once", all, err)
	}
}

func TestACodeThatComesTwiceEndsItsLogin(t *testing.T) {
	l, _ := open(t)
	b := begin(t, l, login.Wish{})
	if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
		t.Fatal(err)
	}
	token, _, err := l.Exchange(t.Context(), b.DeviceCode, "")
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = l.Exchange(t.Context(), b.DeviceCode, "")
	wantErr(t, "the second time", err, login.ErrUsed)
	_, err = l.Verify(t.Context(), token)
	wantErr(t, "the token", err, login.ErrRefused)
}

func TestOnlyWhoBeganExchangesTheCode(t *testing.T) {
	l, _ := open(t)
	b := begin(t, l, login.Wish{Challenge: login.Challenge("the verifier")})
	other := begin(t, l, login.Wish{})
	if err := l.Decide(t.Context(), b.UserCode, alice, true); err != nil {
		t.Fatal(err)
	}
	for _, verifier := range []string{"", "another"} {
		_, _, err := l.Exchange(t.Context(), b.DeviceCode, verifier)
		wantErr(t, "verifier "+verifier, err, login.ErrVerifier)
	}
	secret, _, _ := strings.Cut(other.DeviceCode, ".")
	_, code, _ := strings.Cut(b.DeviceCode, ".")
	for _, forged := range []string{"", ".", code, "." + code, secret + "." + code, b.UserCode} {
		_, _, err := l.Exchange(t.Context(), forged, "the verifier")
		wantErr(t, "code "+forged, err, login.ErrUnknown)
	}
	if _, _, err := l.Exchange(t.Context(), b.DeviceCode, "the verifier"); err != nil {
		t.Error(err)
	}
}

func TestCodesAndLoginsExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, _ := open(t)
		late, just := begin(t, l, login.Wish{}), begin(t, l, login.Wish{})
		time.Sleep(login.CodeTTL - time.Second)
		if err := l.Decide(t.Context(), just.UserCode, alice, true); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		wantErr(t, "a late yes", l.Decide(t.Context(), late.UserCode, alice, true), login.ErrUnknown)
		_, _, err := l.Exchange(t.Context(), late.DeviceCode, "")
		wantErr(t, "late", err, login.ErrUnknown)
		token, _, err := l.Exchange(t.Context(), just.DeviceCode, "")
		if err != nil {
			t.Fatal("what was allowed in time can be fetched: ", err)
		}
		time.Sleep(login.Lasts - time.Second)
		if _, err := l.Verify(t.Context(), token); err != nil {
			t.Error(err)
		}
		time.Sleep(2 * time.Second)
		_, err = l.Verify(t.Context(), token)
		wantErr(t, "after 30 days", err, login.ErrRefused)
	})
}

func TestAPersonListsAndRevokesTheirOwn(t *testing.T) {
	l, _ := open(t)
	token, made := allowed(t, l, alice, login.Wish{Program: "one"})
	other, _ := allowed(t, l, alice, login.Wish{Program: "two"})
	_, _ = allowed(t, l, parley.Principal{Tenant: "south", User: "alice"}, login.Wish{Program: "three"})
	all, err := l.List(t.Context(), "north", "alice")
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	for _, wrong := range [][3]string{{"south", "alice", made.ID}, {"north", "bob", made.ID}, {"north", "alice", "NOSUCHLOGIN12"}, {"north", "alice", ""}} {
		wantErr(t, fmt.Sprint(wrong), l.Revoke(t.Context(), wrong[0], wrong[1], wrong[2]), parley.ErrNotFound)
	}
	if _, err := l.Verify(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if err := l.Revoke(t.Context(), "north", "alice", made.ID); err != nil {
		t.Fatal(err)
	}
	_, err = l.Verify(t.Context(), token)
	wantErr(t, "after it was revoked", err, login.ErrRefused)
	if _, err := l.Verify(t.Context(), other); err != nil {
		t.Error("the other one: ", err)
	}
}

func TestALoginThatWasMovedIsNobodys(t *testing.T) {
	store := parley.NewMemoryStore() // whoever writes to it is not kept out by a seal
	l := login.New(store, nil)
	token, made := allowed(t, l, alice, login.Wish{})
	bobs, _ := allowed(t, l, parley.Principal{Tenant: "north", User: "bob"}, login.Wish{})
	at := parley.Address{Tenant: parley.DefaultTenant, Kind: "login"}
	at.Key = strings.TrimPrefix(token, login.Prefix)[:29]
	mine, err := store.Load(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	mine.Version, mine.Key = 0, strings.TrimPrefix(bobs, login.Prefix)[:16]+made.ID
	if _, err := store.Save(t.Context(), mine); err != nil {
		t.Fatal(err)
	}
	_, err = l.Verify(t.Context(), login.Prefix+mine.Key+token[len(token)-26:])
	wantErr(t, "a token with the other's address", err, login.ErrRefused)
	if all, err := l.List(t.Context(), "north", "bob"); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
}

func TestATokenIsItsSecret(t *testing.T) {
	l, store := open(t)
	token, _ := allowed(t, l, alice, login.Wish{})
	another, _ := allowed(t, l, alice, login.Wish{})
	for _, forged := range []string{
		"", login.Prefix, token[:len(token)-1], token + "A", token[len(login.Prefix):], strings.ToLower(token),
		token[:len(token)-26] + another[len(another)-26:], token[:len(token)-26] + strings.Repeat("A", 26),
	} {
		_, err := l.Verify(t.Context(), forged)
		wantErr(t, forged, err, login.ErrRefused)
	}
	for _, kind := range []string{"login", "login_wish"} {
		for r, err := range parley.Each(t.Context(), store, parley.Address{Tenant: parley.DefaultTenant, Kind: kind}, "") {
			if err != nil {
				t.Fatal(err)
			}
			for _, secret := range []string{token[len(token)-26:], "alice", "laptop"} {
				if strings.Contains(string(r.Data)+r.Key, secret) {
					t.Errorf("a %s record has %q in it", kind, secret)
				}
			}
		}
	}
	_, err := over(t, store, "another secret for tests, of thirty-two bytes").Verify(t.Context(), token)
	wantErr(t, "at a server with another secret", err, login.ErrRefused)
}

func TestAWishIsBounded(t *testing.T) {
	l, _ := open(t)
	for name, w := range map[string]login.Wish{
		"no name": {}, "a long name": {Program: strings.Repeat("x", 101)}, "no text": {Program: "\xff"},
		"another scope": {Program: "p", Scope: "admin"}, "a plain challenge": {Program: "p", Challenge: "short"},
	} {
		_, err := l.Begin(t.Context(), w)
		wantErr(t, name, err, login.ErrWish)
	}
	for _, typed := range []string{"", "AAAA-AAAA", "BCDF", "BCDF-BCDF-BCDF", strings.Repeat("-", 10000) + "BCDFBCDF"} {
		_, err := l.Look(t.Context(), typed)
		wantErr(t, typed, err, login.ErrUnknown)
	}
}

// failing are records that do not answer.
type failing struct{ parley.Records }

var errDown = errors.New("down")

func (failing) Load(context.Context, parley.Address) (parley.Record, error) {
	return parley.Record{}, errDown
}

func TestAStoreThatDoesNotAnswerRefusesNobody(t *testing.T) {
	l, store := open(t)
	token, _ := allowed(t, l, alice, login.Wish{})
	_, err := login.New(failing{store}, nil).Verify(t.Context(), token)
	if errors.Is(err, login.ErrRefused) || !errors.Is(err, errDown) {
		t.Error(err)
	}
}

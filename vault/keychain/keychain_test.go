package keychain_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
	"go.uber.org/goleak"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/keychain"
)

// No test here touches the keychain of the machine it runs on.
func TestMain(m *testing.M) {
	keyring.MockInit()
	goleak.VerifyTestMain(m)
}

func at(tenant string, scope vault.Scope, owner, server string) vault.Place {
	return vault.Place{Key: vault.Key{Tenant: tenant, Scope: scope, Owner: owner, Server: server}, Integration: server}
}

func TestAKeyIsKeptFetchedAndForgotten(t *testing.T) {
	keyring.MockInit()
	s, place := keychain.New(), at("default", vault.User, "alice", "tracker")
	if _, err := s.Fetch(t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("before: %v", err)
	}
	for _, value := range []string{"key-1", "key-2"} {
		if err := s.Keep(t.Context(), place, vault.Secret{Value: value}); err != nil {
			t.Fatal(err)
		}
		if got, err := s.Fetch(t.Context(), place); err != nil || got.Value != value || !got.Expires.IsZero() {
			t.Errorf("got %q, %v", got.Value, err)
		}
	}
	if err := s.Forget(t.Context(), place); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Fetch(t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("after: %v", err)
	}
	if err := s.Forget(t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("again: %v", err)
	}
}

func TestAnEntryIsNamedAsDocumented(t *testing.T) {
	for want, place := range map[string]vault.Place{
		"default/user/alice/tracker":           at("default", vault.User, "alice", "tracker"),
		"default/platform//tracker":            at("default", vault.Platform, "", "tracker"),
		"acme/mentor/coach/tracker":            at("acme", vault.Mentor, "coach", "tracker"),
		"acme/user/a%2Fb%20c%0A%C3%A9/tracker": at("acme", vault.User, "a/b c\né", "tracker"),
	} {
		keyring.MockInit()
		if err := keychain.New().Keep(t.Context(), place, vault.Secret{Value: "key"}); err != nil {
			t.Fatal(err)
		}
		if got, err := keyring.Get("parley", want); err != nil || got != "key" {
			t.Errorf("%s: %q, %v", want, got, err)
		}
	}
}

func TestNoTwoPlacesShareAnEntry(t *testing.T) {
	keyring.MockInit()
	s := keychain.New()
	names := []string{"", "a", "b", "a/b", "/", "//", "%2F", "a%2Fb", ".", ".."}
	seen := 0
	for _, tenant := range names {
		for _, owner := range names {
			for _, server := range names {
				for _, scope := range []vault.Scope{vault.User, vault.Mentor} {
					place := at(tenant, scope, owner, server)
					if _, err := s.Fetch(t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
						t.Fatalf("%v has an entry already", place)
					}
					if err := s.Keep(t.Context(), place, vault.Secret{Value: "key"}); err != nil {
						t.Fatal(err)
					}
					seen++
				}
			}
		}
	}
	if seen != 2000 {
		t.Errorf("%d places", seen)
	}
}

func TestAValueThatWasEnteredByHandMayEndWithALine(t *testing.T) {
	keyring.MockInit()
	s, place := keychain.New(), at("default", vault.User, "alice", "tracker")
	for value, want := range map[string]string{"key\n": "key", " key\r\n": "key", "\n": "", "": ""} {
		if err := keyring.Set("parley", "default/user/alice/tracker", value); err != nil {
			t.Fatal(err)
		}
		got, err := s.Fetch(t.Context(), place)
		if got.Value != want || (want == "") != errors.Is(err, vault.ErrNoCredential) {
			t.Errorf("%q: %q, %v", value, got.Value, err)
		}
	}
}

func TestASystemWithoutAKeychainIsAClearError(t *testing.T) {
	cause := errors.New("The name org.freedesktop.secrets was not provided by any .service files")
	keyring.MockInitWithError(cause)
	defer keyring.MockInit()
	s, place := keychain.New(), at("default", vault.User, "alice", "tracker")
	_, fetch := s.Fetch(t.Context(), place)
	for name, err := range map[string]error{
		"fetch": fetch, "keep": s.Keep(t.Context(), place, vault.Secret{Value: "secret-key"}), "forget": s.Forget(t.Context(), place),
	} {
		if !errors.Is(err, keychain.ErrUnavailable) || !errors.Is(err, cause) || errors.Is(err, vault.ErrNoCredential) {
			t.Errorf("%s: %v", name, err)
		}
		if text := fmt.Sprint(err); strings.Contains(text, "secret-key") || !strings.Contains(text, "desktop session") || !strings.Contains(text, "auth.source") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestAKeyThatIsTooLongIsAClearError(t *testing.T) {
	keyring.MockInitWithError(keyring.ErrSetDataTooBig)
	defer keyring.MockInit()
	value := strings.Repeat("secret", 1000)
	err := keychain.New().Keep(t.Context(), at("default", vault.User, "alice", "tracker"), vault.Secret{Value: value})
	if !errors.Is(err, keychain.ErrTooLarge) || errors.Is(err, keychain.ErrUnavailable) || strings.Contains(err.Error(), "secretsecret") {
		t.Errorf("got %v", err)
	}
}

func TestWhoStopsWaitingForTheSystemIsLetGo(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	asking, unlocked, ended := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		<-asking // the system asks the person to unlock the keychain
		stop()
	}()
	value, err := keychain.Wait(ctx, func() (string, error) {
		defer close(ended)
		close(asking)
		<-unlocked
		return "key", nil
	})
	if !errors.Is(err, context.Canceled) || value != "" {
		t.Errorf("got %q, %v", value, err)
	}
	close(unlocked)
	<-ended
}

func TestNothingIsAskedOfTheSystemForWhoHasLeft(t *testing.T) {
	keyring.MockInit()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	s, place := keychain.New(), at("default", vault.User, "alice", "tracker")
	if err := s.Keep(ctx, place, vault.Secret{Value: "key"}); !errors.Is(err, context.Canceled) {
		t.Errorf("keep: %v", err)
	}
	if _, err := s.Fetch(t.Context(), place); !errors.Is(err, vault.ErrNoCredential) {
		t.Errorf("it was kept all the same: %v", err)
	}
}

func TestAKeyEnteredOnThePageGoesToTheKeychainAlone(t *testing.T) {
	keyring.MockInit()
	keys, err := seal.New([]byte("a secret of thirty-two bytes or more"))
	if err != nil {
		t.Fatal(err)
	}
	store := parley.NewMemoryStore()
	hub := parley.New(store, nil)
	v, err := vault.New(hub, store, keys, &vault.Options{
		Sources: map[string]vault.Source{"keychain": keychain.New()},
		Servers: []vault.Server{{
			Name: "tracker", URL: "https://tracker.example/mcp", Auth: vault.Auth{Type: vault.APIKey, Scope: vault.User, Source: "keychain"},
		}},
	})
	if err != nil {
		t.Fatal(err)
	}
	alice, need := parley.Principal{User: "alice", Method: "test"}, vault.Need{Server: "tracker", User: "alice"}
	_, err = v.Credential(t.Context(), need)
	var required *vault.RequiredError
	if !errors.As(err, &required) {
		t.Fatalf("credential: %v", err)
	}
	q, err := hub.Open(t.Context(), v.Question(required, alice, ""))
	if err != nil {
		t.Fatal(err)
	}
	if offer, err := v.Offer(t.Context(), alice, q.ID); err != nil || offer.Method != vault.ByKey {
		t.Fatalf("offer: %+v, %v", offer, err)
	}
	if err := v.EnterKey(t.Context(), alice, q.ID, "key-of-alice"); err != nil {
		t.Fatal(err)
	}
	cred, err := v.Credential(t.Context(), need)
	if value, ok := cred.Env(); err != nil || !ok || value != "key-of-alice" {
		t.Errorf("credential: %v", err)
	}
	if got, err := keyring.Get("parley", "default/user/alice/tracker"); err != nil || got != "key-of-alice" {
		t.Errorf("keychain: %q, %v", got, err)
	}
	if _, err := v.Credential(t.Context(), vault.Need{Server: "tracker", User: "bob"}); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("bob: %v", err)
	}
	if all, err := v.Connections(t.Context(), "", "", ""); err != nil || len(all) != 0 {
		t.Errorf("the vault has %d connections, %v", len(all), err)
	}
	if err := v.Disconnect(t.Context(), required.Key); err != nil {
		t.Fatal(err)
	}
	if _, err := v.Credential(t.Context(), need); !errors.Is(err, vault.ErrRequired) {
		t.Errorf("after: %v", err)
	}
}

package demoprovider_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"runtime"
	"testing"
	"testing/synctest"

	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/demoprovider"
)

func TestAProviderThatIsDownRefusesEverythingUntilItIsUp(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	token := f.connect(t, "alice", config)
	f.Fail(demoprovider.Down)
	var failed *oauth2.RetrieveError
	_, err := f.refresh(t, config, token.RefreshToken)
	if !errors.As(err, &failed) || failed.Response.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("got %v", err)
	}
	b := f.visitor(t)
	b.open(f.Issuer() + "/.well-known/openid-configuration")
	if b.status != http.StatusServiceUnavailable {
		t.Errorf("discovery: got %d", b.status)
	}
	if !f.introspect(t, token.AccessToken).Active {
		t.Error("introspection fails too")
	}
	f.Fail(demoprovider.Healthy)
	if _, err := f.refresh(t, config, token.RefreshToken); err != nil {
		t.Errorf("the refresh token was used up while the provider was down: %v", err)
	}
}

func TestAStalledProviderHoldsRequestsUntilItGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := inMemory(t)
		config := f.client("read")
		token := f.connect(t, "alice", config)
		f.Fail(demoprovider.Stalled)

		done := make(chan error, 1)
		go func() {
			_, err := f.refresh(t, config, token.RefreshToken)
			done <- err
		}()
		synctest.Wait()
		select {
		case err := <-done:
			t.Fatalf("a stalled provider answered: %v", err)
		default:
		}
		f.Fail(demoprovider.Healthy)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestAStalledProviderNoticesAClientThatGivesUp(t *testing.T) {
	f := start(t, nil) // its Close waits for requests that go on
	f.Fail(demoprovider.Stalled)
	ctx, cancel := context.WithCancel(f.ctx(t))
	defer cancel()
	done := make(chan error, 1)
	go func() {
		_, err := f.client("read").Exchange(ctx, "code")
		done <- err
	}()
	for f.TokenRequests("") == 0 {
		runtime.Gosched()
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestTokenRequestsAreCountedByGrantType(t *testing.T) {
	f := start(t, nil)
	config := f.client("read")
	token := f.connect(t, "alice", config)
	if _, err := f.refresh(t, config, token.RefreshToken); err != nil {
		t.Fatal(err)
	}
	f.Fail(demoprovider.Down)
	_, _ = f.refresh(t, config, token.RefreshToken)
	f.Fail(demoprovider.Healthy)
	f.post(t, "/token", url.Values{"grant_type": {"made_up"}})
	f.post(t, "/revoke", url.Values{"token": {"x"}})
	for grant, want := range map[string]int{"authorization_code": 1, "refresh_token": 2, "made_up": 0, "": 4} {
		if got := f.TokenRequests(grant); got != want {
			t.Errorf("%q: counted %d, want %d", grant, got, want)
		}
	}
}

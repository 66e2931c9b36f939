package stores_test

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/interop/kit"
	"github.com/parley-hq/parley/outbound"
	"github.com/parley-hq/parley/seal"
	"github.com/parley-hq/parley/vault"
)

// rotating is a provider that gives each refresh token once and revokes
// everything when one comes back. Its codes give tokens that have expired.
type rotating struct {
	*httptest.Server
	mu        sync.Mutex
	refresh   string // the one that is valid
	revoked   bool
	refreshes int
}

func newRotating(t *testing.T) *rotating {
	p := &rotating{}
	p.Server = httptest.NewServer(http.HandlerFunc(p.token))
	t.Cleanup(p.Close)
	return p
}

func (p *rotating) token(w http.ResponseWriter, r *http.Request) {
	grant, came := r.PostFormValue("grant_type"), r.PostFormValue("refresh_token")
	p.mu.Lock()
	defer p.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	lasts := -10
	if grant == "refresh_token" {
		p.refreshes++
		lasts = 3600
		if p.revoked || came != p.refresh {
			p.revoked = true
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":"invalid_grant"}`)
			return
		}
	}
	p.refresh = rand.Text()
	fmt.Fprintf(w, `{"access_token":%q,"refresh_token":%q,"token_type":"Bearer","expires_in":%d}`, rand.Text(), p.refresh, lasts)
}

func trackerVault(hub *parley.Hub, provider string) (*vault.Vault, *http.Client, error) {
	keyring, err := seal.New([]byte(kit.Secret))
	if err != nil {
		return nil, nil, err
	}
	client := outbound.Client(&outbound.Options{Loopback: true})
	v, err := vault.New(hub, hub.Records(), keyring, &vault.Options{
		Client:    client,
		Providers: []vault.Provider{{Name: "acme", AuthURL: provider + "/authorize", TokenURL: provider + "/token", ClientID: "parley", ClientSecret: "s", SecretIn: "header"}},
		Servers:   []vault.Server{{Name: "tracker", URL: "https://tracker.example/mcp", Auth: vault.Auth{Type: vault.OAuth2, Scope: vault.User, Provider: "acme"}}},
		Logger:    slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	return v, client, err
}

// refreshTogether looks up one token in 32 goroutines at once, each time it is
// told to, and reports the different ones it got.
func refreshTogether(ctx context.Context, hub *parley.Hub, in *bufio.Scanner, out *json.Encoder) error {
	in.Scan()
	v, client, err := trackerVault(hub, in.Text())
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	if err := out.Encode("ready"); err != nil {
		return err
	}
	for in.Scan() {
		var all sync.WaitGroup
		var mu sync.Mutex
		var failures []error
		tokens := map[string]bool{}
		for range 32 {
			all.Go(func() {
				cred, err := v.Credential(ctx, vault.Need{Server: "tracker", User: "alice"})
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					failures = append(failures, err)
					return
				}
				value, _ := cred.Env()
				tokens[value] = true
			})
		}
		all.Wait()
		if err := errors.Join(failures...); err != nil {
			return err
		}
		if err := out.Encode(tokens); err != nil {
			return err
		}
	}
	return in.Err()
}

func TestSixtyFourGoroutinesOnTwoProcessesRefreshOneTokenOnce(t *testing.T) {
	stores(t, func(t *testing.T, store, space string) {
		hub, _ := opened(t, store, space)
		provider := newRotating(t)
		v, client, err := trackerVault(hub, provider.URL)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(client.CloseIdleConnections)
		nodes := []*process{start(t, "refresh", store, space), start(t, "refresh", store, space)}
		for _, p := range nodes {
			var ready string
			p.send(t, provider.URL)
			if !p.receive(t, &ready) {
				t.Fatal("the process ended")
			}
		}
		const rounds = 10
		for round := range rounds {
			connectTracker(t, hub, v)
			for _, p := range nodes {
				p.send(t, "go")
			}
			different := map[string]bool{}
			for _, p := range nodes {
				var tokens map[string]bool
				if !p.receive(t, &tokens) {
					t.Fatal("the process ended")
				}
				for one := range tokens {
					different[one] = true
				}
			}
			if len(different) != 1 || provider.refreshes != round+1 {
				t.Fatalf("round %d: %d different tokens, %d token requests", round, len(different), provider.refreshes)
			}
			if err := v.Disconnect(t.Context(), vault.Key{Server: "tracker", Scope: vault.User, Owner: "alice"}); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%d rounds of 64 lookups of an expired token in two processes: %d token requests, nobody logged out", rounds, provider.refreshes)
	})
}

// connectTracker gives Alice a connection whose token has expired.
func connectTracker(t *testing.T, hub *parley.Hub, v *vault.Vault) {
	t.Helper()
	_, err := v.Credential(t.Context(), vault.Need{Server: "tracker", User: "alice"})
	var required *vault.RequiredError
	if !errors.As(err, &required) {
		t.Fatalf("got %v", err)
	}
	q, err := hub.Open(t.Context(), v.Question(required, kit.Alice, ""))
	if err != nil {
		t.Fatal(err)
	}
	to, err := v.Begin(t.Context(), kit.Alice, q.ID, "acme")
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Callback(t.Context(), kit.Alice, "acme", url.Values{"state": {u.Query().Get("state")}, "code": {"c"}}); err != nil {
		t.Fatal(err)
	}
}

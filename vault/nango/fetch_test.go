package nango_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/internal/testkit/fakenango"
	"github.com/parley-hq/parley/vault"
	"github.com/parley-hq/parley/vault/nango"
)

func TestCredentialsOfEveryTypeThatIsOneStringWork(t *testing.T) {
	expires := "2031-05-06T07:08:09.000Z"
	for mode, test := range map[string]struct {
		fields map[string]any
		want   string
	}{
		"OAUTH2":             {map[string]any{"access_token": "token-1", "expires_at": expires, "raw": map[string]any{}}, "token-1"},
		"APP":                {map[string]any{"access_token": "token-2", "expires_at": expires}, "token-2"},
		"MCP_OAUTH2":         {map[string]any{"access_token": "token-3", "expires_at": expires}, "token-3"},
		"MCP_OAUTH2_GENERIC": {map[string]any{"access_token": "token-4", "expires_at": expires}, "token-4"},
		"OAUTH2_CC":          {map[string]any{"token": "token-5", "client_id": "id", "client_secret": "s", "expires_at": expires}, "token-5"},
		"JWT":                {map[string]any{"token": "token-6", "expires_at": expires}, "token-6"},
		"TWO_STEP":           {map[string]any{"token": "token-7", "expires_at": expires}, "token-7"},
		"SIGNATURE":          {map[string]any{"token": "token-8", "username": "u", "password": "p", "expires_at": expires}, "token-8"},
		"API_KEY":            {map[string]any{"apiKey": "key-9"}, "key-9"},
		"BASIC":              {map[string]any{"username": "alice", "password": "pässword:1"}, "YWxpY2U6cMOkc3N3b3JkOjE="},
	} {
		t.Run(mode, func(t *testing.T) {
			w := newWorld(t, func(_ *nango.Options, f *fakenango.Options) {
				f.Integrations["tracker"] = fakenango.Integration{AuthMode: mode, Fields: test.fields}
			})
			place := at("alice", "tracker")
			w.join(place, "q")
			got, err := w.Fetch(t.Context(), place)
			if err != nil || got.Value != test.want {
				t.Fatalf("got %q, %v", got.Value, err)
			}
			want := time.Time{}
			if test.fields["expires_at"] != nil {
				want = time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
			}
			if !got.Expires.Equal(want) {
				t.Errorf("expires %v, want %v", got.Expires, want)
			}
		})
	}
}

func TestCredentialsThatAreNotOneStringAreAClearError(t *testing.T) {
	for name, test := range map[string]struct {
		mode   string
		fields map[string]any
		want   error
	}{
		"OAuth 1":           {"OAUTH1", map[string]any{"oauth_token": "secret-x", "oauth_token_secret": "secret-y"}, nango.ErrUnusable},
		"a pair":            {"TBA", map[string]any{"token_id": "secret-x", "token_secret": "secret-y"}, nango.ErrUnusable},
		"AWS":               {"AWS_SIGV4", map[string]any{"secret_access_key": "secret-x"}, nango.ErrUnusable},
		"two in one":        {"CUSTOM", map[string]any{"app": map[string]any{}, "user": map[string]any{}}, nango.ErrUnusable},
		"none":              {"NONE", map[string]any{}, nango.ErrUnusable},
		"an empty token":    {"OAUTH2", map[string]any{"access_token": ""}, nango.ErrUnusable},
		"an empty password": {"BASIC", map[string]any{"username": "", "password": ""}, nango.ErrUnusable},
		"none to be seen":   {"OAUTH2", map[string]any{"type": ""}, nango.ErrAPIKey},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, func(_ *nango.Options, f *fakenango.Options) {
				f.Integrations["tracker"] = fakenango.Integration{AuthMode: test.mode, Fields: test.fields}
			})
			place := at("alice", "tracker")
			w.join(place, "q")
			got, err := w.Fetch(t.Context(), place)
			if !errors.Is(err, test.want) || errors.Is(err, vault.ErrNoCredential) || got != (vault.Secret{}) {
				t.Errorf("got %v", err)
			}
			if strings.Contains(fmt.Sprint(err), "secret-") {
				t.Errorf("the error holds a secret: %v", err)
			}
		})
	}
}

func TestATokenIsFetchedAnewEachTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		first := w.join(place, "q").Value()
		w.wantValue(place, first)
		time.Sleep(2 * time.Hour) // Nango has refreshed it
		got, err := w.Fetch(t.Context(), place)
		if err != nil || got.Value == first || !got.Expires.After(time.Now()) {
			t.Errorf("the old token, or none: %v", err)
		}
		if n := w.calls(http.MethodGet, "/connections/"); n != 2 {
			t.Errorf("Nango was asked %d times for 2 fetches", n)
		}
	})
}

func TestAPlaceThatNobodyBeganIsNotAskedFor(t *testing.T) {
	w := newWorld(t, nil)
	w.wantNone(at("alice", "tracker"))
	if n := len(w.fake.Requests()); n != 0 {
		t.Errorf("Nango was asked %d times", n)
	}
}

func TestALostWebhookIsHealedByLooking(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	w.begin(place, "an attempt that was not finished")
	w.wantNone(place)
	c, _ := w.lossy(place, "q")
	w.wantValue(place, c.Value())
	lists := w.calls(http.MethodGet, "/connections") - w.calls(http.MethodGet, "/connections/")
	w.wantValue(place, c.Value())
	if n := w.calls(http.MethodGet, "/connections") - w.calls(http.MethodGet, "/connections/"); n != lists {
		t.Error("it was looked for again")
	}
	var query string
	for _, r := range w.fake.Requests() {
		if r.Path == "/connections" {
			query = r.Query.Encode()
		}
	}
	if want := "integrationId=tracker&limit=100&tags%5Bend_user_id%5D=alice&tags%5Borganization_id%5D=default&" +
		"tags%5Bparley_scope%5D=user&tags%5Bparley_server%5D=tracker"; query != want {
		t.Errorf("asked for %s", query)
	}
}

func TestALostWebhookOfAConnectionMadeAgainIsHealed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		first := w.join(place, "q1")
		w.fake.Invalidate(first.ID)
		again, _ := w.lossy(place, "q2")
		w.wantValue(place, again.Value())
		time.Sleep(48 * time.Hour) // both sessions are over; the connection stands
		got, err := w.Fetch(t.Context(), place)
		if err != nil || got.Value == "" {
			t.Errorf("got %v", err)
		}
	})
}

func TestASessionBringsNothingAfterADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		_, sent := w.lossy(place, "q")
		time.Sleep(24 * time.Hour)
		w.deliver(sent.Body, sent.Header)
		asked := len(w.fake.Requests())
		w.wantNone(place)
		if n := len(w.fake.Requests()); n != asked || len(w.tellings()) != 0 {
			t.Error("it was still looked for")
		}
	})
}

func TestAnOldSessionBringsNothingThoughItsPlaceIsInUse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		_, sent := w.lossy(place, "q1")
		time.Sleep(23 * time.Hour)
		w.begin(place, "q2")
		time.Sleep(time.Hour)
		w.deliver(sent.Body, sent.Header)
		w.wantNone(place)
		if got := w.tellings(); len(got) != 0 {
			t.Errorf("told %+v", got)
		}
	})
}

func TestALostWebhookIsHealedAmongConnectionsOfOthers(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	c, _ := w.lossy(place, "q")
	forged := maps.Clone(c.Tags)
	forged["parley_session"] = "MADEUPMADEUPMADEUPMADEUPMA"
	w.fake.Put(fakenango.Connection{Integration: "tracker", Tags: forged})
	w.fake.Put(fakenango.Connection{ID: "..", Integration: "tracker", Tags: c.Tags})
	w.wantValue(place, c.Value())
}

func TestAConnectionThatIsGoneIsForgotten(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	c := w.join(place, "q")
	w.fake.Remove(c.ID)
	w.wantNone(place)
	reads := w.calls(http.MethodGet, "/connections/")
	w.wantNone(place)
	if n := w.calls(http.MethodGet, "/connections/"); n != reads {
		t.Error("it was read again")
	}
}

func TestCredentialsThatNangoCannotUseAreNone(t *testing.T) {
	for _, status := range []int{http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusFailedDependency} {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		c := w.join(place, "q")
		w.fake.Fail(fakenango.Fault{Path: "/connections/", Status: status, Code: "invalid_credentials"})
		w.wantNone(place)
		w.fake.Heal()
		w.wantValue(place, c.Value()) // it is still known
	}
}

func TestWhatAnAdministratorMustMendIsNotTakenForAMissingCredential(t *testing.T) {
	for name, test := range map[string]struct {
		fault fakenango.Fault
		want  error
	}{
		"a wrong key":               {fakenango.Fault{Status: 401, Code: "unknown_account"}, nango.ErrAPIKey},
		"a key without scopes":      {fakenango.Fault{Status: 403, Code: "forbidden"}, nango.ErrAPIKey},
		"no such integration":       {fakenango.Fault{Status: 400, Code: "unknown_provider_config"}, nango.ErrIntegration},
		"a query that changed":      {fakenango.Fault{Status: 400, Code: "invalid_query_params"}, nango.ErrRefused},
		"another server's page":     {fakenango.Fault{Status: 404}, nango.ErrRefused},
		"a page that is no answer":  {fakenango.Fault{Status: 200}, nango.ErrRefused},
		"a code that is none":       {fakenango.Fault{Status: 400, Code: "Secret-In-A-Code"}, nango.ErrRefused},
		"too many requests for now": {fakenango.Fault{Status: 429, Code: "too_many_request", RetryAfter: "3600"}, nango.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			place := at("alice", "tracker")
			c := w.join(place, "q")
			w.fake.Fail(test.fault)
			_, err := w.Fetch(t.Context(), place)
			if !errors.Is(err, test.want) || errors.Is(err, vault.ErrNoCredential) {
				t.Errorf("got %v", err)
			}
			for _, secret := range []string{apiKey, webhookKey, c.Value(), c.Tags["parley_session"], "fake Nango", "Secret-In", "alice"} {
				if strings.Contains(fmt.Sprint(err), secret) {
					t.Errorf("the error holds %q: %v", secret, err)
				}
			}
			w.fake.Heal()
			w.wantValue(place, c.Value()) // nothing was forgotten
		})
	}
}

func TestAFailureThatPassesIsWaitedFor(t *testing.T) {
	for _, fault := range []fakenango.Fault{
		{Status: 500, Code: "server_error", Times: 2}, {Status: 502, Times: 1}, {Status: 503, Times: 2},
		{Status: 429, Code: "too_many_request", RetryAfter: "0", Times: 2}, {Status: 500, Code: "invalid_credentials", Times: 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, nil)
			place := at("alice", "tracker")
			c := w.join(place, "q")
			w.fake.Fail(fault)
			w.wantValue(place, c.Value())
			if n := w.calls(http.MethodGet, "/connections/"); n != fault.Times+1 {
				t.Errorf("status %d: asked %d times", fault.Status, n)
			}
		})
	}
}

func TestAFailureThatLastsIsAnErrorSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		w.join(place, "q")
		w.fake.Fail(fakenango.Fault{Status: 503})
		began := time.Now()
		if _, err := w.Fetch(t.Context(), place); !errors.Is(err, nango.ErrUnavailable) {
			t.Errorf("got %v", err)
		}
		if n, took := w.calls(http.MethodGet, "/connections/"), time.Since(began); n != 3 || took != 800*time.Millisecond {
			t.Errorf("asked %d times in %v", n, took)
		}
	})
}

func TestNangosWishToWaitIsRespectedUpToABound(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		c := w.join(place, "q")
		w.fake.Fail(fakenango.Fault{Status: 429, Code: "too_many_request", RetryAfter: "3", Times: 1})
		began := time.Now()
		w.wantValue(place, c.Value())
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("waited %v", took)
		}
		w.fake.Fail(fakenango.Fault{Status: 429, Code: "too_many_request", RetryAfter: "4", Times: 1})
		began = time.Now()
		if _, err := w.Fetch(t.Context(), place); !errors.Is(err, nango.ErrUnavailable) || time.Since(began) != 0 {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestAnUnreachableNangoIsAnErrorWithoutItsURL(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		c, _ := w.lossy(place, "q")
		w.web.mu.Lock()
		delete(w.web.hosts, "nango.example")
		w.web.mu.Unlock()
		_, err := w.Fetch(t.Context(), place)
		if !errors.Is(err, nango.ErrUnavailable) || !strings.Contains(err.Error(), "no such host") {
			t.Errorf("got %v", err)
		}
		if text := fmt.Sprint(err); strings.Contains(text, "alice") || strings.Contains(text, c.ID) {
			t.Errorf("the error holds the URL: %v", err)
		}
	})
}

func TestWhoStopsWaitingIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, nil)
		place := at("alice", "tracker")
		w.join(place, "q")
		w.fake.Fail(fakenango.Fault{Status: 503})
		ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer stop()
		began := time.Now()
		if _, err := w.Fetch(ctx, place); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 100*time.Millisecond {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestTheAPIKeyFollowsNoRedirect(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	w.join(place, "q")
	w.web.set("elsewhere.example", w.fake)
	w.web.set("nango.example", http.RedirectHandler("https://elsewhere.example/connections/x", http.StatusTemporaryRedirect))
	if _, err := w.Fetch(t.Context(), place); !errors.Is(err, nango.ErrRefused) {
		t.Errorf("got %v", err)
	}
	if n := w.web.seen["elsewhere.example"]; n != 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

func TestAServerThatMeansAnotherIntegrationNowHasNoCredential(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	c := w.join(place, "q")
	changed := place
	changed.Integration = "notes"
	w.wantNone(changed)
	w.wantValue(place, c.Value())
	fresh := w.join(changed, "q2")
	w.wantValue(changed, fresh.Value())
}

func TestNothingThatIsKeptOrLoggedGivesAnythingAway(t *testing.T) {
	w := newWorld(t, nil)
	place := at("alice", "tracker")
	link := w.begin(place, "q")
	w.press(link, "fail")
	w.press(link, "connect")
	w.fake.Wait()
	c := w.fake.Connections()[0]
	w.wantValue(place, c.Value())
	w.fake.Fail(fakenango.Fault{Method: http.MethodDelete, Status: 400, Code: "invalid_body"})
	if err := w.Forget(t.Context(), place); !errors.Is(err, vault.ErrNotRevoked) {
		t.Errorf("forget: %v", err)
	}
	_, token, _ := strings.Cut(link, "session_token=")
	kept, logged := w.records(), w.log.String()
	if !strings.Contains(kept, "user/alice/tracker") || !strings.Contains(logged, "account connected") {
		t.Fatalf("nothing to look at: %s\n%s", kept, logged)
	}
	for _, secret := range []string{apiKey, webhookKey, c.Value(), token, c.Tags["parley_session"]} {
		if strings.Contains(kept, secret) {
			t.Errorf("the records hold %q", secret)
		}
		if strings.Contains(logged, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	if strings.Contains(kept, c.ID) {
		t.Error("the records hold the connection's id in plain")
	}
}

func TestTheDefaultClientReachesANangoOnThisMachine(t *testing.T) {
	w := newWorld(t, func(_ *nango.Options, f *fakenango.Options) { f.PublicURL, f.Client = "", nil })
	site := httptest.NewServer(w.fake)
	defer site.Close()
	w.opts.BaseURL, w.opts.Client = site.URL+"/", nil
	w.Source = w.another()
	hook := httptest.NewServer(w.Webhook())
	defer hook.Close()
	w.fake.SetDelivery(fakenango.Delivery{URL: hook.URL})

	place := at("alice", "tracker")
	link := w.begin(place, "q")
	u, err := url.Parse(link)
	if err != nil || !strings.HasPrefix(link, site.URL) {
		t.Fatalf("link: %q, %v", link, err)
	}
	form := url.Values{"session_token": {u.Query().Get("session_token")}, "decision": {"connect"}}
	answer, err := site.Client().PostForm(link, form)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	w.fake.Wait()
	http.DefaultClient.CloseIdleConnections() // the fake's
	if got := w.tellings(); len(got) != 1 || got[0].question != "q" {
		t.Errorf("told %+v", got)
	}
	w.wantValue(place, w.fake.Connections()[0].Value())
}

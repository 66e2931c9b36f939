package demoprovider_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"

	"github.com/parley-hq/parley/internal/demoprovider"
)

type registration struct {
	ClientID      string   `json:"client_id"`
	ClientSecret  string   `json:"client_secret"`
	Type          string   `json:"application_type"`
	RedirectURIs  []string `json:"redirect_uris"`
	Error         string   `json:"error"`
	Configuration string   `json:"registration_client_uri"`
	Token         string   `json:"registration_access_token"`
}

func (f *fixture) register(t *testing.T, metadata string) (int, registration) {
	t.Helper()
	resp, err := (&http.Client{Transport: f.transport}).Post(f.Issuer()+"/register", "application/json", strings.NewReader(metadata))
	if err != nil {
		t.Fatal(err)
	}
	var got registration
	if body := read(t, resp); resp.Header.Get("Content-Type") == "application/json" {
		if err := json.Unmarshal([]byte(body), &got); err != nil {
			t.Fatalf("%v in %s", err, body)
		}
	}
	return resp.StatusCode, got
}

func withRegistration(o *demoprovider.Options) { o.Registration = true }

func TestAnApplicationThatRegisteredItselfCompletesTheFlow(t *testing.T) {
	const (
		rest   = `"client_name":"A <b>tool</b>","grant_types":["authorization_code","refresh_token"]}`
		public = `"token_endpoint_auth_method":"none",` + rest
	)
	for name, metadata := range map[string]string{
		"public and native":      `{"redirect_uris":["` + callback + `"],"application_type":"native",` + public,
		"no type":                `{"redirect_uris":["` + callback + `"],` + public,
		"another port":           `{"redirect_uris":["http://127.0.0.1:1/oauth/callback/acme"],` + public,
		"no port":                `{"redirect_uris":["http://127.0.0.1/oauth/callback/acme"],` + public,
		"a secret by default":    `{"redirect_uris":["` + callback + `"],` + rest,
		"a secret in the header": `{"redirect_uris":["` + callback + `"],"token_endpoint_auth_method":"client_secret_basic","scope":"read",` + rest,
		"a secret in the body":   `{"redirect_uris":["` + callback + `"],"token_endpoint_auth_method":"client_secret_post",` + rest,
	} {
		t.Run(name, func(t *testing.T) {
			f := start(t, withRegistration)
			status, got := f.register(t, metadata)
			if status != http.StatusCreated || got.Type != "native" || len(got.RedirectURIs) != 1 {
				t.Fatalf("got %d, type %q, error %q, %v", status, got.Type, got.Error, got.RedirectURIs)
			}
			config := f.client("read")
			config.ClientID, config.ClientSecret = got.ClientID, got.ClientSecret
			if strings.Contains(metadata, "secret_post") {
				config.Endpoint.AuthStyle = oauth2.AuthStyleInParams
			}
			token := f.connect(t, "alice", config)
			if info := f.introspect(t, token.AccessToken); info.Client != got.ClientID || info.User != "alice" {
				t.Errorf("got %+v", info)
			}
			if _, err := f.refresh(t, config, token.RefreshToken); err != nil {
				t.Error(err)
			}

			b := f.visitor(t)
			b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
			b.press("user", "bob")
			b.stayed(http.StatusOK, "Nobody has checked its name.")
			b.stayed(http.StatusOK, "A &lt;b&gt;tool&lt;/b&gt;")
			b.stayed(http.StatusOK, "http://127.0.0.1:8420")
		})
	}
}

func TestARegistrationKeepsToItsRedirectURIs(t *testing.T) {
	f := start(t, withRegistration)
	_, got := f.register(t, `{"redirect_uris":["http://127.0.0.1:1/callback","http://localhost:1/callback"],"token_endpoint_auth_method":"none"}`)
	for uri, ok := range map[string]bool{
		"http://127.0.0.1:1/callback": true,
		"http://127.0.0.1:2/callback": true, // RFC 8252: any port
		"http://localhost:1/callback": true,
		"http://localhost:2/callback": false, // a name, not an address
		"http://localhost/callback":   false,
		"http://127.0.0.1:1/other":    false,
		"http://127.0.0.2:1/callback": false,
		"https://evil.example/":       false,
	} {
		config := f.client("read")
		config.ClientID, config.RedirectURL = got.ClientID, uri
		b := f.visitor(t)
		b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		if ok != (b.status == http.StatusOK) || b.header.Get("Location") != "" {
			t.Errorf("%s: status %d", uri, b.status)
		}
	}
}

func TestABadRegistrationIsRefused(t *testing.T) {
	var fetched atomic.Int32
	elsewhere := httptest.NewUnstartedServer(nil)
	elsewhere.Config.ConnState = func(net.Conn, http.ConnState) { fetched.Add(1) }
	elsewhere.StartTLS()
	t.Cleanup(elsewhere.Close)
	f := start(t, withRegistration)
	for name, metadata := range map[string]string{
		"plain http elsewhere":   `{"redirect_uris":["http://tool.example/callback"]}`,
		"web with plain http":    `{"redirect_uris":["` + callback + `"],"application_type":"web"}`,
		"no redirect URI":        `{"client_name":"x"}`,
		"a fragment":             `{"redirect_uris":["` + callback + `#x"]}`,
		"an unknown scope":       `{"redirect_uris":["` + callback + `"],"scope":"admin"}`,
		"an unknown grant":       `{"redirect_uris":["` + callback + `"],"grant_types":["client_credentials"]}`,
		"a very long name":       `{"redirect_uris":["` + callback + `"],"client_name":"` + strings.Repeat("x", 101) + `"}`,
		"its own id":             `{"redirect_uris":["` + callback + `"],"client_id":"parley"}`,
		"an address to look at":  `{"redirect_uris":["` + callback + `"],"sector_identifier_uri":"` + elsewhere.URL + `"}`,
		"not JSON":               `redirect_uris=x`,
		"another kind of JSON":   `["x"]`,
		"another kind of member": `{"redirect_uris":"` + callback + `"}`,
	} {
		if status, got := f.register(t, metadata); status != http.StatusBadRequest || got.ClientID != "" || got.Error == "" {
			t.Errorf("%s: got %d, %q", name, status, got.Error)
		}
	}
	if fetched.Load() != 0 {
		t.Error("the provider went to the address that a registration named")
	}
}

func TestRegistrationIsOffUnlessAskedFor(t *testing.T) {
	f := start(t, nil)
	if status, got := f.register(t, `{"redirect_uris":["`+callback+`"]}`); status != http.StatusNotFound || got.ClientID != "" {
		t.Errorf("got %d, %+v", status, got)
	}
}

func TestAnApplicationMayReadAndDeleteItsRegistration(t *testing.T) {
	f := start(t, withRegistration)
	_, got := f.register(t, `{"redirect_uris":["`+callback+`"],"token_endpoint_auth_method":"none"}`)
	do := func(method, token string) int {
		r, err := http.NewRequestWithContext(t.Context(), method, got.Configuration, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := (&http.Client{Transport: f.transport}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		read(t, resp)
		return resp.StatusCode
	}
	statuses := []int{
		do(http.MethodGet, "guess"), do(http.MethodDelete, "guess"), do(http.MethodGet, got.Token),
		do(http.MethodDelete, got.Token), do(http.MethodGet, got.Token),
	}
	if diff := cmp.Diff([]int{401, 401, 200, 204, 401}, statuses); diff != "" {
		t.Error(diff)
	}
}

func TestTheOldestRegistrationMakesRoom(t *testing.T) {
	p := newProvider(t, &demoprovider.Options{Issuer: "http://127.0.0.1:9000", Registration: true})
	f := &fixture{Provider: p, transport: inProcess{p}}
	var ids []string
	for range 1001 {
		_, got := f.register(t, `{"redirect_uris":["`+callback+`"],"token_endpoint_auth_method":"none"}`)
		ids = append(ids, got.ClientID)
	}
	for i, want := range map[int]int{0: http.StatusUnauthorized, 1: http.StatusOK, 1000: http.StatusOK} {
		config := f.client("read")
		config.ClientID = ids[i]
		b := f.visitor(t)
		b.open(config.AuthCodeURL(state, oauth2.S256ChallengeOption(oauth2.GenerateVerifier())))
		if b.status != want {
			t.Errorf("registration %d of 1001: got %d, want %d", i, b.status, want)
		}
	}
}

package fakeslack_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/slack-go/slack"

	"github.com/parley-hq/parley/internal/testkit/fakeslack"
)

const redirect = "https://parley.example/slack/oauth"

func authorizeURL(s *site, changes ...string) string {
	q := url.Values{"client_id": {s.slack.ClientID()}, "scope": {"chat:write,users:read"}, "state": {"st"}, "redirect_uri": {redirect}}
	for i := 0; i < len(changes); i += 2 {
		q.Set(changes[i], changes[i+1])
	}
	return s.slack.URL + "/oauth/v2/authorize?" + q.Encode()
}

// codeOf follows the consent page.
func codeOf(t *testing.T, s *site) string {
	t.Helper()
	back, err := s.ann.Allow(authorizeURL(s))
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(back)
	if err != nil || !strings.HasPrefix(back, redirect+"?") || u.Query().Get("state") != "st" {
		t.Fatalf("the browser goes to %s, %v", back, err)
	}
	return u.Query().Get("code")
}

func (s *site) exchange(code, to string) (*slack.OAuthV2Response, error) {
	return slack.GetOAuthV2Response(s.http, s.slack.ClientID(), s.slack.ClientSecret(), code, to, slack.OAuthOptionAPIURL(s.slack.API()))
}

func (s *site) refresh(token string) (*slack.OAuthV2Response, error) {
	return slack.RefreshOAuthV2Token(s.http, s.slack.ClientID(), s.slack.ClientSecret(), token, slack.OAuthOptionAPIURL(s.slack.API()))
}

func TestAppIsInstalledByOAuth(t *testing.T) {
	s := newSite(t, &fakeslack.Options{Redirects: []string{redirect}})
	code := codeOf(t, s)
	_, err := s.exchange(code, "https://elsewhere.example")
	refused(t, err, "bad_redirect_uri")
	_, err = s.exchange("code.404", redirect)
	refused(t, err, "invalid_code")
	_, err = slack.GetOAuthV2Response(s.http, s.slack.ClientID(), "wrong", code, redirect, slack.OAuthOptionAPIURL(s.slack.API()))
	refused(t, err, "bad_client_secret")
	given, err := s.exchange(code, redirect)
	if err != nil || given.Team.ID != s.acme.ID || given.BotUserID != s.acme.BotUser || given.Scope != "chat:write,users:read" ||
		given.AuthedUser.ID != s.ann.ID || given.RefreshToken != "" || given.AppID != fakeslack.AppID {
		t.Fatalf("%+v, %v", given, err)
	}
	if _, err := s.as(given.AccessToken).AuthTest(); err != nil {
		t.Error(err)
	}
	_, err = s.exchange(code, redirect)
	refused(t, err, "code_already_used")
	late := codeOf(t, s)
	s.slack.Advance(10 * time.Minute)
	_, err = s.exchange(late, redirect)
	refused(t, err, "invalid_code")
	if back, err := s.ann.Cancel(authorizeURL(s)); err != nil || !strings.Contains(back, "error=access_denied") {
		t.Errorf("%s, %v", back, err)
	}
	for name, link := range map[string]string{
		"another app": authorizeURL(s, "client_id", "404"), "another address": authorizeURL(s, "redirect_uri", "https://elsewhere.example"), "no scope": authorizeURL(s, "scope", ""),
	} {
		if _, err := s.ann.Allow(link); err == nil {
			t.Errorf("%s: it was allowed", name)
		}
	}
}

func TestConsentPageSendsTheBrowserBack(t *testing.T) {
	s := newSite(t, nil)
	page, err := s.http.Get(authorizeURL(s))
	if err != nil {
		t.Fatal(err)
	}
	page.Body.Close()
	if page.StatusCode != 200 {
		t.Fatal(page.Status)
	}
	client := *s.http
	client.CheckRedirect = noRedirect
	answer, err := client.PostForm(authorizeURL(s), url.Values{"team": {s.acme.ID}, "answer": {"allow"}})
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if to := answer.Header.Get("Location"); !strings.HasPrefix(to, redirect+"?code=") {
		t.Errorf("the browser goes to %q", to)
	}
}

func TestTokensRotate(t *testing.T) {
	s := newSite(t, &fakeslack.Options{Rotate: true})
	given, err := s.exchange(codeOf(t, s), redirect)
	if err != nil || given.ExpiresIn != 12*60*60 || !strings.HasPrefix(given.AccessToken, "xoxe.xoxb-1-") || !strings.HasPrefix(given.RefreshToken, "xoxe-1-") {
		t.Fatalf("%+v, %v", given, err)
	}
	s.slack.Advance(12 * time.Hour)
	_, err = s.as(given.AccessToken).AuthTest()
	refused(t, err, "token_expired")
	next, err := s.refresh(given.RefreshToken)
	if err != nil || next.AccessToken == given.AccessToken || next.RefreshToken == given.RefreshToken || next.Team.ID != s.acme.ID {
		t.Fatalf("%+v, %v", next, err)
	}
	if _, err := s.as(next.AccessToken).AuthTest(); err != nil {
		t.Error(err)
	}
	_, err = s.refresh(given.RefreshToken)
	refused(t, err, "invalid_refresh_token")
	s.acme.Uninstall()
	_, err = s.refresh(next.RefreshToken)
	refused(t, err, "invalid_refresh_token")
}

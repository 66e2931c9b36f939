package pages_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/login"
	"github.com/parley-hq/parley/pages"
	"github.com/parley-hq/parley/seal"
)

// loginSite is a site where programs can log in.
func loginSite(t *testing.T) (*site, *login.Logins) {
	t.Helper()
	var logins *login.Logins
	s := newSite(t, local, func(s *site, o *pages.Options) {
		logins = login.New(seal.Records(s.store, s.keys, nil), nil)
		o.Logins = logins
		o.Address = func(r *http.Request) string { return r.Header.Get("Test-Address") }
		o.Bearer = func(r *http.Request) (parley.Principal, error) {
			_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			switch token {
			case "program":
				return parley.Principal{Kind: parley.KindProgram, Key: "ci"}, nil
			case "broken":
				return parley.Principal{}, errors.New("the store is down")
			}
			known, err := logins.Verify(r.Context(), token)
			if err != nil {
				err = fmt.Errorf("%w: %w", pages.ErrNotSignedIn, err)
			}
			return known.Principal(), err
		}
	})
	return s, logins
}

// reply is what a program is told.
type reply struct {
	status                                                  int
	DeviceCode, UserCode, Page, Complete, Token, Type, Code string
	Interval, Expires                                       int
}

// program sends a form without a browser.
func (s *site) program(path string, form url.Values) (got reply) {
	s.t.Helper()
	b := s.browser()
	r := b.request(http.MethodPost, path, strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Test-Address", "192.0.2.9")
	a := b.do(r)
	var wire struct {
		DeviceCode string `json:"device_code"`
		UserCode   string `json:"user_code"`
		Page       string `json:"verification_uri"`
		Complete   string `json:"verification_uri_complete"`
		Interval   int    `json:"interval"`
		Expires    int    `json:"expires_in"`
		Token      string `json:"access_token"`
		Type       string `json:"token_type"`
		Code       string `json:"error"`
	}
	if err := json.Unmarshal([]byte(a.body), &wire); err != nil {
		s.t.Fatalf("%d %s", a.StatusCode, a.body)
	}
	return reply{a.StatusCode, wire.DeviceCode, wire.UserCode, wire.Page, wire.Complete, wire.Token, wire.Type, wire.Code, wire.Interval, wire.Expires}
}

func (s *site) begin() reply {
	s.t.Helper()
	return s.program("/device/authorize", url.Values{"client_id": {"parley"}, "client_name": {"parley on laptop"}})
}

func (s *site) exchange(device string) reply {
	s.t.Helper()
	return s.program("/device/token", url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {device}})
}

// form is what the page's form would send with a button.
func (a *answer) form(decision string) url.Values {
	a.t.Helper()
	sent := url.Values{"decision": {decision}}
	for _, name := range []string{"user_code", "as"} {
		sent.Set(name, attr(a.one("input", "name="+name, "type=hidden"), "value"))
	}
	a.one("button", "name=decision", "value="+decision)
	return sent
}

func TestAProgramLogsInAfterThePersonComparedTheCode(t *testing.T) {
	s, logins := loginSite(t)
	begun := s.begin()
	if begun.status != 200 || begun.Page != local+"/device" || begun.Complete != local+"/device?user_code="+begun.UserCode || begun.Interval != 2 || begun.Expires != 600 {
		t.Fatalf("%+v", begun)
	}
	if got := s.exchange(begun.DeviceCode); got.status != 400 || got.Code != "authorization_pending" {
		t.Errorf("%+v", got)
	}
	alice := s.as("alice")
	page := alice.get(begun.Complete).want(http.StatusOK).
		says(begun.UserCode, "It calls itself parley on laptop", "192.0.2.9, which is not the address of this browser", "approve calls", "Account alice", "Then refuse")
	if got := s.exchange(begun.DeviceCode); got.Code != "authorization_pending" {
		t.Errorf("looking decides: %+v", got)
	}
	alice.post("/device", page.form("allow")).want(http.StatusOK).says("“parley on laptop” may act as you now")
	alice.post("/device", page.form("allow")).want(http.StatusOK) // a double click
	got := s.exchange(begun.DeviceCode)
	if got.status != 200 || got.Type != "Bearer" || got.Expires != 30*24*3600 {
		t.Fatalf("%+v", got)
	}
	if known, err := logins.Verify(t.Context(), got.Token); err != nil || known.User != "alice" || known.Address != "192.0.2.9" {
		t.Errorf("%+v, %v", known, err)
	}
	if again := s.exchange(begun.DeviceCode); again.status != 400 || again.Code != "invalid_grant" {
		t.Errorf("the code counts twice: %+v", again)
	}
	if strings.Contains(s.log.String(), got.Token) || strings.Contains(s.log.String(), begun.DeviceCode) {
		t.Error("the log has a secret")
	}
}

func TestAPersonRefuses(t *testing.T) {
	s, _ := loginSite(t)
	begun := s.begin()
	alice := s.as("alice")
	alice.post("/device", alice.get(begun.Complete).form("deny")).want(http.StatusOK).says("told that you refused")
	if got := s.exchange(begun.DeviceCode); got.Code != "access_denied" {
		t.Errorf("%+v", got)
	}
	alice.get(begun.Complete).want(http.StatusConflict).says("decided about this code already")
}

func TestNothingButThePagesOwnButtonAllowsAProgram(t *testing.T) {
	s, _ := loginSite(t)
	begun := s.begin()
	alice, bob := s.as("alice"), s.as("bob")
	shown := alice.get(begun.Complete).form("allow")

	s.browser().get(begun.Complete).leads("/login?next=" + url.QueryEscape("/device?user_code="+begun.UserCode))
	s.browser().post("/device", shown).want(http.StatusUnauthorized)
	alice.get("/device?" + shown.Encode()).want(http.StatusOK) // a link
	foreign := alice.request(http.MethodPost, "/device", strings.NewReader(shown.Encode()))
	foreign.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	foreign.Header.Set("Sec-Fetch-Site", "cross-site")
	foreign.Header.Set("Origin", "https://evil.example")
	alice.do(foreign).want(http.StatusForbidden)
	bob.post("/device", shown).want(http.StatusConflict).says("somebody else")
	for _, decision := range []string{"", "yes"} {
		wrong := url.Values{"user_code": shown["user_code"], "as": shown["as"], "decision": {decision}}
		alice.post("/device", wrong).want(http.StatusBadRequest)
	}
	alice.post("/device", url.Values{"user_code": shown["user_code"], "decision": {"allow"}}).want(http.StatusConflict)
	if got := s.exchange(begun.DeviceCode); got.Code != "authorization_pending" {
		t.Errorf("%+v", got)
	}
}

func TestCodesCannotBeGuessed(t *testing.T) {
	s, _ := loginSite(t)
	alice := s.as("alice")
	tried := 0
	for ; tried < 100; tried++ {
		a := alice.get(fmt.Sprintf("/device?user_code=BCDF-BC%c%c", 'B'+rune(tried%2), "BCDFGHJKLM"[tried%10]))
		if a.StatusCode == http.StatusTooManyRequests {
			break
		}
	}
	if tried > 25 {
		t.Errorf("%d codes were tried", tried)
	}
	alice.post("/device", url.Values{"user_code": {"BCDF-BCDF"}, "decision": {"allow"}, "as": {"x"}}).want(http.StatusConflict)
	s.as("bob").get("/device?user_code=BCDF-BCDF").want(http.StatusNotFound).says("No program shows this code")
}

func TestACodeIsTyped(t *testing.T) {
	s, _ := loginSite(t)
	begun := s.begin()
	alice := s.as("alice")
	page := alice.get("/device").want(http.StatusOK).says("Enter it only if you started that program yourself")
	page.one("input", "name=user_code")
	alice.get("/device?user_code=" + strings.ToLower(strings.ReplaceAll(begun.UserCode, "-", "+"))).want(http.StatusOK).says(begun.UserCode)
}

func TestWhoBeginsOrAsksTooOftenIsToldToSlowDown(t *testing.T) {
	s, _ := loginSite(t)
	begun := s.begin()
	slow := false
	for range 10 {
		slow = slow || s.exchange(begun.DeviceCode).Code == "slow_down"
	}
	if !slow {
		t.Error("a program may ask as often as it likes")
	}
	refused := 0
	for range 50 {
		if s.begin().status == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused == 0 {
		t.Error("an address may store as much as it likes")
	}
}

func TestWhatAProgramSendsIsChecked(t *testing.T) {
	s, _ := loginSite(t)
	for want, form := range map[string]url.Values{
		"invalid_request": {"scope": {"admin"}, "client_id": {"x"}},
	} {
		if got := s.program("/device/authorize", form); got.status != 400 || got.Code != want {
			t.Errorf("%v: %+v", form, got)
		}
	}
	if got := s.program("/device/authorize", url.Values{"client_id": {"x"}, "code_challenge": {login.Challenge("v")}, "code_challenge_method": {"plain"}}); got.Code != "invalid_request" {
		t.Errorf("%+v", got)
	}
	if got := s.program("/device/token", url.Values{"grant_type": {"password"}, "device_code": {"x"}}); got.Code != "unsupported_grant_type" {
		t.Errorf("%+v", got)
	}
	if got := s.exchange("x.BCDFBCDF"); got.Code != "expired_token" {
		t.Errorf("%+v", got)
	}
}

func TestWhoHasATokenEndsItsLogin(t *testing.T) {
	s, logins := loginSite(t)
	token := s.logIn("alice")
	if got := s.program("/device/revoke", url.Values{"token": {token[:len(token)-1] + "?"}}); got.status != 200 {
		t.Errorf("%+v", got)
	}
	if _, err := logins.Verify(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	if got := s.program("/device/revoke", url.Values{"token": {token}}); got.status != 200 {
		t.Errorf("%+v", got)
	}
	if _, err := logins.Verify(t.Context(), token); !errors.Is(err, login.ErrRefused) {
		t.Error(err)
	}
}

// logIn is the token of a program of somebody's.
func (s *site) logIn(user string) string {
	s.t.Helper()
	begun, browser := s.begin(), s.as(user)
	browser.post("/device", browser.get(begun.Complete).form("allow")).want(http.StatusOK)
	return s.exchange(begun.DeviceCode).Token
}

func TestAnAnswerWithATokenIsThatOfItsPerson(t *testing.T) {
	s, _ := loginSite(t)
	q := s.open(parley.Request{Schema: json.RawMessage(decision)})
	send := func(token string) *answer {
		b := s.browser()
		r := b.request(http.MethodPost, path(q), strings.NewReader(fmt.Sprintf(`{"elicitationId":%q,"action":"accept","content":{"decision":"deny"}}`, q.ID)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		return b.do(r)
	}
	send(s.logIn("bob")).want(http.StatusNotFound)
	send("program").want(http.StatusUnauthorized)
	send(login.Prefix + "nonsense").want(http.StatusUnauthorized)
	send("broken").want(http.StatusServiceUnavailable)
	if s.get(q.ID, "alice").Outcome != nil {
		t.Fatal("it was answered")
	}
	send(s.logIn("alice")).want(http.StatusOK)
	if o := s.get(q.ID, "alice").Outcome; o == nil || o.By != "alice" || o.Via != pages.ViaTerminal {
		t.Errorf("%+v", o)
	}
}

func TestATokenCountsBeforeACookie(t *testing.T) {
	s, _ := loginSite(t)
	q := s.open(parley.Request{Schema: json.RawMessage(decision)})
	alice := s.as("alice")
	r := alice.request(http.MethodPost, path(q), strings.NewReader(fmt.Sprintf(`{"elicitationId":%q,"action":"decline"}`, q.ID)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer nonsense")
	alice.do(r).want(http.StatusUnauthorized)
}

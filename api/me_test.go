package api_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// subscription is a browser's.
func subscription(t *testing.T, endpoint string) string {
	t.Helper()
	key, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`{"endpoint":%q,"key":%q,"auth":"AAAAAAAAAAAAAAAAAAAAAA","label":"phone"}`,
		endpoint, base64.RawURLEncoding.EncodeToString(key.PublicKey().Bytes()))
}

func TestPeopleChooseHowTheyAreTold(t *testing.T) {
	w := newWorld(t, nil)
	w.do("alice", http.MethodGet, "/api/me/channels", "").want(http.StatusOK).
		is("channels.0.channel", "web_push").is("channels.0.after", 30.0).is("email", "alice@acme.example").is("deputy", "bob")
	w.do("alice", http.MethodPut, "/api/me/channels", `{"channels":[{"channel":"web_push","after":5,"off":true}]}`).want(http.StatusOK).
		is("channels.0.after", 5.0).is("channels.0.off", true)
	w.do("bob", http.MethodGet, "/api/me/channels", "").want(http.StatusOK).is("channels.0.after", 30.0).is("email", nil)
	w.do("namesake", http.MethodGet, "/api/me/channels", "").want(http.StatusOK).is("channels.0.after", 30.0).is("deputy", nil)
	w.do("alice", http.MethodPut, "/api/me/channels", `{"channels":[{"channel":"pigeon","after":5}]}`).refused(http.StatusUnprocessableEntity, "pigeon")
	w.do("alice", http.MethodPut, "/api/me/channels", `{"channels":[{"channel":"web_push","after":-5}]}`).refused(http.StatusUnprocessableEntity)
	w.do("alice", http.MethodPut, "/api/me/channels", `{"channels":[{"channel":"web_push","after":2592001}]}`).
		refused(http.StatusUnprocessableEntity, "at most 2592000 seconds, which are 30 days")
}

func TestABrowserIsSubscribedAndForgotten(t *testing.T) {
	w := newWorld(t, nil)
	if key, _ := w.do("alice", http.MethodGet, "/api/me/push-key", "").want(http.StatusOK).at("key").(string); len(key) != 87 {
		t.Errorf("%q is no key", key)
	}
	const path = "/api/me/push-subscriptions"
	id := w.do("alice", http.MethodPost, path, subscription(t, "https://push.example/1")).want(http.StatusCreated).is("label", "phone").at("id").(string)
	answer := w.do("alice", http.MethodGet, "/api/me/channels", "").want(http.StatusOK).is("push_subscriptions.0.id", id)
	if strings.Contains(string(answer.body), "push.example") {
		t.Error("what only the push service needs is shown")
	}
	w.do("bob", http.MethodPost, path+"/"+id+"/test", "").refused(http.StatusNotFound)
	w.do("namesake", http.MethodPost, path+"/"+id+"/test", "").refused(http.StatusNotFound)
	w.do("alice", http.MethodPost, path+"/"+id+"/test", "").refused(http.StatusBadGateway, "did not take the message") // push.example is nowhere
	for range 4 {
		w.do("alice", http.MethodPost, path+"/"+id+"/test", "").refused(http.StatusBadGateway)
	}
	w.do("alice", http.MethodPost, path+"/"+id+"/test", "").refused(http.StatusTooManyRequests, "Wait a moment")
	w.do("bob", http.MethodPost, path+"/"+id+"/test", "").refused(http.StatusNotFound)
	for _, endpoint := range []string{"https://169.254.169.254/", "http://push.example/", "https://localhost/", "x"} {
		w.do("alice", http.MethodPost, path, subscription(t, endpoint)).refused(http.StatusUnprocessableEntity)
	}
	w.do("bob", http.MethodDelete, path+"/"+id, "").refused(http.StatusNotFound)
	w.do("alice", http.MethodDelete, path+"/"+id, "").want(http.StatusNoContent)
	w.do("alice", http.MethodDelete, path+"/"+id, "").refused(http.StatusNotFound)
}

func TestAnAbsenceIsSaidAndTakenBack(t *testing.T) {
	w := newWorld(t, nil)
	now := time.Now().UTC().Truncate(time.Second)
	away := func(from, until time.Duration) string {
		return fmt.Sprintf(`{"from":%q,"until":%q}`, now.Add(from).Format(time.RFC3339), now.Add(until).Format(time.RFC3339))
	}
	w.do("alice", http.MethodPut, "/api/me/absence", away(-time.Hour, time.Hour)).want(http.StatusNoContent)
	w.do("alice", http.MethodGet, "/api/me/channels", "").want(http.StatusOK).is("absence.from", now.Add(-time.Hour).Format(time.RFC3339))
	w.do("alice", http.MethodPut, "/api/me/absence", away(2*time.Hour, time.Hour)).refused(http.StatusUnprocessableEntity)
	w.do("alice", http.MethodPut, "/api/me/absence", away(-2*time.Hour, -time.Hour)).refused(http.StatusUnprocessableEntity, "is over already")
	w.do("alice", http.MethodGet, "/api/me/channels", "").want(http.StatusOK).is("absence.from", now.Add(-time.Hour).Format(time.RFC3339))
	w.do("alice", http.MethodDelete, "/api/me/absence", "").want(http.StatusNoContent)
	w.do("alice", http.MethodGet, "/api/me/channels", "").want(http.StatusOK).is("absence", nil)
}

func TestOnlyPeopleAreToldOfAnything(t *testing.T) {
	w := newWorld(t, nil)
	for _, one := range [][3]string{
		{http.MethodGet, "/api/me/channels", ""}, {http.MethodPut, "/api/me/channels", `{"channels":[]}`}, {http.MethodGet, "/api/me/push-key", ""},
		{http.MethodPost, "/api/me/push-subscriptions", subscription(t, "https://push.example/1")}, {http.MethodDelete, "/api/me/push-subscriptions/x", ""}, {http.MethodPost, "/api/me/push-subscriptions/x/test", ""},
		{http.MethodPut, "/api/me/absence", `{"from":"2026-12-20T00:00:00Z","until":"2027-01-07T00:00:00Z"}`}, {http.MethodDelete, "/api/me/absence", ""},
		{http.MethodPost, "/api/me/looking", "{}"},
	} {
		for _, who := range []string{"key", "program"} {
			w.do(who, one[0], one[1], one[2]).refused(http.StatusForbidden)
		}
		for _, who := range []string{"", "impostor"} {
			w.do(who, one[0], one[1], one[2]).refused(http.StatusUnauthorized)
		}
	}
	w.do("alice", http.MethodPost, "/api/me/looking", `{"session":"chat-1"}`).want(http.StatusNoContent)
}

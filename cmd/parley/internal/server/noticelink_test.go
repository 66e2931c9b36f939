package server_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// What a client that shows no questions gives its person leads to the end: they
// follow the link, connect, and the same words succeed.
func TestTheLinkOfANoticeConnectsTheAccountNow(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := servedWith(t, listener, fmt.Sprintf(`listen: %q
store: "memory:"
dev: true
models: {script: {kind: demo}}
servers: {mine: {title: My Files, url: %q, approve: never, auth: {type: bearer, scope: user}}}
agents: {assistant: {model: script, servers: [mine]}}
`, listener.Addr().String(), toolServer(t, "read")), map[string]agent.Model{"script": obedient{}})
	says := func(what string) (said, link string) {
		t.Helper()
		body := fmt.Sprintf(`{"stream":false,"messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, what)
		_, data := sent(t, http.MethodPost, base+"/run/api/chat", server.DevToken("ann"), body)
		var reply struct {
			Notices []struct{ AuthLink string } `json:"notices"`
		}
		if err := json.Unmarshal(data, &reply); err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		for _, one := range reply.Notices {
			link = one.AuthLink
		}
		return string(data), link
	}
	said, link := says("mine")
	if link == "" || !strings.Contains(said, "needs the user") {
		t.Fatalf("no link in %s", said)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	shows := func(answer *http.Response, err error) (*url.URL, string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		data, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return answer.Request.URL, string(data)
	}
	shows(browser.PostForm(base+"/login", url.Values{"user": {"ann"}}))
	at, page := shows(browser.Get(link))
	if !strings.Contains(page, "Connect My Files") {
		t.Fatalf("%s shows %s", at, page)
	}
	if _, page = shows(browser.PostForm(at.String(), url.Values{"action": {"connect"}, "key": {"k-1"}})); !strings.Contains(page, "Connected") {
		t.Fatalf("after the key: %s", page)
	}
	if said, link := says("mine__read"); !strings.Contains(said, "It says: read") || link != "" {
		t.Errorf("afterwards: %s", said)
	}
}

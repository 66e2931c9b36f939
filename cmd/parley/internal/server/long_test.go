package server_test

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/cmd/parley/internal/server"
)

// lengthy pays with a note that no card can show.
type lengthy struct {
	obedient
	note string
}

func (l lengthy) Generate(ctx context.Context, p agent.Prompt, emit func(string)) (agent.Reply, error) {
	if p.Messages[len(p.Messages)-1].Role == agent.FromUser {
		args, err := json.Marshal(map[string]string{"note": l.note, "to": "bob"})
		return agent.Reply{Calls: []agent.ToolCall{{ID: "p", Tool: "bank__pay", Args: args}}}, err
	}
	return l.obedient.Generate(ctx, p, emit)
}

// longQuestion is a question as a card has it.
type longQuestion struct {
	Data struct {
		ID      string          `json:"elicitationId"`
		Mode    string          `json:"mode"`
		Message string          `json:"message"`
		URL     string          `json:"url"`
		Schema  json.RawMessage `json:"requestedSchema"`
		Context struct{ Trigger, Tool, Arguments, SettledBy string }
	} `json:"data"`
}

// A call that is too long for a card is shown whole on its page, and is allowed
// nowhere else.
func TestALongCallIsApprovedOnItsPageAlone(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	note := strings.Repeat("A line of the contract. ", 2000) + "The end of it." // 48 KB
	address, paid := bank(t)
	base := servedWith(t, listener, "listen: "+listener.Addr().String()+fmt.Sprintf(`
dev: true
store: "memory:"
models: {long: {kind: demo}}
servers: {bank: {url: %q, approve: always}}
agents: {assistant: {model: long, servers: [bank]}}
`, address), map[string]agent.Model{"long": lengthy{note: note}})
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar, Transport: &http.Transport{DisableKeepAlives: true}}
	post := func(to string, form url.Values) string { return page(t, browser, http.MethodPost, to, form) }
	post(base+"/login", url.Values{"user": {"alice"}})
	told := chatting(t, base, server.DevToken("alice"), "c", "Pay Bob", func(line string) {
		var card longQuestion
		if err := json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &card); err != nil {
			t.Fatal(err)
		}
		q := card.Data
		if q.Mode != "url" || q.URL != base+"/answer/"+q.ID || q.Context.SettledBy != "page" || q.Context.Trigger != "tool_approval" || q.Context.Tool != "bank__pay" ||
			q.Context.Arguments != "" || len(q.Schema) > 0 || len(q.Message) > 1000 || !strings.Contains(q.Message, "Open its page") {
			t.Errorf("the card is %.600s", line)
		}
		size := regexp.MustCompile(`It has (48\d{3}) bytes`).FindStringSubmatch(q.Message)
		if size == nil {
			t.Fatalf("the card does not say how long it is: %s", q.Message)
		}
		body := fmt.Sprintf(`{"conversationId":"c","elicitationId":%q,"action":"accept","content":{"decision":"allow_once"}}`, q.ID)
		if status, data := sent(t, http.MethodPost, base+"/run/api/elicitation-responses", server.DevToken("alice"), body); status != http.StatusForbidden || !strings.Contains(string(data), "not shown whole here") {
			t.Errorf("allowed from the chat: %d %s", status, data)
		}
		shown := page(t, browser, http.MethodGet, q.URL, nil)
		for _, want := range []string{`"note": "` + note + `"`, `"to": "bob"`, "This is a long call: " + size[1] + " bytes", "Digest of the call:", `class="message exact long"`, "Allow once"} {
			if !strings.Contains(html.UnescapeString(shown), want) {
				t.Errorf("the page does not have %.80s", want)
			}
		}
		if n := paid.Load(); n != 0 {
			t.Errorf("paid %d times before it is allowed", n)
		}
		button := regexp.MustCompile(`name="([^"]+)" value="([^"]+)"[^>]*>Allow once<`).FindStringSubmatch(shown)
		if button == nil {
			t.Fatal("the page has no button that allows it")
		}
		post(q.URL, url.Values{"action": {"accept"}, button[1]: {button[2]}})
	})
	if n := paid.Load(); n != 1 || !strings.Contains(told, "It says: paid") {
		t.Errorf("paid %d times: %.2000s", n, told[max(0, len(told)-1000):])
	}
}

// page is what a browser gets.
func page(t *testing.T, browser *http.Client, method, to string, form url.Values) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, to, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d %.500s, %v", method, to, answer.StatusCode, body, err)
	}
	return string(body)
}

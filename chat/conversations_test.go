package chat_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parley-hq/parley/agent"
)

type conversationList struct {
	Conversations []struct {
		ID, Title, Agent     string
		CreatedAt, UpdatedAt time.Time
		Waiting              bool
	}
	NextCursor string
}

func (s *site) conversations(user, query string) conversationList {
	s.t.Helper()
	status, raw := s.ask(asked{method: "GET", path: "/run/api/chat" + query, user: user})
	var got conversationList
	if err := json.Unmarshal([]byte(raw), &got); err != nil || status != http.StatusOK {
		s.t.Fatalf("%d %s", status, raw)
	}
	return got
}

func (s *site) says(user, conversation, text string) {
	s.t.Helper()
	s.do(asked{path: "/run/api/chat", user: user, header: shows, body: fmt.Sprintf(`{"id":%q,"agent":"helper","messages":[{"role":"user","parts":[{"type":"text","text":%q}]}]}`, conversation, text)})
	synctest.Wait()
}

func TestAPersonFindsTheirConversationsAgain(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, painter(), &agent.Agent{Name: "other", Model: says("Yes.")})
		if got := s.conversations("alice", ""); len(got.Conversations) != 0 || got.NextCursor != "" {
			t.Errorf("%+v", got)
		}
		s.says("alice", "c1", "Paint the fence")
		time.Sleep(2 * time.Minute)
		s.do(asked{path: "/run/api/chat", body: `{"id":"c2","agent":"other","messages":[{"role":"user","content":"Hello"}]}`})
		s.do(asked{path: "/run/v1/chat/completions", body: `{"model":"other","messages":[{"role":"user","content":"One of many"}]}`})
		synctest.Wait()
		got := s.conversations("alice", "")
		if len(got.Conversations) != 2 || got.Conversations[0].ID != "c2" || got.Conversations[1].ID != "c1" {
			t.Fatalf("%+v", got)
		}
		if c := got.Conversations[1]; c.Title != "Paint the fence" || c.Agent != "helper" || !c.Waiting || c.UpdatedAt.IsZero() {
			t.Errorf("%+v", c)
		}
		if c := got.Conversations[0]; c.Agent != "other" || c.Waiting {
			t.Errorf("%+v", c)
		}
		if others := s.conversations("bob", ""); len(others.Conversations) != 0 {
			t.Errorf("somebody else sees %+v", others)
		}
		time.Sleep(time.Hour) // the question is over
		if got := s.conversations("alice", ""); got.Conversations[1].Waiting {
			t.Error("an expired question waits")
		}
		if got := s.conversations("program:ci", ""); len(got.Conversations) != 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestAListOfConversationsComesInPages(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		s := newSite(t, nil, &agent.Agent{Name: "helper", Model: says("Yes.")})
		for i := range 7 {
			if i%2 == 0 {
				time.Sleep(time.Second) // two of them at the same time
			}
			s.says("alice", fmt.Sprintf("c.%d", i), "Hello")
		}
		var all []string
		for query := "?limit=3"; ; {
			page := s.conversations("alice", query)
			for _, c := range page.Conversations {
				all = append(all, c.ID)
			}
			if len(page.Conversations) > 3 {
				t.Fatalf("%+v", page)
			}
			if page.NextCursor == "" {
				break
			}
			query = "?limit=3&cursor=" + url.QueryEscape(page.NextCursor)
		}
		if got := strings.Join(all, " "); got != "c.6 c.5 c.4 c.3 c.2 c.1 c.0" {
			t.Errorf("%s", got)
		}
		for _, query := range []string{"?limit=0", "?limit=201", "?limit=x", "?cursor=x", "?cursor=x.y"} {
			if status, raw := s.ask(asked{method: "GET", path: "/run/api/chat" + query}); status != http.StatusBadRequest {
				t.Errorf("%s: %d %s", query, status, raw)
			}
		}
		if status, _ := s.ask(asked{method: "GET", path: "/run/api/chat", user: "-"}); status != http.StatusUnauthorized {
			t.Errorf("nobody: %d", status)
		}
		if status, _ := s.ask(asked{method: "GET", path: "/run/api/chat", user: "service"}); status != http.StatusForbidden {
			t.Errorf("a service: %d", status)
		}
	})
}

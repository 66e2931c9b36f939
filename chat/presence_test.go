package chat_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/agent"
	"github.com/parley-hq/parley/chat"
)

// expiring is a site whose tokens are good for two minutes, and end while the
// person is asked something.
func expiring(t *testing.T) (s *site, until time.Time) {
	until = time.Now().Add(2 * time.Minute)
	return newSite(t, &chat.Options{Principal: func(r *http.Request) (parley.Principal, error) {
		if !time.Now().Before(until) {
			return parley.Principal{}, chat.ErrUnauthenticated
		}
		return whoAsks(r)
	}}, painter()), until
}

func TestAStreamEndsWithTheTokenThatOpenedIt(t *testing.T) {
	for name, open := range map[string]func(*site) []string{
		"message": func(s *site) []string {
			return s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint"), header: shows}).rest()
		},
		"resumed": func(s *site) []string {
			s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint"), header: shows}).question()
			return s.stream(asked{method: http.MethodGet, path: "/run/api/chat/c1/stream", header: shows}).rest()
		},
		"completion": func(s *site) []string {
			return s.stream(asked{path: completions, body: `{"model":"helper","stream":true,"messages":[{"role":"user","content":"Paint"}]}`, header: shows}).rest()
		},
		"events": func(s *site) []string {
			return s.stream(asked{path: "/run/sse", body: `{"message":"Paint"}`}).rest()
		},
		"socket": func(s *site) []string {
			k := s.talk()
			k.say(`{"message":"Paint"}`)
			return []string{k.closed()}
		},
		"silent socket": func(s *site) []string { return []string{s.talk().closed()} },
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T) {
				s, until := expiring(t)
				told := strings.Join(open(s), "\n")
				if over := time.Since(until); over < 0 || over > time.Minute {
					t.Errorf("it ended %v after its token", over)
				}
				if !strings.Contains(told, "You are not signed in.") {
					t.Errorf("it was not told why:\n%s", told)
				}
				if status, _ := s.ask(asked{method: http.MethodGet, path: "/run/api/chat/c1"}); status != http.StatusUnauthorized {
					t.Errorf("then: %d", status)
				}
			})
		})
	}
}

// Nor is the whole of a reply for whoever has signed out while it was made.
func TestAWholeReplyIsNotForWhoIsSignedOutByThen(t *testing.T) {
	for name, a := range map[string]asked{
		"message":    {path: "/run/api/chat", body: `{"id":"c1","stream":false,"messages":[{"id":"m","role":"user","parts":[{"type":"text","text":"Go"}]}]}`},
		"completion": {path: completions, body: `{"model":"helper","messages":[{"role":"user","content":"Go"}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T) {
				until := time.Now().Add(2 * time.Second)
				s := newSite(t, &chat.Options{Principal: func(r *http.Request) (parley.Principal, error) {
					if !time.Now().Before(until) {
						return parley.Principal{}, chat.ErrUnauthenticated
					}
					return whoAsks(r)
				}}, &agent.Agent{Name: "helper", Model: script(func(agent.Prompt) agent.Reply {
					time.Sleep(3 * time.Second)
					return agent.Reply{Text: "What nobody else may know."}
				})})
				if status, told := s.ask(a); status != http.StatusUnauthorized || strings.Contains(told, "nobody else") {
					t.Errorf("%d %s", status, told)
				}
			})
		})
	}
}

// Who cannot be asked about is not taken for gone.
func TestAStreamOutlivesAFaultOfWhoKnowsPeople(t *testing.T) {
	inABubble(t, func(t *testing.T) {
		begun := time.Now()
		s := newSite(t, &chat.Options{Principal: func(r *http.Request) (parley.Principal, error) {
			if since := time.Since(begun); since > time.Minute && since < 2*time.Minute {
				return parley.Principal{}, errors.New("the store is down")
			}
			return whoAsks(r)
		}}, painter())
		st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint"), header: shows})
		id := st.question()
		time.Sleep(3 * time.Minute)
		s.respond("c1", id, "accept", `{"colour":"red"}`)
		st.until("paint did it")
	})
}

// A token of somebody else, or a cookie of a new sign-in, does not take a stream
// over.
func TestAStreamIsNotHandedToSomebodyElse(t *testing.T) {
	for name, other := range map[string]parley.Principal{
		"another person": {User: "bob"},
		"another tenant": {Tenant: "acme", User: "alice"},
	} {
		t.Run(name, func(t *testing.T) {
			inABubble(t, func(t *testing.T) {
				begun := time.Now()
				s := newSite(t, &chat.Options{Principal: func(r *http.Request) (parley.Principal, error) {
					if time.Since(begun) > time.Minute {
						return other, nil
					}
					return whoAsks(r)
				}}, painter())
				st := s.stream(asked{path: "/run/api/chat", body: turn("c1", "m", "Paint"), header: shows})
				st.rest()
				if open := time.Since(begun); open > 2*time.Minute {
					t.Errorf("it was open for %v", open)
				}
			})
		})
	}
}

package serve_test

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/internal/testkit/servers"
	"github.com/parley-hq/parley/interop/kit"
)

func (s *site) signIn(t *testing.T) {
	t.Helper()
	s.person.Send(t, s.public+"/login", url.Values{"user": {"alice"}})
}

// connect answers a question for a credential on the hosted page and at the
// provider. It returns when the last button was pressed.
func (s *site) connect(t *testing.T, q kit.ShownQuestion) time.Time {
	t.Helper()
	if !strings.HasPrefix(q.URL, s.public+"/") {
		t.Fatalf("the question is at %s, not at %s", q.URL, s.public)
	}
	s.person.Open(t, q.URL)
	s.person.Press(t, "Connect")
	s.person.Press(t, "alice")
	pressed := time.Now()
	s.person.Press(t, "Allow")
	return pressed
}

// finished waits until the conversation, loaded again from a node, has come to
// its end, and returns its only answer part by part.
func (s *site) finished(t *testing.T, base, conversation string) (parts []string) {
	t.Helper()
	var r kit.Reloaded
	kit.Eventually(t, "the run finishes", func() bool {
		r = s.person.Reload(t, base, conversation)
		return !r.Active
	})
	if len(r.Messages) != 2 || r.Messages[0].Role != "user" || r.Messages[1].Role != "assistant" {
		t.Fatalf("the conversation is not a message and its answer: %+v", r.Messages)
	}
	for _, p := range r.Messages[1].Parts {
		switch {
		case p.Type == "text":
			parts = append(parts, p.Text)
		case p.Type == "data-elicitation-request" && len(p.Data.Outcome) == 0:
			parts = append(parts, "an open question")
		case p.Type == "data-elicitation-request":
			parts = append(parts, "an answered question")
		case p.Type != "step-start":
			parts = append(parts, p.Type+" "+p.State)
		}
	}
	return parts
}

// connected is how the answer looks in which the person connected the tracker.
func connected() []string {
	return []string{
		"Let me see. ", "tool-tracker output-available", "an answered question",
		"tool-tracker__list_tickets output-available", "Ticket 7: the coffee machine (of alice)",
	}
}

func TestServeGoesOnAfterKill9WhileAQuestionWaits(t *testing.T) {
	program := withParley(t)
	for name, parked := range map[string]bool{"when the run is parked": true, "as soon as the question is shown": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := kit.FreeAddresses(t, 1)[0]
			s := newSite(t, program, "sqlite:"+filepath.Join(t.TempDir(), "parley.db"), address)
			node := s.start(t, address)
			s.signIn(t)
			q := s.person.Say(t, node.Url, "tickets", "List the tickets in my tracker").Question(t)
			if parked {
				s.parked(t)
			}
			node.Kill(t)

			node = s.start(t, address)
			answered := s.connect(t, q)
			if diff := cmp.Diff(connected(), s.finished(t, node.Url, "tickets")); diff != "" {
				t.Errorf("the reloaded chat (-want +got):\n%s", diff)
			}
			t.Logf("from the answer to the finished run: %v", time.Since(answered))
			s.tickets.called(t, map[string]int{"list_tickets": 1})
			s.asked(t, 1)
		})
	}
}

// shared are the stores that several nodes use. Some tests stop theirs, or count what
// is in all of it, so each has a server of its own.
func shared(t *testing.T, test func(t *testing.T, store string)) {
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, servers.OwnPostgres(t, nil).URL)
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		test(t, servers.OwnRedis(t, nil).URL)
	})
}

func TestServeGoesOnOnTheOtherNodeAfterKill9WhileAQuestionWaits(t *testing.T) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		addresses := kit.FreeAddresses(t, 2)
		s := newSite(t, program, store, addresses[1])
		a, b := s.start(t, addresses[0]), s.start(t, addresses[1])
		s.signIn(t)
		q := s.person.Say(t, a.Url, "tickets", "List the tickets in my tracker").Question(t)
		s.parked(t)
		a.Kill(t)

		stream := s.person.Resume(t, b.Url, "tickets")
		if again := stream.Question(t); again.ID != q.ID {
			t.Errorf("the other node asks %s, the first one asked %s", again.ID, q.ID)
		}
		answered := s.connect(t, q)
		stream.End(t)
		t.Logf("from the answer to the end of the stream: %v", time.Since(answered))
		if said := stream.Text.String(); said != "Let me see. Ticket 7: the coffee machine (of alice)" {
			t.Errorf("the other node's stream said %q", said)
		}
		if i := slices.Index(stream.Types, "start"); i != 0 || slices.Contains(stream.Types[1:], "start") {
			t.Errorf("the stream is not one message from its start: %q", stream.Types)
		}
		if diff := cmp.Diff(connected(), s.finished(t, b.Url, "tickets")); diff != "" {
			t.Errorf("the reloaded chat (-want +got):\n%s", diff)
		}
		s.tickets.called(t, map[string]int{"list_tickets": 1})
		s.asked(t, 1)
	})
}

func TestServeTakesOverARunWhoseNodeWasKilledInTheMiddleOfACall(t *testing.T) {
	program := withParley(t)
	shared(t, func(t *testing.T, store string) {
		addresses := kit.FreeAddresses(t, 2)
		s := newSite(t, program, store, addresses[1])
		b := s.start(t, addresses[1])
		s.signIn(t)
		s.connect(t, s.person.Say(t, b.Url, "connect", "List the tickets in my tracker").Question(t))
		s.finished(t, b.Url, "connect")
		s.tickets.called(t, map[string]int{"list_tickets": 1})

		for _, c := range []struct {
			says, tool, state, reply string
			calls                    int
		}{
			{"Close the ticket", "close_ticket", "output-error", "That did not work: The result of this call is unknown", 1},
			{"List the tickets", "list_tickets", "output-available", "Ticket 7: the coffee machine (of alice)", 2},
		} {
			a := s.start(t, addresses[0])
			begun := s.tickets.hold()
			s.person.Say(t, a.Url, c.tool, c.says)
			select {
			case <-begun:
			case <-time.After(kit.Patience):
				t.Fatal("the tool was not called")
			}
			a.Kill(t)
			killed := time.Now()
			stream := s.person.Resume(t, b.Url, c.tool)
			stream.End(t)
			t.Logf("%s: from the kill to the end of the stream: %v", c.tool, time.Since(killed))
			if said := strings.TrimPrefix(stream.Text.String(), "Let me see. "); !strings.HasPrefix(said, c.reply) {
				t.Errorf("%s: the other node's stream said %q; want %q", c.tool, said, c.reply)
			}
			parts := s.finished(t, b.Url, c.tool)
			if len(parts) != 3 || parts[1] != "tool-tracker__"+c.tool+" "+c.state || !strings.HasPrefix(parts[2], c.reply) {
				t.Errorf("%s: the reloaded chat has %q", c.tool, parts)
			}
			s.tickets.called(t, map[string]int{c.tool: c.calls})
		}
		s.asked(t, 1)
	})
}

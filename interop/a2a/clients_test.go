package a2a_test

import (
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// trip is an answer to the form of "Book a trip".
var trip = kit.Fields{"to": "Bergen", "day": "2026-12-24", "email": "alice@example.com", "travellers": 2, "class": "first"}

func answer(q question, action string, content kit.Fields) kit.Fields {
	said := kit.Fields{"elicitationId": q.ID, "action": action}
	if content != nil {
		said["content"] = content
	}
	return said
}

// each runs a test with every client, at one server.
func each(t *testing.T, test func(t *testing.T, s *site, c *client, old bool)) {
	s := start(t)
	for name, options := range clients {
		t.Run(name, func(t *testing.T) {
			_, compat := options["compat"]
			test(t, s, s.client(t, "alice", options), compat || strings.HasPrefix(name, "0.3"))
		})
	}
}

func TestAClientIsAskedAndAnswers(t *testing.T) {
	each(t, func(t *testing.T, _ *site, c *client, _ bool) {
		first := c.does("send", kit.Fields{"text": "Book a trip"})
		q := first.asks(t, "input-required")
		if q.Mode != "form" || !strings.Contains(string(q.Schema), "travellers") || !strings.Contains(first.Text, "travel") {
			t.Errorf("%+v", first)
		}
		if got := c.does("get", kit.Fields{"task": first.Task}); got.asks(t, "input-required").ID != q.ID {
			t.Errorf("%+v", got)
		}
		wrong := c.does("send", kit.Fields{"task": first.Task, "answer": answer(q, "accept", kit.Fields{"to": "Bergen", "day": "tomorrow"})})
		if wrong.asks(t, "input-required").ID != q.ID || !strings.Contains(wrong.Text, "must be a date") {
			t.Errorf("%+v", wrong)
		}
		done := c.does("send", kit.Fields{"task": first.Task, "answer": answer(q, "accept", trip)})
		if done.State != "completed" || !strings.Contains(strings.Join(done.Artifacts, "\n"), "Bergen") || len(done.History) != 5 {
			t.Errorf("%+v", done)
		}
	})
}

func TestAClientDeclinesAndCancels(t *testing.T) {
	each(t, func(t *testing.T, _ *site, c *client, _ bool) {
		first := c.does("send", kit.Fields{"text": "Book a trip"})
		if done := c.does("send", kit.Fields{"task": first.Task, "answer": answer(first.asks(t, "input-required"), "decline", nil)}); done.State != "completed" || strings.Contains(strings.Join(done.Artifacts, "\n"), "Bergen") {
			t.Errorf("%+v", done)
		}
		second := c.does("send", kit.Fields{"text": "Book a trip"})
		if got := c.does("cancel", kit.Fields{"task": second.Task}); got.State != "canceled" {
			t.Errorf("%+v", got)
		}
		if err := c.Failure(c.Do("send", kit.Fields{"task": second.Task, "text": "Oslo"})); !strings.Contains(err.Message, "has ended") {
			t.Errorf("%+v", err)
		}
	})
}

func TestAClientStreamsAndSubscribesToAPausedTask(t *testing.T) {
	each(t, func(t *testing.T, _ *site, c *client, old bool) {
		said := c.Do("stream", kit.Fields{"text": "Book a trip"})
		first := c.heard(said)
		if first.Kind != "task" || first.Task == "" {
			t.Fatalf("%+v", first)
		}
		asked := c.until(said, "input-required")
		if c.tellsFinal && !asked.Final {
			t.Error("it is not said that the stream is over")
		}
		c.End(said) // it waits for a message
		q := asked.asks(t, "input-required")

		listens := c.Do("subscribe", kit.Fields{"task": first.Task})
		if again := c.heard(listens); again.Kind != "task" || again.asks(t, "input-required").ID != q.ID {
			t.Errorf("%+v", again)
		}
		answered := c.Do("stream", kit.Fields{"task": first.Task, "answer": answer(q, "accept", trip)})
		for _, id := range []int{answered, listens} {
			c.until(id, "completed")
			if line := c.End(id); line.Error != nil {
				t.Errorf("%+v", *line.Error)
			}
		}
		err := c.Failure(c.Do("subscribe", kit.Fields{"task": first.Task}))
		if !strings.Contains(err.Message, "has ended") {
			t.Errorf("%+v", err)
		}
	})
}

func TestACredentialArrivesOutOfBand(t *testing.T) {
	s := start(t)
	for name, options := range clients {
		t.Run(name, func(t *testing.T) {
			// Who is connected stays so: each is somebody else.
			user := strings.ToLower(strings.NewReplacer(" ", "", ",", "", ".", "", "-", "").Replace("user" + name))
			person, c := s.person(t, user), s.client(t, user, options)
			said := c.Do("stream", kit.Fields{"text": "List the tickets in my tracker"})
			q := c.until(said, "auth-required").asks(t, "auth-required")
			if q.Mode != "url" || !strings.HasPrefix(q.URL, s.url+"/") {
				t.Fatalf("%+v", q)
			}
			person.Open(t, q.URL)
			person.Press(t, "Connect")
			person.Press(t, "alice") // at the provider
			person.Press(t, "Allow")
			c.until(said, "completed")
		})
	}
}

func TestAnApprovalIsNotGivenByAMessage(t *testing.T) {
	each(t, func(t *testing.T, s *site, c *client, _ bool) {
		first := c.does("send", kit.Fields{"text": "Order 3 boxes of pens"})
		q := first.asks(t, "auth-required")
		if q.URL != s.url+"/answer/"+q.ID {
			t.Errorf("%+v", q)
		}
		err := c.Failure(c.Do("send", kit.Fields{"task": first.Task, "answer": answer(q, "accept", kit.Fields{"decision": "allow_once"})}))
		if !strings.Contains(err.Message, "decided by the person") {
			t.Errorf("%+v", err)
		}
		if got := c.does("get", kit.Fields{"task": first.Task}); got.State != "auth-required" {
			t.Errorf("%+v", got)
		}
		if got := c.does("cancel", kit.Fields{"task": first.Task}); got.State != "canceled" {
			t.Errorf("%+v", got)
		}
	})
}

func TestAClientListsItsTasksAndReadsTheExtendedCard(t *testing.T) {
	each(t, func(t *testing.T, _ *site, c *client, old bool) {
		first := c.does("send", kit.Fields{"text": "Book a trip"})
		card := c.End(c.Do("card", nil))
		if card.Error != nil || !strings.Contains(string(card.Result), "tools-travel") || !strings.Contains(string(card.Result), `"needs":["bearer"]`) {
			t.Errorf("%s", card.Text)
		}
		if old {
			return // 0.3 lists nothing
		}
		list := c.End(c.Do("list", kit.Fields{"status": "TASK_STATE_INPUT_REQUIRED"}))
		if list.Error != nil || !strings.Contains(string(list.Result), first.Task) {
			t.Errorf("%s", list.Text)
		}
	})
}

func TestAClientKeepsPushConfigurations(t *testing.T) {
	each(t, func(t *testing.T, s *site, c *client, _ bool) {
		first := c.does("send", kit.Fields{"text": "Book a trip"})
		line := c.End(c.Do("push", kit.Fields{"task": first.Task, "url": s.url + "/told", "token": "t"}))
		want := `{"made":"` + s.url + `/told","read":"` + s.url + `/told","listed":["` + s.url + `/told"],"left":[]}`
		if line.Error != nil || string(line.Result) != want {
			t.Errorf("%s, want %s", line.Text, want)
		}
	})
}

package a2a_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

// spoiled is an answer that does not fit, with a text beside it.
func spoiled(id, text string) *wire.Message {
	m := answers(id, elicitation.Accept, `{"count":"many"}`)
	m.Parts = append(m.Parts, wire.NewTextPart(text))
	return m
}

func TestOfMessagesThatAreNoAnswersTheLastAreKeptAndShort(t *testing.T) {
	s := newSite(t, nil, helper(order))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Order"))
	id := asks(t, task).ID
	seen := map[string]bool{task.Status.Message.ID: true}
	for i := range 30 {
		task = c.send(to(task, spoiled(id, fmt.Sprintf("try %d %s", i, strings.Repeat("P", (i%2)*60_000)))))
		state(t, task, wire.TaskStateInputRequired)
		if seen[task.Status.Message.ID] {
			t.Fatalf("after %d: the question has the id %s again", i, task.Status.Message.ID)
		}
		seen[task.Status.Message.ID] = true
	}
	kept, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "a2a.said"}, "", 100)
	if err != nil || len(kept) != 20 {
		t.Errorf("%d messages are kept: %v", len(kept), err)
	}
	for _, r := range kept {
		if len(r.Data) > 4<<10 {
			t.Errorf("%d bytes are kept", len(r.Data))
		}
	}
	whole := c.get(task.ID)
	said := ""
	for _, m := range whole.History {
		said += told(m) + "\n"
	}
	if strings.Contains(said, "try 8 ") || !strings.Contains(said, "try 28 ") || !strings.Contains(said, "too long to be kept") || strings.Contains(said, "PPP") {
		t.Errorf("%.2000s", said)
	}
	done := c.send(to(task, answers(id, elicitation.Accept, `{"when":"2026-01-01","count":2}`)))
	state(t, done, wire.TaskStateCompleted)
}

func TestAnAnswerHasOnlySoManyBytesOfHistory(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		all := make([]parley.Request, 16)
		for i := range all {
			all[i] = colour
		}
		s := newSite(t, nil, helper(all...))
		c := s.client("alice", way)
		task := c.send(says(strings.Repeat("M", 250_000)))
		var questions []elicitation.Question
		for until := time.Now().Add(patience); len(questions) < len(all) && time.Now().Before(until); task = c.get(task.ID) { // they are asked one after the other
			var err error
			if questions, err = elicitation.Questions(task.Status.Message); err != nil {
				t.Fatal(err)
			}
		}
		if len(questions) != len(all) {
			t.Fatalf("%d questions", len(questions))
		}
		var err error
		for i, q := range questions {
			m := answers(q.ID, elicitation.Accept, `{"colour":"red"}`)
			m.Parts = append(m.Parts, wire.NewTextPart(strings.Repeat("P", 62_000)))
			if task, err = c.trySend(to(task, m)); err != nil {
				t.Fatalf("answer %d: %v", i, err)
			}
		}
		state(t, task, wire.TaskStateCompleted)
		whole := c.get(task.ID)
		size := 0
		for _, m := range whole.History {
			raw, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			size += len(raw)
		}
		if size > 5<<18 || len(whole.History) < 20 {
			t.Errorf("%d bytes in %d messages", size, len(whole.History))
		}
		if n := fmt.Sprint(whole.Metadata["historyLeftOut"]); n == "0" || n == "<nil>" {
			t.Errorf("it says that %v messages are left out", whole.Metadata)
		}
	})
}

func TestAListReadsHistoryOnlyIfItIsAskedFor(t *testing.T) {
	s := newSite(t, nil, helper(order))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Order"))
	task = c.send(to(task, spoiled(asks(t, task).ID, "No")))
	one, three := 1, 3
	for length, want := range map[*int]int{nil: 0, &one: 1, &three: 3} {
		page := c.list(wire.ListTasksRequest{HistoryLength: length})
		if len(page.Tasks) != 1 || len(page.Tasks[0].History) != want {
			t.Errorf("%v: %+v", length, page.Tasks)
		}
		// What was wrong is said without it too.
		if got := told(page.Tasks[0].Status.Message); got != told(task.Status.Message) || page.Tasks[0].Status.Message.ID != task.Status.Message.ID {
			t.Errorf("%q, want %q", got, told(task.Status.Message))
		}
	}
	if page := c.list(wire.ListTasksRequest{HistoryLength: &three}); told(page.Tasks[0].History[0]) != "Order" {
		t.Errorf("%+v", page.Tasks[0].History[0])
	}
}

func TestAFullPageOfAListHasFewerTasksAndGoesOn(t *testing.T) {
	s := newSite(t, nil, &agent.Agent{Name: "helper", Model: script(func(agent.Prompt) agent.Reply { return agent.Reply{Text: "done"} })})
	c := s.client("alice", "JSON-RPC")
	const tasks = 30
	for i := range tasks {
		c.send(says(fmt.Sprint(i, strings.Repeat("M", 250_000))))
	}
	all, seen, pages := 100, map[wire.TaskID]bool{}, 0
	for token := ""; ; {
		page := c.list(wire.ListTasksRequest{PageSize: 100, HistoryLength: &all, PageToken: token})
		size := 0
		for _, task := range page.Tasks {
			seen[task.ID] = true
			for _, m := range task.History {
				size += len(told(m))
			}
		}
		if size > 4<<20 || page.TotalSize != tasks {
			t.Errorf("%d bytes of %d tasks", size, page.TotalSize)
		}
		pages++
		if token = page.NextPageToken; token == "" {
			break
		}
	}
	if len(seen) != tasks || pages != 2 {
		t.Errorf("%d tasks in %d pages", len(seen), pages)
	}
}

// However many tasks somebody has, so much is kept of what is said to them.
func TestOfTheMessagesToSomebodysTasksSoMuchIsKept(t *testing.T) {
	s := newSite(t, &a2a.Options{Kept: 20_000}, helper(colour))
	c := s.client("alice", "JSON-RPC")
	stored := func(user string) (n, bytes int) {
		all, err := s.store.Scan(t.Context(), parley.Address{Tenant: "default", Kind: "a2a.said", Key: user + "/"}, "", 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range all {
			bytes += len(r.Data)
		}
		return len(all), bytes
	}
	answer := func(c *client) {
		task := c.send(says("Paint it"))
		m := answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`)
		m.Parts = append(m.Parts, wire.NewTextPart(strings.Repeat("P", 8000)))
		state(t, c.send(to(task, m)), wire.TaskStateCompleted)
	}
	for range 3 {
		answer(c)
	}
	n, bytes := stored("alice")
	if n != 3 || bytes < 16_000 || bytes > 20_000 {
		t.Errorf("%d messages, %d bytes", n, bytes)
	}
	for range 5 {
		answer(c)
	}
	if n, bytes := stored("alice"); n >= 8 || bytes > 20_000 {
		t.Errorf("%d messages, %d bytes", n, bytes)
	}
	answer(s.client("bob", "JSON-RPC"))
	if n, bytes := stored("bob"); n != 1 || bytes < 8000 {
		t.Errorf("of bob %d messages, %d bytes", n, bytes)
	}
}

package a2a_test

import (
	"strings"
	"testing"
	"time"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/agent"
)

func (c *client) list(req wire.ListTasksRequest) *wire.ListTasksResponse {
	c.t.Helper()
	page, err := c.ListTasks(c.t.Context(), &req)
	if err != nil {
		c.t.Fatal(err)
	}
	return page
}

func ids(page *wire.ListTasksResponse) string {
	var all []string
	for _, t := range page.Tasks {
		all = append(all, string(t.ID))
	}
	return strings.Join(all, " ")
}

func TestTasksAreListedTheLastThatMovedFirst(t *testing.T) {
	for _, way := range []string{"JSON-RPC", "REST"} {
		t.Run(way, func(t *testing.T) {
			s := newSite(t, nil, helper(colour), &agent.Agent{Name: "other", Model: script(echo)})
			c := s.client("alice", way)
			s.client("bob", way).send(says("Not Alice's"))
			var all []*wire.Task
			for range 5 {
				all = append(all, c.send(says("Paint it")))
			}
			done := c.send(to(all[1], answers(asks(t, all[1]).ID, elicitation.Accept, `{"colour":"red"}`)))
			canceled, err := c.CancelTask(t.Context(), &wire.CancelTaskRequest{ID: all[3].ID})
			if err != nil {
				t.Fatal(err)
			}
			page := c.list(wire.ListTasksRequest{})
			if page.TotalSize != 5 || len(page.Tasks) != 5 || page.NextPageToken != "" || page.Tasks[0].ID != canceled.ID || page.Tasks[1].ID != done.ID {
				t.Errorf("%+v", page)
			}
			for _, task := range page.Tasks {
				if task.Artifacts != nil || task.History != nil {
					t.Errorf("%+v", task)
				}
			}
			var seen []string
			for token := ""; ; {
				part := c.list(wire.ListTasksRequest{PageSize: 2, PageToken: token})
				if part.TotalSize != 5 || part.PageSize != 2 {
					t.Errorf("%+v", part)
				}
				seen = append(seen, ids(part))
				if token = part.NextPageToken; token == "" {
					break
				}
			}
			if got := strings.Join(seen, " "); got != ids(page) || len(seen) != 3 {
				t.Errorf("%q in %d pages, want %q", got, len(seen), ids(page))
			}
			if got := c.list(wire.ListTasksRequest{Status: wire.TaskStateInputRequired}); len(got.Tasks) != 3 || got.TotalSize != 3 {
				t.Errorf("%+v", got)
			}
			if got := c.list(wire.ListTasksRequest{Status: wire.TaskStateCompleted, IncludeArtifacts: true}); ids(got) != string(done.ID) || len(got.Tasks[0].Artifacts) == 0 {
				t.Errorf("%+v", got)
			}
			if got := c.list(wire.ListTasksRequest{ContextID: all[2].ContextID}); ids(got) != string(all[2].ID) {
				t.Errorf("%+v", got)
			}
			if got := c.list(wire.ListTasksRequest{ContextID: all[2].ContextID[:10]}); len(got.Tasks) != 0 {
				t.Errorf("%+v", got)
			}
			late := time.Now().Add(time.Hour)
			// By REST its client gives this another name than its server reads.
			if got := s.client("alice", "JSON-RPC").list(wire.ListTasksRequest{StatusTimestampAfter: &late}); len(got.Tasks) != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestAListThatCannotBeMadeIsRefused(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	c := s.client("alice", "JSON-RPC")
	minus := -1
	for _, req := range []wire.ListTasksRequest{{PageSize: 101}, {PageSize: -1}, {PageToken: "x"}, {Status: "TASK_STATE_TIRED"}, {HistoryLength: &minus}} {
		_, err := c.ListTasks(t.Context(), &req)
		refused(t, err, wire.ErrInvalidParams, "")
	}
}

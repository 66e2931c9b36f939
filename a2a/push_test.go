package a2a_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	wire "github.com/a2aproject/a2a-go/v2/a2a"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/a2a"
	"github.com/parley-hq/parley/a2a/elicitation"
	"github.com/parley-hq/parley/notify"
	"github.com/parley-hq/parley/outbound"
)

// letters is an outbox that keeps what is posted.
type letters struct {
	mu   sync.Mutex
	all  []notify.Letter
	more chan struct{}
}

func newLetters() *letters { return &letters{more: make(chan struct{}, 100)} }

func (l *letters) Post(_ context.Context, one notify.Letter) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, known := range l.all {
		if known.ID == one.ID {
			return nil
		}
	}
	l.all = append(l.all, one)
	l.more <- struct{}{}
	return nil
}

func (l *letters) CheckAddress(url string) error {
	if !strings.HasPrefix(url, "https://") {
		return outbound.ErrForbidden
	}
	return nil
}

// next waits for the next letter.
func (l *letters) next(t *testing.T) notify.Letter {
	t.Helper()
	select {
	case <-l.more:
	case <-time.After(patience):
		t.Fatal("nobody was told")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.all[len(l.all)-len(l.more)-1]
}

// taskOf is what a letter tells, in the words of either version.
func taskOf(t *testing.T, way string, l notify.Letter) (state, id string) {
	t.Helper()
	type task struct {
		ID     string
		Status struct{ State string }
	}
	var body struct {
		Task *task
		task
	}
	if err := json.Unmarshal(l.Body, &body); err != nil {
		t.Fatal(err)
	}
	if old := strings.Contains(way, "0.3"); old != (body.Task == nil) {
		t.Errorf("%s is told %s", way, l.Body)
	}
	if body.Task != nil {
		body.task = *body.Task
	}
	return strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(body.task.Status.State, "TASK_STATE_"), "_", "-")), body.task.ID
}

func TestAClientIsToldAtItsURLHowItsTaskGoesOn(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		out := newLetters()
		s := newSite(t, &a2a.Options{Post: out}, helper(colour))
		c := s.client("alice", way)
		result, err := c.SendMessage(t.Context(), &wire.SendMessageRequest{Message: says("Paint it"), Config: &wire.SendMessageConfig{
			PushConfig: &wire.PushConfig{ID: "p1", URL: "https://client.example/push", Token: "secret", Auth: &wire.PushAuthInfo{Scheme: "Bearer", Credentials: "abc"}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		task := result.(*wire.Task)
		l := out.next(t)
		if state, id := taskOf(t, way, l); state != "input-required" || id != string(task.ID) || !strings.Contains(string(l.Body), asks(t, task).ID) {
			t.Errorf("%s", l.Body)
		}
		if l.URL != "https://client.example/push" || l.Header["A2A-Notification-Token"] != "secret" || l.Header["X-A2A-Notification-Token"] != "secret" || l.Header["Authorization"] != "Bearer abc" {
			t.Errorf("%+v", l)
		}
		s.page(asks(t, task).ID, parley.Answer{Action: parley.Accept, Content: []byte(`{"colour":"red"}`)})
		for {
			if state, _ := taskOf(t, way, out.next(t)); state == "completed" {
				break
			} else if state != "working" {
				t.Fatal(state)
			}
		}
	})
}

func TestConfigurationsOfATaskAreKeptAndDeleted(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		out := newLetters()
		s := newSite(t, &a2a.Options{Post: out}, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Paint it"))
		made, err := c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, ID: "p1", URL: "https://client.example/push", Auth: &wire.PushAuthInfo{Scheme: "Bearer", Credentials: "abc"}})
		if err != nil || made.ID != "p1" || made.TaskID != task.ID || made.Auth != nil && made.Auth.Credentials != "" {
			t.Fatalf("%+v %v", made, err)
		}
		got, err := c.GetTaskPushConfig(t.Context(), &wire.GetTaskPushConfigRequest{TaskID: task.ID, ID: "p1"})
		if err != nil || got.URL != "https://client.example/push" {
			t.Errorf("%+v %v", got, err)
		}
		if all, err := c.ListTaskPushConfigs(t.Context(), &wire.ListTaskPushConfigRequest{TaskID: task.ID}); err != nil || len(all) != 1 {
			t.Errorf("%+v %v", all, err)
		}
		_, err = s.client("bob", way).GetTaskPushConfig(t.Context(), &wire.GetTaskPushConfigRequest{TaskID: task.ID, ID: "p1"})
		refused(t, err, wire.ErrTaskNotFound, "")
		_, err = c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, URL: "http://169.254.169.254/"})
		refused(t, err, wire.ErrInvalidParams, "not told of tasks")
		_, err = c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, URL: "https://client.example/", Token: "a\r\nb: c"})
		refused(t, err, wire.ErrInvalidParams, "ASCII")
		if err := c.DeleteTaskPushConfig(t.Context(), &wire.DeleteTaskPushConfigRequest{TaskID: task.ID, ID: "p1"}); err != nil {
			t.Error(err)
		}
		_, err = c.GetTaskPushConfig(t.Context(), &wire.GetTaskPushConfigRequest{TaskID: task.ID, ID: "p1"})
		refused(t, err, wire.ErrTaskNotFound, "no push configuration")
	})
}

func TestATaskTellsSoManyURLs(t *testing.T) {
	s := newSite(t, &a2a.Options{Post: newLetters()}, helper(colour))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Paint it"))
	var err error
	for i := range 11 {
		_, err = c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, URL: fmt.Sprint("https://client.example/", i)})
	}
	refused(t, err, wire.ErrInvalidParams, "at most 10")
}

func TestATaskTellsNoMoreURLsWhereTheyComeAtOnce(t *testing.T) {
	s := newSite(t, &a2a.Options{Post: newLetters()}, helper(colour))
	c := s.client("alice", "JSON-RPC")
	for range 5 {
		task := c.send(says("Paint it"))
		var all sync.WaitGroup
		start := make(chan struct{})
		for i := range 40 {
			all.Go(func() {
				<-start
				_, _ = c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, URL: fmt.Sprint("https://client.example/", i)})
			})
		}
		close(start)
		all.Wait()
		kept, err := c.ListTaskPushConfigs(t.Context(), &wire.ListTaskPushConfigRequest{TaskID: task.ID})
		if err != nil || len(kept) > 10 {
			t.Fatalf("%d URLs, %v", len(kept), err)
		}
	}
}

// A client may have the same URL with each of its messages, and sends one again whose answer
// it did not hear.
func TestAURLThatComesWithEachMessageIsToldOnce(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		out := newLetters()
		s := newSite(t, &a2a.Options{Post: out}, helper(colour))
		c := s.client("alice", way)
		told := &wire.SendMessageConfig{PushConfig: &wire.PushConfig{URL: "https://client.example/push"}}
		first := says("Paint it")
		var task *wire.Task
		for range 12 {
			result, err := c.SendMessage(t.Context(), &wire.SendMessageRequest{Message: first, Config: told})
			if err != nil {
				t.Fatal(err)
			}
			task = result.(*wire.Task)
		}
		if kept, err := c.ListTaskPushConfigs(t.Context(), &wire.ListTaskPushConfigRequest{TaskID: task.ID}); err != nil || len(kept) != 1 {
			t.Errorf("%d URLs, %v", len(kept), err)
		}
		answer := to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`))
		if _, err := c.SendMessage(t.Context(), &wire.SendMessageRequest{Message: answer, Config: told}); err != nil {
			t.Fatal(err)
		}
		for {
			if state, _ := taskOf(t, way, out.next(t)); state == "completed" {
				break
			}
		}
		out.mu.Lock()
		defer out.mu.Unlock()
		states := map[string]int{}
		for _, one := range out.all {
			state, _ := taskOf(t, way, one)
			if states[state]++; states[state] > 1 {
				t.Errorf("%s is told %d times", state, states[state])
			}
		}
	})
}

func TestWithoutAnOutboxThereAreNoPushNotifications(t *testing.T) {
	s := newSite(t, nil, helper(colour))
	c := s.client("alice", "JSON-RPC")
	task := c.send(says("Paint it"))
	_, err := c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, URL: "https://client.example/"})
	if !errors.Is(err, wire.ErrPushNotificationNotSupported) {
		t.Error(err)
	}
}

// The process that was told the URL is gone; another one over the same store tells it.
func TestAnotherNodeTellsTheClient(t *testing.T) {
	out := newLetters()
	store := parley.NewMemoryStore()
	var task *wire.Task
	t.Run("first", func(t *testing.T) {
		s := openSite(t, store, &a2a.Options{Post: newLetters()}, helper(colour))
		c := s.client("alice", "JSON-RPC")
		task = c.send(says("Paint it"))
		if _, err := c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, URL: "https://client.example/"}); err != nil {
			t.Fatal(err)
		}
	})
	s := openSite(t, store, &a2a.Options{Post: out}, helper(colour))
	s.client("alice", "REST").send(to(task, answers(asks(t, task).ID, elicitation.Accept, `{"colour":"red"}`)))
	for {
		if state, _ := taskOf(t, "1.0", out.next(t)); state == "completed" {
			return
		}
	}
}

// As @a2a-js/sdk 0.3.14 sends it, as the protocol buffers of 0.3 have it, and with their
// names.
func TestAConfigurationOfTheOldRESTMayBeWrittenInAnyOfItsForms(t *testing.T) {
	s := newSite(t, &a2a.Options{Post: newLetters()}, helper(colour))
	task := s.client("alice", "REST 0.3").send(says("Go"))
	path := "/a2a/helper/v1/tasks/" + string(task.ID) + "/pushNotificationConfigs"
	for _, body := range []string{
		`{"name":"tasks/` + string(task.ID) + `/pushNotificationConfigs/","pushNotificationConfig":{"id":"c","url":"https://told.example/","token":"t"}}`,
		`{"name":"x","push_notification_config":{"id":"c","url":"https://told.example/","token":"t"}}`,
		`{"config":{"pushNotificationConfig":{"url":"https://told.example/","token":"t"}},"configId":"c"}`,
		`{"config":{"push_notification_config":{"url":"https://told.example/","token":"t"}},"config_id":"c"}`,
	} {
		if resp, got := s.raw(http.MethodPost, path, "alice", body); resp.StatusCode != http.StatusOK || !strings.Contains(got, `"url":"https://told.example/"`) || !strings.Contains(got, "/pushNotificationConfigs/c") {
			t.Errorf("%s: %s %s", body, resp.Status, got)
		}
	}
	if resp, got := s.raw(http.MethodPost, path, "alice", `{"config":7}`); resp.StatusCode != http.StatusBadRequest {
		t.Error(resp.Status, got)
	}
	if _, got := s.raw(http.MethodGet, path, "alice", ""); strings.Count(got, "told.example") != 1 {
		t.Error(got)
	}
}

func TestTheConfigurationsOfSomebodyElseAreNotDeleted(t *testing.T) {
	everyWay(t, func(t *testing.T, way string) {
		s := newSite(t, &a2a.Options{Post: newLetters()}, helper(colour))
		c := s.client("alice", way)
		task := c.send(says("Go"))
		kept, err := c.CreateTaskPushConfig(t.Context(), &wire.PushConfig{TaskID: task.ID, ID: "c", URL: "https://told.example/"})
		if err != nil {
			t.Fatal(err)
		}
		err = s.client("bob", way).DeleteTaskPushConfig(t.Context(), &wire.DeleteTaskPushConfigRequest{TaskID: task.ID, ID: kept.ID})
		refused(t, err, wire.ErrTaskNotFound, "no such task")
		if _, err := c.GetTaskPushConfig(t.Context(), &wire.GetTaskPushConfigRequest{TaskID: task.ID, ID: kept.ID}); err != nil {
			t.Error(err)
		}
		for range 2 { // what is not there is deleted
			if err := c.DeleteTaskPushConfig(t.Context(), &wire.DeleteTaskPushConfigRequest{TaskID: task.ID, ID: kept.ID}); err != nil {
				t.Error(err)
			}
		}
	})
}

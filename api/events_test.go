package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley"
)

// follower reads somebody's events.
type follower struct {
	t     testing.TB
	lines *bufio.Scanner
}

func (w *world) follow(who, query string) *follower {
	w.t.Helper()
	site := httptest.NewServer(w.API)
	w.t.Cleanup(func() {
		site.CloseClientConnections()
		site.Close()
	})
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodGet, site.URL+"/api/elicitations/events"+query, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+who)
	client := site.Client()
	res, err := client.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { res.Body.Close() })
	if kind := res.Header.Get("Content-Type"); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		w.t.Fatalf("status %d, %s", res.StatusCode, kind)
	}
	f := &follower{w.t, bufio.NewScanner(res.Body)}
	f.wants("reload", "", "")
	return f
}

// wants reads the next event.
func (f *follower) wants(event, message, state string) map[string]any {
	f.t.Helper()
	name, data := f.next()
	if name != event || event == "elicitation" && (data["message"] != message || data["state"] != state) {
		f.t.Fatalf("got %s %v, want %s %s %s", name, data, event, message, state)
	}
	return data
}

func (f *follower) next() (name string, data map[string]any) {
	f.t.Helper()
	data = map[string]any{}
	for f.lines.Scan() {
		line := f.lines.Text()
		if after, ok := strings.CutPrefix(line, "event: "); ok {
			name = after
		}
		if after, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(after), &data); err != nil {
				f.t.Fatal(err)
			}
		}
		if line == "" && name != "" {
			return name, data
		}
	}
	f.t.Fatal("the stream has ended")
	return "", nil
}

func TestAPersonIsToldOfNewQuestionsAndOfTheirEnd(t *testing.T) {
	w := newWorld(t, nil)
	before := w.ask("alice", "Which colour?")
	f := w.follow("alice", "")
	w.ask("bob", "Which secret?")
	w.open(parley.Request{Tenant: "globex", To: "alice", Message: "Which rival?"})
	second := w.ask("alice", "Which size?")
	f.wants("elicitation", "Which size?", "pending")
	w.answer("alice", before, `{"colour":"red"}`)
	got := f.wants("elicitation", "Which colour?", "settled")
	if got["outcome"].(map[string]any)["by"] != "alice" {
		t.Errorf("outcome %v", got["outcome"])
	}
	if err := w.hub.Cancel(t.Context(), second, "not needed"); err != nil {
		t.Fatal(err)
	}
	f.wants("elicitation", "Which size?", "settled")
}

// Hints come from the process that settles and from the store: a reader hears of it
// once.
func TestTheEndOfAQuestionIsToldOnce(t *testing.T) {
	w := newWorld(t, nil)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- w.hub.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	first, second := w.ask("alice", "Which colour?"), w.ask("alice", "Which size?")
	f := w.follow("alice", "")
	for _, id := range []parley.ID{first, second} {
		w.answer("alice", id, `{"colour":"red"}`)
	}
	third := w.ask("alice", "Which shape?")
	told := map[string]int{}
	for told["Which shape? pending"] == 0 || told["Which size? settled"] == 0 || told["Which colour? settled"] == 0 {
		_, data := f.next()
		told[fmt.Sprint(data["message"], " ", data["state"])]++
	}
	w.answer("alice", third, `{"colour":"red"}`)
	for told["Which shape? settled"] == 0 {
		_, data := f.next()
		told[fmt.Sprint(data["message"], " ", data["state"])]++
	}
	want := map[string]int{"Which colour? settled": 1, "Which size? settled": 1, "Which shape? pending": 1, "Which shape? settled": 1}
	if diff := cmp.Diff(want, told); diff != "" {
		t.Error(diff)
	}
}

func TestAnAdministratorWhoFollowsAPersonIsNotToldTheAnswers(t *testing.T) {
	w := newWorld(t, nil)
	id := w.ask("bob", "Which size?")
	f := w.follow("key", "?user=bob")
	w.answer("bob", id, `{"colour":"pr1vate"}`)
	outcome := f.wants("elicitation", "Which size?", "settled")["outcome"].(map[string]any)
	if outcome["content"] != nil || outcome["content_private"] != true {
		t.Errorf("outcome %v", outcome)
	}
	w.do("alice", http.MethodGet, "/api/elicitations/events?user=bob&for=0", "").refused(http.StatusForbidden)
	w.do("key", http.MethodGet, "/api/elicitations/events?for=0", "").refused(http.StatusUnprocessableEntity, "say whose")
}

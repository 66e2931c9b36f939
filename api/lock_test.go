package api_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
)

// together sends requests at once, and returns how often each status came.
func together(w *world, method, path string, bodies ...string) map[int]int {
	var all sync.WaitGroup
	var mu sync.Mutex
	start, got := make(chan struct{}), map[int]int{}
	for _, body := range bodies {
		all.Go(func() {
			r := httptest.NewRequest(method, path, strings.NewReader(body))
			r.Header.Set("Authorization", "Bearer key")
			r.Header.Set("Content-Type", "application/json")
			reply := httptest.NewRecorder()
			<-start
			w.ServeHTTP(reply, r)
			mu.Lock()
			defer mu.Unlock()
			got[reply.Code]++
		})
	}
	close(start)
	all.Wait()
	return got
}

func TestOfTwoPatchesAtOnceBothHold(t *testing.T) {
	w := newWorld(t, nil)
	created("/api/servers", `{"name":"board","url":"https://board.example/mcp"}`)(w)
	for round := range 20 {
		w.do("key", http.MethodPut, "/api/servers/board", `{"url":"https://board.example/mcp"}`).want(http.StatusOK)
		title := fmt.Sprint("Board ", round)
		got := together(w, http.MethodPatch, "/api/servers/board",
			`{"title":"`+title+`"}`, `{"approve":"refuse"}`, `{"enabled":false}`, `{"auth_scope":"user"}`)
		if got[http.StatusOK] != 4 {
			t.Fatalf("statuses %v", got)
		}
		w.do("key", http.MethodGet, "/api/servers/board", "").
			is("title", title).is("approve", "refuse").is("enabled", false).is("auth.scope", "user")
	}
}

func TestOfAllWhoAddAThingOneDoes(t *testing.T) {
	w := newWorld(t, nil)
	for path, body := range map[string]string{
		"/api/servers":   `{"name":"%s","url":"https://s%d.example/mcp"}`,
		"/api/providers": `{"name":"%s","auth_url":"https://p%d.example/a","token_url":"https://p.example/t","client_id":"c"}`,
		"/api/services":  `{"name":"%s","provider":"p%d"}`,
		"/api/rules":     `{"name":"%s","tool":"t%d","approve":"always"}`,
	} {
		for round := range 20 {
			var bodies []string
			for i := range 6 {
				bodies = append(bodies, fmt.Sprintf(body, fmt.Sprint("round", round), i))
			}
			if got := together(w, http.MethodPost, path, bodies...); got[http.StatusCreated] != 1 || got[http.StatusConflict] != 5 {
				t.Fatalf("%s: statuses %v", path, got)
			}
		}
	}
}

func TestWhatIsAddedIsAtItsLocation(t *testing.T) {
	w := newWorld(t, nil)
	for path, body := range map[string]string{
		"/api/servers":   `{"name":"board","url":"https://board.example/mcp"}`,
		"/api/providers": acme,
		"/api/services":  `{"name":"drive","provider":"acme"}`,
		"/api/rules":     `{"name":"spending","tool":"pay*","approve":"always"}`,
	} {
		made := w.do("key", http.MethodPost, path, body).want(http.StatusCreated)
		if got := w.do("key", http.MethodGet, made.header.Get("Location"), "").want(http.StatusOK); string(got.body) != string(made.body) {
			t.Errorf("%s: made %s, found %s", path, made.body, got.body)
		}
	}
	w.do("key", http.MethodGet, "/api/rules/house", "").want(http.StatusOK).is("source", "configuration")
	w.do("key", http.MethodGet, "/api/rules/nothing", "").refused(http.StatusNotFound)
	w.do("rival", http.MethodGet, "/api/rules/spending", "").refused(http.StatusNotFound)
	w.do("alice", http.MethodGet, "/api/rules/spending", "").refused(http.StatusForbidden)
}

package server_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"
)

// lines are what a person is streamed.
func lines(t *testing.T, address, user string) <-chan string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Close = true
	r.Header.Set("Authorization", "Bearer "+named(t, user))
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = answer.Body.Close() })
	all := make(chan string)
	go func() {
		defer close(all)
		for text := bufio.NewScanner(answer.Body); text.Scan(); {
			select {
			case all <- text.Text():
			case <-t.Context().Done():
				return
			}
		}
	}()
	return all
}

func TestWhoWaitsForApproversSeesWhoHasAnsweredLive(t *testing.T) {
	base, _ := vaults(t)
	said := turn(t, base)
	wait := waitingFor(t, base, named(t, "alice"))
	address := base + "/api/elicitations/" + wait.ID
	told := lines(t, address+"/events", "alice")
	until(t, told, `"approvers":{"need":2,"people":[{"name":"bob"},{"name":"carol"},{"name":"dave"}]}`)
	decide(t, base, "bob", "allow_once")
	until(t, told, `"approvers":{"need":2,"people":[{"name":"bob","decision":"allow_once","at":`)
	if _, data := sent(t, http.MethodGet, address, named(t, "alice"), ""); !strings.Contains(string(data), `"decision":"allow_once"`) {
		t.Errorf("%s", data)
	}
	if status, data := sent(t, http.MethodGet, address, named(t, "bob"), ""); status != http.StatusNotFound {
		t.Errorf("an approver sees the other's question: %d %s", status, data)
	}
	if _, data := sent(t, http.MethodGet, base+"/api/elicitations?state=pending", named(t, "carol"), ""); strings.Contains(string(data), `"approvers":`) {
		t.Errorf("an approver sees what others said: %s", data)
	}
	decide(t, base, "carol", "allow_once")
	until(t, told, `"state":"settled"`)
	<-said
}

package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// Approvers say that somebody is asked: no second member has to.
func TestApproversAloneAreARule(t *testing.T) {
	w := newWorld(t, nil)
	made := w.do("key", http.MethodPost, "/api/rules", `{"name":"two","tool":"pay","approvers":{"need":1,"of":["bob"]}}`)
	if made.status >= 300 || !strings.Contains(string(made.body), `"approve":"always"`) {
		t.Errorf("%d %s", made.status, made.body)
	}
	w.do("key", http.MethodPost, "/api/rules", `{"name":"none","tool":"pay"}`).refused(http.StatusUnprocessableEntity, "")
	got := w.do("key", http.MethodPost, "/api/rules", `{"name":"none","tool":"pay"}`)
	if said := string(got.body); !strings.Contains(said, "body.approve") || !strings.Contains(said, "or name approvers") {
		t.Errorf("%s", said)
	}
}

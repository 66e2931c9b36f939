package chat_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/parley-hq/parley/chat"
)

// A browser does not tell a page why it may not use this server: the operator has
// to find it here.
func TestAnOriginThatIsNotListedIsInTheLogOnce(t *testing.T) {
	s := newSite(t, &chat.Options{Origins: []string{"https://app.example"}}, painter())
	ask := func(origin string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodOptions, "http://parley.example"+"/run/api/chat", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		answer, err := s.dial.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	ask("https://app.example")
	ask("http://parley.example")
	if said := s.log.String(); strings.Contains(said, "origin") {
		t.Errorf("of an origin that is listed, or our own: %s", said)
	}
	for range 20 {
		ask("https://new.example")
	}
	said := s.log.String()
	if want := `msg="origin refused" times=1 origin=https://new.example do="add it to origins`; strings.Count(said, "origin refused") != 1 || !strings.Contains(said, want) {
		t.Errorf("%s", said)
	}
}

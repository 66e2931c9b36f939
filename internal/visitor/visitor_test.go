package visitor_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/visitor"
)

const page = `<html><title>Door</title><body><p>Who <b>are</b> you?</p>
<form action="other"><button>Leave</button></form>
<form method="post" action="enter"><input type="hidden" name="token" value="t"><input name="user"><input type="hidden" name="way" value="front">
<button name="go" value="in">Go in</button><button name="go" value="away">Go away</button></form></body></html>`

// site has a door, sets a cookie there, and says what was sent.
func site(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /door/", func(w http.ResponseWriter, _ *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "seen", Value: "door", Path: "/"})
		_, _ = w.Write([]byte(page))
	})
	mux.HandleFunc("POST /door/enter", func(w http.ResponseWriter, r *http.Request) {
		cookie, _ := r.Cookie("seen")
		_ = r.ParseForm()
		_, _ = w.Write([]byte(r.PostForm.Encode() + " " + r.Header.Get("Origin") + " " + cookie.String()))
	})
	mux.HandleFunc("GET /redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/door/", http.StatusSeeOther) })
	mux.HandleFunc("GET /refresh", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Refresh", "0; url=door/")
		_, _ = w.Write([]byte("One moment"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

func TestAButtonSendsItsForm(t *testing.T) {
	base := site(t)
	v := visitor.New()
	defer v.Leave()
	for _, way := range []string{"/door/", "/redirect", "/refresh"} {
		if err := v.Open(t.Context(), base+way); err != nil || !strings.Contains(v.Text(), "Who are you?") {
			t.Fatalf("%s: %q, %v", way, v.Text(), err)
		}
		if err := v.Press(t.Context(), "Go in", url.Values{"user": {"alice"}, "way": {"back"}}); err != nil {
			t.Fatal(err)
		}
		if want := "go=in&token=t&user=alice&way=back " + base + " seen=door"; v.Text() != want {
			t.Errorf("%s: %q, not %q", way, v.Text(), want)
		}
	}
	_ = v.Open(t.Context(), "/door/")
	if err := v.Press(t.Context(), "Knock", nil); err == nil || !strings.Contains(err.Error(), `no button "Knock"`) {
		t.Errorf("a button that is not there: %v", err)
	}
}

func TestOneWhoStaysIsNotSentOn(t *testing.T) {
	base := site(t)
	v := visitor.New()
	defer v.Leave()
	v.Stays = true
	for _, way := range []string{"/redirect", "/refresh"} {
		if err := v.Open(t.Context(), base+way); err != nil || v.At.Path != way {
			t.Errorf("%s: at %s, %v", way, v.At, err)
		}
	}
}

func TestAPageMaySayThatSomethingIsWrong(t *testing.T) {
	v := visitor.New()
	defer v.Leave()
	var wrong *visitor.StatusError
	if err := v.Open(t.Context(), site(t)+"/nowhere"); !errors.As(err, &wrong) || wrong.Status != http.StatusNotFound || !strings.Contains(v.Text(), "not found") {
		t.Errorf("%v at %s", err, v.At)
	}
}

package main

import (
	"context"
	"errors"
	"html/template"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/parley-hq/parley"
)

// users are the people there are, by their password, which is their token for
// MCP too. Yours come from your identity provider.
var users = map[string]string{"wonderland": "alice", "builder": "bob"}

// withToken verifies the bearer token: mcptool takes the person from there.
func withToken(next http.Handler) http.Handler {
	return auth.RequireBearerToken(func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		user, ok := users[token]
		if !ok {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: user, Expiration: time.Now().Add(time.Hour)}, nil
	}, nil)(next)
}

// site is where people connect.
type site struct {
	hub *parley.Hub
	url string

	// Over stdio there is no token and only one person: whoever started us. The
	// page then acts for that session.
	alone  bool
	person atomic.Pointer[parley.Principal]
}

func (s *site) remember(p parley.Principal) { s.person.Store(&p) }

// signedIn says who looks at the page. It must come from here, a cookie or a
// password, and never from the address that the person was sent to: anybody can
// pass that on.
func (s *site) signedIn(r *http.Request) (parley.Principal, bool) {
	if p := s.person.Load(); s.alone && p != nil {
		return *p, true
	}
	user, password, ok := r.BasicAuth()
	if !ok || user == "" || users[password] != user {
		return parley.Principal{}, false
	}
	return parley.Principal{User: user, Method: "password"}, true
}

// page shows a question to its owner and takes the answer.
func (s *site) page() http.Handler {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, ok := s.signedIn(r)
		if !ok {
			w.Header().Set("WWW-Authenticate", `Basic realm="calendar"`)
			http.Error(w, "sign in", http.StatusUnauthorized)
			return
		}
		question, err := s.hub.Get(r.Context(), who, parley.ID(r.FormValue("id")))
		if err == nil && r.Method == http.MethodPost {
			action := parley.Action(r.FormValue("action"))
			err = s.hub.Answer(r.Context(), who, question.ID, parley.Answer{Action: action, Via: "page"})
		}
		switch {
		case errors.Is(err, parley.ErrNotFound): // there is none, or it is somebody else's
			http.Error(w, "no such question", http.StatusNotFound)
		case errors.Is(err, parley.ErrSettled), errors.Is(err, parley.ErrExpired), err == nil && r.Method == http.MethodPost:
			_, _ = w.Write([]byte("Thank you. You can close this page."))
		case err != nil:
			http.Error(w, "this did not work, try again", http.StatusInternalServerError)
		default:
			_ = form.Execute(w, map[string]any{"Who": who.User, "Question": question})
		}
	})
	return http.NewCrossOriginProtection().Handler(handler) // no other site can press the button
}

var form = template.Must(template.New("").Parse(`<!doctype html>
<title>{{.Question.From}}</title>
<p><b>{{.Question.From}}</b> asks {{.Who}}: {{.Question.Message}}
<form method="post">
<input type="hidden" name="id" value="{{.Question.ID}}">
<button name="action" value="accept">Connect</button>
<button name="action" value="decline">Decline</button>
</form>
`))

package fakenango

import (
	"html/template"
	"net/http"
	"time"
)

// page is the connect page. Its buttons work without script.
var page = template.Must(template.New("connect").Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>Fake Nango</title>
</head>
<body>
<main>
<h1>{{.Title}}</h1>
<p>This is a fake of Nango for tests. No account is real.</p>
{{with .Message}}<p role="status">{{.}}</p>{{end}}
{{if .Token}}<form method="post">
<input type="hidden" name="session_token" value="{{.Token}}">
<button id="connect" name="decision" value="connect">Connect</button>
<button id="fail" name="decision" value="fail">Fail</button>
</form>{{end}}
</main>
</body>
</html>
`))

type pageView struct {
	Title   string
	Message string
	Token   string // set: the buttons are shown
}

func render(w http.ResponseWriter, status int, v pageView) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer") // the address lets in whoever has it
	h.Set("Content-Security-Policy", "default-src 'none'; img-src data:; form-action 'self'; frame-ancestors 'none'")
	w.WriteHeader(status)
	_ = page.Execute(w, v) // the browser may be gone
}

var expired = pageView{Title: "This link is over", Message: "Start again where you came from."}

func (s *Server) showPage(w http.ResponseWriter, r *http.Request) {
	token := r.URL.Query().Get("session_token")
	s.mu.Lock()
	one, integration := s.visit(token)
	s.mu.Unlock()
	if one == nil {
		render(w, http.StatusUnauthorized, expired)
		return
	}
	render(w, http.StatusOK, pageView{Title: "Connect " + integration, Token: token})
}

func (s *Server) submitPage(w http.ResponseWriter, r *http.Request) {
	token := r.PostFormValue("session_token")
	s.mu.Lock()
	defer s.mu.Unlock()
	one, integration := s.visit(token)
	if one == nil {
		render(w, http.StatusUnauthorized, expired)
		return
	}
	switch r.PostFormValue("decision") {
	case "connect":
		s.connect(one, integration)
		render(w, http.StatusOK, pageView{Title: "Connected", Message: "You can close this page."})
	case "fail":
		s.announce(s.failure(one, integration))
		render(w, http.StatusOK, pageView{Title: "Connect " + integration, Message: "The account was not connected. Try again.", Token: token})
	default:
		render(w, http.StatusBadRequest, pageView{Title: "Connect " + integration, Message: "Press one of the buttons.", Token: token})
	}
}

// visit returns the session of a token and what it connects.
func (s *Server) visit(token string) (*session, string) {
	one, ok := s.sessions[token]
	if !ok || !time.Now().Before(one.expires) {
		return nil, ""
	}
	integration, ok := s.integration(one)
	if !ok {
		return nil, ""
	}
	return one, integration
}

// connect makes the session's connection, or the one it is for anew, and
// announces it.
func (s *Server) connect(one *session, integration string) {
	operation := "override"
	c := s.find(one.connection, integration)
	if c == nil {
		operation = "creation"
		c = &Connection{ID: uuid(), Integration: integration, created: time.Now()}
		s.connections = append(s.connections, c)
	}
	c.Tags, c.endUser, c.invalid = one.tags, one.endUser, false
	c.Credentials = s.opts.Integrations[integration].credentials()
	s.announce(s.event(c, operation))
}

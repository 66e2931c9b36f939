package server

import (
	"encoding/json"
	"html/template"
	"net/http"
)

var homePage = template.Must(template.New("home").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/home.css">
<script type="module" src="/widget.js"></script>
</head>
<body>
<header><h1>{{.Title}}</h1> <span>Signed in as <bdi>{{.User}}</bdi> · <a href="/logout">Sign out</a></span></header>
{{if .Agent}}<main><parley-chat autofocus agent="{{.Agent}}" suggestions="{{.Suggestions}}"></parley-chat></main>
{{else}}<main><p>This server has no agents. Questions are answered at the links that programs send.</p></main>{{end}}
</body>
</html>
`))

const homeStyle = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
body{margin:0;height:100dvh;display:flex;flex-direction:column}
header{display:flex;justify-content:space-between;gap:1rem;padding:.75rem 1rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
h1{font-size:1rem;margin:0;white-space:nowrap}
header span{display:flex;gap:.3em;min-width:0;white-space:nowrap}
header bdi{min-width:0;overflow:hidden;text-overflow:ellipsis}
@media (max-width:30rem){header{padding:.5rem 1rem;font-size:.875rem}}
main{flex:1;display:flex;flex-direction:column;width:100%;max-width:52rem;margin:0 auto;min-height:0}
parley-chat{flex:1;min-height:0}
`

// home is a chat with the server's agent, for whoever is signed in.
func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	p, err := s.Pages.Principal(r)
	if err != nil {
		s.Pages.SignIn(w, r, err)
		return
	}
	title := s.cfg.Title
	if title == "" {
		title = "Parley"
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	talksTo := s.defaultAgent()
	suggestions, err := json.Marshal(s.cfg.Agents[talksTo].Suggestions)
	if err != nil {
		s.opts.Logger.WarnContext(r.Context(), "suggestions not shown", "err", err)
	}
	if err := homePage.Execute(w, map[string]string{"Title": title, "User": p.User, "Agent": talksTo, "Suggestions": string(suggestions)}); err != nil {
		s.opts.Logger.WarnContext(r.Context(), "the chat page was not sent", "err", err)
	}
}

func (s *Server) homeStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "max-age=300")
	_, _ = w.Write([]byte(homeStyle))
}

package server

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/parley-hq/parley/pages/markup"
)

// spoken is a conversation that the address of the chat's page names: one of the
// person's, whoever made the link.
type spoken struct {
	agent        string // that there is; empty: this server has none
	conversation string // empty: that of the tab, or the last one of this browser
}

// spoken reads an address. What cannot be is as good as not said.
func (s *Server) spoken(address *url.URL) spoken {
	named := spoken{agent: s.defaultAgent(), conversation: address.Query().Get("conversation")}
	if other := address.Query().Get("agent"); other != "" {
		if _, ok := s.cfg.Agents[other]; ok {
			named.agent = other
		}
	}
	if c := named.conversation; len(c) > 200 || !utf8.ValidString(c) || strings.ContainsFunc(c, unicode.IsControl) {
		named.conversation = ""
	}
	return named
}

// homePage is the chat's page. Without an agent it says so.
func homePage(title, user, waiting, suggestions string, with spoken) ([]byte, error) {
	var w markup.Writer
	w.Put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/home.css">
<script type="module" src="/widget.js"></script>
</head>
<body>
<header><h1>{}</h1> <nav aria-label="Your pages">`, title, title)
	w.If(with.agent != "", `<a href="/inbox#conversations">Conversations</a> `)
	w.Put(`<a href="/inbox">Inbox`)
	w.If(waiting != "", ` <b>{}</b>`, waiting)
	w.Put(`</a></nav> <span><i>Signed in as</i> <bdi>{}</bdi> · <a href="/logout">Sign out</a></span></header>
`, user)
	w.If(waiting != "", `<p class="waiting" role="status"><a href="/inbox">Waiting for your answer: {}. Open your inbox</a></p>
`, waiting)
	if with.agent != "" {
		w.Put(`<main><parley-chat autofocus agent="{}" suggestions="{}"`, with.agent, suggestions)
		w.If(with.conversation != "", ` conversation="{}"`, with.conversation)
		w.Put(`></parley-chat></main>
`)
	}
	w.If(with.agent == "", `<main><p>This server has no agents. Questions to you are in your <a href="/inbox">inbox</a>.</p></main>`)
	w.Put(`
</body>
</html>
`)
	return w.Bytes()
}

const homeStyle = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fff,#15171b);color:light-dark(#1a1d23,#eceef2)}
body{margin:0;height:100dvh;display:flex;flex-direction:column}
header{display:flex;justify-content:space-between;gap:1rem;padding:.75rem 1rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}
h1{font-size:1rem;margin:0;white-space:nowrap}
header i{font-style:normal}
header span{display:flex;gap:.3em;min-width:0;white-space:nowrap}
nav{display:flex;gap:.8em;margin-inline-start:auto;white-space:nowrap}
nav b{padding:0 .5em;border-radius:1em;background:light-dark(#1d4f91,#9cc2f5);color:light-dark(#fff,#0e1826);font-size:.85em}
a{color:light-dark(#1d4f91,#9cc2f5)}
.waiting{margin:0;padding:.6rem 1rem;text-align:center;background:light-dark(#e4edf9,#24374f)}
header bdi{min-width:0;overflow:hidden;text-overflow:ellipsis}
main{position:relative}
@media (max-width:30rem){header{flex-wrap:wrap;gap:0 .75rem;padding:.4rem 1rem 0;font-size:.875rem}
h1{max-width:60%;overflow:hidden;text-overflow:ellipsis}
header span{flex:1 1 0;justify-content:flex-end;align-items:baseline}header i{display:none}
nav{order:1;flex:1 0 100%;line-height:2.75rem}nav b{line-height:1.4;align-self:center}
parley-chat::part(head){position:absolute;inset-block-end:100%;inset-inline-end:.5rem;padding:0;border:0}
.waiting{order:-1;padding:.4rem 1rem}}
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
	with := s.spoken(r.URL)
	suggestions, err := json.Marshal(s.cfg.Agents[with.agent].Suggestions)
	if err != nil {
		s.opts.Logger.WarnContext(r.Context(), "suggestions not shown", "err", err)
	}
	page, err := homePage(title, p.User, s.Pages.Waiting(r.Context(), p), string(suggestions), with)
	if err != nil {
		s.opts.Logger.ErrorContext(r.Context(), "chat page not made", "err", err)
		http.Error(w, "This page could not be made.", http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(page)
}

func (s *Server) homeStyle(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("Cache-Control", "max-age=300")
	_, _ = w.Write([]byte(homeStyle))
}

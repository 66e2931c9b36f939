package demoprovider

import (
	_ "embed"
	"net/http"
	"unicode/utf8"

	"github.com/parley-hq/parley/pages/markup"
)

const banner = "Demo provider - not a real service"

// policyCSP allows our style sheet and nothing else. There is no form-action: a
// browser applies it to where a form's answer redirects as well, so that 'self'
// would stop the way back to the application, and the application may redirect
// further. The forms have fixed targets and there is no script to add one.
const policyCSP = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed pages/style.css
var styles []byte

// card is what a page shows.
type card interface {
	write(w *markup.Writer, title string)
}

// pages writes the HTML.
type pages struct{ title, path string }

// render writes a page.
func (p *pages) render(w http.ResponseWriter, status int, shown card) {
	var m markup.Writer
	m.Put(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{} (demo)</title>
<link rel="stylesheet" href="{}">
</head>
<body>
<header>{}</header>
<main>
<p class="brand">{} <span class="tag">demo</span></p>
`, p.title, p.path+stylesURL, banner, p.title)
	shown.write(&m, p.title)
	m.Put(`
</main>
</body>
</html>
`)
	page, err := m.Bytes()
	if err != nil {
		http.Error(w, banner+": the page could not be written.", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", policyCSP)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin") // no-referrer would make a form's Origin "null"
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(page)
}

func (p *pages) message(w http.ResponseWriter, status int, heading, text string) {
	p.render(w, status, messagePage{heading, text})
}

func (p *pages) serveStyles(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(styles)
}

type messagePage struct{ Heading, Text string }

func (v messagePage) write(w *markup.Writer, _ string) {
	w.Put(`<h1>{}</h1>
<p>{}</p>
`, v.Heading, v.Text)
}

type aboutPage struct {
	Issuer, User string
	Scopes       []scopeLine
}

func (v aboutPage) write(w *markup.Writer, title string) {
	w.Put(`<h1>A provider for demonstrations</h1>
<p>It plays the sign-in of a service called {}, which does not exist. Anybody signs in as anybody, nothing is stored, and it answers on this machine only.</p>
<p>`, title)
	w.If(v.User != "", `You are signed in as <strong>{}</strong>.`, v.User)
	w.If(v.User == "", `Nobody is signed in.`)
	w.Put(`</p>
<h2>Issuer</h2>
<p><code>{}</code></p>
<h2>Scopes</h2>
<ul class="plain">
`, v.Issuer)
	writeScopes(w, v.Scopes)
	w.Put(`</ul>
`)
}

type scopeLine struct{ Name, Sentence string }

func writeScopes(w *markup.Writer, scopes []scopeLine) {
	for _, s := range scopes {
		w.Put(`<li>{} <code>{}</code></li>
`, s.Sentence, s.Name)
	}
}

type loginPage struct {
	Action, Client, Hint, Problem string
	Users                         []string
}

func (v loginPage) write(w *markup.Writer, _ string) {
	w.Put(`<h1>Sign in</h1>
<p>to continue to <strong>{}</strong></p>
<form method="post" action="{}" aria-labelledby="pick">
<input type="hidden" name="step" value="login">
<h2 id="pick">Pick a user</h2>
<ul class="users">
`, v.Client, v.Action)
	for _, user := range v.Users {
		w.Put(`<li><button class="user" name="user" value="{}"><span class="letter" aria-hidden="true">{}</span>{}</button></li>
`, user, initial(user), user)
	}
	w.Put(`</ul>
</form>
<form method="post" action="{}">
<input type="hidden" name="step" value="login">
<label for="user">Or type another name</label>
<div class="row">
<input id="user" name="user" value="{}" required maxlength="64" autocomplete="off" autocapitalize="none" spellcheck="false"`, v.Action, v.Hint)
	w.If(v.Problem != "", ` aria-invalid="true" aria-describedby="problem"`)
	w.Put(`>
<button class="primary">Sign in</button>
</div>
`)
	w.If(v.Problem != "", `<p id="problem" class="problem" role="alert">{}</p>`, v.Problem)
	w.Put(`
</form>
<p class="small">No password is needed, because this is a demonstration. Do not enter a real one anywhere here.</p>
`)
}

// initial is the letter that stands for a user.
func initial(user string) string {
	_, size := utf8.DecodeRuneInString(user)
	return user[:size]
}

type consentPage struct {
	Action, Client, User, Destination string
	Unverified                        bool
	Scopes                            []scopeLine
	Resources                         []string
}

func (v consentPage) write(w *markup.Writer, title string) {
	w.Put(`<h1><strong>{}</strong> wants to use your {} account</h1>
`, v.Client, title)
	w.If(v.Unverified, `<p class="note">This application registered itself. Nobody has checked its name.</p>`)
	w.Put(`
<form method="post" action="{}" class="who">
<input type="hidden" name="step" value="switch">
<span class="letter" aria-hidden="true">{}</span>
<span>Signed in as <strong>{}</strong><br><span class="small">demo user</span></span>
<button class="link">Switch user</button>
</form>
`, v.Action, initial(v.User), v.User)
	v.writePermissions(w)
	w.Put(`<p class="small back">Afterwards you go back to <code>{}</code></p>
<form method="post" action="{}" class="decide">
<button name="step" value="deny">Deny</button>
<button name="step" value="allow" class="primary">Allow</button>
</form>
`, v.Destination, v.Action)
}

func (v consentPage) writePermissions(w *markup.Writer) {
	if len(v.Scopes) > 0 {
		w.Put(`<h2>It will be able to</h2>
<ul class="scopes">
`)
		writeScopes(w, v.Scopes)
		w.Put(`</ul>
`)
	} else {
		w.Put(`<p>It asks for no particular permission.</p>
`)
	}
	if len(v.Resources) > 0 {
		w.Put(`<h2>At</h2>
<ul class="plain">
`)
		for _, resource := range v.Resources {
			w.Put(`<li><code>{}</code></li>
`, resource)
		}
		w.Put(`</ul>
`)
	}
}

// about is the service_documentation of the metadata.
func (p *Provider) about(w http.ResponseWriter, r *http.Request) {
	page := aboutPage{Issuer: p.opts.Issuer}
	if visit := p.visits.of(r); visit != nil {
		page.User = visit.user
	}
	for _, name := range p.scopeNames() {
		page.Scopes = append(page.Scopes, scopeLine{name, p.opts.Scopes[name]})
	}
	p.pages.render(w, http.StatusOK, page)
}

package demoprovider

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"net/http"

	"github.com/luikyv/go-oidc/pkg/goidc"
)

const banner = "Demo provider - not a real service"

// policyCSP allows our style sheet and nothing else. There is no form-action: a
// browser applies it to where a form's answer redirects as well, so that 'self'
// would stop the way back to the application, and the application may redirect
// further. The forms have fixed targets and there is no script to add one.
const policyCSP = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"

//go:embed pages
var files embed.FS

type loginPage struct {
	Action, Client, Hint, Problem string
	Users                         []string
}

type consentPage struct {
	Action, Client, User, Destination string
	Unverified                        bool
	Scopes                            []scopeLine
	Resources                         []string
}

type scopeLine struct{ Name, Sentence string }

type messagePage struct{ Heading, Text string }

type aboutPage struct {
	Issuer, User string
	Scopes       []scopeLine
}

// pages writes the HTML.
type pages struct {
	title, path string
	templates   *template.Template
	styles      []byte
}

func newPages(title, path string) (*pages, error) {
	templates, err := template.ParseFS(files, "pages/*.html")
	if err != nil {
		return nil, err
	}
	styles, err := files.ReadFile("pages/style.css")
	if err != nil {
		return nil, err
	}
	return &pages{title: title, path: path, templates: templates, styles: styles}, nil
}

// render writes a page; body is the template of its card.
func (p *pages) render(w http.ResponseWriter, status int, body string, data any) {
	var card, page bytes.Buffer
	err := p.templates.ExecuteTemplate(&card, body+".html", map[string]any{"Title": p.title, "Page": data})
	if err == nil {
		err = p.templates.ExecuteTemplate(&page, "layout.html", map[string]any{
			"Title": p.title, "Banner": banner, "Styles": p.path + stylesURL,
			"Card": template.HTML(card.String()), // escaped by the template that wrote it
		})
	}
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
	_, _ = w.Write(page.Bytes())
}

func (p *pages) message(w http.ResponseWriter, status int, heading, text string) {
	p.render(w, status, "message", messagePage{heading, text})
}

func (p *pages) serveStyles(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/css; charset=utf-8")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(p.styles)
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
	p.pages.render(w, http.StatusOK, "about", page)
}

// renderError shows what cannot be told to the application, because it is not
// certain which one that is.
func (p *Provider) renderError(w http.ResponseWriter, _ *http.Request, err error) error {
	known := asError(err)
	p.pages.message(w, known.StatusCode(), "This request cannot go on",
		"Nothing was granted ("+known.Description+"). Close this page and start again from the application.")
	return nil
}

// logError writes the code and the description, which go to the client too, and
// no more: reasons quote what clients sent.
func (p *Provider) logError(ctx context.Context, err error) {
	known := asError(err)
	level := p.opts.Logger.InfoContext
	if known.Code == goidc.ErrorCodeInternalError {
		level = p.opts.Logger.ErrorContext
	}
	level(ctx, "demo provider refused a request", "error", string(known.Code), "description", known.Description)
}

package pages

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
)

//go:embed templates/*.html assets/*
var files embed.FS

const assetPath = "/pages/assets/"

// layout holds the templates and the assets.
type layout struct {
	pages  map[string]*template.Template
	assets map[string][]byte // by hash and name
	style  string            // the path of the style sheet
	script string
}

func newLayout() (*layout, error) {
	l := &layout{pages: map[string]*template.Template{}, assets: map[string][]byte{}}
	shared, err := template.New("shared").Funcs(lineFuncs).ParseFS(files, "templates/shared.html", "templates/fields.html")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	names, err := fs.Glob(files, "templates/*.html")
	if err != nil {
		return nil, fmt.Errorf("pages: %w", err)
	}
	for _, name := range names {
		t, err := shared.Clone()
		if err == nil {
			t, err = t.ParseFS(files, name)
		}
		if err != nil {
			return nil, fmt.Errorf("pages: %w", err)
		}
		l.pages[strings.TrimSuffix(path.Base(name), ".html")] = t
	}
	if l.style, err = l.asset("pages.css"); err != nil {
		return nil, err
	}
	l.script, err = l.asset("pages.js")
	return l, err
}

// asset takes up a file and returns its path, which changes with its content:
// browsers may keep it for ever.
func (l *layout) asset(name string) (string, error) {
	data, err := files.ReadFile("assets/" + name)
	if err != nil {
		return "", fmt.Errorf("pages: %w", err)
	}
	sum := sha256.Sum256(data)
	key := hex.EncodeToString(sum[:8]) + "/" + name
	l.assets[key] = data
	return assetPath + key, nil
}

func (p *Pages) serveAsset(w http.ResponseWriter, r *http.Request) {
	data, ok := p.layout.assets[r.PathValue("hash")+"/"+r.PathValue("name")]
	if !ok {
		p.fail(w, r, errNoPage)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(r.PathValue("name"))))
	h.Set("Content-Length", strconv.Itoa(len(data)))
	_, _ = w.Write(data)
}

// page is one answer of the site. Its templates see the exported fields.
type page struct {
	name   string // of the template
	status int    // 0: 200
	who    *session

	Heading string
	Failed  bool         // what was sent is shown again with what is wrong
	Settled *settledView // tell the opener of it
	Watch   *watchView   // look whether it is settled meanwhile
	Body    any

	Site, Who, Style, Script string // filled in by render
}

// settledView is what the opener of a popup is told.
type settledView struct {
	ID      parley.ID
	Action  parley.Action
	Origins string // with spaces between
}

// watchView makes the page look whether a question was settled elsewhere.
type watchView struct {
	Status string // where to look
	Then   string // where to go when it was
}

// render writes a page. It is made in memory first, so that a person never gets
// half of one.
func (p *Pages) render(w http.ResponseWriter, r *http.Request, v page) {
	v.Heading = legible.Line(v.Heading)
	v.Site, v.Style, v.Script = p.opts.Title, p.layout.style, p.layout.script
	if v.who != nil {
		v.Who = legible.Line(v.who.Label())
	}
	var b bytes.Buffer
	if err := p.layout.pages[v.name].ExecuteTemplate(&b, "page", v); err != nil {
		p.opts.Logger.ErrorContext(r.Context(), "a page could not be made", "page", v.name, "err", err)
		http.Error(w, "This page could not be made. Try again in a minute.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(cmp.Or(v.status, http.StatusOK))
	_, _ = w.Write(b.Bytes())
}

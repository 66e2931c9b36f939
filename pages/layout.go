package pages

import (
	"cmp"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strconv"

	"github.com/parley-hq/parley"
	"github.com/parley-hq/parley/legible"
)

//go:embed assets/*
var files embed.FS

const assetPath = "/pages/assets/"

// layout holds the assets.
type layout struct {
	assets map[string][]byte // by hash and name
	style  string            // the path of the style sheet
	script string
	inbox  string
	sign   string // passkeys
}

func newLayout() (*layout, error) {
	l := &layout{assets: map[string][]byte{}}
	var err error
	if l.style, err = l.asset("pages.css"); err != nil {
		return nil, err
	}
	if l.script, err = l.asset("pages.js"); err != nil {
		return nil, err
	}
	if l.sign, err = l.asset("passkey.js"); err != nil {
		return nil, err
	}
	l.inbox = l.keep("inbox.js", inboxScript)
	return l, nil
}

// asset takes up a file and returns its path, which changes with its content:
// browsers may keep it for ever.
func (l *layout) asset(name string) (string, error) {
	data, err := files.ReadFile("assets/" + name)
	if err != nil {
		return "", fmt.Errorf("pages: %w", err)
	}
	return l.keep(name, data), nil
}

func (l *layout) keep(name string, data []byte) string {
	sum := sha256.Sum256(data)
	key := hex.EncodeToString(sum[:8]) + "/" + name
	l.assets[key] = data
	return assetPath + key
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

// page is one answer of the site.
type page struct {
	status int // 0: 200
	who    *session

	Heading string
	Failed  bool         // what was sent is shown again with what is wrong
	Settled *settledView // tell the opener of it
	Watch   *watchView   // look whether it is settled meanwhile
	Module  string       // the path of a script that fills the page
	Sign    string       // the path of the script for passkeys, where they are used
	Body    body

	Site, Who, Style, Script string // filled in by render
	Passkeys                 bool   // the site has them
	Waiting                  string // how many questions wait for the person, as well
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
		v.Passkeys = p.opts.Passkeys != nil
		v.Waiting = p.Waiting(r.Context(), v.who.principal())
	}
	html, err := v.html()
	if err != nil {
		p.opts.Logger.ErrorContext(r.Context(), "page not made", "heading", v.Heading, "err", err)
		http.Error(w, "This page could not be made. Try again in a minute.", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(cmp.Or(v.status, http.StatusOK))
	_, _ = w.Write(html)
}

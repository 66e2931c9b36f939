package pages

import (
	"embed"
	"encoding/json"
	"net/http"
)

// worker is the service worker of the inbox, built from web/src/worker.ts.
//
//go:embed widget/sw.js
var worker []byte

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#1d4ed8"/>` +
	`<path d="M14 18h36v22H30l-10 9v-9h-6z" fill="#fff"/></svg>`

// icons are the same picture for systems that take no SVG: for launchers, in two
// sizes and one that may be cut into any shape, and for phones.
//
//go:embed icons/*.png
var icons embed.FS

// serveWorker serves the service worker. Its path is its scope: it has to do with
// nothing but the inbox. Browsers ask for it again, and must get the newest.
func (p *Pages) serveWorker(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	_, _ = w.Write(worker)
}

// manifest makes the inbox a page that can be installed.
type manifest struct {
	Name       string         `json:"name"`
	ShortName  string         `json:"short_name"`
	ID         string         `json:"id"`
	StartURL   string         `json:"start_url"`
	Scope      string         `json:"scope"`
	Display    string         `json:"display"`
	Background string         `json:"background_color"`
	Theme      string         `json:"theme_color"`
	Icons      []manifestIcon `json:"icons"`
}

type manifestIcon struct {
	Source  string `json:"src"`
	Sizes   string `json:"sizes"`
	Type    string `json:"type"`
	Purpose string `json:"purpose"`
}

func (p *Pages) serveManifest(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/manifest+json")
	w.Header().Set("Cache-Control", "no-cache")
	_ = json.NewEncoder(w).Encode(manifest{
		Name: p.opts.Title, ShortName: p.opts.Title, ID: "/inbox", StartURL: "/inbox", Scope: "/", Display: "standalone",
		Background: "#ffffff", Theme: "#1d4ed8",
		Icons: []manifestIcon{
			{"/inbox/icons/icon-192.png", "192x192", "image/png", "any"},
			{"/inbox/icons/icon-512.png", "512x512", "image/png", "any"},
			{"/inbox/icons/maskable-512.png", "512x512", "image/png", "maskable"},
			{"/inbox/icon.svg", "any", "image/svg+xml", "any"},
		},
	})
}

func (p *Pages) serveIcon(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "max-age=86400")
	_, _ = w.Write([]byte(icon))
}

// serveIcons serves one of icons.
func (p *Pages) serveIcons(w http.ResponseWriter, r *http.Request) {
	raw, err := icons.ReadFile("icons/" + r.PathValue("name"))
	if err != nil {
		p.fail(w, r, errNoPage)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	w.Header().Set("Cache-Control", "max-age=86400")
	_, _ = w.Write(raw)
}

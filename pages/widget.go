package pages

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"net/http"
	"time"
)

// widgetScript is built from web/ by web/scripts/build and committed, so that
// building the program needs Go alone.
//
//go:embed widget/widget.js
var widgetScript []byte

// Widget serves the script of the web components <parley-chat> and
// <parley-question>, for /widget.js. Pages of any origin may load it. A browser
// asks each time whether the script is still the same, so that a page never
// talks to a new server with an old widget for longer than a reload.
func Widget() http.Handler {
	sum := sha256.Sum256(widgetScript)
	tag := `"` + hex.EncodeToString(sum[:16]) + `"`
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "This is a script to load: use GET.", http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/javascript; charset=utf-8")
		h.Set("Cache-Control", "no-cache")
		h.Set("ETag", tag)
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Cross-Origin-Resource-Policy", "cross-origin")
		h.Set("X-Content-Type-Options", "nosniff")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(widgetScript))
	})
}

package pages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestTheInboxCanBeInstalledAndHasAWorkerOfItsOwn(t *testing.T) {
	site := newSite(t, "http://127.0.0.1:8420", nil)
	get := func(path, kind string) *httptest.ResponseRecorder {
		t.Helper()
		w := httptest.NewRecorder()
		site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8420"+path, nil))
		if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), kind) {
			t.Errorf("%s: %d, %v", path, w.Code, w.Header())
		}
		return w
	}
	if js := get("/inbox/sw.js", "text/javascript").Body.String(); !strings.Contains(js, "question.closed") || strings.Contains(js, "importScripts") {
		t.Errorf("%s", js)
	}
	var manifest struct {
		StartURL string `json:"start_url"`
		Display  string
		Icons    []struct{ Src, Sizes, Type, Purpose string }
	}
	if err := json.Unmarshal(get("/inbox/manifest.webmanifest", "application/manifest+json").Body.Bytes(), &manifest); err != nil || manifest.StartURL != "/inbox" || manifest.Display != "standalone" {
		t.Errorf("%+v, %v", manifest, err)
	}
	// What browsers want of a page before they offer to install it: a picture of 192 and one of 512 pixels.
	want := map[string]bool{"192x192 any": true, "512x512 any": true, "512x512 maskable": true}
	for _, icon := range manifest.Icons {
		raw := get(icon.Src, icon.Type).Body.Bytes()
		if icon.Type != "image/png" {
			continue
		}
		picture, err := png.DecodeConfig(bytes.NewReader(raw))
		if size := fmt.Sprintf("%dx%d", picture.Width, picture.Height); err != nil || size != icon.Sizes {
			t.Errorf("%s is %s, %v", icon.Src, size, err)
		}
		delete(want, icon.Sizes+" "+icon.Purpose)
	}
	if len(want) != 0 {
		t.Errorf("missing: %v", want)
	}
	get("/inbox/icons/touch-180.png", "image/png")
	w := httptest.NewRecorder()
	site.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8420/inbox/icons/other.png", nil))
	if w.Code != http.StatusNotFound {
		t.Errorf("an icon that there is not: %d", w.Code)
	}
}

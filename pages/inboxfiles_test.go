package pages_test

import (
	"encoding/json"
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
		Icons    []struct{ Src string }
	}
	if err := json.Unmarshal(get("/inbox/manifest.webmanifest", "application/manifest+json").Body.Bytes(), &manifest); err != nil || manifest.StartURL != "/inbox" || manifest.Display != "standalone" {
		t.Errorf("%+v, %v", manifest, err)
	}
	get(manifest.Icons[0].Src, "image/svg+xml")
}

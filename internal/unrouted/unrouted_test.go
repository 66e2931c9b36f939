package unrouted_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/parley-hq/parley/internal/unrouted"
)

func TestAllowSaysWhatAPathTakes(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /here", func(http.ResponseWriter, *http.Request) { t.Error("it was handled") })
	for path, want := range map[string]string{"/here": "POST", "/elsewhere": ""} {
		if got := unrouted.Allow(mux, httptest.NewRequest(http.MethodGet, path, nil)); got != want {
			t.Errorf("%s takes %q, want %q", path, got, want)
		}
	}
}

package pages_test

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/parley-hq/parley/pages"
)

// getWidget asks for the script with the given headers.
func getWidget(t *testing.T, method string, header http.Header) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "/widget.js", nil)
	for name, values := range header {
		r.Header[name] = values
	}
	w := httptest.NewRecorder()
	pages.Widget().ServeHTTP(w, r)
	return w.Result()
}

func widgetBody(t *testing.T, res *http.Response) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := b.ReadFrom(res.Body); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWidgetIsTheBuiltScriptForPagesOfAnyOrigin(t *testing.T) {
	built, err := os.ReadFile("widget/widget.js")
	if err != nil {
		t.Fatal(err)
	}
	res := getWidget(t, http.MethodGet, http.Header{"Origin": {"https://shop.example"}})
	if res.StatusCode != http.StatusOK || !bytes.Equal(widgetBody(t, res), built) {
		t.Errorf("status %d, or another script than widget/widget.js", res.StatusCode)
	}
	for name, want := range map[string]string{
		"Content-Type":                 "text/javascript; charset=utf-8",
		"Cache-Control":                "no-cache",
		"Access-Control-Allow-Origin":  "*",
		"Cross-Origin-Resource-Policy": "cross-origin",
		"X-Content-Type-Options":       "nosniff",
	} {
		if got := res.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestWidgetIsNotSentAgainToABrowserThatHasIt(t *testing.T) {
	tag := getWidget(t, http.MethodGet, nil).Header.Get("ETag")
	if len(tag) < 10 {
		t.Fatalf("the ETag is %q", tag)
	}
	res := getWidget(t, http.MethodGet, http.Header{"If-None-Match": {tag}})
	if got := widgetBody(t, res); res.StatusCode != http.StatusNotModified || len(got) > 0 {
		t.Errorf("status %d with %d bytes, want 304 with none", res.StatusCode, len(got))
	}
	res = getWidget(t, http.MethodGet, http.Header{"If-None-Match": {`"other"`}})
	if res.StatusCode != http.StatusOK {
		t.Errorf("status %d for a browser with another script, want 200", res.StatusCode)
	}
}

func TestWidgetCanOnlyBeRead(t *testing.T) {
	res := getWidget(t, http.MethodHead, nil)
	if got := widgetBody(t, res); res.StatusCode != http.StatusOK || len(got) > 0 {
		t.Errorf("HEAD: status %d with %d bytes", res.StatusCode, len(got))
	}
	res = getWidget(t, http.MethodPost, nil)
	if diff := cmp.Diff([]string{"GET, HEAD"}, res.Header.Values("Allow")); res.StatusCode != http.StatusMethodNotAllowed || diff != "" {
		t.Errorf("POST: status %d, Allow (-want +got):\n%s", res.StatusCode, diff)
	}
}

func TestWidgetIsSmallerThan64kBOnTheWire(t *testing.T) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := z.Write(widgetBody(t, getWidget(t, http.MethodGet, nil))); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	t.Logf("widget.js: %d bytes gzipped", b.Len())
	if b.Len() >= 64_000 {
		t.Errorf("%d bytes gzipped, want less than 64,000", b.Len())
	}
}

package readfirst_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/readfirst"
)

// late is a transport that looks whether the body has ended when the answer has begun.
type late struct{ http.RoundTripper }

func (l late) RoundTrip(r *http.Request) (*http.Response, error) {
	body := r.Body
	r.Body = http.NoBody
	r.ContentLength = 0
	res, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(res.Body, body), res.Body}
	}
	return res, err
}

// The body is there for as long as the answer is passed on. Without readfirst it ends
// with the answer's beginning: then this test is wrong about net/http.
func TestABodyCanBeReadWhileTheAnswerIsPassedOn(t *testing.T) {
	behind := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "answer, ")
		_ = http.NewResponseController(w).Flush()
	}))
	t.Cleanup(behind.Close)
	to, err := url.Parse(behind.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport, proxy.FlushInterval = late{http.DefaultTransport}, -1
	for _, of := range []struct {
		name  string
		proxy http.Handler
		whole bool
	}{{"as it is", proxy, false}, {"read first", readfirst.Handler(proxy), true}} {
		front := httptest.NewServer(of.proxy)
		res, err := http.Post(front.URL, "text/plain", strings.NewReader("question"))
		if err != nil {
			t.Fatal(err)
		}
		said, err := io.ReadAll(res.Body)
		res.Body.Close()
		front.Close()
		if whole := err == nil && string(said) == "answer, question"; whole != of.whole {
			t.Errorf("%s: %q, %v", of.name, said, err)
		}
	}
}

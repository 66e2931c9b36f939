package terminal

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// A supervisor learns whether a node is ready: what it says, and 200 alone is yes.
func TestANodeIsAskedWhetherItIsReady(t *testing.T) {
	for status, wants := range map[int]string{200: "", 204: "204", 302: "302", 503: "503 Service Unavailable: the store does not answer"} {
		node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodGet || r.URL.Path != "/readyz" {
				t.Errorf("it asks %s %s", r.Method, r.URL)
			}
			if status == 302 {
				w.Header().Set("Location", "/readyz?again")
			}
			w.WriteHeader(status)
			if status != 204 {
				_, _ = io.WriteString(w, "the store does not answer\n")
			}
		}))
		t.Setenv("HTTP_PROXY", "http://127.0.0.1:1") // a proxy is not asked instead
		var out strings.Builder
		err := Ready(t.Context(), []string{"--server", node.URL + "/"}, &out)
		switch {
		case wants == "" && (err != nil || out.String() != "the store does not answer\n"):
			t.Errorf("%d: %v, %q", status, err, out.String())
		case wants != "" && (err == nil || !strings.Contains(err.Error(), wants) || out.Len() > 0):
			t.Errorf("%d: %v, %q", status, err, out.String())
		}
		node.Close()
	}
}

// What is wrong is said in the words of the other commands.
func TestANodeThatIsNotThereIsNotReady(t *testing.T) {
	const nobody = "cannot reach http://127.0.0.1:1 (connection refused): start the server there, or name another with --server"
	t.Setenv("PARLEY_SERVER", "http://127.0.0.1:1")
	for want, args := range map[string][]string{
		nobody: nil,
		`--server "foo" is not a URL such as http://127.0.0.1:8420`:        {"--server", "foo"},
		`invalid value "5" for flag -wait: write 5s`:                       {"--wait", "5"},
		`invalid value "x" for flag -wait: write a time such as 30s or 1m`: {"--wait", "x"},
	} {
		if err := Ready(t.Context(), args, io.Discard); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
	silent := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	defer silent.Close()
	if err := Ready(t.Context(), []string{"--server", silent.URL}, io.Discard); err == nil || err.Error() != silent.URL+" is not ready: EOF" {
		t.Error(err)
	}
}

// Who starts a node waits for it.
func TestANodeIsWaitedFor(t *testing.T) {
	var asked atomic.Int32
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked.Add(1) < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = io.WriteString(w, "ok")
	}))
	defer node.Close()
	if err := Ready(t.Context(), []string{"--server", node.URL, "--wait", "10m"}, io.Discard); err != nil || asked.Load() != 3 {
		t.Errorf("asked %d times: %v", asked.Load(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Ready(ctx, []string{"--server", node.URL, "--wait", "10m"}, io.Discard); err == nil {
		t.Error("it was told to stop, and goes on")
	}
}

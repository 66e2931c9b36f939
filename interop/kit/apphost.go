package kit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/readfirst"
)

// Bridges are the reference bridges of MCP Apps that a host can be built on, by
// their packages in npm/.
var Bridges = map[string]string{"1.7.5": "ext-apps-1", "2.0.4": "ext-apps-2"}

// AppHost serves npm/apphost.mjs, a host of MCP Apps for a browser, built on
// either bridge. Its apps are in frames of another origin.
type AppHost struct {
	url, sandbox string

	mu      sync.Mutex
	reaches map[string]func() string
}

// StartAppHost serves the host until the test ends.
func StartAppHost(t *testing.T) *AppHost {
	t.Helper()
	NeedNode(t)
	h := &AppHost{reaches: map[string]func() string{}}
	mux := http.NewServeMux()
	for version, name := range Bridges {
		script := bundle(t, name)
		mux.HandleFunc("GET /host-"+version+".js", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			http.ServeFile(w, r, script)
		})
		mux.HandleFunc("GET /"+version, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, hostPage, h.sandbox, version)
		})
	}
	mux.Handle("/to/{name}/", h.proxy(t))
	front, frames := httptest.NewServer(mux), httptest.NewServer(http.HandlerFunc(sandbox))
	t.Cleanup(func() {
		front.CloseClientConnections() // streams of pages that are still open
		front.Close()
		frames.Close()
	})
	h.url, h.sandbox = front.URL, frames.URL
	return h
}

// Page is where a host on the bridge of this version is.
func (h *AppHost) Page(version string) string { return h.url + "/" + version }

// Reach has the pages reach what is at base, which is asked for each request, below
// the path that it returns. Browsers let pages call their own origin only.
func (h *AppHost) Reach(name string, base func() string) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.reaches[name] = base
	return "/to/" + name
}

func (h *AppHost) proxy(t *testing.T) http.Handler {
	return readfirst.Handler(&httputil.ReverseProxy{
		FlushInterval: -1,                                       // events go through at once
		Transport:     &http.Transport{DisableKeepAlives: true}, // a connection that is closed just then would be a failure
		ErrorLog:      log.New(t.Output(), "host: ", log.Ltime|log.Lmicroseconds),
		Rewrite: func(r *httputil.ProxyRequest) {
			name := r.In.PathValue("name")
			h.mu.Lock()
			base := h.reaches[name]
			h.mu.Unlock()
			if base == nil {
				base = func() string { return "http://127.0.0.1:1" } // where nobody is
			}
			to, _ := url.Parse(base())
			r.Out.URL.Path, r.Out.URL.RawPath = strings.TrimPrefix(r.In.URL.Path, "/to/"+name), ""
			r.SetURL(to)
			r.Out.Header.Del("Origin")
			r.Out.Header.Del("Referer")
		},
	})
}

const hostPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>
html { color-scheme: light }
body { margin: 0; background: light-dark(#fff, #15171b); color: light-dark(#222, #ddd); font: 14px/1.5 sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
iframe { border: 0; width: 100%%; height: 60px; display: block; margin: .5rem 0 }
</style>
<body data-sandbox=%q><main></main><script src="/host-%s.js"></script></html>
`

// sandbox is the page between the host and an app: of another origin, with the app
// in a frame that has none, and with the policy that the specification has for what
// the app's server declares, as a header, which the inner frame inherits.
func sandbox(w http.ResponseWriter, r *http.Request) {
	var csp struct{ ConnectDomains, ResourceDomains, FrameDomains, BaseURIDomains []string }
	_ = json.Unmarshal([]byte(cmp.Or(r.FormValue("csp"), "{}")), &csp)
	resources := strings.Join(csp.ResourceDomains, " ")
	or := func(domains []string) string { return cmp.Or(strings.Join(domains, " "), "'none'") }
	w.Header().Set("Content-Security-Policy", "default-src 'none'; script-src 'self' 'unsafe-inline' "+resources+
		"; style-src 'self' 'unsafe-inline' "+resources+"; img-src 'self' data: "+resources+"; font-src 'self' data: "+resources+
		"; media-src 'self' data: "+resources+"; connect-src "+or(csp.ConnectDomains)+"; frame-src "+or(csp.FrameDomains)+
		"; object-src 'none'; base-uri "+or(csp.BaseURIDomains))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = io.WriteString(w, sandboxPage)
}

const sandboxPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Sandbox</title><link rel="icon" href="data:,">
<style>html, body { margin: 0; height: 100% } iframe { border: 0; width: 100%; height: 100%; display: block }</style>
<body><script>
let app;
const own = (data) => String(data?.method).startsWith("ui/notifications/sandbox-");
addEventListener("message", ({ source, data }) => {
  if (source === parent && data?.method === "ui/notifications/sandbox-resource-ready") {
    app = document.createElement("iframe");
    app.sandbox = "allow-scripts";
    app.title = "App";
    app.srcdoc = data.params.html;
    document.body.append(app);
  } else if (source === parent && !own(data)) app?.contentWindow.postMessage(data, "*");
  else if (app && source === app.contentWindow && !own(data)) parent.postMessage(data, "*");
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
</script></html>
`

// bundle makes one script of the host and a bridge, by the esbuild that the widget is
// built with.
func bundle(t *testing.T, bridge string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*Patience)
	defer cancel()
	out := filepath.Join(t.TempDir(), bridge+".js")
	cmd := exec.CommandContext(ctx, "go", "tool", "-modfile=../../tools/go.mod", "esbuild", "apphost.mjs", "--bundle", "--format=iife",
		"--target=es2022", "--minify", "--log-level=warning", "--alias:bridge="+bridge+"/app-bridge", "--outfile="+out)
	cmd.Dir = "npm" // where what stands for another is looked for
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("esbuild: %v\n%s", err, said)
	}
	return out
}

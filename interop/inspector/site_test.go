package inspector_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parley-hq/parley/internal/testkit/readfirst"
	"github.com/parley-hq/parley/interop/kit"
)

// site is a node whose gateway is in front of the flower shop.
type site struct {
	url  string
	mute string // the same, for hosts that cannot ask
}

// person is who uses what the Inspector calls by that name: each somebody else, since the same call of
// the same person is one.
func person(name string) string { return strings.ReplaceAll(name, " ", "-") }

// bearer is somebody's token, while the site is for development.
func bearer(person string) string { return "dev-user:" + person }

func startSite(t *testing.T) site {
	t.Helper()
	address, shop := kit.FreeAddresses(t, 1)[0], startShop(t)
	file := filepath.Join(t.TempDir(), "parley.yaml")
	text := fmt.Sprintf(`
listen: %[1]q
public_url: "http://%[1]s"
store: "memory:"
secrets: [%[2]q]
dev: true
servers:
  flowers: {url: %[3]q, title: Flower shop}
  hurried: {url: %[3]q, title: Hurried shop}
rules: [{name: hurried, server: hurried, approve: always, ttl: 25s}]
gateway: {}
`, address, kit.Secret, shop)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	n := &kit.Node{Url: "http://" + address, Cmd: exec.Command(kit.BuildParley(t), "serve", "-c", file), Ended: make(chan struct{})}
	n.Run(t)
	return site{url: n.Url, mute: muted(t, n.Url)}
}

// muted stands before a node and takes elicitation out of what clients declare. The
// Inspector, which always declares it, comes by here as a host that draws apps and
// cannot ask, as Claude and ChatGPT are.
func muted(t *testing.T, node string) string {
	t.Helper()
	to, err := url.Parse(node)
	if err != nil {
		t.Fatal(err)
	}
	front := httptest.NewServer(readfirst.Handler(&httputil.ReverseProxy{
		FlushInterval: -1, // events go through at once
		ErrorLog:      log.New(io.Discard, "", 0),
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = to.Host
			mute(r.Out)
		},
	}))
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	return front.URL
}

// mute changes a request in which a client declares what it can do: its first one up
// to 2025-11-25, and each of 2026-07-28. Others go as they are.
func mute(r *http.Request) {
	if r.Body == nil {
		return
	}
	body, _ := io.ReadAll(r.Body) // what breaks off is no JSON
	var message, params, meta, declared map[string]json.RawMessage
	read := func(from json.RawMessage, into *map[string]json.RawMessage) { _ = json.Unmarshal(from, into) }
	read(body, &message)
	read(message["params"], &params)
	read(params["_meta"], &meta)
	const perRequest = "io.modelcontextprotocol/clientCapabilities"
	switch {
	case params["capabilities"] != nil:
		read(params["capabilities"], &declared)
		params["capabilities"] = withoutElicitation(declared)
	case meta[perRequest] != nil:
		read(meta[perRequest], &declared)
		meta[perRequest] = withoutElicitation(declared)
		params["_meta"] = encoded(meta)
	}
	if declared != nil {
		message["params"] = encoded(params)
		body = encoded(message)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
}

func withoutElicitation(declared map[string]json.RawMessage) json.RawMessage {
	delete(declared, "elicitation")
	var extensions map[string]map[string]json.RawMessage
	if json.Unmarshal(declared["extensions"], &extensions) == nil {
		delete(extensions["io.modelcontextprotocol/ui"], "elicitation")
		declared["extensions"] = encoded(extensions)
	}
	return encoded(declared)
}

func encoded(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // what was decoded
	}
	return raw
}

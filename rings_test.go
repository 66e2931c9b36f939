package parley_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	pathpkg "path"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/parley-hq/parley"

// rings lists the packages from the inside out. A package imports only from
// rings further in, and from its own folder; docs/architecture.md draws it.
var rings = [][]string{
	{"strictjson", "internal/ballast", "internal/crew", "internal/lately", "internal/loopback", "internal/patience", "internal/quietlog", "internal/sse", "internal/toolfind", "internal/toolname", "internal/unrouted", "internal/userinfo", "limit", "tracing"},
	{"legible"},
	{"form"},
	{"."},
	{"storetest", "sqlitestore", "pgstore", "redisstore", "seal", "outbound", "mcpclient", "quorum", "passkey"},
	{"vault", "permit", "mcptool", "agent", "notify", "login", "audit"},
	{"mcpcall", "mcphttp", "asking"},
	{"gateway", "chat", "mcpbridge", "slackapp", "pages", "api", "telemetry"},
	{"agentmcp", "a2a"}, // what an agent says over MCP and A2A is gathered by chat
	{"internal/backend", "internal/demoprovider", "internal/visitor"},
	{"cmd/parley/internal/carrier", "cmd/parley/internal/config", "cmd/parley/internal/demomodel", "cmd/parley/internal/loggedin"},
	{"cmd/parley/internal/server", "cmd/parley/internal/terminal"},
	{"cmd/parley/internal/demo"},
	{"cmd/parley", "examples"},
	outermost,
}

// outermost is the last ring: what only tests and measurements run. It imports what
// it likes, and nothing but itself and tests imports it.
var outermost = []string{"internal/testkit", "cmd/parley/internal/testserve", "cmd/parley/internal/agentmcptest", "bench", "interop"}

// hidden says which package hides which outside module: nobody else imports it;
// programs may import what a package of the library hides.
var hidden = map[string]string{
	"golang.org/x/text/cases":               "strictjson",
	"golang.org/x/text/unicode":             "legible",
	"github.com/santhosh-tekuri/jsonschema": "form",
	"modernc.org/sqlite":                    "sqlitestore",
	"github.com/fsnotify/fsnotify":          "sqlitestore",
	"github.com/jackc/pgx":                  "pgstore",
	"github.com/gomodule/redigo":            "redisstore",
	"golang.org/x/net":                      "outbound",
	"github.com/zalando/go-keyring":         "vault",
	"golang.org/x/mod":                      "audit",
	"golang.org/x/sync":                     "vault",
	"github.com/a2aproject/a2a-go":          "a2a",
	"github.com/coreos/go-oidc":             "pages",
	"github.com/coder/websocket":            "chat",
	"github.com/google/cel-go":              "permit",
	"github.com/danielgtaylor/huma":         "api",
	"github.com/go-jose/go-jose":            "pages",
	"github.com/go-webauthn/webauthn":       "passkey",
	"github.com/goccy/go-yaml":              "cmd/parley/internal/config",
	"github.com/slack-go/slack":             "slackapp",
	"github.com/prometheus":                 "telemetry",
	"go.opentelemetry.io":                   "telemetry",
	"github.com/chromedp":                   "internal/testkit",
	"github.com/anishathalye/porcupine":     "internal/testkit",
}

type goPackage struct {
	ImportPath                string
	Imports, Deps             []string
	TestImports, XTestImports []string
}

func TestImportsPointInward(t *testing.T) {
	for _, p := range goList(t) {
		from := folder(p.ImportPath)
		ring := ringOf(from)
		if ring < 0 {
			t.Errorf("%s is in no ring: place it in rings_test.go and in docs/architecture.md", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				checkOutside(t, from, imported)
				continue
			}
			if to := folder(imported); to != from && ring < len(rings)-1 && ringOf(to) >= ring {
				t.Errorf("%s imports %s, which is not further in", p.ImportPath, imported)
			}
		}
	}
}

// Every folder of the rings and every one that hides something is there: a name
// that nobody has holds nothing.
func TestEveryPlaceOfTheRingsIsTaken(t *testing.T) {
	taken := map[string]bool{}
	for _, p := range goList(t) {
		taken[folder(p.ImportPath)] = true
	}
	for _, name := range slices.Concat(slices.Concat(rings...), slices.Collect(maps.Values(hidden))) {
		if !taken[name] {
			t.Errorf("there is no package in %s", name)
		}
	}
}

// library says whether a folder is for those who import this module: all that is
// not internal, nor a program.
func library(folder string) bool { return ringOf(folder) <= ringOf("agentmcp") }

func ringOf(folder string) int {
	return slices.IndexFunc(rings, func(ring []string) bool { return slices.Contains(ring, folder) })
}

func checkOutside(t *testing.T, from, imported string) {
	t.Helper()
	standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
	if from == "." && !standard {
		t.Errorf("the core imports %s; it has the standard library and form, nothing else", imported)
	}
	for outside, owner := range hidden {
		if (imported == outside || strings.HasPrefix(imported, outside+"/")) && from != owner && (library(from) || !library(owner)) {
			t.Errorf("%s imports %s, which %s hides", from, imported, owner)
		}
	}
}

// folder is the place of a package in the rings: the longest one that it is in. Of
// one that is in none it is its path.
func folder(path string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	if rest == "" {
		return "."
	}
	for place := rest; place != "."; place = pathpkg.Dir(place) {
		if ringOf(place) >= 0 {
			return place
		}
		if in := pathpkg.Dir(place); in == "internal" || in == "cmd/parley/internal" { // each has a place of its own
			return rest
		}
	}
	return rest
}

// weights are modules that only tests need (decision 36).
var weights = []string{"github.com/chromedp/", "github.com/anishathalye/porcupine"}

func heavy(imported string) bool {
	return slices.ContainsFunc(weights, func(w string) bool { return strings.HasPrefix(imported, w) })
}

// Who builds with the library downloads and compiles what its packages reach.
func TestTheLibraryDoesNotBringWhatOnlyTestsNeed(t *testing.T) {
	reached := 0
	for _, p := range goList(t) {
		reached += len(p.Deps)
		if library(folder(p.ImportPath)) && slices.ContainsFunc(p.Deps, heavy) {
			t.Errorf("%s brings one of %q to all who import it", p.ImportPath, weights)
		}
	}
	if reached == 0 {
		t.Error("nothing was looked at")
	}
}

// Who tidies a module downloads what the tests of the packages need that they
// import.
func TestFewTestsOfTheLibraryNeedHeavyModules(t *testing.T) {
	all := map[string]goPackage{}
	for _, p := range goList(t) {
		all[p.ImportPath] = p
	}
	var found []string
	for _, p := range all {
		needs := slices.ContainsFunc(slices.Concat(p.TestImports, p.XTestImports), func(imported string) bool {
			return heavy(imported) || slices.ContainsFunc(all[imported].Deps, heavy)
		})
		if place := folder(p.ImportPath); needs && library(place) {
			found = append(found, place)
		}
	}
	slices.Sort(found)
	if want := []string{"pages"}; !slices.Equal(found, want) {
		t.Errorf("tests of %q need one of %q, not of %q: see decision 36", found, weights, want)
	}
}

func goList(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps,TestImports,XTestImports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

package parley_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/parley-hq/parley"

// rings lists the packages from the inside out. A package imports only from
// rings further in; docs/architecture.md draws it.
var rings = [][]string{
	{"strictjson", "internal/crew", "internal/loopback", "internal/patience", "internal/quietlog", "internal/sse"},
	{"form", "legible"},
	{"."},
	{"storetest", "sqlitestore", "pgstore", "redisstore", "seal", "outbound", "mcpclient", "limit"},
	{"vault", "permit", "mcptool", "agent"},
	{"mcpcall"},
	{"gateway", "chat", "mcpbridge", "a2a", "slackapp", "pages", "api", "telemetry"},
	{"internal", "cmd", "examples", "bench", "interop", "web"}, // wiring: imports what it likes, also of its own ring
}

// hidden says which package hides which outside module: nobody else imports it.
var hidden = map[string]string{
	"golang.org/x/text":                     "strictjson",
	"github.com/santhosh-tekuri/jsonschema": "form",
	"modernc.org/sqlite":                    "sqlitestore",
	"github.com/fsnotify/fsnotify":          "sqlitestore",
	"github.com/jackc/pgx":                  "pgstore",
	"github.com/pressly/goose":              "pgstore",
	"github.com/redis/rueidis":              "redisstore",
	"golang.org/x/net":                      "outbound",
	"github.com/zalando/go-keyring":         "vault",
	"golang.org/x/sync":                     "vault",
	"github.com/coreos/go-oidc":             "pages",
	"github.com/coder/websocket":            "chat",
	"github.com/google/cel-go":              "permit",
	"github.com/danielgtaylor/huma":         "api",
	"github.com/go-jose/go-jose":            "pages",
}

type goPackage struct {
	ImportPath string
	Imports    []string
}

func TestImportsPointInward(t *testing.T) {
	ringOf := map[string]int{}
	for i, ring := range rings {
		for _, name := range ring {
			ringOf[name] = i
		}
	}
	wiring := len(rings) - 1
	for _, p := range goList(t) {
		from := folder(p.ImportPath)
		ring, known := ringOf[from]
		if !known {
			t.Errorf("%s is in no ring: place it in rings_test.go and in docs/architecture.md", p.ImportPath)
			continue
		}
		for _, imported := range p.Imports {
			if imported != module && !strings.HasPrefix(imported, module+"/") {
				checkOutside(t, from, imported, ring == wiring)
				continue
			}
			to := folder(imported)
			if ring != wiring && to != from && ringOf[to] >= ring {
				t.Errorf("%s imports %s, which is not further in", p.ImportPath, imported)
			}
		}
	}
}

func checkOutside(t *testing.T, from, imported string, wiring bool) {
	t.Helper()
	standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
	if from == "." && !standard {
		t.Errorf("the core imports %s; it has the standard library and form, nothing else", imported)
	}
	for outside, owner := range hidden {
		if (imported == outside || strings.HasPrefix(imported, outside+"/")) && from != owner && !wiring {
			t.Errorf("%s imports %s, which %s hides", from, imported, owner)
		}
	}
}

// folder returns the first folder of a package of this module, "." for the core;
// of internal/sse, which is further in than the rest of internal, both.
func folder(path string) string {
	rest := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
	if rest == "" {
		return "."
	}
	for _, ring := range rings {
		if slices.Contains(ring, rest) {
			return rest
		}
	}
	return strings.Split(rest, "/")[0]
}

func goList(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
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

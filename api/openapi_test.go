package api_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

var update = flag.Bool("update", false, "write testdata anew")

const golden = "testdata/openapi.json"

func TestTheDescriptionIsTheOneThatWasReviewed(t *testing.T) {
	got := newWorld(t, nil).do("", http.MethodGet, "/api/openapi.json", "").want(http.StatusOK)
	if *update {
		if err := os.WriteFile(filepath.FromSlash(golden), got.body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.FromSlash(golden))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got.body)); diff != "" {
		t.Errorf("the API changed; look at it, then run with -update:\n%s", diff)
	}
	if kind := got.header.Get("Content-Type"); kind != "application/openapi+json" {
		t.Errorf("content type %s", kind)
	}
}

// description is what of an OpenAPI document the tests look at.
type description struct {
	OpenAPI string
	Info    struct{ Title, Version string }
	Paths   map[string]map[string]described

	Security   []map[string][]string
	Components struct {
		Schemas         map[string]any
		SecuritySchemes map[string]any
	}
}

type described struct {
	OperationID string `json:"operationId"`
	Summary     string
	Parameters  []struct {
		Name, In string
		Required bool
		Schema   any
	}
	RequestBody *struct {
		Required bool
		Content  map[string]struct{ Schema any }
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema any }
	}
}

// document reads the description once.
var document = sync.OnceValues(func() (raw any, d description) {
	data, err := os.ReadFile(filepath.FromSlash(golden))
	if err == nil {
		raw, err = jsonschema.UnmarshalJSON(bytes.NewReader(data))
	}
	if err == nil {
		err = json.Unmarshal(data, &d)
	}
	if err != nil {
		panic(err)
	}
	return raw, d
})

var inBraces = regexp.MustCompile(`\{([^}]+)\}`)

func TestTheDescriptionIsValidOpenAPI31(t *testing.T) {
	raw, d := document()
	if !strings.HasPrefix(d.OpenAPI, "3.1.") || d.Info.Title == "" || d.Info.Version == "" {
		t.Errorf("openapi %q, info %+v", d.OpenAPI, d.Info)
	}
	for _, way := range d.Security {
		for name := range way {
			if d.Components.SecuritySchemes[name] == nil {
				t.Errorf("the security scheme %s is not described", name)
			}
		}
	}
	seen := map[string]bool{}
	for path, methods := range d.Paths {
		if !strings.HasPrefix(path, "/api/") {
			t.Errorf("%s is outside of /api", path)
		}
		for method, op := range methods {
			if op.OperationID == "" || seen[op.OperationID] || op.Summary == "" || len(op.Responses) == 0 {
				t.Errorf("%s %s: operation %q, summary %q, %d responses", method, path, op.OperationID, op.Summary, len(op.Responses))
			}
			seen[op.OperationID] = true
			var want, got []string
			for _, m := range inBraces.FindAllStringSubmatch(path, -1) {
				want = append(want, m[1])
			}
			for _, p := range op.Parameters {
				if p.In == "path" && p.Required {
					got = append(got, p.Name)
				}
			}
			if !slices.Equal(want, got) {
				t.Errorf("%s %s: path parameters %v are described as %v", method, path, want, got)
			}
			for status, answer := range op.Responses {
				if answer.Description == "" || !regexp.MustCompile(`^[1-5]\d\d$`).MatchString(status) {
					t.Errorf("%s %s: response %s has the description %q", method, path, status, answer.Description)
				}
			}
		}
	}
	compiler := compiled(t, raw)
	for _, at := range schemas("", raw) {
		if _, err := compiler.Compile("openapi.json#" + at); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
}

// schemas returns the places of all schemas: the values of members called
// schema, and the components.
func schemas(at string, value any) (all []string) {
	members, _ := value.(map[string]any)
	for name, below := range members {
		place := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		if name == "schema" || at == "/components/schemas" {
			all = append(all, place)
			continue
		}
		all = append(all, schemas(place, below)...)
	}
	list, _ := value.([]any)
	for i, below := range list {
		all = append(all, schemas(fmt.Sprintf("%s/%d", at, i), below)...)
	}
	return all
}

var compiler *jsonschema.Compiler

// compiled returns the one compiler; it remembers what it has compiled.
func compiled(t testing.TB, raw any) *jsonschema.Compiler {
	t.Helper()
	if compiler != nil {
		return compiler
	}
	compiler = jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource("openapi.json", raw); err != nil {
		t.Fatal(err)
	}
	return compiler
}

// find returns the described operation of a request.
func find(r *http.Request) (path string, op described, ok bool) {
	_, d := document()
	var best string
	for path, methods := range d.Paths {
		pattern := "^" + inBraces.ReplaceAllString(path, "[^/]+") + "$"
		if _, described := methods[strings.ToLower(r.Method)]; described && regexp.MustCompile(pattern).MatchString(r.URL.Path) {
			if !ok || path == r.URL.Path { // the same path goes before a pattern, as in the mux
				best, ok = path, true
			}
		}
	}
	return best, d.Paths[best][strings.ToLower(r.Method)], ok
}

// conforms checks an answer against its description.
func conforms(t testing.TB, r *http.Request, got reply) {
	t.Helper()
	path, op, ok := find(r)
	if !ok {
		if got.status != http.StatusNotFound && got.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d from what is not described", got.what, got.status)
		}
		return
	}
	answer, ok := op.Responses[fmt.Sprint(got.status)]
	if !ok {
		t.Errorf("%s: status %d is not described", got.what, got.status)
		return
	}
	if len(answer.Content) == 0 {
		if len(got.body) > 0 {
			t.Errorf("%s: a body that is not described: %s", got.what, got.body)
		}
		return
	}
	kind := got.header.Get("Content-Type")
	if _, ok := answer.Content[kind]; !ok {
		t.Errorf("%s: the content type %q is not described", got.what, kind)
		return
	}
	if kind == "text/event-stream" || kind == "application/jsonl" || strings.HasPrefix(kind, "text/plain") {
		return // its data are checked where they are read
	}
	raw, _ := document()
	escape := strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D", "+", "%2B")
	schema, err := compiled(t, raw).Compile(fmt.Sprintf("openapi.json#/paths/%s/%s/responses/%d/content/%s/schema",
		escape.Replace(path), strings.ToLower(r.Method), got.status, escape.Replace(kind)))
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.body))
	if err == nil {
		err = schema.Validate(value)
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", got.what, err, got.body)
	}
}

func TestNothingElseOfTheFrameworkIsServed(t *testing.T) {
	w := newWorld(t, nil)
	for _, path := range []string{
		"/api", "/api/", "/docs", "/api/docs", "/openapi.json", "/openapi.yaml", "/api/openapi.yaml", "/api/openapi-3.0.json", "/schemas/Server.json", "/api/schemas/Server",
	} {
		w.do("key", http.MethodGet, path, "").refused(http.StatusNotFound)
	}
	got := w.do("key", http.MethodGet, "/api/servers", "").want(http.StatusOK)
	if bytes.Contains(got.body, []byte("$schema")) || got.header.Get("Link") != "" {
		t.Errorf("%s, %v", got.body, got.header)
	}
	w.do("key", http.MethodPost, "/api/openapi.json", "{}").refused(http.StatusMethodNotAllowed)
	got = w.do("key", http.MethodDelete, "/api/servers", "").refused(http.StatusMethodNotAllowed)
	if allow := got.header.Get("Allow"); allow != "GET, HEAD, POST" {
		t.Errorf("Allow: %s", allow)
	}
}

func TestNullIsDescribedWhereAPatchTakesIt(t *testing.T) {
	raw, _ := document()
	schema, err := compiled(t, raw).Compile("openapi.json#/components/schemas/ServerPatch")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, nil)
	created("/api/servers", board)(w)
	for _, patch := range []string{
		`{"title":null}`, `{"approve":null}`, `{"enabled":null}`, `{"auth_scope":null}`, `{"auth_type":null}`, `{"auth":null}`,
		`{"auth":{"type":null,"scope":null,"token":null,"scopes":null,"header":null}}`, `{"auth":{"scope":"user"}}`,
	} {
		w.do("key", http.MethodPatch, "/api/servers/board", patch).want(http.StatusOK)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(patch))
		if err == nil {
			err = schema.Validate(value)
		}
		if err != nil {
			t.Errorf("%s: %v", patch, err)
		}
	}
	w.do("key", http.MethodPatch, "/api/servers/board", `{"url":null}`).refused(http.StatusUnprocessableEntity, "body.url")
}

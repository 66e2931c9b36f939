package serve_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/parley-hq/parley/interop/kit"
)

// openapiReport is what npm/openapi.mjs prints.
type openapiReport struct {
	Type, Version string
	Schemas       int
	Operations    []string
	Findings      []string
}

// checkOpenAPI has the description of a server checked, and what it answers to
// these addresses.
func checkOpenAPI(t *testing.T, url string, read ...string) (r openapiReport) {
	t.Helper()
	raw, err := json.Marshal(kit.Fields{"url": url, "token": adminKey, "read": append([]string{}, read...)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), kit.Patience)
	defer cancel()
	var said kit.Output
	cmd := exec.CommandContext(ctx, "node", "npm/openapi.mjs", string(raw))
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if err != nil {
		t.Fatalf("openapi.mjs: %v\n%s%s", err, out, said.String())
	}
	return r
}

func TestOthersFindTheDescriptionOfTheAPIValid(t *testing.T) {
	kit.NeedNode(t)
	g := startGate(t, managedProvider)
	for path, body := range map[string]string{
		"/api/services": `{"name":"boards","provider":"acme","scopes":["read"]}`,
		"/api/servers":  `{"name":"board","url":"` + g.wares.url + `/mine/mcp","auth":{"type":"oauth2","service":"boards","scope":"user"}}`,
		"/api/rules":    `{"name":"spending","tool":"pay*","when":"args.amount > 100","approve":"always","approvers":{"need":1,"of":["ada","bob"]}}`,
	} {
		if status := g.api(t, http.MethodPost, path, adminKey, body, nil); status != http.StatusCreated {
			t.Fatalf("POST %s: %d", path, status)
		}
	}
	r := checkOpenAPI(t, g.public,
		"/api/servers", "/api/servers/board", "/api/servers/shop", "/api/servers/board/checklist?user=alice", "/api/providers", "/api/providers/acme",
		"/api/services", "/api/services/boards", "/api/connections", "/api/permissions?user=alice", "/api/rules", "/api/elicitations")
	if r.Version != "3.1" || r.Type != "application/openapi+json" || r.Schemas == 0 || !slices.Contains(r.Operations, "patch-server") {
		t.Errorf("%+v", r)
	}
	for _, finding := range r.Findings {
		t.Error(finding)
	}
}

// Whoever finds nothing in a good document must find something in a bad one.
func TestOthersFindWhatIsWrongWithADescription(t *testing.T) {
	kit.NeedNode(t)
	t.Parallel()
	const good = `{"openapi":"3.1.0","info":{"title":"t","version":"1"},
		"paths":{"/api/things/{name}":{"get":{"operationId":"get-thing",
			"parameters":[{"name":"name","in":"path","required":true,"schema":{"type":"string"}}],
			"responses":{"200":{"description":"OK","content":{"application/json":{"schema":{"$ref":"#/components/schemas/Thing"}}}}}}}},
		"components":{"schemas":{"Thing":{"type":"object","properties":{"size":{"type":"integer"}},"required":["size"]}}}}`
	for name, c := range map[string]struct{ old, new, thing, want string }{
		"nothing":                       {thing: `{"size":1}`},
		"no title":                      {old: `"title":"t",`, want: "title"},
		"an optional path parameter":    {old: `"required":true,"schema"`, new: `"required":false,"schema"`, want: "required"},
		"a response without a text":     {old: `"description":"OK",`, want: "description"},
		"a reference to nothing":        {old: `schemas/Thing"`, new: `schemas/Other"`, want: "schemas/Other"},
		"a type that does not exist":    {old: `"type":"integer"`, new: `"type":"number of things"`, want: "Thing"},
		"a keyword that does nothing":   {old: `"type":"integer"`, new: `"typo":"integer"`, want: "typo"},
		"an answer of another type":     {thing: `{"size":"large"}`, want: "size must be integer"},
		"an answer that lacks a member": {thing: `{}`, want: "size"},
	} {
		t.Run(name, func(t *testing.T) {
			document := good
			if c.old != "" {
				document = strings.Replace(good, c.old, c.new, 1)
			}
			if c.old != "" && document == good {
				t.Fatalf("%s is not in the document", c.old)
			}
			site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				body := c.thing
				if r.URL.Path == "/api/openapi.json" {
					body = document
				}
				_, _ = w.Write([]byte(body))
			}))
			defer site.Close()
			var read []string
			if c.thing != "" {
				read = append(read, "/api/things/one")
			}
			all := strings.Join(checkOpenAPI(t, site.URL, read...).Findings, "\n")
			if (all == "") != (c.want == "") || !strings.Contains(all, c.want) {
				t.Errorf("found %q, not %q", all, c.want)
			}
		})
	}
}
